// False discoveries: of many comparisons at once, those that may be called differences so that on average no more than
// some part of them is none (Benjamini and Hochberg, doi 10.1111/j.2517-6161.1995.tb02031.x).
#pragma once
#include <vector>

namespace andes::postproc {

/// By comparison, from its chance: whether it counts as a difference. `rate`: the part of false ones among these.
std::vector<bool> discoveries(const std::vector<double>& chances, double rate);

/// The chance that none of several comparisons differs (Simes, doi 10.1093/biomet/73.3.751); 1 of none.
double joint_chance(std::vector<double> chances);

} // namespace andes::postproc
