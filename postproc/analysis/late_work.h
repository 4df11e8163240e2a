// Late work: which computation the ranks waited for. A chain of waits begins at a call that came late, and the monitor
// records which call path its rank had computed in before (table `origin` of run files).
//
// Invariants: shares are of the waits of a finding, and add up to at most 1; the rest follows from work that is not
// known. The origins of one late call path are not told apart by finding: each finding gets them in proportion.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// The part (0 to 1) of waits that follows from computing in a call path.
struct WorkShare {
  int callpath = 0;
  double share = 0;
};

struct LateWork {
  std::map<std::pair<int, int>, std::vector<WorkShare>> of_finding; // by cause and call path of the waits
  std::vector<WorkShare> at_end; // of the waits at the end: by what the last rank computed beyond the mean
};

/// The rank that arrives last at the end; null where the run does not say.
const Location* last_rank(const Profile& profile);

/// `profile` with Detail::tree; nothing where waits were not measured.
LateWork late_work_of(const Profile& profile);

/// Waits of all ranks by the call path that they follow from, in nanoseconds.
std::vector<double> waits_by_work(const Profile& profile, const LateWork& late);

} // namespace andes::postproc
