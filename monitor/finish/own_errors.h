// What is not known of exclusive times where some were estimated (docs/metrics.md, "Functions by samples").
#pragma once
#include <vector>

namespace andes::monitor {

/// Distances of own times to the ends of their 95 % intervals, ticks, by number of the node.
struct OwnErrors {
  std::vector<double> each;
  std::vector<double> in_region; // parts of that of the sum over the nodes of a region: their squares add up to its
};

} // namespace andes::monitor
