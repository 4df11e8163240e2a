// For people the number of cores stands at the best split alone, and the other splits say how much slower they are.
#include "postproc/view/columns/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/columns/projection.h"
#include "postproc/view/fraction.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

bool is_best(const Split& split) { return split.verdict == Split::Verdict::best; }

bool is_over_ranks(const GridLine& line) { return line.scaling.axis == Axis::ranks; }

/// The points along a line; JSON has all of them, people see the largest.
List<ScalingPoint> points(Axis axis) {
  using P = const ScalingPoint&;
  return List<ScalingPoint>{
      {.key = fmt::format("{}s", unit_of(axis)), .value = &ScalingPoint::size},
      {.key = "oversubscribed", .value = &ScalingPoint::oversubscribed},
      {.key = "time_s", .value = &ScalingPoint::time_s},
      {.key = "speedup",
       .value = &ScalingPoint::speedup,
       .text = {.title = "speedup",
                .cell = [](P p) { return fixed(p.speedup.median, 2); },
                .error = [](P p, ErrorColumn) { return spread_text(p.speedup, 3); }}},
      {.key = "efficiency",
       .value = &ScalingPoint::efficiency,
       .text = {.title = "efficiency %", .cell = [](P p) { return fixed(100 * p.efficiency.median, 1); }}},
      {.key = "serial_fraction",
       .value = &ScalingPoint::serial_fraction,
       .text = {.title = "serial fraction",
                .cell = [](P p) { return fraction_text(p.serial_fraction); },
                .error = [](P p, ErrorColumn) { return fraction_spread(p.serial_fraction); }}},
  };
}

const ScalingPoint* largest_usable(const GridLine& line) {
  const ScalingPoint* largest = nullptr;
  for (const ScalingPoint& p : line.scaling.points)
    if (p.usable) largest = &p;
  return largest;
}

/// "ranks 1, 2, 4": the sizes that are usable.
std::string usable_sizes(const GridLine& line) {
  std::vector<int> sizes;
  for (const ScalingPoint& p : line.scaling.points)
    if (p.usable) sizes.push_back(p.size);
  return fmt::format("{}s {}", unit_of(line.scaling.axis), fmt::join(sizes, ", "));
}

/// What the points have in common: "2 threads".
std::string fixed_size(const GridLine& line) {
  return fmt::format("{} {}{}", line.fixed, is_over_ranks(line) ? "thread" : "rank", line.fixed == 1 ? "" : "s");
}

} // namespace

List<Split> splits() {
  using S = const Split&;
  return List<Split>{
      {.text = {.title = "cores", .cell = [](S s) { return is_best(s) ? std::to_string(s.ranks * s.threads) : ""; }}},
      {.key = "ranks",
       .value = &Split::ranks,
       .text = {.title = "ranks x threads", .cell = [](S s) { return fmt::format("{} x {}", s.ranks, s.threads); }}},
      {.key = "threads", .value = &Split::threads},
      {.key = "time_s",
       .value = &Split::time_s,
       .text = {.title = "time s",
                .cell = [](S s) { return seconds_text(s.time_s.median); },
                .error = [](S s, ErrorColumn) { return seconds_spread(s.time_s); }}},
      {.key = "slower_percent",
       .value = [](S s) { return is_best(s) ? Value() : Value(s.slower_percent); },
       .text = {.title = "slower %",
                .cell = [](S s) { return is_best(s) ? "" : fixed(s.slower_percent.median, 1); },
                .error = [](S s, ErrorColumn) { return is_best(s) ? "" : fixed_spread(s.slower_percent, 1); }}},
      {.key = "verdict",
       .value = [](S s) { return name_of(s.verdict); },
       .text = {.cell = [](S s) -> Cell { return {name_of(s.verdict), is_best(s) ? Style::green : Style::plain}; },
                .align = left}},
  };
}

List<GridLine> lines() {
  using L = const GridLine&;
  List<GridLine> list{
      {.key = "threads",
       .value = [](L line) { return is_over_ranks(line) ? Value(line.fixed) : Value(); },
       .text = {.title = "at", .cell = fixed_size, .align = left}},
      {.key = "ranks", .value = [](L line) { return is_over_ranks(line) ? Value() : Value(line.fixed); }},
      {.key = "points",
       .value = [](L line) { return json_rows(points(line.scaling.axis), line.scaling.points); },
       .text = {.title = "over", .cell = usable_sizes, .align = left}},
  };
  append(list, text_alone(of_part<GridLine>(points(Axis::ranks), largest_usable)));
  append(list, of_part<GridLine>(within("trend", trend()), [](L line) { return &line.scaling.trend; }));
  return list;
}

} // namespace andes::postproc::columns
