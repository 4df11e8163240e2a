// Models over an axis of --vary: how T and each call path grow with it at a fixed number of ranks and threads, and how
// large it must be for an acceptable efficiency (isoefficiency, measured: no assumption on how losses grow is needed).
//
// Invariants:
//  - only axes whose values are all numbers above zero, which do not grow with the ranks themselves (weak sweeps);
//  - only sizes that count: neither oversubscribed, unless requested, nor of another build than the newest;
//  - few_points.h decides how many values are needed; with fewer there is no model.
#pragma once
#include "postproc/analysis/overview.h"

namespace andes::postproc {

/// The overview of the reports of several series, with AxisTable::efficient and ::models; empty for one. Reads the call
/// trees of all runs that count.
Overview overview_with_models(const std::vector<Report>& reports, const std::vector<Series>& series,
                              bool oversubscribed_ok);

} // namespace andes::postproc
