// Warnings of the method: facts that a reader must know before trusting a scaling curve. Each has an id
// that JSON consumers may depend on; docs/metrics.md lists them.
#pragma once
#include <string>
#include <vector>

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

/// Growth of the computation summed over ranks and the threads of their teams, relative to the smallest usable point;
/// `explained` is the serial fraction that it alone would show: (g - 1) / (q - 1), as a program that does g times the
/// work, perfectly shared, has the speedup q / g.
struct Growth {
  int size = 0;
  Estimate factor;
  double explained = 0;
  double error = 0; // of the factor, from what was subtracted as the tool's time
};

/// At the largest usable point; absent with fewer than two usable points, and in a weak sweep, whose work grows.
std::optional<Growth> computation_growth(const Build& build, const Scaling& scaling);

/// Whether the growth is more than its uncertainty and matters at all.
bool is_significant(const Growth& growth);

} // namespace andes::postproc
