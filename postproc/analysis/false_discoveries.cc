#include "postproc/analysis/false_discoveries.h"

#include <algorithm>

namespace andes::postproc {

std::vector<bool> discoveries(const std::vector<double>& chances, double rate) {
  std::vector<double> sorted = chances;
  std::sort(sorted.begin(), sorted.end());
  double most = -1; // the largest chance that counts
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] <= rate * static_cast<double>(i + 1) / static_cast<double>(sorted.size())) most = sorted[i];
  std::vector<bool> found;
  for (const double chance : chances) found.push_back(chance <= most);
  return found;
}

double joint_chance(std::vector<double> chances) {
  std::sort(chances.begin(), chances.end());
  double joint = 1;
  for (std::size_t i = 0; i < chances.size(); ++i)
    joint = std::min(joint, chances[i] * static_cast<double>(chances.size()) / static_cast<double>(i + 1));
  return joint;
}

} // namespace andes::postproc
