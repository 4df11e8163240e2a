// Rounding of figures that are not known to more digits.
#pragma once
#include <cmath>

namespace andes::postproc {

/// To two significant digits. `value` above zero.
inline double two_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

} // namespace andes::postproc
