// Distances are kept as they are and squared where they are combined, so that a single error passes
// through unchanged.
#include "postproc/analysis/sampling.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/ranges.h>

#include "postproc/analysis/threads.h"

namespace andes::postproc {

SamplingError error_of_sum(const SamplingError& a, const SamplingError& b) {
  if (!a.estimated) return b;
  if (!b.estimated) return a;
  const bool bound = a.bound && b.bound;
  const auto sum = [bound](double x, double y) { return bound ? x + y : std::hypot(x, y); };
  return {.estimated = true,
          .reliable = a.reliable && b.reliable,
          .timed = a.timed || b.timed,
          .below = sum(a.below, b.below),
          .above = sum(a.above, b.above),
          .bound = bound,
          .by_probes = a.by_probes && b.by_probes};
}

SamplingError error_of_difference(const SamplingError& a, const SamplingError& b) {
  // What is subtracted pulls down where it is too low.
  SamplingError opposite = b;
  std::swap(opposite.below, opposite.above);
  return error_of_sum(a, opposite);
}

bool has_interval(const SamplingError& error) { return error.estimated && error.timed; }

double lower_end(double value, const SamplingError& error) { return std::max(0.0, value - error.below); }

double upper_end(double value, const SamplingError& error) { return std::max(0.0, value + error.above); }

SamplingError scaled(SamplingError error, double factor) {
  error.below *= factor;
  error.above *= factor;
  return error;
}

SamplingError narrowed(SamplingError error, double distance) {
  if (!(distance > 0) || !has_interval(error) || distance > error.above) return error;
  error.reliable = error.reliable || 2 * distance < error.above;
  error.below = std::min(error.below, distance);
  error.above = distance;
  error.bound = false;
  return error;
}

SamplingError error_of_median(const std::vector<SamplingError>& repeats) {
  SamplingError all;
  for (const SamplingError& one : repeats) all = error_of_sum(all, one);
  const auto n = static_cast<double>(repeats.size());
  if (all.bound) return scaled(all, 1 / n);
  constexpr double half_pi = 1.5707963267948966;
  return scaled(all, std::sqrt(std::min(1.0, half_pi / n) / n));
}

namespace {

constexpr double least_timed = 30; // as the monitor's (docs/metrics.md, "Sampled times")

/// Of distances whose squares are summed over ranks.
double distance(const Statistic& squares, bool bound) {
  if (!(squares.sum > 0)) return 0;
  const double ranks = bound && squares.mean > 0 ? squares.sum / squares.mean : 1;
  return std::sqrt(ranks * squares.sum);
}

} // namespace

SamplingError inclusive_error(const Statistic* callpath) {
  using namespace run_file;
  SamplingError error;
  const bool is_sampled = callpath[sampled_visits].sum > 0;
  const double of_probes = callpath[probe_error_ns].sum;
  error.by_probes = !is_sampled && of_probes > 0;
  if (error.by_probes) {
    error.estimated = error.bound = true;
    error.below = error.above = of_probes;
    return error;
  }
  error.estimated = is_sampled || visits_above(callpath) > 0;
  // Windows have seen none of its visits: how many there may be is known, and that it takes little time.
  if (!is_sampled) return error;
  // Where no visit was timed the monitor may know how long those before took, or what the caller has room for.
  error.timed = callpath[timed_visits].sum > 0 || callpath[below_ns2].sum > 0 || callpath[above_ns2].sum > 0;
  error.reliable = error.timed && callpath[unreliable].sum <= 0;
  const double of_cost = callpath[cost_error_ns].sum + of_probes;
  error.bound = callpath[timed_visits].sum < least_timed;
  error.below = std::hypot(distance(callpath[below_ns2], error.bound), of_cost);
  error.above = std::hypot(distance(callpath[above_ns2], error.bound), of_cost);
  return error;
}

bool has_function_samples(const Profile& profile) { return fact_number(profile, "function_samples").value_or(0) > 0; }

std::vector<SamplingError> exclusive_errors(const Profile& profile, const std::vector<Statistic>& statistics) {
  std::vector<SamplingError> errors(profile.callpaths.size());
  const auto values = [&](std::size_t callpath) { return &statistics[callpath * profile.metrics()]; };
  for (std::size_t i = 0; i < errors.size(); ++i) {
    SamplingError own = inclusive_error(values(i));
    errors[i] = error_of_sum(errors[i], own);
    if (profile.callpaths[i].parent < 0 || !has_interval(own)) continue;
    const auto caller = static_cast<std::size_t>(profile.callpaths[i].parent);
    if (values(i)[run_file::inclusive_ns].sum < 0.01 * values(caller)[run_file::exclusive_ns].sum) own.reliable = true;
    errors[caller] = error_of_difference(errors[caller], own);
  }
  if (!has_function_samples(profile)) return errors;
  for (std::size_t i = 0; i < errors.size(); ++i) // samples of functions tell own times, not times with callees
    errors[i] = narrowed(errors[i], std::sqrt(values(i)[run_file::own_error_ns2].sum));
  return errors;
}

namespace {

// Older monitors know one distance, to both ends.
double distance_of_visits(const Statistic* callpath, run_file::MetricId by_chance, run_file::MetricId by_cost) {
  const double squares = callpath[by_chance].sum + callpath[run_file::visits_error2].sum;
  return std::hypot(std::sqrt(std::max(0.0, squares)), callpath[by_cost].sum);
}

} // namespace

double visits_below(const Statistic* callpath) {
  return distance_of_visits(callpath, run_file::visits_below2, run_file::visits_cost_below);
}
double visits_above(const Statistic* callpath) {
  return distance_of_visits(callpath, run_file::visits_above2, run_file::visits_cost_above);
}

bool is_muted(const Statistic* callpath) { return callpath[run_file::muted].sum > 0; }

bool is_overflow(const std::string& kind, const std::string& name) {
  return kind == "overflow" || name == "(more MPI calls)";
}

void Sampling::add(const std::string& name, const std::string& kind, const SamplingError& inclusive, bool is_muted) {
  callpaths += is_probed_kind(kind) || inclusive.estimated;
  (inclusive.by_probes ? by_probes : sampled) += inclusive.estimated;
  if (!inclusive.reliable) ++(is_muted ? unreliable_muted : unreliable);
  if (!is_muted) return;
  const auto at = std::lower_bound(muted.begin(), muted.end(), name);
  if (at == muted.end() || *at != name) muted.insert(at, name);
}

void Sampling::add_limits(const Profile& run) {
  std::istringstream met(fact_text(run, "limits_met"));
  for (std::string setting; met >> setting;)
    if (std::find(limits.begin(), limits.end(), setting) == limits.end()) limits.push_back(setting);
}

std::string Sampling::settings_to_raise() const {
  if (limits.empty()) return "tree_mb, node_limit or depth_limit"; // runs of older monitors
  return fmt::format("{}", fmt::join(limits, " and "));
}

const char* whole_of(const ToolCost& cost) { return cost.of_threads ? "the time of all threads" : "p x T"; }

ToolCost tool_cost(const Profile& profile) {
  ToolCost cost;
  cost.budget_percent = fact_number(profile, "budget_percent");
  double tool_ns = 0;
  for (const Location& location : profile.locations) {
    tool_ns += location.tool_ns;
    cost.of_threads = cost.of_threads || location.thread != 0;
  }
  const double percent_a_ns = 100 / (thread_time_s(profile) * 1e9);
  cost.tool_percent = percent_a_ns * tool_ns;
  if (const auto ns = fact_number(profile, "tool_error_ns")) cost.error_percent = percent_a_ns * *ns;
  if (const auto ns = fact_number(profile, "window_thread_ns")) cost.thread_percent = percent_a_ns * *ns;
  cost.tree_bytes = fact_number(profile, "tree_bytes");
  return cost;
}

} // namespace andes::postproc
