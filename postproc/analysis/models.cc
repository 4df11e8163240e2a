#include "postproc/analysis/models.h"

#include <algorithm>

#include "postproc/analysis/few_points.h"
#include "postproc/analysis/warnings.h"

namespace andes::postproc {
namespace {

std::vector<const Point*> points_that_count(const Build& build, const Scaling& scaling) {
  std::vector<const Point*> points;
  for (std::size_t i = 0; i < build.points.size(); ++i)
    if (scaling.points[i].usable) points.push_back(&build.points[i]);
  return points;
}

/// What is modelled of a time that is the same in all ranks (T).
std::vector<SizedValue> summed(std::vector<SizedValue> times, bool weak) {
  if (!weak)
    for (SizedValue& t : times) t.value *= t.size;
  return times;
}

std::optional<SuperlinearCause> superlinear_cause(const Scaling& scaling, const Processor& processor) {
  const auto last = std::ranges::find_if(scaling.points.rbegin(), scaling.points.rend(), &ScalingPoint::usable);
  if (last == scaling.points.rend() || !last->serial_fraction || !is_superlinear(*last->serial_fraction)) return {};
  const auto at = std::ranges::find(processor.points, last->size, &ProcessorPoint::size);
  if (at == processor.points.end()) return {};
  const auto misses = [](const Work& work) {
    return work.cache_misses ? std::optional(1000 * *work.cache_misses / work.instructions) : std::nullopt;
  };
  return SuperlinearCause{last->size, at->scaling, misses(processor.points.front().work), misses(at->work)};
}

/// The lost part of p x T over the base's, by forecast at sizes that were not measured.
void add_isoefficiency(Models& models) {
  const SizedValue& base = models.times.front();
  const auto add = [&](double size, double time) {
    const double lost = size * time / (base.size * base.value) - 1;
    if (lost > 0) models.isoefficiency.push_back({static_cast<int>(size), work_for(acceptable_efficiency, lost)});
  };
  add(models.times.back().size, models.times.back().value);
  for (const Forecast& f : models.forecasts) add(f.size, f.time);
}

} // namespace

double work_for(double efficiency, double lost) { return efficiency / (1 - efficiency) * lost; }

Models models_of(const Build& build, const Scaling& scaling, const Processor& processor) {
  Models models;
  models.axis = build.axis;
  models.weak = build.weak;
  const std::vector<const Point*> points = points_that_count(build, scaling);
  for (const Point* point : points) models.times.push_back(sized_value(point->size, point->times_s.values));
  models.told = what_sizes_tell(points.size());
  if (points.size() < sizes_for(Claim::speedup)) return models;
  models.projected_size = points.back()->size <= 250'000'000 ? 4 * points.back()->size : points.back()->size;
  if (models.weak) models.scaled = scaled_points(build);
  if (may_say(Claim::terms, points.size())) {
    models.time = term_model(summed(models.times, models.weak));
    std::vector<PlacedPoint> placed;
    for (const Point* point : points) placed.push_back({static_cast<double>(point->size), point});
    models.paths = path_models(placed, Claim::terms, models.weak, models.projected_size);
  }
  if (models.weak) return models;
  if (may_say(Claim::usl, points.size())) {
    std::vector<Throughput> throughputs;
    for (const SizedValue& t : models.times) throughputs.push_back({t.size, 1 / t.value});
    models.usl = usl_of(throughputs);
  }
  for (const int factor : {2, 4})
    if (const auto f = forecast(models.times, models.times.back().size * factor)) models.forecasts.push_back(*f);
  models.next = next_size(models.times);
  add_isoefficiency(models);
  models.superlinear = superlinear_cause(scaling, processor);
  return models;
}

} // namespace andes::postproc
