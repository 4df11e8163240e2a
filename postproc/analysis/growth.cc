#include "postproc/analysis/growth.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace andes::postproc {
namespace {

/// Computation of all threads in teams; of the main threads where there are none.
double computation_of(const SeriesRun& run) {
  return run.hybrid.hybrid ? run.hybrid.hybrid->useful_s : run.summary.compute_s;
}

/// The uncertainty of a point's computation that the tool's time leaves, as a part of the computation: the largest of
/// its runs.
double computation_error(const Point& point) {
  double error = 0;
  for (const SeriesRun& run : point.runs)
    error = std::max(error, 1e-9 * fact_number(run.profile, "tool_error_ns").value_or(0) / computation_of(run));
  return error;
}

} // namespace

std::optional<Growth> computation_growth(const Build& build, const Scaling& scaling) {
  if (scaling.weak) return {};
  const Point *first = nullptr, *last = nullptr;
  for (std::size_t i = 0; i < build.points.size(); ++i) {
    if (!scaling.points[i].usable) continue;
    if (!first) first = &build.points[i];
    last = &build.points[i];
  }
  if (!first || first == last) return {};
  const auto computation = [](const Point& point) {
    std::vector<double> values;
    for (const SeriesRun& run : point.runs) values.push_back(computation_of(run));
    return sample_of(std::move(values), static_cast<std::uint64_t>(point.size));
  };
  const Sample before = computation(*first), after = computation(*last);
  if (median_of(before.values) <= 0 || before.values.front() <= 0) return {};
  Growth growth;
  growth.size = last->size;
  growth.factor = derive(before, after, [](double from, double to) { return to / from; });
  growth.error = growth.factor.median * std::hypot(computation_error(*first), computation_error(*last));
  if (growth.factor.kind != Estimate::Kind::point) growth.factor = widened(growth.factor, growth.error, growth.error);
  const double q = static_cast<double>(last->size) / first->size;
  growth.explained = fraction_of_program((growth.factor.median - 1) / (q - 1), first->size);
  return growth;
}

bool is_significant(const Growth& growth) {
  constexpr double matters = 1.005, matters_in_single_runs = 1.02;
  if (growth.factor.kind == Estimate::Kind::point) return growth.factor.median - growth.error > matters_in_single_runs;
  return growth.factor.low.value_or(0) > 1 && growth.factor.median > matters;
}

} // namespace andes::postproc
