// Probe costs: what probes cost on this processor, as calibrations find it (calibrate.h), and the mean over a run of
// what repeated calibrations found: it changes with the processor's speed and with its neighbours.
//
// Invariant: all-zero is "not calibrated"; nothing is taken out of the program's times then.
#pragma once
#include <cstdint>

#include "monitor/interface/probe.h"
#include "monitor/system/relaxed.h"

namespace andes::monitor {

/// What probes cost, in ticks.
struct ProbeCosts {
  double pair = 0;         // an exact visit, enter and leave, where there is no other work
  double inner = 0;        // the part of it that lies within the visit's own time
  double dependent = 0;    // the same among work whose operations wait for each other
  double dependent_inner = 0;
  double busy = 0;         // the same among work that keeps the processor busy
  double busy_inner = 0;
  double sampled = 0;      // a visit that is only counted
  double sample = 0;       // a sampled visit that is timed, with the visits that warm up for it
  double sample_inner = 0; // the part of it that lies within the visit's own time, where there is no other work
  double sample_dependent_inner = 0, sample_busy_inner = 0; // the same part among work, as above
  double short_work = 0;   // length of a shorter piece of dependent work
  double sample_short_inner = 0; // the same part among that
  double timed = 0;        // the timed visit alone
  double call_less = 0;    // how much less of a slow visit's own time its probe takes in a wrapper (costs_of_kind())
  double closed = 0;       // a visit of a closed region: its probe, which is out of use
  double clock = 0;        // reading the clock; 0 where probes read it themselves: nobody asks then
  double hook = 0;         // additional cost of a visit by a compiler's hooks; measured once there are any
  double error = 0;        // half the spread of `pair` within a calibration
  double ticks_per_ms = 0;
  bool counts_by_call = false; // counted visits call the monitor (counted_visits.h)
  bool fenced_clock = false;   // the clock is one of the kernel's, whose reading waits for the operations before it
};

/// The costs that are calibrated again while the program runs.
inline constexpr double ProbeCosts::* repeated_costs[] = {&ProbeCosts::pair,
                                                          &ProbeCosts::inner,
                                                          &ProbeCosts::dependent,
                                                          &ProbeCosts::dependent_inner,
                                                          &ProbeCosts::busy,
                                                          &ProbeCosts::busy_inner,
                                                          &ProbeCosts::sampled,
                                                          &ProbeCosts::sample,
                                                          &ProbeCosts::sample_inner,
                                                          &ProbeCosts::timed,
                                                          &ProbeCosts::call_less,
                                                          &ProbeCosts::closed,
                                                          &ProbeCosts::clock,
                                                          &ProbeCosts::error,
                                                          &ProbeCosts::sample_dependent_inner,
                                                          &ProbeCosts::sample_busy_inner,
                                                          &ProbeCosts::short_work,
                                                          &ProbeCosts::sample_short_inner};

/// The costs of visits of that kind. A wrapper, as of a call of MPI, leaves its visit by a call that has no registers
/// of the program to keep: less of what precedes the reading of the clock lies within the visit.
ProbeCosts costs_of_kind(const ProbeCosts& costs, std::uint32_t kind);

/// Cost of an exact visit in a program.
struct PairCost {
  double all, inner; // as `pair` and `inner`
  double low, high; // what `all` may be

  double error() const { return all - low > high - all ? all - low : high - all; }
};

/// `between`: ticks that pass in the program between entering and leaving, or leaving and entering, on the average over
/// the visit and the caller's time before it. Processors execute the reading of a clock and other operations at the
/// same time, more or less: so what a pair adds depends on the work around it, and where there is less work than a pair
/// takes, elapsed time does not tell how much.
PairCost cost_of_pair(const ProbeCosts& costs, double between);

/// What a timed visit of a sampled call path contains of its own probe, in ticks.
struct InnerCost {
  double ticks;
  double low, high; // what it may be

  double error() const { return ticks - low > high - ticks ? ticks - low : high - ticks; }
};

/// `seen`: how long timed visits take on the average, their own probe's part included. The calibrated parts tell how
/// long a visit of known work is seen to take; from that follows the work: among operations that wait for each other,
/// which run in the probe's shadow while they are few, and among such as keep the processor busy. The mean is taken.
InnerCost inner_of_timed(const ProbeCosts& costs, double seen);

/// Costs that another thread may be replacing: each is whole, old or new.
inline void load_costs(ProbeCosts& into, const ProbeCosts& from) {
  for (const auto cost : repeated_costs) into.*cost = load_relaxed(from.*cost);
  into.hook = load_relaxed(from.hook);
  into.ticks_per_ms = from.ticks_per_ms; // never replaced, nor are the others
  into.counts_by_call = from.counts_by_call;
  into.fenced_clock = from.fenced_clock;
}

/// Cost of a visit of a program that is only counted. In the loop that calibrates it successive visits overlap; among
/// the work of programs it takes 1.1 to 2.3 times as long: measured in functions of 10 to 90 ns, both from the time of
/// runs that count all visits and from the number of visits that windows of a known length have; in functions of 4 ns
/// up to 2.8 times. Among work that waits for memory or divisions nearly all of it may be hidden: 0.2 to 0.3 times in a
/// function of 12 ns that divides. Visits that call the monitor overlap less in the loop: in functions of 10 to 20 ns
/// they take 1.0 to 1.5 times as long.
inline double counted_cost(const ProbeCosts& costs) { return (costs.counts_by_call ? 1.25 : 1.5) * costs.sampled; }
inline constexpr double least_of_counted = 0.2 / 1.5, most_of_counted = 2.8 / 1.5; // what it may be

/// Cost of visits in windows, `timed` of which read the clock.
inline double cost_in_windows(const ProbeCosts& costs, bool by_hooks, double visits, double timed) {
  return visits * (by_hooks ? costs.hook : 0) + (visits - timed) * counted_cost(costs) + timed * costs.timed;
}

/// The calibrations of a run. Times between two calibrations count with the mean of both.
struct CostHistory {
  std::uint64_t last_ticks = 0; // of the latest calibration
  std::uint64_t due_ticks = 0; // of the next one; 0 before the first
  std::uint32_t count = 0;
  double ticks = 0; // from the first calibration to the latest
  ProbeCosts integral; // costs x ticks
  double least_closed = 0; // smallest `closed`: noise would exceed its mean
  double changes = 0; // half the differences of `pair` between successive calibrations x ticks
};

/// Adds a calibration made at `now_ticks`; `before`: the one before it, if there is one.
void add_calibration(CostHistory& history, const ProbeCosts& before, const ProbeCosts& costs, std::uint64_t now_ticks);

/// The mean over the run, `latest` where there was only one calibration. `error` is the half of the mean difference
/// between successive calibrations, or their own spread where that is larger.
ProbeCosts mean_costs(const CostHistory& history, const ProbeCosts& latest);

} // namespace andes::monitor
