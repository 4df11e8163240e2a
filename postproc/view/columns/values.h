// What a program attached to its call paths, `values` in JSON, and how the ranks of an incomplete run ended,
// `endings` in JSON: both are tables of the CSV of a run behind its call paths.
#pragma once
#include "postproc/analysis/phases.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of the profile, which must outlive the list.
List<PathValue> values(const Profile& profile);

/// The same.
List<RankEnding> endings(const Profile& profile);

} // namespace andes::postproc::columns
