// A reason is what an outlier has more of than the median of the other repeats of its size: kernel times that are at
// least a quarter of the time that was lost, counts that are at least ten more and twice as many. Fast outliers have
// none.
#include "postproc/analysis/noise.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "postproc/analysis/medians.h"

namespace andes::postproc {
namespace {

constexpr double robust_factor = 1.4826; // makes the median distance the standard deviation of normal noise

double deviation_of(const std::vector<double>& values, double middle) {
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::fabs(value - middle));
  return robust_factor * median(std::move(distances));
}

/// A fact of a run beside the median of the other repeats.
struct Beside {
  double here = 0, usual = 0;
  double excess() const { return here - usual; }
};

std::optional<Beside> beside(const Point& point, const SeriesRun& run, FactName name) {
  const auto here = fact_number(run.profile, name);
  std::vector<double> others;
  for (const SeriesRun& other : point.runs)
    if (&other != &run)
      if (const auto value = fact_number(other.profile, name)) others.push_back(*value);
  if (!here || others.empty()) return {};
  return Beside{*here, median(std::move(others))};
}

bool is_many(const Beside& count) { return count.excess() >= 10 && count.here >= 2 * count.usual; }

std::vector<std::string> reasons_of(const Point& point, const SeriesRun& run, double lost_s) {
  std::vector<std::string> reasons;
  const auto time_of = [&](FactName name) -> std::optional<double> { // in seconds, where it is enough
    const auto time = beside(point, run, name);
    return time && time->excess() * 1e-9 >= lost_s / 4 ? std::optional(time->excess() * 1e-9) : std::nullopt;
  };
  if (const auto stolen_s = time_of("steal_ns"))
    reasons.push_back(fmt::format("the hypervisor kept {:.2g} s of processor time more than usual", *stolen_s));
  if (const auto throttled_s = time_of("throttled_ns"))
    reasons.push_back(fmt::format("throttled for {:.2g} s by the quota of its control group", *throttled_s));
  if (const auto switches = beside(point, run, "involuntary_switches"); switches && is_many(*switches)) {
    const auto others_s = time_of("others_ns");
    reasons.push_back(fmt::format(
        "another process on its cores: {:.0f} involuntary switches, else {:.0f}{}", switches->here, switches->usual,
        others_s ? fmt::format("; others computed {:.2g} s more than usual", *others_s) : ""));
  }
  if (const auto moves = beside(point, run, "migrations"); moves && is_many(*moves))
    reasons.push_back(fmt::format("moved between cores: {:.0f} migrations, else {:.0f}", moves->here, moves->usual));
  if (const auto mhz = beside(point, run, "frequency_mhz"); mhz && mhz->here < 0.95 * mhz->usual)
    reasons.push_back(fmt::format("slower clock: {:.0f} MHz, else {:.0f}", mhz->here, mhz->usual));
  return reasons;
}

void add_outliers(const Point& point, std::vector<Outlier>& outliers) {
  if (point.runs.size() < repeats_for_outliers) return;
  const double middle_s = median_of(point.times_s.values);
  const double bound_s = std::max(outlier_deviations * deviation_of(point.times_s.values, middle_s),
                                  least_outlier_percent / 100 * middle_s);
  for (const SeriesRun& run : point.runs) {
    const double lost_s = run.summary.time_s - middle_s;
    if (std::fabs(lost_s) <= bound_s) continue;
    Outlier outlier{run.profile.file, point.ranks, point.threads, run.summary.time_s, middle_s, {}};
    if (lost_s > 0) outlier.reasons = reasons_of(point, run, lost_s);
    outliers.push_back(std::move(outlier));
  }
}

std::optional<double> steal_percent(const Build& build) {
  double steal_ns = 0, cores_ns = 0;
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs) {
      const auto steal = fact_number(run.profile, "steal_ns"), wall = fact_number(run.profile, "command_wall_ns"),
                 cores = fact_number(run.profile, "usable_cores");
      if (!steal || !wall || !cores) continue;
      steal_ns += *steal;
      cores_ns += *wall * *cores;
    }
  if (cores_ns <= 0) return {};
  return 100 * steal_ns / cores_ns;
}

NoiseWord word_of(const Noise& noise) {
  if (!noise.spread_percent) return NoiseWord::unknown;
  const double steal = noise.steal_percent.value_or(0);
  if (*noise.spread_percent > noisy_spread || steal > noisy_steal) return NoiseWord::noisy;
  if (*noise.spread_percent <= quiet_spread && steal <= quiet_steal) return NoiseWord::quiet;
  return NoiseWord::usual;
}

} // namespace

const char* name_of(NoiseWord word) {
  constexpr const char* names[] = {"unknown", "quiet", "usual", "noisy"};
  return names[static_cast<int>(word)];
}

Noise noise_of(const Build& build) {
  Noise noise;
  std::vector<double> spreads;
  for (const Point& point : build.points) {
    add_outliers(point, noise.outliers);
    const std::vector<double>& times = point.times_s.values;
    if (times.size() < repeats_for_spread) continue;
    const double middle_s = median_of(times);
    spreads.push_back(100 * deviation_of(times, middle_s) / middle_s);
  }
  if (!spreads.empty()) noise.spread_percent = median(std::move(spreads));
  noise.steal_percent = steal_percent(build);
  noise.word = word_of(noise);
  return noise;
}

} // namespace andes::postproc
