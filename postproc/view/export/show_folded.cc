// Folded stacks: a line for each call path, its names joined by ";", a space, and its own time in nanoseconds, summed
// over the ranks (https://github.com/brendangregg/FlameGraph, stackcollapse). A ";" in a name becomes ":".
#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/export/call_paths.h"
#include "postproc/view/export/export.h"

namespace andes::postproc {
namespace {

std::string folded(const Terminal&, const ShownRun& run) {
  require_call_paths(run, "folded");
  const std::vector<TreeRow>& rows = run.tree.rows;
  std::vector<std::string> stacks(rows.size());
  std::string text;
  for (const std::size_t root : run.tree.roots) stacks[root] = "";
  for (const std::size_t row : rows_in_order(run.tree)) {
    std::string name = rows[row].name;
    std::replace(name.begin(), name.end(), ';', ':');
    stacks[row] += name;
    for (const std::size_t child : rows[row].children) stacks[child] = stacks[row] + ";";
    if (const std::int64_t own_ns = whole_ns(rows[row].exclusive_s); own_ns > 0)
      text += fmt::format("{} {}\n", stacks[row], own_ns);
    stacks[row] = {};
  }
  return text;
}

} // namespace

const Export show_folded =
    Format<ShownRun>{{"folded", "Print folded stacks, as flame graph programs read them"}, folded};

} // namespace andes::postproc
