// The jobs of this user that have left arenas, or are writing them: what `andes recover` lists.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace andes {

struct FoundJob {
  std::vector<std::string> directories; // of its arenas
  std::string program;
  int ranks = 0, job_ranks = 0; // with an arena here; of the job (0: no rank came to MPI_Init)
  int alive = 0;                // of `ranks`
  int unreadable = 0;           // arenas that are damaged or of another build
  std::uint64_t bytes = 0;      // that they take
  std::string last_change;      // UTC, ISO 8601: when the last of them ended
};

/// In `places`, newest first; those without an arena are left out.
std::vector<FoundJob> found_jobs(const std::vector<std::string>& places);

} // namespace andes
