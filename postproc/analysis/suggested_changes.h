// Suggested changes: what a report tries by itself as a what-if, whether it gains anything or not.
#pragma once
#include <vector>

#include "postproc/analysis/rank_work.h"
#include "postproc/analysis/routine_change.h"

namespace andes::postproc {

struct Finding;

/// Functions whose computation is mostly their own could be faster, uneven call paths balanced or parallel, and the
/// functions that call MPI where ranks wait without these waits.
std::vector<RoutineChange> suggested_changes(const Profile& run, const RankWork& work,
                                             const std::vector<Finding>& findings);

} // namespace andes::postproc
