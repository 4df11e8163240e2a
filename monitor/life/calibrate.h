// Calibration: what probes cost on this machine, measured at the start of measuring on a call tree
// of its own. What is found is taken out of the program's times at the end (docs/metrics.md).
#pragma once
#include "monitor/core/process.h"

namespace andes {

/// Medians over batches of visits of an empty function; a tenth of a millisecond. All zero where
/// memory is short: then nothing is taken out. Calls no probe of the program; needs process.clock.
ProbeCosts calibrate(Process& process);

/// Ticks that a visit by a compiler's hooks costs beyond one by a probe (ProbeCosts::hook). Not under the
/// process's lock.
double calibrate_hooks(Process& process);

} // namespace andes
