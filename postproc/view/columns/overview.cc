#include "postproc/view/columns/overview.h"

#include <fmt/format.h>

#include "common/printable.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

Json axes_json(const std::vector<RunAxis>& axes) {
  Json json = Json::object();
  for (const RunAxis& axis : axes) json[axis.name] = axis.value;
  return json;
}

/// A number of a series of which a run was finished.
template <class Member> auto finished(Member member) {
  return [member](const OverviewRow& row) { return row.unfinished.empty() ? Value(row.*member) : Value(); };
}

} // namespace

List<OverviewRow> overview(bool grid) {
  using R = const OverviewRow&;
  return List<OverviewRow>{
      {.key = "program",
       .value = &OverviewRow::program,
       .text = {.title = "program", .cell = [](R row) -> Cell { return printable(row.program); }, .align = left}},
      {.key = "command",
       .value = &OverviewRow::command,
       .text = {.title = "series",
                .cell = [](R row) -> Cell { return row.axes.empty() ? row.command : axes_text(row.axes); },
                .align = left,
                .gives_way = true}},
      {.key = "axes",
       .value = [](R row) { return row.axes.empty() ? Value() : Value(axes_json(row.axes)); },
       .csv_value = [](R row) { return row.axes.empty() ? Value() : Value(axes_text(row.axes)); }},
      {.key = "weak", .value = &OverviewRow::weak},
      {.key = "runs",
       .value = &OverviewRow::runs,
       .text = {.title = "runs", .cell = [](R row) -> Cell { return std::to_string(row.runs); }}},
      {.key = "base_ranks", .value = &OverviewRow::base_ranks},
      {.key = "base_threads", .value = [grid](R row) { return grid ? Value(row.base_threads) : Value(); }, .csv = grid},
      {.key = "base_time_s",
       .value = finished(&OverviewRow::base_time_s),
       .text = {.title = "base s",
                .cell = [](R row) -> Cell {
                  return row.unfinished.empty() ? seconds_text(row.base_time_s.median) : "";
                }},
       .fields = Fields::estimate},
      {.key = "ranks",
       .value = &OverviewRow::ranks,
       .text = {.title = "ranks",
                .cell = [](R row) -> Cell {
                  return row.ranks == row.base_ranks ? std::to_string(row.ranks)
                                                     : fmt::format("{}..{}", row.base_ranks, row.ranks);
                }},
       .text_after = "runs"},
      {.key = "threads",
       .value = [grid](R row) { return grid ? Value(row.threads) : Value(); },
       .text = {.title = "threads", .cell = [grid](R row) -> Cell { return grid ? std::to_string(row.threads) : ""; }},
       .csv = grid,
       .text_after = "ranks"},
      {.key = "time_s",
       .value = finished(&OverviewRow::time_s),
       .text = {.title = "T s",
                .cell = [](R row) -> Cell {
                  return row.unfinished.empty() ? seconds_text(row.time_s.median) : "unfinished";
                }},
       .fields = Fields::estimate},
      {.key = "speedup",
       .value = finished(&OverviewRow::speedup),
       .text = {.title = "speedup",
                .cell = [](R row) -> Cell { return row.unfinished.empty() ? fixed(row.speedup.median, 2) : ""; }},
       .fields = Fields::estimate},
      {.key = "efficiency",
       .value = finished(&OverviewRow::efficiency),
       .text = {.title = "efficiency %",
                .cell = [](R row) -> Cell {
                  if (!row.unfinished.empty()) return "";
                  const bool low = row.efficiency.median < acceptable_efficiency;
                  return {fixed(100 * row.efficiency.median, 1), low ? Style::yellow : Style::plain};
                }},
       .fields = Fields::estimate},
  };
}

List<AxisRow> axis_points() {
  using R = const AxisRow&;
  return List<AxisRow>{
      {.key = "program", .value = [](R row) { return row.table->program; }, .json = false},
      {.key = "axis", .value = [](R row) { return row.table->axis; }, .json = false},
      {.key = "others", .value = [](R row) { return known(axes_text(row.table->others)); }, .json = false},
      {.key = "ranks", .value = [](R row) { return row.table->ranks; }, .json = false},
      {.key = "threads", .value = [](R row) { return row.table->threads; }, .json = false},
      {.key = "value",
       .value = [](R row) { return row.point->value; },
       .text = {.title = "value", .cell = [](R row) -> Cell { return printable(row.point->value); }}},
      {.key = "repeats", .value = [](R row) { return row.point->repeats; }},
      {.key = "oversubscribed", .value = [](R row) { return row.point->oversubscribed; }},
      {.key = "time_s",
       .value = [](R row) { return Value(row.point->time_s); },
       .text = {.title = "T s",
                .cell = [](R row) -> Cell {
                  return seconds_text(row.point->time_s.median) + (row.point->oversubscribed ? "*" : "");
                },
                .error = [](R row, ErrorColumn) { return seconds_spread(row.point->time_s); }},
       .fields = Fields::estimate},
      {.key = "speedup",
       .value = [](R row) { return Value(row.point->speedup); },
       .text = {.title = "speedup", .cell = [](R row) -> Cell { return fixed(row.point->speedup.median, 2); }},
       .fields = Fields::estimate},
      {.key = "exponent",
       .value = [](R row) { return Value(row.point->exponent); },
       .text = {.title = "exponent",
                .cell = [](R row) -> Cell { return row.point->exponent ? fixed(*row.point->exponent, 2) : ""; }}},
  };
}

std::vector<AxisRow> axis_rows(const AxisTable& table) {
  std::vector<AxisRow> rows;
  for (const AxisPoint& point : table.points) rows.push_back({&table, &point});
  return rows;
}

std::string axes_text(const std::vector<RunAxis>& axes) {
  std::string text;
  for (const RunAxis& axis : axes)
    text += fmt::format("{}{} = {}{}", text.empty() ? "" : ", ", printable(axis.name), printable(axis.value),
                        axis.grows ? " (grows)" : "");
  return text;
}

} // namespace andes::postproc::columns
