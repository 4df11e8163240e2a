// The Universal Scalability Law (Gunther, Guerrilla Capacity Planning, 2007): what contention and coherency leave of
// N times the capacity of one,
//
//     X(N) = gamma N / (1 + s (N - 1) + k N (N - 1))
//
// gamma: throughput of one; s: contention, the share that is done by one at a time; k: coherency, what each pair costs.
// k = 0 is Amdahl's law. All three are at least zero. Formulas in docs/metrics.md, "Models".
#pragma once
#include <optional>
#include <vector>

namespace andes::postproc {

/// Throughput at a size; for a program that does the same work at all sizes 1 / T.
struct Throughput {
  double size = 0, value = 0;
};

struct Usl {
  double contention = 0, coherency = 0, of_one = 0; // s, k, gamma
  double at(double size) const;
  /// The size with the largest throughput, sqrt((1 - s) / k); absent: it grows without end (k = 0) or never (s >= 1).
  std::optional<double> most() const;
};

/// Non-linear least squares of the throughputs. Absent with fewer points than coefficients, or where nothing fits.
std::optional<Usl> usl_of(const std::vector<Throughput>& points);

} // namespace andes::postproc
