// What a history keeps of its runs, in a file beside them, so that only new runs are read. The file may be deleted at
// any time; one that is damaged, or of another version of andes, counts as none. Where it cannot be written, the next
// history reads all runs again.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/history_run.h"
#include "postproc/command/reading.h"

namespace andes::postproc {

/// The runs below `directory`, in the order of `files`, which are all of them. Files that are no runs are skipped, each
/// with a message.
std::vector<HistoryRun> history_runs(const std::string& directory, const std::vector<std::string>& files);

} // namespace andes::postproc
