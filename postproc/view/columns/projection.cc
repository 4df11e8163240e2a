// With a rising trend the speedups of Amdahl's law are bounds, and the title says so.
#include "postproc/view/columns/projection.h"

#include <fmt/format.h>
#include <string_view>

#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

/// The projection that follows the trend, at the same size; null where there is none.
const Projection* with_trend(const Scaling& scaling, const Projection& projection) {
  for (const Projection& p : scaling.projection)
    if (p.size == projection.size && !is_amdahl(p)) return &p;
  return nullptr;
}

} // namespace

List<Trend> trend() {
  return List<Trend>{
      {.key = "slope", .value = &Trend::slope, .csv = false},
      {.key = "verdict",
       .value = [](const Trend& t) { return name_of(t.verdict); },
       .text = {.title = "trend",
                .cell = [](const Trend& t) { return t.slope ? name_of(t.verdict) : ""; },
                .align = TableColumn::Align::left}},
  };
}

bool is_amdahl(const Projection& projection) { return std::string_view(projection.model) == "amdahl"; }

List<Projection> projections(const Scaling& scaling) {
  using P = const Projection&;
  const auto speedup = [](P p) { return fixed(p.speedup.median, 2); };
  const auto error = [](P p, ErrorColumn) { return spread_text(p.speedup, 3); };
  const bool rising = scaling.trend.verdict == Verdict::rising;
  List<Projection> list{
      {.key = scaling.axis == Axis::cores ? "cores" : "ranks",
       .value = &Projection::size,
       .text = {.title = fmt::format("{}s", unit_of(scaling.axis)),
                .cell = [](P p) { return std::to_string(p.size); }}},
      {.key = "speedup",
       .value = &Projection::speedup,
       .text = {.title = rising ? "speedup at most" : "speedup", .cell = speedup, .error = error}},
      {.text = {.title = "efficiency %",
                .cell = [&scaling](P p) { return fixed(100 * p.speedup.median * scaling.base_size / p.size, 1); }}},
      {.key = "model", .value = &Projection::model},
  };
  const List<Projection> beside{{.text = {.title = "with the trend", .cell = speedup, .error = error}}};
  append(list, of_part<Projection>(beside, [&scaling](P p) { return with_trend(scaling, p); }));
  return list;
}

} // namespace andes::postproc::columns
