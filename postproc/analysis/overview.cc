#include "postproc/analysis/overview.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace andes::postproc {
namespace {

/// All sizes of a report, on a grid each of its points.
const Scaling& all_sizes(const Report& report) { return report.grid ? report.grid->all : report.scaling; }

OverviewRow row_of(const Report& report) {
  OverviewRow row;
  row.program = report.program;
  row.command = report.command;
  row.axes = report.axes;
  row.weak = report.scaling.weak;
  row.unfinished = report.unfinished;
  row.runs = static_cast<std::size_t>(
      std::count_if(report.runs.begin(), report.runs.end(), [](const RunUse& run) { return run.why_not.empty(); }));
  const Scaling& scaling = report.scaling;
  row.base_ranks = scaling.base_ranks;
  row.base_threads = scaling.base_threads;
  row.base_time_s = scaling.base_time_s;
  const ScalingPoint* largest = &scaling.points.back();
  for (const ScalingPoint& point : scaling.points)
    if (point.usable) largest = &point;
  row.ranks = largest->ranks;
  row.threads = largest->threads;
  row.time_s = largest->time_s;
  row.speedup = largest->speedup;
  row.efficiency = largest->efficiency;
  return row;
}

/// The program's name with its last number as {p}, if that is the one number of ranks of the series; else empty.
std::string name_without_ranks(const OverviewRow& row) {
  if (row.base_ranks != row.ranks) return "";
  const std::size_t end = row.program.find_last_of("0123456789") + 1; // npos + 1 is 0
  const std::size_t begin = row.program.find_last_not_of("0123456789", end == 0 ? 0 : end - 1) + 1;
  if (end == 0 || row.program.substr(begin, end - begin) != std::to_string(row.ranks)) return "";
  return row.program.substr(0, begin) + "{p}" + row.program.substr(end);
}

std::string for_each_size(const std::vector<OverviewRow>& rows) {
  std::map<std::string, int> names;
  for (const OverviewRow& row : rows)
    if (const std::string name = name_without_ranks(row); !name.empty() && ++names[name] == 2) return name;
  return "";
}

/// The table that a size of a series belongs to for one of its axes.
struct TableKey {
  std::string program, axis, others;
  int ranks, threads;
  auto operator<=>(const TableKey&) const = default;
};

std::string text_of(const std::vector<RunAxis>& axes) {
  std::string text;
  for (const RunAxis& axis : axes) text += axis.name + '=' + axis.value + (axis.grows ? " grows\n" : "\n");
  return text;
}

/// A point with what the ones after it need.
void add_exponents(std::vector<AxisPoint>& points) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto before = number_of(points[i - 1].value), here = number_of(points[i].value);
    const double from_s = points[i - 1].time_s.median, to_s = points[i].time_s.median;
    if (!before || !here || *before <= 0 || *here <= *before || from_s <= 0 || to_s <= 0) continue;
    points[i].exponent = std::log(to_s / from_s) / std::log(*here / *before);
  }
}

} // namespace

Overview overview_of(const std::vector<Report>& reports) {
  Overview overview;
  std::map<TableKey, AxisTable> tables;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Report& report = reports[i];
    overview.rows.push_back(row_of(report));
    if (!report.unfinished.empty()) continue;
    for (std::size_t a = 0; a < report.axes.size(); ++a) {
      std::vector<RunAxis> others = report.axes;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(a));
      for (const ScalingPoint& point : all_sizes(report).points) {
        AxisTable& table = tables[{report.program, report.axes[a].name, text_of(others), point.ranks, point.threads}];
        std::tie(table.program, table.axis, table.others, table.ranks, table.threads) =
            std::tie(report.program, report.axes[a].name, others, point.ranks, point.threads);
        table.is_base = point.ranks == report.scaling.base_ranks && point.threads == report.scaling.base_threads;
        table.points.push_back({report.axes[a].value,
                                i,
                                point.repeats,
                                point.oversubscribed,
                                point.time_s,
                                point.speedup,
                                point.efficiency,
                                {}});
      }
    }
  }
  for (auto& [key, table] : tables) {
    std::stable_sort(table.points.begin(), table.points.end(),
                     [](const AxisPoint& a, const AxisPoint& b) { return value_less(a.value, b.value); });
    // Series that differ in more than their axes, as in other arguments, would stand under one value.
    const bool unique = std::adjacent_find(table.points.begin(), table.points.end(),
                                           [](const AxisPoint& a, const AxisPoint& b) { return a.value == b.value; }) ==
                        table.points.end();
    if (!unique || table.points.size() < 2) continue;
    add_exponents(table.points);
    overview.axes.push_back(std::move(table));
  }
  overview.for_each_size = for_each_size(overview.rows);
  return overview;
}

} // namespace andes::postproc
