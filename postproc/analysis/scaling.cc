// The base is the sequential program, or else the smallest size. Everything is computed
// as a function of two times (base, point), so that one helper, derive, gives all the intervals.
#include "postproc/analysis/scaling.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace andes::postproc {
namespace {

/// A usable point with a serial fraction.
struct Fraction {
  double size, q, log2_size;
  const Sample* times_s;
};

double fraction_at(const Fraction& at, double base_size, double base_s, double time_s) {
  return fraction_of_program(karp_flatt(base_s / time_s, at.q), base_size);
}

/// Least squares: slope = sum of weight_i f_i.
std::vector<double> slope_weights(const std::vector<Fraction>& points) {
  double mean = 0, squares = 0;
  for (const Fraction& p : points) mean += p.log2_size / static_cast<double>(points.size());
  for (const Fraction& p : points) squares += (p.log2_size - mean) * (p.log2_size - mean);
  std::vector<double> weights;
  for (const Fraction& p : points) weights.push_back((p.log2_size - mean) / squares);
  return weights;
}

/// What `value(base time, times of the points)` is at the medians, with its uncertainty: all points
/// resampled together with their base. `weights` tells in which sense each point pulls.
template <class Function>
Estimate joint_estimate(const Sample& base, const std::vector<Fraction>& points, const std::vector<double>& weights,
                        Function value) {
  std::vector<double> times;
  for (const Fraction& p : points) times.push_back(median_of(p.times_s->values));
  const double median = value(median_of(base.values), times);
  const bool resampled = !base.medians.empty() && std::all_of(points.begin(), points.end(), [](const Fraction& p) {
    return !p.times_s->medians.empty();
  });
  if (resampled) {
    std::vector<double> values(resample_count);
    for (std::size_t r = 0; r < resample_count; ++r) {
      for (std::size_t i = 0; i < points.size(); ++i) times[i] = points[i].times_s->medians[r];
      values[r] = value(base.medians[r], times);
    }
    return percentile_estimate(median, std::move(values));
  }
  std::size_t repeats = base.values.size();
  for (const Fraction& p : points) repeats += p.times_s->values.size();
  if (repeats == points.size() + 1) return {median, {}, {}, Estimate::Kind::point};
  // Corners: each point at the end that lowers (or raises) the value, the base at either end.
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double base_s : {base.values.front(), base.values.back()}) {
    for (const bool raise : {false, true}) {
      for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& values = points[i].times_s->values;
        times[i] = (weights[i] > 0) == raise ? values.back() : values.front();
      }
      const double corner = value(base_s, times);
      low = std::min(low, corner);
      high = std::max(high, corner);
    }
  }
  return range_estimate(median, low, high);
}

double slope_of(const std::vector<Fraction>& points, const std::vector<double>& weights, double base_size,
                double base_s, const std::vector<double>& times) {
  double slope = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    slope += weights[i] * fraction_at(points[i], base_size, base_s, times[i]);
  return slope;
}

/// What a trend must exceed to matter: a twentieth of the serial fraction, at least 0.001, per
/// doubling of the ranks.
double negligible_slope(const std::vector<Fraction>& points, double base_size, double base_s) {
  double mean = 0;
  for (const Fraction& p : points)
    mean += fraction_at(p, base_size, base_s, median_of(p.times_s->values)) / static_cast<double>(points.size());
  return std::max(0.001, 0.05 * std::fabs(mean));
}

void judge(Trend& trend, std::size_t points, double negligible, const char* unit) {
  constexpr std::size_t points_for_trend = 3;
  if (points < points_for_trend) {
    trend.why =
        fmt::format("a trend needs at least 3 serial fractions, there {} {}", points == 1 ? "is" : "are", points);
    return;
  }
  const Estimate& slope = *trend.slope;
  if (slope.kind == Estimate::Kind::point || !slope.low || !slope.high) {
    trend.why = "single runs cannot tell a trend from noise";
    return;
  }
  if (*slope.low >= -negligible && *slope.high <= negligible) {
    trend.verdict = Verdict::constant;
    trend.why = fmt::format("a constant fraction is work that runs on one {} while the others wait", unit);
  } else if (*slope.low > 0) {
    trend.verdict = Verdict::rising;
    trend.why = fmt::format(
        "a rising fraction is overhead that grows with the {}s, such as communication or repeated work", unit);
  } else if (*slope.high < 0) {
    trend.verdict = Verdict::falling;
    trend.why = fmt::format(
        "a falling fraction is a fixed cost that more {}s share, or data that begin to fit into the caches", unit);
  } else {
    trend.why = "its uncertainty covers both rising and falling";
  }
}

Trend trend_of(const Sample& base, const std::vector<Fraction>& fractions, double base_size,
               const std::vector<double>& weights, Axis axis) {
  Trend trend;
  if (fractions.size() >= 2)
    trend.slope = joint_estimate(base, fractions, weights, [&](double base_s, const std::vector<double>& times) {
      return slope_of(fractions, weights, base_size, base_s, times);
    });
  judge(trend, fractions.size(), fractions.empty() ? 0 : negligible_slope(fractions, base_size, median_of(base.values)),
        unit_of(axis));
  return trend;
}

