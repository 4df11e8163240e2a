// The part of a window in which visits of a call path are timed: it is fixed before the window opens, from what earlier
// windows have shown (decision 235). Where the thread of the windows has opened the window on the core of the program's
// thread, that goes on only when the other sleeps again, some 10 us later: visits of a few nanoseconds were over their
// part by then, and never timed.
// Where a window has many visits the part is all of it, and clusters of visits at random places are timed (decision
// 310): visits come in bursts, and a short part of a window meets one or none.
#pragma once
#include "monitor/core/tree.h"

namespace andes::monitor {

/// How many visits of a call path are timed in a window.
struct Timings {
  std::uint32_t wanted; // what the part is made for
  std::uint32_t most; // where there are many more visits than in other windows
};

/// With many call paths fewer of each: in a window of 0.2 ms, with cold caches, each takes 100 ns (decision 290). With
/// few of them more, as short runs have few windows. `paths`: that windows may time.
inline Timings timings_for(std::uint32_t paths) {
  constexpr std::uint32_t wanted_of_all = 256, most_of_all = 4096;
  const auto within = [](std::uint32_t value, std::uint32_t low, std::uint32_t high) {
    return value < low ? low : value > high ? high : value;
  };
  const std::uint32_t count = paths > 0 ? paths : 1;
  return {within(wanted_of_all / count, 4, 8), within(most_of_all / count, 16, 512)};
}

/// Times in ticks.
struct WindowPlan {
  double open; // how long the window will be open
  double timed; // cost of a timed visit
  double least; // the shortest part: the thread does not go on after the same time in each window
  double back; // from the opening until the thread's visits are seen
  Timings timings;
};

/// Visits of a cluster that do not count: the one that is due, and a timed one, bring the code into the caches.
inline constexpr std::uint32_t cluster_warm_up = 1, cluster_begin = 1 + cluster_warm_up;

/// The share of visits that count where clusters are `apart`.
inline double share_of_clusters(std::uint32_t apart) {
  return static_cast<double>(cluster_visits) / (cluster_visits + cluster_begin + apart);
}

/// The part for a call path of which `visits` are expected: after some that bring the probe's code into the caches, as
/// long as those wanted shall take. Where there are few it is the rest of the window, however long that will be; where
/// there are many it holds as many in clusters.
inline TimedPart part_for(const WindowPlan& plan, double visits) {
  constexpr double many = 8; // times those wanted
  const double wanted = plan.timings.wanted;
  if (visits >= many * wanted) {
    const double apart = visits * cluster_visits / wanted - (cluster_visits + cluster_begin);
    return {0, TimedPart::no_end, plan.timings.most, static_cast<std::uint32_t>(apart < 1e9 ? apart : 1e9)};
  }
  const double warm_up = visits / 4 < wanted ? visits / 4 : wanted;
  const double each = visits > 0 ? plan.open / visits + plan.timed : 0;
  const double back = plan.back < plan.open / 2 ? plan.back : plan.open / 2;
  const double begin = back + warm_up * each, length = wanted * each;
  if (visits < warm_up + wanted) return {static_cast<std::uint64_t>(begin), TimedPart::no_end, plan.timings.most};
  return {static_cast<std::uint64_t>(begin),
          static_cast<std::uint64_t>(begin + (length > plan.least ? length : plan.least)), plan.timings.most};
}

/// A running mean (0: of nothing yet) of times at the edges of windows, with the next one. One far above the mean
/// counts little: the thread had other things to do. `most`: no mean is larger.
inline double next_mean(double mean, double ticks, double most) {
  constexpr double weight_of_new = 1.0 / 8;
  if (mean == 0) return ticks < most ? ticks : most;
  const double limit = 2 * mean + most / 64;
  const double next = mean + weight_of_new * ((ticks < limit ? ticks : limit) - mean);
  return next < most ? next : most;
}

} // namespace andes::monitor
