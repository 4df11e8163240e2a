// The findings of repeated runs as one list.
#pragma once
#include <vector>

#include "postproc/analysis/diagnosis.h"

namespace andes::postproc {

/// Findings of the repeats of a point as one: those of the same cause and call path become one with
/// the medians of severity, percentage and gain (zero where a repeat lacks it); the rest is of the
/// repeat in which it is heaviest. `repeats` come from diagnoses_of() and are not empty.
std::vector<Finding> merged_findings(const std::vector<Diagnosis>& repeats);

} // namespace andes::postproc
