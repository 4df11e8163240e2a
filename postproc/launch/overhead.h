// Overhead: the cost of the monitor, from pairs of runs with and without it.
//
// Both runs of a pair are the same command with the same probes in the program, next to each other
// in time and in alternating order; without the monitor there is no clock in the program, so the
// time compared is that of the whole command, launcher and gathering included.
#pragma once
#include <optional>
#include <vector>

namespace andes::postproc {

struct Pair {
  double with_ns = 0, without_ns = 0;
};

/// In per cent: 100 (median of the ratios of the pairs - 1).
struct Intrusion {
  double percent = 0;
  std::optional<double> low, high; // absent with one pair
  bool interval = false;           // 95 % interval of the median; else the range of the pairs
  std::size_t pairs = 0;
};

/// `pairs` must not be empty. The interval is that of exact order statistics, from six pairs on
/// (Hoefler and Belli, doi 10.1145/2807591.2807644); below, low and high are the range.
Intrusion overhead_of(const std::vector<Pair>& pairs);

} // namespace andes::postproc
