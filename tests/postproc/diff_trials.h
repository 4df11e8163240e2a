// Trials of `andes diff`: builds of hundreds of call paths with changes that were planted, and what it claims of them.
// Shared by a unit test, which makes a few, and by `./setup diff-trials`, which makes all.
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes::test {

/// Two builds, each run several times on two ranks. Call paths have different weights, and noise of their own in each
/// run; what is slow for a while is so for all of a run.
struct DiffKind {
  std::size_t paths = 200, planted = 0, runs = 6;
  double change = 0.1; // of a planted call path's time, half of them up and half down
  double path_noise = 0.03, run_noise = 0.01; // standard deviations, relative
  double outliers = 0; // part of the runs in which all of it takes 5 to 50 % longer
};

struct DiffTrials {
  std::size_t trials = 0;
  std::size_t tested = 0; // call paths, of all trials
  std::size_t claims = 0, false_claims = 0; // call paths said to have changed; those that have not, or the other way
  std::size_t with_false_claims = 0; // trials
  std::size_t planted = 0, found = 0; // of those that were tested
  double false_rate = 0; // mean over trials of the false part of the claims: the false discovery rate
  std::size_t equals = 0; // call paths said to be equal within 3 % of T
};

DiffTrials diff_trials(const DiffKind& kind, std::size_t trials, std::uint64_t seed);

} // namespace andes::test
