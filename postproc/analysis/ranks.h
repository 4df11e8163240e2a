// Ranks of values, and the normal scores that follow from them.
#pragma once
#include <cstddef>
#include <vector>

namespace andes::postproc {

/// Twice the rank of each value among all of them, from 2 on; equal values share the mean of theirs.
std::vector<std::size_t> double_ranks(const std::vector<double>& all);

/// Of the standard normal distribution.
double normal_quantile(double probability);

} // namespace andes::postproc
