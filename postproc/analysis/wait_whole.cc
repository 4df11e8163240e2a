#include "postproc/analysis/wait_whole.h"

#include <algorithm>

#include "postproc/analysis/core_time.h"

namespace andes::postproc {
namespace {

/// Whether threads beside the main ones wait in MPI.
bool others_wait(const Profile* profile) {
  return std::ranges::any_of(profile->locations, [&](const Location& l) {
    return l.thread != 0 && idle_in_mpi_ns(*profile, l).value_or(0) > 0;
  });
}

} // namespace

std::vector<WaitWhole> wait_wholes_of(const std::vector<const Profile*>& runs) {
  std::vector<WaitWhole> wholes;
  if (std::ranges::none_of(runs, others_wait)) {
    for (const Profile* run : runs) wholes.push_back({run->ranks * run->wall_s});
    return wholes;
  }
  bool has_others = false; // threads that are in no team
  for (const Profile* run : runs) {
    const CoreTime time = core_time_of(*run);
    has_others = has_others || time.other_threads_s > 0;
    wholes.push_back({time.whole_s});
  }
  for (WaitWhole& whole : wholes) whole.text = has_others ? WaitWhole::threads : WaitWhole::cores;
  return wholes;
}

} // namespace andes::postproc
