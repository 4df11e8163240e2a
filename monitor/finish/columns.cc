// Converts rows of values by location, as they are sent, to columns by call path and metric, as in
// the run file.
#include "monitor/finish/reduction.h"

namespace andes::monitor {

std::vector<Column> columns_of(const Reduction& reduction) {
  std::vector<Column> columns(reduction.statistics.size());
  for (std::size_t path = 0; path < reduction.paths.size(); ++path)
    for (std::int32_t at = reduction.paths[path].first; at >= 0;) {
      const ReducedValue& value = reduction.statistics[static_cast<std::size_t>(at)];
      columns[static_cast<std::size_t>(at)].callpath = static_cast<std::int32_t>(path);
      columns[static_cast<std::size_t>(at)].metric = value.metric;
      at = value.next;
    }
  std::size_t from = 0;
  for (std::size_t row = 0; row < reduction.rows.size(); ++row)
    for (; from < static_cast<std::size_t>(reduction.rows[row].end); ++from) {
      const auto of = static_cast<std::size_t>(reduction.row_statistics[from]);
      std::vector<double>& values = columns[of].values;
      if (values.empty()) values.resize(reduction.rows.size());
      values[row] += reduction.row_values[from];
    }
  std::erase_if(columns, [](const Column& column) { return column.values.empty(); });
  return columns;
}

} // namespace andes::monitor
