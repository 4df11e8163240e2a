#include "postproc/view/fraction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "postproc/view/columns/projection.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

constexpr int fraction_decimals = 4;

bool is_fraction(const Estimate& fraction) { return fraction.median < 1; }

} // namespace

std::string fraction_text(const std::optional<Estimate>& fraction) {
  if (!fraction) return {};
  return is_fraction(*fraction) ? fixed(fraction->median, fraction_decimals) : "none";
}

std::string fraction_spread(const std::optional<Estimate>& fraction) {
  return fraction && is_fraction(*fraction) ? fixed_spread(*fraction, fraction_decimals) : std::string();
}

std::string fraction_estimate_text(const Estimate& fraction, int decimals) {
  return is_fraction(fraction) ? fixed_text(fraction, decimals) : "none";
}

std::string why_no_fraction(const Scaling& scaling) {
  std::vector<int> sizes;
  std::vector<std::string> times;
  for (const ScalingPoint& point : scaling.points) {
    if (!point.serial_fraction || is_fraction(*point.serial_fraction)) continue;
    sizes.push_back(point.size);
    times.push_back(significant(1 / point.speedup.median, 3));
  }
  if (sizes.empty()) return {};
  return fmt::format(
      "none: at {} the program takes {} times as long as its base. A program that is all serial "
      "would take as long as its base; what is beyond that came with the {}s (step 3 says to what it is lost).",
      sizes_text(sizes, scaling.axis), fmt::join(times, ", "), unit_of(scaling.axis));
}

} // namespace andes::postproc
