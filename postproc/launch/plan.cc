// Interleaving: a slow hour of the machine falls on all rank counts alike, and on both runs of a
// pair.
#include "postproc/launch/plan.h"

#include <fmt/core.h>

namespace andes {

std::vector<Planned> plan_runs(const std::vector<int>& ranks, int repeats, bool overhead) {
  const std::vector<int> counts = ranks.empty() ? std::vector<int>{0} : ranks;
  std::vector<Planned> plan;
  for (int repeat = 1; repeat <= repeats; ++repeat)
    for (int count : counts) {
      const bool first = repeat % 2 == 1;
      if (overhead) plan.push_back({count, repeat, !first});
      plan.push_back({count, repeat, overhead ? first : true});
    }
  return plan;
}

std::string in_words(double seconds) {
  const long whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

} // namespace andes
