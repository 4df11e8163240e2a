#include "monitor/finish/core_loss.h"

#include <algorithm>
#include <cmath>

namespace andes::monitor {
namespace {

// What is known of all waits counts as much as so many that the visits have met: the shares of call paths are taken to
// differ by 1 / sqrt of it.
constexpr double prior_waits = 16;
constexpr double fewest_readings = 8;    // that tell how unequal waits are
constexpr double usual_slice_ns = 4e6;   // how long another thread usually has the core: a tick of the kernel
constexpr double fewest_waits = 10;      // that a call path's own waits are known by

/// Mean length of a wait, each counted as often as it is long: E[q^2] / E[q], ns.
double weighted_length(const WaitReadings& readings) {
  if (!(readings.m > 0) || !(readings.d > 0)) return 0;
  const double mean = readings.d / readings.m;
  if (readings.count < fewest_readings) return std::max(2 * mean, std::min(readings.dd / readings.d, usual_slice_ns));
  // Sums of m independent waits vary around m times the mean by m times the variance of one.
  const double squares = readings.dd - 2 * mean * readings.md + mean * mean * readings.mm;
  const double variance = std::max(0.0, squares) / readings.m * readings.count / (readings.count - 1);
  return mean + variance / mean;
}

/// What is known of all waits counts as much as waits in so much time with a core.
double prior_ticks(const CoreLoss& loss) { return prior_waits * loss.wait_ticks / loss.share; }

/// Whether the visits have met more waits than the thread's share explains: they give up the core themselves.
bool has_own_waits(const CoreLoss& loss, const TimedVisits& timed) {
  const double expected = loss.measured_share * timed.ticks;
  return timed.wait_ticks > expected + 4 * std::sqrt(expected * loss.wait_ticks) + 8 * loss.wait_ticks;
}

} // namespace

CoreLoss core_loss(const CoreLosses& losses, double ns_per_tick) {
  const CoreLoss none = {.monitor_ticks = static_cast<double>(losses.monitor_ticks), .is_noticed = losses.notices};
  const CoreWaits& waits = losses.waits;
  const double waits_ns = waits.ns - none.monitor_ticks * ns_per_tick; // of call paths
  // The kernel updates the time with a core at its ticks. A time close to zero may be one that it has not updated yet.
  if (!(waits_ns > 0) || !(waits.count > 0) || !(waits.ran_ns > 0.01 * (waits.ran_ns + waits_ns))) return none;
  CoreLoss loss = none;
  loss.share = loss.measured_share = waits_ns / waits.ran_ns;
  loss.wait_ticks = weighted_length(losses.readings) / ns_per_tick;
  loss.core_ticks = waits.ran_ns / ns_per_tick;
  return loss.share > 0 && loss.wait_ticks > 0 ? loss : none;
}

CoreLoss adjusted(const CoreLoss& loss, const std::vector<TimedVisits>& paths) {
  if (!(loss.share > 0) || !loss.is_noticed) return loss;
  double ticks = 0, wait_ticks = 0;
  for (const TimedVisits& timed : paths) {
    if (has_own_waits(loss, timed)) continue;
    ticks += timed.ticks;
    wait_ticks += timed.wait_ticks;
  }
  const double all_ticks = ticks + prior_ticks(loss);
  CoreLoss result = loss;
  result.share = (wait_ticks + prior_waits * loss.wait_ticks) / all_ticks;
  result.share_variance = ticks * loss.share * loss.wait_ticks / (all_ticks * all_ticks);
  return result;
}

AddedWaits waits_in(const CoreLoss& loss, const TimedVisits& timed, double visits, double core_ticks) {
  if (!loss.is_noticed) { // `core_ticks` contains what the timed visits have met
    if (!(loss.share > 0)) return {};
    const double unseen = std::exp(-timed.ticks * loss.share / loss.wait_ticks);
    const double ticks = loss.share * core_ticks * unseen;
    return {ticks, loss.wait_ticks * ticks};
  }
  if (has_own_waits(loss, timed)) {
    const double each = visits / (timed.count + timed.waits);
    return {each * timed.wait_ticks, each * each * timed.wait_squares, timed.waits >= fewest_waits};
  }
  if (!(loss.share > 0)) return {};
  const double known_by = timed.ticks + prior_ticks(loss);
  const double share = (timed.wait_ticks + prior_waits * loss.wait_ticks) / known_by;
  const double of_others = std::max(0.0, 1 - core_ticks / loss.core_ticks);
  const double untimed = std::max(0.0, core_ticks - timed.ticks);
  const double by_chance = loss.wait_ticks * share * untimed * of_others * (1 + of_others * untimed / known_by);
  const double by_thread = core_ticks * prior_ticks(loss) / known_by;
  return {share * core_ticks, by_chance + by_thread * by_thread * loss.share_variance};
}

} // namespace andes::monitor
