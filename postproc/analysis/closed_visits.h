// Visits of closed functions (docs/cost.md, "How the budget works"): what their probes, out of use, may cost a program.
// The time of the tool does not contain it, since nothing measures it: a probe keeps the compiler from inlining a
// function, and from jumping to what it calls last.
#pragma once
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct ClosedVisits {
  double visits = 0; // in all ranks
  double percent = 0; // of p x T, that they may take
  std::vector<std::string> functions; // with the most of them first; all that have a tenth of the first one's
};

/// Of a run read with Detail::tree.
ClosedVisits closed_visits(const Profile& run);

} // namespace andes::postproc
