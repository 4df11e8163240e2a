// Rank work: what each rank of a run computes in each call path, how long it waits, and which of these waits follow
// from that computation (late_work.h). A what-if changes it.
//
// Invariants:
//  - all vectors of ranks are of the ranks whose values the run has, in seconds;
//  - call paths with next to nothing of the run's time are left out: they stay as they are.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

using RankTimes = std::vector<double>;

/// A call path that computes.
struct ComputedPath {
  RankTimes own_s, waited_s; // computation of main threads; waits of each rank that follow from it
  RankTimes least_s, most_s, team_s; // in parallel regions of any thread of the team, of all together; else as own_s
  double mean_s = 0, least_of_ranks_s = 0; // over all ranks
  double all_s = 0; // of all threads of all ranks
  std::optional<double> base_sum_s, base_mean_s;
};

/// What the ranks of the run do.
struct RankWork {
  double time_s = 0;
  std::vector<int> ranks;
  bool all_ranks = true;
  RankTimes waits_s; // all waits of each rank for others, before its end and at it
  RankTimes team_waits_s; // of main threads for their teams
  std::map<int, ComputedPath> paths; // by call path
};

/// `base`: the same program at the base; null where there is no smaller run. Both have their call trees.
RankWork rank_work_of(const Profile& run, const Profile* base);

} // namespace andes::postproc
