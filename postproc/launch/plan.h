// Plan: the order of the starts of a sweep.
#pragma once
#include <string>
#include <vector>

namespace andes {

/// One start of the command.
struct Planned {
  int ranks = 0; // 0: not known
  int repeat = 1;
  bool monitored = true;
};

/// Repeat 1 of all rank counts, then repeat 2 of all, ...; with `overhead` each as a pair, whose
/// order alternates from repeat to repeat.
std::vector<Planned> plan_runs(const std::vector<int>& ranks, int repeats, bool overhead);

/// "2 min 10 s", "45 s", "3 h 5 min".
std::string in_words(double seconds);

} // namespace andes
