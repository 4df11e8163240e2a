// Looks at a running job and says why it hangs, if it does: for `andes run --hang-after`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/interface/hang.h"

namespace andes::monitor {

struct HangReading {
  Hang hang;
  bool waits = false;         // some rank waits in a call of MPI
  double least_wait_s = 0;    // of the ranks that wait: the shortest
  std::uint64_t progress = 0; // rises with each message and collective operation of any rank
};

/// The living ranks in the directories of a job; arenas that cannot be read are left out. `libraries`: the directory of
/// the monitor's libraries.
HangReading read_hang(const std::vector<std::string>& directories, const std::string& libraries);

} // namespace andes::monitor
