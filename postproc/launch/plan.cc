// Interleaving: a slow hour of the machine falls on all sizes alike, and on both runs of a pair.
#include "postproc/launch/plan.h"

#include <cmath>

#include <fmt/core.h>

#include "postproc/launch/count_list.h"

namespace andes::postproc {

std::vector<Planned> plan_runs(const std::vector<int>& ranks, const std::vector<int>& threads, int repeats,
                               bool overhead) {
  const std::vector<int> unknown{0};
  std::vector<Planned> plan;
  for (int repeat = 1; repeat <= repeats; ++repeat)
    for (const int p : ranks.empty() ? unknown : ranks)
      for (const int t : threads.empty() ? unknown : threads) {
        const bool first = repeat % 2 == 1;
        if (overhead) plan.push_back({{p, t}, repeat, !first});
        plan.push_back({{p, t}, repeat, overhead ? first : true});
      }
  return plan;
}

std::vector<std::string> words_of(std::vector<std::string> command, const Size& size) {
  if (size.ranks) command = substitute(std::move(command), ranks_word, std::to_string(size.ranks));
  if (size.threads) command = substitute(std::move(command), threads_word, std::to_string(size.threads));
  return command;
}

std::string in_words(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

} // namespace andes::postproc
