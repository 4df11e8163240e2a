// Interrupts: time that timers and the host of a virtual machine take from a thread without the kernel's telling. It
// meets few of the visits that a call path has timed, often none, and then nothing in their durations shows it: what
// the timed visits of all call paths of a thread have met tells how much each may have missed.
// docs/metrics.md, "Sampled times".
#pragma once
#include "monitor/core/sample.h"

namespace andes::monitor {

/// Visits of call paths of short ones that were far longer than the others; ticks.
struct Interrupts {
  double count = 0, ticks = 0; // of those
  double timed_ticks = 0;      // of all timed visits among which they were looked for
};

/// Adds what the timed visits of a call path have met. `ticks_per_us`: what takes less than some us is none.
void add(Interrupts& interrupts, const Sample& sample, double ticks_per_us);

/// Whether the long visits among the timed ones of a call path are interrupts, as others that are in `interrupts`, too,
/// have met them as often: so none of its own, whose number nothing would bound.
bool are_met_by_others(const Interrupts& interrupts, const Sample& sample, double ticks_per_us);

/// How much longer than estimated `visits` of a call path may have taken, with 95 % probability, as its timed ones have
/// met fewer interrupts than all together suggest; ticks.
double may_have_missed(const Interrupts& interrupts, const Sample& sample, double visits, double ticks_per_us);

} // namespace andes::monitor
