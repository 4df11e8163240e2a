// Reading what single ranks did themselves: exclusive times by call path of main threads, and in parallel regions of
// their teams.
#pragma once
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// What the threads of a rank that are in teams did in a call path.
struct TeamTimes {
  double least_ns = 0, most_ns = 0, sum_ns = 0; // of any thread, of all together
};

struct OwnTimes {
  std::vector<int> ranks; // whose values the run has
  std::vector<std::vector<double>> own_ns; // by call path, then by place in `ranks`; empty: not asked for
  std::vector<std::vector<TeamTimes>> teams; // likewise; outside of parallel regions all are those of the main thread
};

/// Of the call paths with `wanted`, which is as long as Profile::callpaths. `profile` must have been read with
/// Detail::tree. Throws Refusal like read_run.
OwnTimes own_times_of_ranks(const Profile& profile, const std::vector<bool>& wanted);

} // namespace andes::postproc
