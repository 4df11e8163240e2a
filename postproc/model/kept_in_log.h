// KeptInLog: how many of a run's operations its log had room for; waits and what follows from them stand for all.
#pragma once
#include <string>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Of messages (and other operations of two ranks), and of collectives, one in so many was kept.
struct KeptInLog {
  double one_message_in = 1, one_collective_in = 1;

  bool all() const { return one_message_in <= 1 && one_collective_in <= 1; }
  /// "1 message in 4 and all collectives".
  std::string text() const;
};

KeptInLog kept_in_log(const Profile& profile);

} // namespace andes::postproc
