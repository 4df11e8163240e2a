#include "postproc/view/columns/models.h"

#include <fmt/format.h>

#include "postproc/view/fraction.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

std::string size_key(const Models& models) { return models.axis == Axis::cores ? "cores" : "ranks"; }
std::string size_title(const Models& models) { return fmt::format("{}s", unit_of(models.axis)); }

} // namespace

List<TermModel> term_model() {
  using M = const TermModel&;
  return List<TermModel>{
      {.key = "course", .value = [](M m) { return name_of(m.course); }},
      {.key = "formula",
       .value = &TermModel::formula,
       .text = {.title = "seconds", .cell = &TermModel::formula, .align = TableColumn::Align::left}},
      {.key = "constant_s", .value = &TermModel::constant},
      {.key = "coefficient_s",
       .value = [](M m) { return m.course == Course::constant ? Value() : Value(m.coefficient); }},
      {.key = "exponent",
       .value = [](M m) { return m.course == Course::constant ? Value() : Value(m.term.exponent()); }},
      {.key = "log_power",
       .value = [](M m) { return m.course == Course::constant ? Value() : Value(m.term.log_power); }},
      {.key = "left_out_error_percent",
       .value = [](M m) { return 100 * m.left_out_error; },
       .text = {.title = "error %", .cell = [](M m) { return significant(100 * m.left_out_error, 2); }}},
  };
}

List<PathModel> path_models(double last, double projected) {
  using P = const PathModel&;
  List<PathModel> list{
      {.key = "path",
       .value = &PathModel::path,
       .text = {.title = "call path",
                .cell = [](P p) { return joined_path(p.path); },
                .align = TableColumn::Align::left,
                .gives_way = true}},
      {.key = "kind", .value = &PathModel::kind},
      {.key = "percent",
       .value = &PathModel::percent,
       .text = {.title = fmt::format("% at {:.0f}", last), .cell = [](P p) { return fixed(p.percent, 1); }}},
      {.key = "projected_percent",
       .value = &PathModel::projected_percent,
       .text = {.title = fmt::format("at {:.0f}", projected),
                .cell = [](P p) { return fixed(p.projected_percent, 1); }}},
  };
  append(list, of_part<PathModel>(term_model(), [](P p) { return &p.model; }));
  return list;
}

List<Forecast> forecasts(const Models& models) {
  using F = const Forecast&;
  const SizedValue base = models.times.empty() ? SizedValue() : models.times.front();
  return List<Forecast>{
      {.key = size_key(models),
       .value = [](F f) { return static_cast<int>(f.size); },
       .text = {.title = size_title(models), .cell = [](F f) { return fixed(f.size, 0); }}},
      {.key = "time_s",
       .value = &Forecast::time,
       .text = {
           .title = "T",
           .cell = [](F f) { return time_text(f.time); },
           .error = [](F f, ErrorColumn) { return fmt::format("[{}, {}]", time_text(f.low), time_text(f.high)); }}},
      {.key = "low_s", .value = &Forecast::low},
      {.key = "high_s", .value = &Forecast::high},
      {.text = {.title = "speedup", .cell = [base](F f) { return significant(base.value / f.time, 3); }}},
      {.text = {.title = "efficiency %",
                .cell = [base](F f) { return fixed(100 * base.value * base.size / (f.time * f.size), 0); }}},
  };
}

List<ScaledPoint> scaled_points(const Models& models) {
  using P = const ScaledPoint&;
  return List<ScaledPoint>{
      {.key = size_key(models),
       .value = &ScaledPoint::size,
       .text = {.title = size_title(models), .cell = [](P p) { return std::to_string(p.size); }}},
      {.key = "scaled_speedup",
       .value = &ScaledPoint::scaled_speedup,
       .text = {.title = "scaled speedup",
                .cell = [](P p) { return fixed(p.scaled_speedup.median, 2); },
                .error = [](P p, ErrorColumn) { return spread_text(p.scaled_speedup, 3); }}},
      {.key = "efficiency",
       .value = &ScaledPoint::efficiency,
       .text = {.title = "efficiency %", .cell = [](P p) { return fixed(100 * p.efficiency.median, 1); }}},
      {.key = "serial_fraction",
       .value = &ScaledPoint::serial_fraction,
       .text = {.title = "serial fraction (Gustafson)", .cell = [](P p) { return fraction_text(p.serial_fraction); }}},
  };
}

List<Isoefficiency> isoefficiency(const Models& models) {
  return List<Isoefficiency>{
      {.key = size_key(models), .value = &Isoefficiency::size},
      {.key = "work", .value = &Isoefficiency::work},
  };
}

} // namespace andes::postproc::columns