/// Two, four, eight and sixteen times the largest usable number of ranks.
void project(Scaling& scaling, const Sample& base, const std::vector<Fraction>& fractions,
             const std::vector<double>& weights) {
  const Fraction& last = fractions.back();
  const double base_size = scaling.base_size;
  const auto share = [&last](double base_s, double time_s) { return karp_flatt(base_s / time_s, last.q); };
  const auto inverse = [](double f) { return f > 0 ? 1 / f : std::numeric_limits<double>::infinity(); };
  scaling.limit_speedup = derive(base, *last.times_s, [&](double base_s, double time_s) {
    return inverse(fraction_of_program(share(base_s, time_s), base_size));
  });
  if (scaling.base_size > 1)
    scaling.limit_over_base =
        derive(base, *last.times_s, [&](double base_s, double time_s) { return inverse(share(base_s, time_s)); });
  for (const int factor : {2, 4, 8, 16}) {
    if (last.size * factor > 1e9) break;
    const int size = static_cast<int>(last.size) * factor;
    const double q = size / base_size;
    scaling.projection.push_back({size, derive(base, *last.times_s, [&](double base_s, double time_s) {
                                    return amdahl(std::max(0.0, share(base_s, time_s)), q);
                                  })});
    if (scaling.trend.verdict != Verdict::rising) continue;
    const auto with_trend = [&](double base_s, const std::vector<double>& times) {
      const double f = fraction_at(last, base_size, base_s, times.back()) +
                       std::log2(factor) * slope_of(fractions, weights, base_size, base_s, times);
      return amdahl(share_of_base(std::clamp(f, 0.0, 1.0), base_size), q);
    };
    scaling.projection.push_back({size, joint_estimate(base, fractions, weights, with_trend), "amdahl_trend"});
  }
}

ScalingPoint scaling_point(const Point& point, const Sample& base, double base_size, bool is_base,
                           bool oversubscribed_ok, bool weak) {
  ScalingPoint s;
  s.ranks = point.ranks;
  s.threads = point.threads;
  s.size = point.size;
  s.repeats = point.runs.size();
  s.oversubscribed = point.oversubscribed;
  s.usable = oversubscribed_ok || !point.oversubscribed;
  s.time_s = estimate_of(point.times_s);
  const double q = point.size / base_size;
  if (is_base) { // by definition, without uncertainty
    s.speedup.median = s.efficiency.median = 1;
    return s;
  }
  s.speedup = derive(base, point.times_s, [work = weak ? q : 1](double b, double t) { return work * b / t; });
  s.efficiency = scaled(s.speedup, 1 / q);
  if (q <= 1 || !s.usable || weak) return s;
  s.serial_fraction = derive(base, point.times_s,
                             [&](double b, double t) { return fraction_of_program(karp_flatt(b / t, q), base_size); });
  if (base_size > 1)
    s.base_share = derive(base, point.times_s, [&](double b, double t) { return karp_flatt(b / t, q); });
  return s;
}

} // namespace

double karp_flatt(double speedup, double q) { return (1 / speedup - 1 / q) / (1 - 1 / q); }

// A share of 1 and more means that the program is not faster than its base run at all: there is no
// parallel part left to convert.
double fraction_of_program(double share, double base_size) {
  if (share >= 1) return share;
  return share / (base_size * (1 - share) + share);
}

double share_of_base(double fraction, double base_size) {
  if (fraction >= 1) return fraction;
  return fraction * base_size / (1 + fraction * (base_size - 1));
}

double amdahl(double fraction, double q) { return 1 / (fraction + (1 - fraction) / q); }

const char* name_of(Verdict verdict) {
  constexpr const char* names[] = {"constant", "rising", "falling", "undecided"};
  return names[static_cast<int>(verdict)];
}

Scaling scaling_of(const Build& build, const Sample* sequential, bool oversubscribed_ok) {
  Scaling scaling;
  const Point& smallest = build.points.front();
  const Sample& base = sequential ? *sequential : smallest.times_s;
  scaling.sequential_base = sequential != nullptr;
  scaling.axis = build.axis;
  scaling.weak = build.weak;
  scaling.base_ranks = sequential ? 1 : smallest.ranks;
  scaling.base_threads = sequential ? 1 : smallest.threads;
  scaling.base_size = sequential ? 1 : smallest.size;
  scaling.base_time_s = estimate_of(base);
  std::vector<Fraction> fractions;
  for (const Point& point : build.points) {
    const bool is_base = !sequential && &point == &smallest;
    scaling.points.push_back(scaling_point(point, base, scaling.base_size, is_base, oversubscribed_ok, build.weak));
    ScalingPoint& added = scaling.points.back();
    if (sequential && &point == &smallest) added.relative_speedup = Estimate{1, {}, {}, {}};
    else if (sequential)
      added.relative_speedup = derive(smallest.times_s, point.times_s, [](double b, double t) { return b / t; });
    if (added.serial_fraction) {
      const double size = point.size;
      fractions.push_back({size, size / scaling.base_size, std::log2(size), &point.times_s});
    }
  }
  const std::vector<double> weights = fractions.size() >= 2 ? slope_weights(fractions) : std::vector<double>{};
  scaling.trend = trend_of(base, fractions, scaling.base_size, weights, scaling.axis);
  if (fractions.empty()) return scaling;
  const Fraction& last = fractions.back();
  const double fraction = fraction_at(last, scaling.base_size, median_of(base.values), median_of(last.times_s->values));
  scaling.superlinear = fraction <= 0;
  scaling.slowdown = fraction >= 1;
  if (!scaling.superlinear && !scaling.slowdown) project(scaling, base, fractions, weights);
  return scaling;
}

bool is_limit_in_sight(const Scaling& scaling) {
  constexpr double in_sight = 50;
  const auto last = std::ranges::find_if(scaling.points.rbegin(), scaling.points.rend(), &ScalingPoint::usable);
  return last != scaling.points.rend() && scaling.limit_speedup->median <= in_sight * last->size;
}

bool is_superlinear(const Estimate& serial_fraction) {
  return serial_fraction.high.value_or(serial_fraction.median) < 0;
}

} // namespace andes::postproc
