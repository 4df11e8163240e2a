// ./setup history-trials: how many planted changes a history finds, and how often it alarms without one.
//   history_trials [TRIALS]
#include <cstdlib>

#include <fmt/core.h>

#include "tests/postproc/history_trials.h"

using namespace andes::test;

int main(int argc, char** argv) {
  const std::size_t trials = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  if (trials == 0) {
    fmt::print(stderr, "history_trials: the number of trials is above 0\n");
    return 2;
  }
  constexpr HistoryKind usual;
  constexpr std::size_t most_percent = 5, least_percent = 90;
  struct Row {
    const char* name;
    HistoryKind kind;
  };
  std::vector<Row> rows = {{"3 %, as asked for", usual}};
  for (const double noise : {0.005, 0.03}) {
    rows.push_back({noise < usual.run_noise ? "3 %, quiet machine" : "3 %, noisy machine", usual});
    rows.back().kind.run_noise = noise;
  }
  rows.push_back({"3 %, one run a commit", usual});
  rows.back().kind.runs = 1;
  rows.back().kind.outliers = 0.02;
  rows.push_back({"2 %", usual});
  rows.back().kind.change = 0.02;
  rows.push_back({"5 %, 20 commits", usual});
  rows.back().kind.change = 0.05;
  rows.back().kind.commits = 20;
  rows.push_back({"3 %, 300 commits", usual});
  rows.back().kind.commits = 300;

  fmt::print("{:<24}{:>8}{:>6}{:>6}{:>16}{:>8}{:>9}{:>7}{:>9}{:>16}\n", "change", "commits", "runs", "noise",
             "within 1 commit", "exact", "covered", "more", "", "shuffled alarms");
  bool good = true;
  for (const Row& row : rows) {
    const HistoryTrials sum = history_trials(row.kind, trials, 1);
    fmt::print("{:<24}{:>8}{:>6}{:>5} %{:>16}{:>8}{:>9}{:>7}  of{:>5}{:>16}\n", row.name, row.kind.commits,
               row.kind.runs, 100 * row.kind.run_noise, sum.found, sum.exact, sum.covered, sum.more, sum.trials,
               sum.shuffled_alarms);
    good = good && 100 * sum.shuffled_alarms <= most_percent * trials;
    if (&row == &rows.front()) good = good && 100 * sum.found >= least_percent * trials;
  }
  fmt::print("{}: at least {} % of the first row within a commit, at most {} % of shuffled histories with an alarm\n",
             good ? "PASS" : "MISS", least_percent, most_percent);
  return good ? 0 : 1;
}
