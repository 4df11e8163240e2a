// Reading what single ranks did themselves: exclusive times by call path of main threads, and in parallel regions of
// the thread of a team that did least.
#pragma once
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct OwnTimes {
  std::vector<int> ranks; // whose values the run has
  std::vector<std::vector<double>> own_ns; // by call path, then by place in `ranks`; empty: not asked for
  std::vector<std::vector<double>> least_ns; // likewise: of the rank's threads in teams; as own_ns outside of regions
};

/// Of the call paths with `wanted`, which is as long as Profile::callpaths. `profile` must have been read with
/// Detail::tree. Throws Refusal like read_run.
OwnTimes own_times_of_ranks(const Profile& profile, const std::vector<bool>& wanted);

} // namespace andes::postproc
