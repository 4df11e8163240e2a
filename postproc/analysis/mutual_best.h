// Mutual best: pairs of which each is the other's best partner by far.
#pragma once
#include <algorithm>
#include <map>

namespace andes::postproc {

struct Best {
  double score = 0, second = 0;
  int partner = -1;
  void offer(double s, int p) {
    if (s > score) second = score, score = s, partner = p;
    else second = std::max(second, s);
  }
};
using Bests = std::map<int, Best>;

/// Pairs that are each other's best by more than a margin over the second best, on either side.
template <class Take> void for_mutual(const Bests& of_old, const Bests& of_new, Take take) {
  constexpr double margin = 0.25;
  for (const auto& [a, best] : of_old) {
    const Best& back = of_new.at(best.partner);
    if (back.partner == a && best.score - best.second >= margin && back.score - back.second >= margin)
      take(a, best.partner);
  }
}

} // namespace andes::postproc
