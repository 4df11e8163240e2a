// ./setup diff-trials: what andes diff claims of call paths that changed, and of those that did not.
//   diff_trials [TRIALS]
#include <cstdlib>
#include <vector>

#include <fmt/core.h>

#include "tests/postproc/diff_trials.h"

using namespace andes::test;

int main(int argc, char** argv) {
  const std::size_t trials = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  if (trials == 0) {
    fmt::print(stderr, "diff_trials: the number of trials is above 0\n");
    return 2;
  }
  struct Row {
    const char* name;
    DiffKind kind;
    double least_found = 0; // of those planted, in the rows that have an answer
  };
  const std::vector<Row> rows = {
      {"identical", {}},
      {"identical, outliers", {.outliers = 0.05}},
      {"identical, 4 runs", {.runs = 4}},
      {"identical, 500 paths", {.paths = 500}},
      {"20 planted, 10 %", {.planted = 20}, 0.8},
      {"20 planted, 5 %", {.planted = 20, .change = 0.05}},
      {"20 planted, 10 %, outliers", {.planted = 20, .outliers = 0.05}},
      {"2 planted, 10 %", {.planted = 2}},
      {"100 planted, 10 %", {.planted = 100}, 0.8},
  };
  fmt::print("{:<28}{:>6}{:>6}{:>8}{:>9}{:>8}{:>7}{:>12}{:>14}{:>9}{:>9}\n", "builds", "paths", "runs", "trials",
             "tested", "claims", "false", "trials with", "false rate %", "planted", "found %");
  bool good = true;
  for (const Row& row : rows) {
    const DiffTrials sum = diff_trials(row.kind, trials, 1);
    const double found = sum.planted == 0 ? 0 : static_cast<double>(sum.found) / static_cast<double>(sum.planted);
    fmt::print("{:<28}{:>6}{:>6}{:>8}{:>9}{:>8}{:>7}{:>12}{:>14.2f}{:>9}{:>9}\n", row.name, row.kind.paths,
               row.kind.runs, sum.trials, sum.tested, sum.claims, sum.false_claims, sum.with_false_claims,
               100 * sum.false_rate, sum.planted, sum.planted == 0 ? "" : fmt::format("{:.1f}", 100 * found));
    std::fflush(stdout);
    good = good && sum.false_rate <= 0.05 && found >= row.least_found;
  }
  fmt::print(
      "{}: a false discovery rate of at most 5 % in each row, and at least 80 % of 20 or 100 changes of 10 % found\n",
      good ? "PASS" : "MISS");
  return good ? 0 : 1;
}
