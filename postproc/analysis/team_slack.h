// Team slack: how long main threads wait for their teams in the parallel regions in which threads call MPI. If such a
// call waits less, the main thread may wait for its team instead, and the region ends as before: while thread 0
// receives, the others compute (docs/metrics.md, "Gain").
#pragma once
#include <map>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

class TeamSlack {
public:
  /// `profile` with Detail::tree.
  explicit TeamSlack(const Profile& profile);

  /// Of the parallel region that the call path of a finding lies in, the most of any rank; 0: it lies in none.
  double ns(int callpath) const;

private:
  std::vector<int> region_of_; // by call path: the outermost parallel region; -1: none
  std::map<int, double> slack_ns_; // by region
};

} // namespace andes::postproc
