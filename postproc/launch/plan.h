// Plan: the order of the starts of a sweep.
#pragma once
#include <compare>
#include <string>
#include <vector>

namespace andes::postproc {

/// How many ranks and threads a start is asked to have; 0: not known.
struct Size {
  int ranks = 0, threads = 0;
  auto operator<=>(const Size&) const = default;
};

/// One start of the command.
struct Planned {
  Size size;
  int repeat = 1;
  bool monitored = true;
};

/// Repeat 1 of all sizes, then repeat 2 of all, ...: every rank count with every thread count; either
/// list may be empty. With `overhead` each as a pair, whose order alternates from repeat to repeat.
std::vector<Planned> plan_runs(const std::vector<int>& ranks, const std::vector<int>& threads, int repeats,
                               bool overhead);

/// The command of a start: the placeholders are replaced by what is known of its size.
std::vector<std::string> words_of(std::vector<std::string> command, const Size& size);

/// "2 min 10 s", "45 s", "3 h 5 min".
std::string in_words(double seconds);

} // namespace andes::postproc
