// Synthetic sweeps of a known course, for tests of models: the same on every machine.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "postproc/analysis/terms.h"

namespace andes::postproc {

/// Normal noise by Box and Muller's method: the distributions of the standard library differ among libraries.
class Noise {
public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::acos(-1.0) * uniform());
  }
  /// In (0, 1].
  double uniform() { return (static_cast<double>(random_() >> 11) + 1) * 0x1p-53; }

private:
  std::mt19937_64 random_;
};

/// Medians of `repeats` values of f(size), each with relative noise.
template <class Function>
std::vector<SizedValue> synthetic_sweep(const std::vector<double>& sizes, std::size_t repeats, double noise, Function f,
                                        Noise& random) {
  std::vector<SizedValue> sweep;
  for (const double size : sizes) {
    std::vector<double> values;
    for (std::size_t r = 0; r < repeats; ++r) values.push_back(f(size) * (1 + noise * random.normal()));
    std::sort(values.begin(), values.end());
    sweep.push_back(sized_value(size, values));
  }
  return sweep;
}

} // namespace andes::postproc
