// Sampling: the uncertainty of the times of call paths of which only some visits read the clock,
// and the parts of a run that were not counted at all (docs/metrics.md, "Sampled times").
//
// Invariants:
//  - estimates of different call paths and ranks are independent: variances add, and so do the
//    squared distances to the ends of an interval (Zou and Donner, doi 10.1002/sim.3095);
//  - inclusive time carries the error of the call path's own sampling alone; communication is
//    always exact, so the time outside MPI carries the same error;
//  - exclusive time is inclusive time less that of the callees: the caller of a sampled call path
//    has an estimated exclusive time even if it is exact itself.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Distances from an estimated time to the ends of its 95 % interval, in the unit of the time.
struct SamplingError {
  bool estimated = false; // false: the time is exact, and the distances are zero
  bool reliable = true;   // false: the interval must not be trusted
  bool timed = true;      // false: nothing is known, so there is no interval
  double below = 0, above = 0;
  bool bound = false; // the distances are bounds, which hold in all ranks and runs alike: nothing random is in them
  bool by_probes = false; // all visits were timed, and are so short that the probes between them hide part of the time
};

/// Of the sum and the difference of two independently estimated times. Distances that are bounds add as they are.
SamplingError error_of_sum(const SamplingError& a, const SamplingError& b);
SamplingError error_of_difference(const SamplingError& a, const SamplingError& b);

/// Whether there is an interval to show: the time is estimated, and from something.
bool has_interval(const SamplingError& error);

/// Ends of the interval around `value`, a time: none is negative, though the estimate of an
/// exclusive time may be.
double lower_end(double value, const SamplingError& error);
double upper_end(double value, const SamplingError& error);

/// In another unit; `factor` is not negative.
SamplingError scaled(SamplingError error, double factor);

/// Of the median of repeats whose values have these errors: the root of their mean square, times
/// sqrt(pi / 2n), the standard error of the median of n normal values over that of one, which is
/// more than the exact factor for every n; at most 1. If all are bounds, their mean. `repeats` is not
/// empty.
SamplingError error_of_median(const std::vector<SamplingError>& repeats);

/// In nanoseconds, of the call path's inclusive time, from its statistics or those of some ranks
/// (as in Profile::statistics). With fewer than 30 timed visits in all of them the distances are bounds, of which
/// the sum over n ranks is the largest that the sum of their squares allows: sqrt(n) times its root.
SamplingError inclusive_error(const Statistic* callpath);

/// Whether samples of functions have told of own times.
bool has_function_samples(const Profile& profile);

/// In nanoseconds, by call path. A callee that is not reliable makes its caller's time unreliable
/// unless it is below one per cent of it: many callers have some rare callee of which few visits
/// were timed. The time of a callee of which nothing is known is its caller's, not estimated.
std::vector<SamplingError> exclusive_errors(const Profile& profile, const std::vector<Statistic>& statistics);

/// Of an exclusive time with that error, once samples of functions tell that it is within `distance` of the truth,
/// unless they tell less; 0: they tell nothing.
SamplingError narrowed(SamplingError error, double distance);

/// From the visits of a call path, or of several whose statistics were added, to the ends of their 95 % interval;
/// 0: all were counted. Errors by chance add as squares, what counting may have cost as it is: it is alike everywhere.
double visits_below(const Statistic* callpath);
double visits_above(const Statistic* callpath);

/// Whether visits were not counted any more from some time on: in runs of older monitors.
bool is_muted(const Statistic* callpath);

/// Nodes in which the monitor sums what does not fit its limits.
bool is_overflow(const std::string& kind, const std::string& name);
/// Of p x T in these: the least that readers are told before all else.
inline constexpr double large_overflow_percent = 10;

/// An own time, in per cent of p x T, that is known only within an interval wider than itself.
struct WideEstimate {
  std::vector<std::string> path;
  double percent = 0, low = 0, high = 0;
  bool by_probes = false; // as in SamplingError
};

/// Summary of all this for a run, or for the repeats of a point.
struct Sampling {
  std::size_t callpaths = 0; // functions, blocks, and calls of MPI that were sampled
  std::size_t sampled = 0, unreliable = 0;
  std::size_t by_probes = 0; // exact, but for what their probes hide
  std::vector<WideEstimate> wide; // reliable ones of two points and more, the widest first
  double unreliable_percent = 0; // of p x T: the own times of these; the largest of the repeats
  std::size_t unreliable_muted = 0; // besides
  std::vector<std::string> muted; // names of functions, by name
  double overflow_visits = 0, overflow_percent = 0; // of p x T; the largest of the repeats
  std::vector<std::string> limits; // settings that these are due to; none: not known
  bool has_estimates() const { return sampled > 0 || by_probes > 0; }
  bool any() const { return has_estimates() || !muted.empty() || overflow_visits > 0; }
  /// Adds one call path. Muted ones are counted separately among the unreliable: they always have
  /// few timed visits.
  void add(const std::string& name, const std::string& kind, const SamplingError& inclusive, bool is_muted);
  /// Adds the limits that a run has met.
  void add_limits(const Profile& run);
  /// The settings to raise: "tree_mb", "tree_mb and node_limit".
  std::string settings_to_raise() const;
};

/// The cost of measuring, by the monitor's own data. The residual error of the subtracted tool time
/// comes from the calibration, so it is common to all repeats.
struct ToolCost {
  std::optional<double> budget_percent; // absent in runs of monitors without a budget; 0: none
  bool of_threads =
      false; // percentages are of the time of all threads; else of p x T, which is the same without threads
  double tool_percent = 0;
  std::optional<double> error_percent;
  std::optional<double> thread_percent; // processor time of the monitor's own threads, which no rank's time holds
  std::optional<double> tree_bytes; // of the call trees of a rank, the largest
};

/// What these percentages are of.
const char* whole_of(const ToolCost& cost);

/// Of all threads: a budget holds for each of them.
ToolCost tool_cost(const Profile& profile);

} // namespace andes::postproc
