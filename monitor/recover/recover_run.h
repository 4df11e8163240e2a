// From recovered processes to a run: what the ranks do together at the end of a run, with all of them in one
// process. Waits are found between the logs of those that are there; the others count as ranks without a log.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "monitor/finish/make_run.h"
#include "monitor/recover/recovered.h"

namespace andes {

/// Processes of one MPI_COMM_WORLD by rank, each once; or one without MPI.
using RecoveredJob = std::vector<std::unique_ptr<RecoveredProcess>>;

/// Sorts by world, which all its ranks have noted alike, and rank: worlds as they began, spawned ones behind the others. A
/// process without MPI stands alone.
std::vector<RecoveredJob> jobs_of(std::vector<std::unique_ptr<RecoveredProcess>> processes);

/// Closes the processes and makes a run of them; has a row of `ending` for every rank of the job unless it is
/// complete. `libraries`: see RecoverRequest.
Run recovered_run(const RecoveredJob& job, const std::string& libraries);

/// How a process ended, as far as it could tell, in words: "ended by signal 11 (Segmentation fault)".
std::string ending_words(const RecoveredProcess& process);

/// How they ended, in words: a line for the ranks that ended alike.
std::vector<std::string> ending_lines(const Run& run);

} // namespace andes
