// Trials of change points: histories with a planted change, and the same shuffled. Shared by a unit test, which makes a
// few, and by `./setup history-trials`, which makes all.
#pragma once
#include <cstdint>
#include <vector>

namespace andes::test {

/// Histories as a CI has them: each commit is run several times; times of runs scatter, some are far too long, and all
/// of a commit's runs share an offset (where the build put code and data).
struct HistoryKind {
  std::size_t commits = 60, runs = 5;
  double change = 0.03; // of the level, from a random commit on; 0: none
  double run_noise = 0.015; // standard deviation of a run
  double commit_noise = 0.004; // of what a commit's runs share
  double outliers = 0.05; // part of the runs that take 5 to 50 % longer
  std::size_t margin = 6; // commits at either end without a change
};

struct PlantedHistory {
  std::vector<double> commits; // the median of each commit's runs
  std::size_t changed_at = 0;
};

PlantedHistory planted_history(const HistoryKind& kind, std::uint64_t seed);

struct HistoryTrials {
  std::size_t trials = 0;
  std::size_t found = 0; // one change, or more, with one within a commit of the planted one
  std::size_t exact = 0; // at the very commit
  std::size_t covered = 0; // whose interval holds the planted commit, of those found
  std::size_t more = 0; // with changes besides
  std::size_t shuffled_alarms = 0; // shuffled histories in which a change is found
};

HistoryTrials history_trials(const HistoryKind& kind, std::size_t trials, std::uint64_t seed);

} // namespace andes::test
