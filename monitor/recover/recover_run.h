// Makes a run of recovered processes: the same steps as the ranks' at the end of a run, with all ranks in one
// process. Waits are found between the logs of existing ranks; missing ranks count as ranks without a log.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "monitor/finish/make_run.h"
#include "monitor/interface/hang.h"
#include "monitor/recover/recovered.h"

namespace andes::monitor {

/// Processes of one MPI_COMM_WORLD by rank, each once; or one without MPI.
using RecoveredJob = std::vector<std::unique_ptr<RecoveredProcess>>;

/// Groups the processes by world, whose identifier all its ranks have recorded, and sorts by rank. Worlds without one,
/// as of MPI sessions, are told apart by their sizes and by time, if they ran one after another. Worlds are in the
/// order of their begin, spawned ones last. A process without MPI is a job of its own.
std::vector<RecoveredJob> jobs_of(std::vector<std::unique_ptr<RecoveredProcess>> processes);

/// Closes the processes and makes a run of them; the run has a row of `ending` for every rank of the job
/// unless it is complete. `libraries`, `ended_s`: see RecoverRequest. `hang`: if it is given, who waited for whom.
Run recovered_run(const RecoveredJob& job, const std::string& libraries, std::optional<double> ended_s = {},
                  Hang* hang = nullptr);

/// How a process ended, as far as it is recorded, as text: "ended by signal 11 (Segmentation fault)".
std::string ending_words(const RecoveredProcess& process);

/// The signal that ended the first rank to fail, as far as it is recorded; 0: none.
int signal_of_end(const Run& run);

/// How the ranks ended, as text: a line for each group of ranks that ended in the same way.
std::vector<std::string> ending_lines(const Run& run);

} // namespace andes::monitor
