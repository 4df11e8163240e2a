// Calibration: what probes cost on this machine, measured on a call tree of its own: thoroughly at the start and at the
// end of measuring, briefly again and again in between, since the cost changes with the processor's speed and its
// neighbours. The cost is taken out of the program's times at the end (docs/metrics.md).
//
// Invariant: one thread calibrates at a time (Process::calibrating), with signals blocked.
#pragma once
#include "monitor/core/process.h"

namespace andes::monitor {

/// Sets Process::costs to medians over batches of visits of an empty function; a tenth of a millisecond. If memory is
/// short they stay zero: then nothing is taken out. Calls no probe of the program; needs process.clock.
void calibrate(Process& process);

/// The same in a tenth of the time, if it is due: of the time between two of them they take a twentieth of the budget.
/// To be called on the slow path of a visit. Not with counters, which would count the calibration.
void calibrate_again(Process& process, std::uint64_t now_ticks);

/// The child of a fork has none of the threads that may have been calibrating.
void reset_calibration_in_child(Process& process);

/// Sets ProbeCosts::hook. Not to be called under process_lock; hooked_function() must have a site with region_scratch.
void calibrate_hooks(Process& process);
std::uintptr_t hooked_function();

} // namespace andes::monitor
