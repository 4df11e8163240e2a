// The CSV tables of `andes show`: call paths, values and the ends of ranks, or threads. Columns: columns/.
#include "postproc/analysis/phases.h"
#include "postproc/view/columns/callpaths.h"
#include "postproc/view/columns/flat.h"
#include "postproc/view/columns/locations.h"
#include "postproc/view/columns/values.h"
#include "postproc/view/views.h"

namespace andes::postproc {

std::string threads_csv(const Profile& profile, const std::vector<int>& ranks) {
  return csv_table(columns::threads(), columns::shown_locations(profile, threads_of(profile, ranks), ranks));
}

std::string show_csv(const Profile& profile, const Tree& tree) {
  std::string text = csv_table(columns::callpaths(profile, tree), tree.rows);
  if (const std::vector<PathValue> values = values_of(profile); !values.empty())
    text += '\n' + csv_table(columns::values(profile), values);
  if (!profile.endings.empty()) text += '\n' + csv_table(columns::endings(profile), profile.endings);
  return text;
}

std::string flat_csv(const Profile& profile, const Tree& tree, const FlatProfile& flat) {
  const columns::FlatKinds kinds = columns::flat_kinds(profile, tree);
  if (!flat.calls.empty()) return csv_table(columns::call_lines(kinds), columns::lines_of(flat.calls));
  return csv_table(columns::functions(kinds), flat.functions) + '\n' + csv_table(columns::files(kinds), flat.files) +
         '\n' + csv_table(columns::groups(kinds), flat.groups);
}

} // namespace andes::postproc
