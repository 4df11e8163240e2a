// Weak scaling: the work grows with the size, so a program that scales takes the same time at all sizes. Gustafson,
// Reevaluating Amdahl's law, CACM 31(5), 1988; formulas in docs/metrics.md, "Models".
#pragma once
#include <vector>

#include "postproc/analysis/series.h"

namespace andes::postproc {

/// Serial fraction of the time at q times the base size: (q - S) / (q - 1), q > 1, S being the scaled speedup.
double gustafson_fraction(double scaled_speedup, double q);

struct ScaledPoint {
  int size = 0;
  Estimate scaled_speedup; // q T(base) / T
  Estimate efficiency;     // T(base) / T
  std::optional<Estimate> serial_fraction; // absent at the base
};

/// Over the smallest size of a build whose work grows with the size.
std::vector<ScaledPoint> scaled_points(const Build& build);

} // namespace andes::postproc
