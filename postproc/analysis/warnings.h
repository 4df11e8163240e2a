// Warnings of the method: facts that a reader must know before trusting a scaling curve. Each has an id
// that JSON consumers may depend on; docs/metrics.md lists them.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/closed_visits.h"
#include "postproc/analysis/sampling.h"
#include "postproc/analysis/scaling.h"

namespace andes::postproc {

struct Warning {
  std::string id, text;
  std::vector<int> ranks; // the numbers of ranks concerned (on a grid: of cores), may be empty
};

/// Efficiency that is regarded as acceptable (POP, see docs/metrics.md).
inline constexpr double acceptable_efficiency = 0.8;

std::vector<Warning> warnings_of(const Series& series, const Build& build, const Scaling& scaling);

/// What sampling leaves open at the size whose call paths are reported: unreliable
/// intervals, muted functions, limits of the call tree.
void add_sampling_warnings(const Sampling& sampling, int size, Axis axis, std::vector<Warning>& warnings);

/// Functions whose probes, out of use, may take more than two budgets' worth of the time.
void add_closed_warning(const ClosedVisits& closed, int size, Axis axis, std::vector<Warning>& warnings);

} // namespace andes::postproc
