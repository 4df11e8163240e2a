#include "tests/postproc/diff_trials.h"

#include <cmath>

#include <fmt/format.h>

#include "postproc/analysis/changes.h"
#include "tests/postproc/run_maker.h"
#include "tests/postproc/sweep_maker.h"

namespace andes::test {
namespace {

using postproc::Noise;

constexpr int ranks = 2;
constexpr double margin_percent = 3;

/// A run of main with so many functions, of these times in seconds on each rank.
Run run_of_paths(const std::vector<double>& times_s, const std::string& hash) {
  using namespace run_file;
  Run run = run_of({.hash = hash}, ranks);
  run.regions = {{"(program)", "root", "", 0}, {"main", "function", "many.c", 1}};
  run.callpaths = {{-1, 0}, {0, 1}};
  run.columns.clear();
  double sum_ns = 0;
  for (std::size_t i = 0; i < times_s.size(); ++i) {
    run.regions.push_back({fmt::format("f{:03}", i), "function", "many.c", static_cast<int>(10 * i + 10)});
    run.callpaths.push_back({1, static_cast<int>(i + 2)});
    sum_ns += std::round(times_s[i] * 1e9);
  }
  run.facts["wall_ns"] = static_cast<std::int64_t>(sum_ns);
  for (LocationRow& l : run.locations) {
    l.end_ns = l.wall_ns = l.compute_ns = static_cast<std::int64_t>(sum_ns);
    l.communication_ns = l.bytes_sent = l.bytes_received = 0;
  }
  for (std::size_t path = 0; path < run.callpaths.size(); ++path) {
    const double ns = path < 2 ? sum_ns : std::round(times_s[path - 2] * 1e9);
    const auto set = [&](MetricId metric, double value) {
      if (value > 0) run.columns.push_back({static_cast<int>(path), metric, std::vector<double>(ranks, value)});
    };
    set(visits, 1);
    set(inclusive_ns, ns);
    set(computation_ns, ns);
    set(exclusive_ns, path < 2 ? 0 : ns);
  }
  return run;
}

/// Of planted call path `i` (every few), the factor on its time.
double planted_factor(const DiffKind& kind, std::size_t i) {
  if (kind.planted == 0) return 1;
  const std::size_t step = kind.paths / kind.planted;
  if (i % step != 0 || i / step >= kind.planted) return 1;
  return (i / step) % 2 == 0 ? 1 + kind.change : 1 - kind.change;
}

postproc::Build build_of(const DiffKind& kind, const std::vector<double>& levels_s, bool is_new,
                         const TemporaryDirectory& directory, Noise& random) {
  std::vector<std::string> files;
  for (std::size_t r = 0; r < kind.runs; ++r) {
    double whole = 1 + kind.run_noise * random.normal();
    if (random.uniform() < kind.outliers) whole *= 1.05 + 0.45 * random.uniform();
    std::vector<double> times_s;
    for (std::size_t i = 0; i < levels_s.size(); ++i)
      times_s.push_back(levels_s[i] * whole * (is_new ? planted_factor(kind, i) : 1) *
                        std::exp(kind.path_noise * random.normal()));
    files.push_back(directory / fmt::format("{}{:02}.andes", is_new ? "new" : "old", r));
    write(run_of_paths(times_s, is_new ? "bb" : "aa"), files.back());
  }
  return postproc::read_series(
             files, false, [](const Refusal& refusal) { throw refusal; }, is_new ? 1 : 0)
      .builds.back();
}

void count(const DiffKind& kind, const postproc::Changes& changes, DiffTrials& sum) {
  using postproc::ChangeVerdict;
  std::size_t claims = 0, wrong = 0;
  for (const postproc::PathChange& path : changes.sizes.front().paths) {
    const double factor = planted_factor(kind, std::stoul(path.path.back().substr(1)));
    const ChangeVerdict verdict = path.figures.verdict;
    ++sum.tested;
    sum.planted += factor != 1;
    sum.equals += verdict == ChangeVerdict::equal;
    if (verdict == ChangeVerdict::equal || verdict == ChangeVerdict::undecided) continue;
    ++claims;
    const bool right =
        (verdict == ChangeVerdict::slower && factor > 1) || (verdict == ChangeVerdict::faster && factor < 1);
    wrong += !right;
    sum.found += right;
  }
  sum.claims += claims;
  sum.false_claims += wrong;
  sum.with_false_claims += wrong > 0;
  if (claims > 0) sum.false_rate += static_cast<double>(wrong) / static_cast<double>(claims);
}

} // namespace

DiffTrials diff_trials(const DiffKind& kind, std::size_t trials, std::uint64_t seed) {
  DiffTrials sum;
  sum.trials = trials;
  Noise random(seed);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const TemporaryDirectory directory;
    std::vector<double> levels_s; // some are heavy, most are not; T is about 10 s
    for (std::size_t i = 0; i < kind.paths; ++i)
      levels_s.push_back(10 * std::exp(0.8 * random.normal() - 0.32) / static_cast<double>(kind.paths));
    const postproc::Build before = build_of(kind, levels_s, false, directory, random);
    const postproc::Build after = build_of(kind, levels_s, true, directory, random);
    count(kind, postproc::changes_of(before, after, margin_percent), sum);
  }
  sum.false_rate /= static_cast<double>(trials);
  return sum;
}

} // namespace andes::test
