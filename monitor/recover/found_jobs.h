// The jobs of this user that have left arenas, or are writing them: what `andes recover` lists.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace andes::monitor {

struct FoundJob {
  std::vector<std::string> directories; // of its arenas
  std::string program;
  int ranks = 0, job_ranks = 0; // with an arena here; of the job (0: no rank reached MPI_Init)
  int alive = 0;                // of `ranks`
  int unreadable = 0;           // damaged arenas, and arenas of another build
  std::uint64_t bytes = 0;      // size of the arenas
  std::string last_change;      // UTC, ISO 8601: end of the last process
};

/// The jobs in `places`, newest first; jobs without an arena are left out.
std::vector<FoundJob> found_jobs(const std::vector<std::string>& places);

} // namespace andes::monitor
