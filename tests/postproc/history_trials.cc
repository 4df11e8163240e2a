#include "tests/postproc/history_trials.h"

#include <random>

#include "postproc/analysis/change_points.h"
#include "postproc/analysis/medians.h"

namespace andes::test {

PlantedHistory planted_history(const HistoryKind& kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  PlantedHistory history;
  const std::size_t places = kind.commits - 2 * kind.margin + 1;
  history.changed_at = kind.margin + random() % places;
  const double sign = random() % 2 == 0 ? 1 : -1;
  for (std::size_t i = 0; i < kind.commits; ++i) {
    double level = 10 * (i < history.changed_at ? 1 : 1 + sign * kind.change);
    level *= 1 + kind.commit_noise * normal(random);
    std::vector<double> runs;
    for (std::size_t run = 0; run < kind.runs; ++run) {
      double time = level * (1 + kind.run_noise * normal(random));
      if (uniform(random) < kind.outliers) time *= 1.05 + 0.45 * uniform(random);
      runs.push_back(time);
    }
    history.commits.push_back(postproc::median(runs));
  }
  return history;
}

HistoryTrials history_trials(const HistoryKind& kind, std::size_t trials, std::uint64_t seed) {
  HistoryTrials sum;
  sum.trials = trials;
  std::mt19937_64 random(seed);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    PlantedHistory history = planted_history(kind, random());
    const auto changes = postproc::change_points_of(history.commits);
    const std::size_t planted = history.changed_at;
    for (const postproc::ChangePoint& change : changes) {
      if (change.at + 1 < planted || change.at > planted + 1) continue;
      ++sum.found;
      sum.exact += change.at == planted;
      sum.covered += change.low <= planted && planted <= change.high;
      break;
    }
    sum.more += changes.size() > 1;
    std::vector<double>& row = history.commits;
    for (std::size_t left = row.size(); left > 1; --left) std::swap(row[left - 1], row[random() % left]);
    sum.shuffled_alarms += !postproc::change_points_of(row).empty();
  }
  return sum;
}

} // namespace andes::test
