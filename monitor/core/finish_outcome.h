// FinishOutcome: the finishing library's report on the end of a run.
#pragma once

namespace andes::monitor {

/// Whether the results of a run are safe.
struct FinishOutcome {
  bool safe = false;       // the run file is written, or there is nothing to write
  char trouble[512] = {};  // the reason, if not
};

} // namespace andes::monitor
