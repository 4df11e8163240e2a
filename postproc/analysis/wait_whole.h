// What shares of waits in MPI are of. Waits of main threads are parts of p x T. Where the other threads of ranks wait
// in MPI, too, their waits come on top of these: then shares are of the time of all threads, as those of the ledger
// (core_time.h), and do not exceed 100 %. Threads that never wait in MPI do not make the waits of the others smaller.
#pragma once
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct WaitWhole {
  static constexpr const char *ranks = "p x T", *cores = "cores x T", *threads = "the time of all threads";

  double seconds = 0;
  std::string text = ranks; // for people, one of these
};

/// Of each of these runs, with their call trees, which stand beside each other: repeats, or two builds. All have the
/// same text, as shares of different things have no median and no difference.
std::vector<WaitWhole> wait_wholes_of(const std::vector<const Profile*>& runs);

} // namespace andes::postproc
