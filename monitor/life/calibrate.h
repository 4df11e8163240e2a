// Calibration: the cost of probes on this machine, measured at the start of measuring on a separate
// call tree. The cost is taken out of the program's times at the end (docs/metrics.md).
#pragma once
#include "monitor/core/process.h"

namespace andes::monitor {

/// Medians over batches of visits of an empty function; a tenth of a millisecond. All zero if
/// memory is short: then nothing is taken out. Calls no probe of the program; needs process.clock.
ProbeCosts calibrate(Process& process);

/// Additional ticks of a visit by a compiler's hooks, compared with a probe (ProbeCosts::hook). Not to be
/// called under process_lock.
double calibrate_hooks(Process& process);

} // namespace andes::monitor
