// FinishOutcome: what the finishing library tells of the end of a run.
#pragma once

namespace andes {

/// What became of a run at its end.
struct FinishOutcome {
  bool safe = false;       // the run file is written, or there is nothing to write
  char trouble[512] = {};  // why not
};

} // namespace andes
