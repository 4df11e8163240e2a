// Repeats: how often each size is run (--repeat N, --repeat auto[:WIDTH%][,TIME]).
//
// With auto a size is repeated until the exact 95 % interval of the median of its times (docs/metrics.md, "Intervals")
// is no wider than WIDTH per cent of the median, which takes six repeats at least. After TIME no run begins but
// those of the first turn, so that each size has one. The sizes take turns as ever; one that has enough leaves them.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace andes::postproc {

struct Repeats {
  int count = 1; // of each size; with `automatic` the largest number
  bool automatic = false;
  double width_percent = 5;
  double time_s = 600;
};

/// Of `auto`: beyond it the interval shrinks too slowly to be worth it.
inline constexpr int most_repeats = 99;
/// Of `auto`: a size that fails so often in a row is given up.
inline constexpr int most_failures = 3;

/// Reads the value of --repeat. Throws Refusal.
Repeats read_repeats(const std::string& text);

/// A whole number, 1 to 999,999, for commands without auto. Throws Refusal.
int read_repeat_count(const std::string& text);

/// Width of the 95 % interval of the median, in per cent of it; absent below six times.
std::optional<double> interval_width_percent(std::vector<double> times_s);

/// Whether another repeat may be of use: times of the successful runs of a size, and failures since the last of them.
bool wants_repeat(const Repeats& repeats, const std::vector<double>& times_s, int failures);

} // namespace andes::postproc
