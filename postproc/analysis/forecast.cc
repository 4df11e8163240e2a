// Amdahl's law through the smallest and the largest size; the slope of log T over log p at the last three sizes; and
// contention and coherency, p T = a + b p + c p^2, by least squares, scaled to the largest size.
#include "postproc/analysis/forecast.h"

#include <algorithm>
#include <cmath>

#include "postproc/analysis/few_points.h"
#include "postproc/analysis/least_squares.h"
#include "postproc/analysis/scaling.h"

namespace andes::postproc {
namespace {

constexpr double error_per_doubling = 0.2;  // of a forecast in which all models agree, 90 %
constexpr double quantile_90 = 1.645;          // 90 % of a normal error lie within so many standard errors

double by_amdahl(const std::vector<SizedValue>& times, double size) {
  const SizedValue &first = times.front(), &last = times.back();
  const double share = std::clamp(karp_flatt(first.value / last.value, last.size / first.size), 0.0, 1.0);
  return first.value / amdahl(share, size / first.size);
}

double by_slope(const std::vector<SizedValue>& times, double size) {
  const std::size_t count = std::min<std::size_t>(3, times.size());
  double mean_x = 0, mean_y = 0, squares = 0, products = 0;
  for (std::size_t i = times.size() - count; i < times.size(); ++i) {
    mean_x += std::log(times[i].size) / static_cast<double>(count);
    mean_y += std::log(times[i].value) / static_cast<double>(count);
  }
  for (std::size_t i = times.size() - count; i < times.size(); ++i) {
    const double x = std::log(times[i].size) - mean_x;
    squares += x * x;
    products += x * (std::log(times[i].value) - mean_y);
  }
  return times.back().value * std::pow(size / times.back().size, products / squares);
}

double by_coherency(const std::vector<SizedValue>& times, double size) {
  std::vector<Equation> equations;
  for (const SizedValue& t : times) {
    const double work = t.size * t.value;
    equations.push_back({{1, t.size, t.size * t.size}, work, 1 / work});
  }
  const std::size_t columns = std::min<std::size_t>(3, times.size());
  const std::optional<LinearFit> fit = non_negative_fit(equations, columns);
  if (!fit) return by_amdahl(times, size);
  const auto time_at = [&](double p) { return fit->at({1, p, p * p}) / p; };
  return times.back().value * time_at(size) / time_at(times.back().size);
}

} // namespace

std::vector<ModelTime> model_times(const std::vector<SizedValue>& times, double size) {
  return {{"Amdahl's law", by_amdahl(times, size)},
          {"the slope of the last sizes", by_slope(times, size)},
          {"contention and coherency", by_coherency(times, size)}};
}

std::optional<Forecast> forecast(const std::vector<SizedValue>& times, double size) {
  if (!may_say(Claim::forecast, times.size())) return {};
  const std::vector<ModelTime> models = model_times(times, size);
  double mean = 0;
  for (const ModelTime& m : models) mean += std::log(m.time) / static_cast<double>(models.size());
  const auto [least, most] = std::ranges::minmax(models, {}, &ModelTime::time);
  const double doublings = std::log2(size / times.back().size);
  const double error = std::hypot(error_per_doubling * doublings, std::log(most.time / least.time),
                                  quantile_90 * times.back().relative_error);
  return Forecast{size, std::exp(mean), std::exp(mean - error), std::exp(mean + error)};
}

std::optional<NextSize> next_size(const std::vector<SizedValue>& times) {
  constexpr double least_difference = 0.1, standard_errors = 3;
  if (!may_say(Claim::forecast, times.size())) return {};
  std::optional<TermModel> term;
  if (may_say(Claim::terms, times.size())) {
    std::vector<SizedValue> sums = times;
    for (SizedValue& s : sums) s.value *= s.size;
    term = term_model(sums);
  }
  const double noise = std::sqrt(2.0) * times.back().relative_error;
  for (const int factor : {2, 4, 8}) {
    const double size = times.back().size * factor;
    if (size > 1e9) break;
    std::vector<ModelTime> models{{"Amdahl's law", by_amdahl(times, size)},
                                  {"contention and coherency", by_coherency(times, size)}};
    if (term) models.push_back({"the term of p x T", term->at(size) / size});
    const auto [least, most] = std::ranges::minmax(models, {}, &ModelTime::time);
    if (most.time / least.time - 1 > std::max(least_difference, standard_errors * noise))
      return NextSize{static_cast<int>(size), least, most};
  }
  return {};
}

} // namespace andes::postproc
