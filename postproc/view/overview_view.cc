// Several series: the overview, then the report of each.
#include "postproc/view/overview_view.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/columns/overview.h"
#include "postproc/view/number.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

bool any_grid(const std::vector<Report>& reports) {
  return std::any_of(reports.begin(), reports.end(), [](const Report& report) { return report.grid.has_value(); });
}

std::string axis_title(const AxisTable& table, bool grid) {
  const std::string others = columns::axes_text(table.others);
  return fmt::format("T over {}: {}{}{}, {}", table.axis, table.program, others.empty() ? "" : ", ", others,
                     place_text(table.ranks, table.threads, grid));
}

std::string overview_text(const Terminal& terminal, const Overview& overview, bool grid) {
  std::string text = styled(terminal, Style::bold, fmt::format("Overview of {} series", overview.rows.size())) + '\n' +
                     table_text(terminal, text_table(columns::overview(grid), overview.rows));
  text += wrapped("Time, speedup and efficiency of the largest usable number of ranks, against the smallest.",
                  terminal.width, "  ", "  ");
  for (const AxisTable& table : overview.axes)
    text += '\n' + wrapped(axis_title(table, grid), terminal.width, "  ", "  ") +
            table_text(terminal, text_table(columns::axis_points(), columns::axis_rows(table)));
  if (!overview.axes.empty())
    text += wrapped("speedup: of the series with that value; exponent: T grows as value^exponent from the value above.",
                    terminal.width, "  ", "  ");
  return text;
}

} // namespace

std::string reports_text(const Terminal& terminal, const std::vector<Report>& reports, bool full) {
  if (reports.size() == 1) return report_text(terminal, reports.front(), full);
  std::string text = overview_text(terminal, overview_of(reports), any_grid(reports));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::string axes = columns::axes_text(reports[i].axes);
    text += '\n' +
            styled(terminal, Style::bold,
                   fmt::format("Series {} of {}{}{}", i + 1, reports.size(), axes.empty() ? "" : ": ", axes)) +
            '\n' + report_text(terminal, reports[i], full);
  }
  return text;
}

std::string reports_json(const std::vector<Report>& reports) {
  if (reports.size() == 1) return report_json(reports.front());
  const Overview overview = overview_of(reports);
  Json json{{"schema", 1}};
  json["overview"] = json_rows(columns::overview(any_grid(reports)), overview.rows);
  json["axis_tables"] = Json::array();
  for (const AxisTable& table : overview.axes) {
    Json one{{"program", table.program}, {"axis", table.axis}};
    Json others = Json::object();
    for (const RunAxis& axis : table.others) others[axis.name] = axis.value;
    one["others"] = std::move(others);
    one["ranks"] = table.ranks;
    one["threads"] = table.threads;
    one["points"] = json_rows(columns::axis_points(), columns::axis_rows(table));
    json["axis_tables"].push_back(std::move(one));
  }
  json["series"] = Json::array();
  for (const Report& report : reports) json["series"].push_back(report_object(report));
  return document(json);
}

std::string reports_csv(const std::vector<Report>& reports) {
  if (reports.size() == 1) return report_csv(reports.front());
  const Overview overview = overview_of(reports);
  std::string text = csv_table(columns::overview(any_grid(reports)), overview.rows);
  std::vector<columns::AxisRow> rows;
  for (const AxisTable& table : overview.axes)
    for (const columns::AxisRow& row : columns::axis_rows(table)) rows.push_back(row);
  if (!rows.empty()) text += '\n' + csv_table(columns::axis_points(), rows);
  for (const Report& report : reports) text += '\n' + report_csv(report);
  return text;
}

} // namespace andes::postproc
