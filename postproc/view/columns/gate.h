// Tables of a gate: pairs of runs, call paths and terms that changed, controls.
#pragma once
#include "postproc/analysis/gate.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

List<GatePair> gate_pairs();
List<ChangedPath> changed_paths();
List<ChangedTerm> changed_terms();
List<GateControl> gate_controls();

} // namespace andes::postproc::columns
