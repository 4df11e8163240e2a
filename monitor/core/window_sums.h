// The sums kept for a call path whose region is closed most of the time (windows.h): four numbers of each window,
// as weighted sums over windows and as sums of products of the differences between successive rounds. The visits that
// begin in a window are the sample. In each round of `windows_a_round` windows one, at random, times visits; rounds
// are the units, so the differences between them give the error (docs/metrics.md, "Windows";
// monitor/finish/window_estimate.h makes the estimate).
//
// Invariants:
//  - all-zero is empty and valid;
//  - timed are those visits that begin in a part of the window whose place and length do not depend on what is seen
//    in it, and they count by the length of that part: a number of visits is reached the sooner the shorter they are;
//  - `ticks`, `below_ticks`, `whole` and `timed` are written by the thread that makes the visits, all else by the
//    holder of the windows' lock.
#pragma once
#include <cstdint>

#include "monitor/interface/probe.h"
#include "monitor/system/relaxed.h"

namespace andes::monitor {

/// Windows of which one times visits of a call path: others can be timed in the rest, since visits within a timed visit
/// shall not be timed themselves.
inline constexpr std::uint32_t windows_a_round = 2;

/// The numbers of a window, each multiplied by its weight: the length of a stratum divided by the time it was open, or
/// by the part of this in which visits were timed; and by the core time that the thread would have had, divided by its
/// own.
enum WindowColumn : std::uint32_t {
  window_visits, // visits that began in it
  window_timed, // visits of these whose time is known: those that were timed, and direct recursion within them
  window_ticks, // duration of the timed ones, without the time of closed regions below
  window_cpu, // time that the thread had a core while the window was open, ns
  window_columns
};
inline constexpr std::uint32_t window_products = window_columns * (window_columns + 1) / 2;

/// Sums of a call path without visits, when another one was last found to be without; see begin_rest().
struct WindowRest {
  double cpu_ns, open_ns, products; // of WindowSums; `open_ns`: its sum of window_cpu
  std::uint32_t windows, rounds, differences;
  bool is_timed; // the next visits in a window are
};

struct WindowSums {
  bool rests = false; // what windows without visits have told since then is not added yet
  std::int64_t visits_seen = 0; // of the node, when the last window with visits ended
  WindowRest rest = {};
  double ticks = 0; // of all timed visits so far, without the time of closed regions below
  double below_ticks = 0; // the time in closed regions below that `ticks` leaves out
  std::uint64_t whole = 0; // timed visits that ended in the window in which they began
  std::uint64_t timed = 0; // number of all timed visits
  std::uint64_t within = 0; // visits of direct recursion within these, which are counted without a clock
  double cut_ticks = 0; // durations of visits of recursion that ended after their window: how many were within them is
      // not known, so they are left out
  std::uint64_t timed_seen = 0; // `timed`, `within` and `ticks` when the last window with visits ended
  std::uint64_t within_seen = 0;
  double ticks_seen = 0;
  std::int64_t visits = 0; // in windows
  double cpu_ns = 0; // time that the thread had a core while the region was closed
  double visited_ns = 0; // part of the sum of window_cpu in windows with visits
  double cost_ns = 0; // weighted cost of these windows and the visits in them, left out of that
  double sum[window_columns] = {};
  double round[window_columns] = {}; // of the present round so far
  double last[window_columns] = {}; // of the latest whole round
  double products[window_products] = {}; // products of differences between successive rounds, row by row
  std::uint32_t windows = 0, visited = 0; // number of windows, and of those with visits
  std::uint32_t in_round = 0; // windows in `round`
  std::uint32_t rounds = 0, timed_rounds = 0; // whole rounds; with timed visits
  std::uint32_t differences = 0; // in `products`: of rounds that follow each other
  bool has_last = false;
};

/// Adds a timed visit that lasted for `ticks`, `below` of them in closed regions; called by the thread that made it.
/// `within`: visits of direct recursion in it.
inline void add_ticks(WindowSums& sums, double ticks, double below, std::uint64_t within) {
  add_relaxed(sums.ticks, ticks - below);
  add_relaxed(sums.below_ticks, below);
  add_relaxed(sums.within, within);
  add_relaxed<std::uint64_t>(sums.timed, 1);
}

/// Mean time of visits, without that of closed regions below; there must be a timed one.
inline double mean_ticks(const WindowSums& sums) {
  return load_relaxed(sums.ticks) / static_cast<double>(load_relaxed(sums.timed) + load_relaxed(sums.within));
}

/// How many of the visits in windows are timed by themselves, and not as recursion within others.
inline double share_by_themselves(const WindowSums& sums) {
  const auto timed = static_cast<double>(load_relaxed(sums.timed)),
             within = static_cast<double>(load_relaxed(sums.within));
  return timed > 0 ? timed / (timed + within) : 1;
}

/// Adds a timed visit that ended in its window: all visits below it were seen.
inline void add_timed(WindowSums& sums, double ticks, double below, std::uint64_t within = 0) {
  add_relaxed<std::uint64_t>(sums.whole, 1);
  add_ticks(sums, ticks, below, within);
}

/// Adds a timed visit that outlived its window, so that the visits below it were not all seen: the share of closed
/// regions in it is taken from the other visits.
inline void add_long(WindowSums& sums, double ticks) {
  const double all = sums.ticks + sums.below_ticks;
  add_ticks(sums, ticks, all > 0 ? ticks * sums.below_ticks / all : 0, 0);
}

/// A window as seen by the thread that closes it.
struct WindowLook {
  double weight; // of the window
  double timed_weight; // the same, divided by the part of the window in which visits were timed
  double open_cpu_ns; // time that the thread had a core while it was open
  double cpu_ns; // the same since the window before
  double cost_ns; // cost of its visits and of its end, left out of both
  std::int64_t visits; // visits of the node until now
  bool ends_round;
};

/// Windows follow that have nothing to do with those before.
inline void begin_rounds(WindowSums& sums) {
  for (double& value : sums.round) value = 0;
  sums.in_round = 0;
  sums.has_last = false;
}

/// Ends the round: one of less than all its windows, as at the beginning, tells nothing about the differences.
inline void end_round(WindowSums& sums) {
  if (sums.in_round == windows_a_round) {
    for (std::uint32_t i = 0, product = 0; sums.has_last && i < window_columns; ++i)
      for (std::uint32_t j = 0; j <= i; ++j, ++product)
        sums.products[product] += (sums.round[i] - sums.last[i]) * (sums.round[j] - sums.last[j]);
    sums.differences += sums.has_last;
    for (std::uint32_t i = 0; i < window_columns; ++i) sums.last[i] = sums.round[i];
    sums.has_last = true;
    sums.rounds++;
    sums.timed_rounds += sums.round[window_timed] > 0;
  }
  for (double& value : sums.round) value = 0;
  sums.in_round = 0;
}

/// Whether the round that has just ended had nothing of the call path.
inline bool may_rest(const WindowSums& sums) {
  return sums.has_last && sums.in_round == 0 && sums.last[window_visits] == 0 && sums.last[window_timed] == 0 &&
         sums.last[window_ticks] == 0;
}

/// From here on, after a round in which it may, nothing is added while there are no visits: `unvisited`, a call path of
/// the same thread that has none, gets the same sums.
inline void begin_rest(WindowSums& sums, const WindowSums& unvisited) {
  sums.rests = true;
  sums.rest = {.cpu_ns = unvisited.cpu_ns,
               .open_ns = unvisited.sum[window_cpu],
               .products = unvisited.products[window_products - 1],
               .windows = unvisited.windows,
               .rounds = unvisited.rounds,
               .differences = unvisited.differences,
               .is_timed = false};
}

/// Adds what windows have told meanwhile; to be called before the sums are used or a window with visits is added.
inline void end_rest(WindowSums& sums, const WindowSums& unvisited) {
  if (!sums.rests) return;
  sums.rests = false;
  const WindowRest& rest = sums.rest;
  sums.cpu_ns += unvisited.cpu_ns - rest.cpu_ns;
  sums.sum[window_cpu] += unvisited.sum[window_cpu] - rest.open_ns;
  sums.products[window_products - 1] += unvisited.products[window_products - 1] - rest.products;
  sums.windows += unvisited.windows - rest.windows;
  sums.rounds += unvisited.rounds - rest.rounds;
  sums.differences += unvisited.differences - rest.differences;
  for (std::uint32_t i = 0; i < window_columns; ++i) {
    sums.round[i] = unvisited.round[i];
    sums.last[i] = unvisited.last[i];
  }
  sums.in_round = unvisited.in_round;
}

/// Adds a window to the sums.
inline void add_window(WindowSums& sums, const WindowLook& look) {
  const std::uint64_t timed = load_relaxed(sums.timed), within = load_relaxed(sums.within); // read once: the other
      // thread goes on writing
  const double ticks = load_relaxed(sums.ticks);
  const std::int64_t visits = look.visits - sums.visits_seen;
  const double row[window_columns] = {look.weight * static_cast<double>(visits),
                                      look.timed_weight *
                                          static_cast<double>(timed - sums.timed_seen + within - sums.within_seen),
                                      look.timed_weight * (ticks - sums.ticks_seen), look.weight * look.open_cpu_ns};
  sums.visits_seen = look.visits;
  sums.timed_seen = timed;
  sums.within_seen = within;
  sums.ticks_seen = ticks;
  sums.visits += visits;
  sums.cpu_ns += look.cpu_ns;
  sums.windows++;
  if (visits > 0) {
    sums.visited++;
    sums.visited_ns += look.weight * look.open_cpu_ns;
    sums.cost_ns += look.weight * look.cost_ns;
  }
  sums.in_round++;
  for (std::uint32_t i = 0; i < window_columns; ++i) {
    sums.sum[i] += row[i];
    sums.round[i] += row[i];
  }
  if (look.ends_round) end_round(sums);
}

} // namespace andes::monitor
