// Several series: the overview, then the report of each.
#include "postproc/view/overview_view.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/few_points.h"
#include "postproc/analysis/rounding.h"
#include "postproc/analysis/warnings.h"
#include "postproc/view/columns/models.h"
#include "postproc/view/columns/overview.h"
#include "postproc/view/models_text.h"
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

/// "4 ranks", where threads differ "4 ranks x 2 threads".
std::string job_text(const AxisTable& table, bool grid) {
  return size_text(table.ranks, Axis::ranks) + (grid ? " x " + size_text(table.threads, Axis::threads) : "");
}

/// The value between is interpolated, and has two digits.
std::string efficient_text(const AxisTable& table, bool grid) {
  const EfficientValue& e = *table.efficient;
  const auto text = [](double v) { return fmt::format("{:.10g}", v); };
  if (!e.more_than)
    return fmt::format("80 % efficiency at {}: with all values that were measured, from {} = {} on.",
                       job_text(table, grid), table.axis, text(*e.at_most));
  if (!e.at_most)
    return fmt::format("80 % efficiency at {}: with none that was measured; it needs more than {} = {}.",
                       job_text(table, grid), table.axis, text(*e.more_than));
  return fmt::format("80 % efficiency at {}: from about {} = {} on (between {} and {}).", job_text(table, grid),
                     table.axis, text(two_digits(*e.between)), text(*e.more_than), text(*e.at_most));
}

std::string axis_models_text(const Terminal& terminal, const AxisTable& table, bool grid) {
  std::string text;
  if (table.efficient) text += wrapped(efficient_text(table, grid), terminal.width, "  ", "  ");
  const AxisModels& models = table.models;
  if (models.values >= 2 && !models.time)
    return text + wrapped(fmt::format("{} values of {}; {} tell how T and call paths grow with it.", models.values,
                                      table.axis, sizes_for(Claim::axis_terms)),
                          terminal.width, "  ", "  ");
  if (!models.time) return text;
  return text + term_model_text(terminal, *models.time, "T", "value") +
         path_models_text(terminal, models.paths,
                          {.title = "What grows with " + table.axis,
                           .of_ranks = "sum over ranks",
                           .of_constant = ": they do not depend on " + table.axis,
                           .sizes = "value",
                           .last = models.last,
                           .projected = models.projected});
}

Json efficient_json(const EfficientValue& e) {
  Json json{{"efficiency", acceptable_efficiency}};
  if (e.more_than) json["more_than"] = *e.more_than;
  if (e.between) json["value"] = *e.between;
  if (e.at_most) json["at_most"] = *e.at_most;
  return json;
}

Json axis_models_json(const AxisModels& models) {
  Json json{{"values", models.values}, {"projected_value", models.projected}};
  add_columns(json["time"], columns::term_model(), *models.time);
  json["callpaths"] = json_rows(columns::path_models(models.last, models.projected), models.paths);
  return json;
}

std::string overview_text(const Terminal& terminal, const Overview& overview, bool grid) {
  std::string text = styled(terminal, Style::bold, fmt::format("Overview of {} series", overview.rows.size())) + '\n' +
                     table_text(terminal, text_table(columns::overview(grid), overview.rows));
  text += wrapped("Time, speedup and efficiency of the largest usable number of ranks, against the smallest.",
                  terminal.width, "  ", "  ");
  if (!overview.for_each_size.empty())
    text +=
        wrapped(fmt::format("Programs that are built for one number of ranks each are one series if one command runs "
                            "them: andes run --ranks 1,2,4 --repeat 6 -- mpirun -n {{p}} {}",
                            printable(overview.for_each_size)),
                terminal.width, "  → ", "    ");
  for (const AxisTable& table : overview.axes)
    text += '\n' + wrapped(axis_title(table, grid), terminal.width, "  ", "  ") +
            table_text(terminal, text_table(columns::axis_points(), columns::axis_rows(table))) +
            axis_models_text(terminal, table, grid);
  if (!overview.axes.empty())
    text += wrapped("speedup: of the series with that value; exponent: T grows as value^exponent from the value above.",
                    terminal.width, "  ", "  ");
  return text;
}

} // namespace

std::string reports_text(const Terminal& terminal, const Overview& overview, const std::vector<Report>& reports,
                         bool full) {
  if (reports.size() == 1) return report_text(terminal, reports.front(), full);
  std::string text = overview_text(terminal, overview, any_grid(reports));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::string axes = columns::axes_text(reports[i].axes);
    text += '\n' +
            styled(terminal, Style::bold,
                   fmt::format("Series {} of {}{}{}", i + 1, reports.size(), axes.empty() ? "" : ": ", axes)) +
            '\n' + report_text(terminal, reports[i], full);
  }
  return text;
}

std::string reports_json(const Overview& overview, const std::vector<Report>& reports) {
  if (reports.size() == 1) return report_json(reports.front());
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
    if (table.efficient) one["efficient"] = efficient_json(*table.efficient);
    if (table.models.time) one["models"] = axis_models_json(table.models);
    json["axis_tables"].push_back(std::move(one));
  }
  json["series"] = Json::array();
  for (const Report& report : reports) json["series"].push_back(report_object(report));
  return document(json);
}

std::string reports_csv(const Overview& overview, const std::vector<Report>& reports) {
  if (reports.size() == 1) return report_csv(reports.front());
  std::string text = csv_table(columns::overview(any_grid(reports)), overview.rows);
  std::vector<columns::AxisRow> rows;
  for (const AxisTable& table : overview.axes)
    for (const columns::AxisRow& row : columns::axis_rows(table)) rows.push_back(row);
  if (!rows.empty()) text += '\n' + csv_table(columns::axis_points(), rows);
  for (const Report& report : reports) text += '\n' + report_csv(report);
  return text;
}

} // namespace andes::postproc
