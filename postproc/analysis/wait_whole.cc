#include "postproc/analysis/wait_whole.h"

#include <algorithm>

#include "postproc/analysis/core_time.h"

namespace andes::postproc {

WaitWhole wait_whole_of(const Profile& profile) {
  const bool others_wait = std::ranges::any_of(profile.locations, [&](const Location& l) {
    return l.thread != 0 && idle_in_mpi_ns(profile, l).value_or(0) > 0;
  });
  if (!others_wait) return {profile.ranks * profile.wall_s};
  const CoreTime time = core_time_of(profile);
  return {time.whole_s, time.other_threads_s > 0 ? WaitWhole::threads : WaitWhole::cores};
}

} // namespace andes::postproc
