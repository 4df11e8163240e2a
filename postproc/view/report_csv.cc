// The CSV tables of `andes report`, an empty line between them: points and routines; where ranks have several threads
// the ranks; where instructions and cycles were counted their points and call paths. Columns: columns/.
#include "postproc/view/columns/points.h"
#include "postproc/view/columns/processor.h"
#include "postproc/view/columns/ranks.h"
#include "postproc/view/columns/routines.h"
#include "postproc/view/views.h"

namespace andes::postproc {

std::string report_csv(const Report& report) {
  const auto& points = report.grid ? report.grid->all.points : report.scaling.points;
  const auto& shares = report.grid ? report.grid_shares : report.shares;
  std::string text = csv_table(columns::sizes(report), columns::size_rows(points, shares)) + '\n' +
                     csv_table(columns::routines(report), report.routines);
  if (has_threads(report)) text += '\n' + csv_table(columns::ranks(), report.rank_rows);
  if (!report.processor.why_not.empty()) return text;
  return text + '\n' + csv_table(columns::processor_points(report.grid.has_value()), report.processor.points) + '\n' +
         csv_table(columns::processor_paths(), report.processor.paths);
}

} // namespace andes::postproc
