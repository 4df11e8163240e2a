// Two rows of things matched in their order, so that the pairs are most alike in sum (global alignment; Needleman and
// Wunsch, doi 10.1016/0022-2836(70)90057-4). Pairs that others would do as well for are left out: nothing is taken by
// chance.
#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace andes::postproc {

/// `likeness(i, j)` of the i-th of n and the j-th of m; zero: they are no pair. Pairs in order.
std::vector<std::pair<std::size_t, std::size_t>> aligned(
    std::size_t n, std::size_t m, const std::function<double(std::size_t, std::size_t)>& likeness);

} // namespace andes::postproc
