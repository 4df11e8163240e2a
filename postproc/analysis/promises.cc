#include "postproc/analysis/promises.h"

#include <algorithm>
#include <map>

#include "postproc/analysis/changes.h"
#include "postproc/analysis/core_time.h"
#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/false_discoveries.h"
#include "postproc/analysis/identity.h"
#include "postproc/analysis/repeated_findings.h"
#include "postproc/analysis/two_samples.h"
#include "postproc/model/read_waits.h"

namespace andes::postproc {
namespace {

/// Of a run, with the numbers of call paths that both builds share.
struct RunTimes {
  CoreTime core;
  int ranks = 0;
  std::map<int, double> waits_s; // by call path, sums over all ranks
  std::map<int, std::map<int, double>> rank_waits_s; // by rank and call path, of ranks whose values are kept
};

RunTimes run_times(const Profile& run, const std::vector<int>& numbers) {
  RunTimes times{core_time_of(run), run.ranks, {}, {}};
  renumber(times.core, numbers);
  for (const CauseStatistic& one : run.cause_statistics)
    times.waits_s[numbers[static_cast<std::size_t>(one.callpath)]] += 1e-9 * one.wait_ns.sum;
  for (const auto& [finding, waits] : waits_of_ranks(run))
    for (const RankWait& wait : waits)
      times.rank_waits_s[wait.rank][numbers[static_cast<std::size_t>(finding.second)]] += 1e-9 * wait.wait_ns;
  return times;
}

/// Call paths of both builds, and the times of their runs with these.
struct BothBuilds {
  SharedPaths shared;
  std::vector<RunTimes> before, after;
  std::vector<int> numbers; // of the call paths of the run that makes the promises
};

BothBuilds both_builds(const CommonSize& size, const Profile& run, bool same) {
  std::vector<BuildTree> trees(same ? 1 : 2);
  using Numbers = std::vector<std::vector<int>>; // by run, of its call paths
  Numbers before, after;
  for (const Profile& one : size.before) before.push_back(add_run(trees.front(), one));
  for (const Profile& one : size.after) after.push_back(add_run(trees.back(), one));
  BothBuilds builds;
  builds.numbers = add_run(trees.front(), run); // it is one of them
  builds.shared = shared_paths(std::move(trees));
  const auto share = [](std::vector<int>& numbers, const std::vector<int>& of_build) {
    for (int& number : numbers) number = of_build[static_cast<std::size_t>(number)];
  };
  const auto add = [&](const std::vector<Profile>& runs, Numbers& numbers, const std::vector<int>& of_build,
                       std::vector<RunTimes>& times) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      share(numbers[i], of_build);
      times.push_back(run_times(runs[i], numbers[i]));
    }
  };
  add(size.before, before, builds.shared.of.front(), builds.before);
  add(size.after, after, builds.shared.of.back(), builds.after);
  share(builds.numbers, builds.shared.of.front());
  return builds;
}

/// By how much something became shorter, in seconds of T, and how likely that is by chance.
struct Saved {
  Estimate seconds;
  double chance = 1, rank_chance = 1;
  std::size_t runs_before = 0, runs_after = 0;
};

template <class Spent> Saved saved(const BothBuilds& builds, Spent spent) {
  const auto values_of = [&](const std::vector<RunTimes>& runs) {
    std::vector<double> values;
    for (const RunTimes& run : runs) values.push_back(spent(run));
    return values;
  };
  const std::vector<double> before = values_of(builds.before), after = values_of(builds.after);
  return {derive(sample_of(before, 1), sample_of(after, 2), [](double from, double to) { return from - to; }),
          welch_chance(before, after), rank_sum_chance(before, after), before.size(), after.size()};
}

/// By number of a call path: whether a change concerns it, which is all that it calls.
std::vector<bool> concerned_paths(const BothBuilds& builds, const Profile& run, const RoutineChange& change) {
  std::vector<bool> concerned(builds.shared.paths.size());
  const std::vector<bool> paths = paths_of(run, change);
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (paths[i]) concerned[static_cast<std::size_t>(builds.numbers[i])] = true;
  for (std::size_t i = 0; i < concerned.size(); ++i) // callers stand before what they call
    if (const int caller = builds.shared.paths[i].parent; caller >= 0 && concerned[static_cast<std::size_t>(caller)])
      concerned[i] = true;
  return concerned;
}

/// Of a change of computation: that computation, and the waits that go back to it.
Saved saved_by_computation(const BothBuilds& builds, const std::vector<bool>& concerned) {
  return saved(builds, [&](const RunTimes& run) {
    double sum_s = 0;
    for (const auto& [number, path] : run.core.paths)
      if (concerned[static_cast<std::size_t>(number)]) sum_s += path.computation_s;
    for (const auto& [key, origin] : run.core.origins)
      if ((key.first == OriginKind::imbalance || key.first == OriginKind::serial) &&
          concerned[static_cast<std::size_t>(key.second)])
        sum_s += origin.seconds;
    return sum_s / run.core.threads();
  });
}

/// Of waits in call paths: those of the rank that waited longest there, as others that did not wait there wait for it
/// later. But no more than all waits of the program became shorter: waits that go on elsewhere gain nothing.
Saved saved_by_waits(const BothBuilds& builds, const std::vector<bool>& concerned) {
  const auto of_concerned_s = [&](const std::map<int, double>& waits_s) {
    double sum_s = 0;
    for (const auto& [number, wait_s] : waits_s)
      if (concerned[static_cast<std::size_t>(number)]) sum_s += wait_s;
    return sum_s;
  };
  Saved longest = saved(builds, [&](const RunTimes& run) {
    double longest_s = of_concerned_s(run.waits_s) / run.ranks;
    for (const auto& [rank, waits_s] : run.rank_waits_s) longest_s = std::max(longest_s, of_concerned_s(waits_s));
    return longest_s;
  });
  Saved all = saved(builds, [](const RunTimes& run) {
    double sum_s = 0;
    for (const auto& [part, seconds] : run.core.parts)
      if (is_idle_part(part)) sum_s += seconds;
    return sum_s / run.ranks; // of main threads
  });
  // All waits scatter more: only if it is sure.
  return all.seconds.high.value_or(all.seconds.median) < longest.seconds.median ? all : longest;
}

/// By what T became shorter: all of it, where several changes were made.
Saved realised(const BothBuilds& builds, const Profile& run, const std::vector<std::string>& texts) {
  if (texts.size() > 1) return saved(builds, [](const RunTimes& times) { return times.core.time_s; });
  const RoutineChange change = change_of(texts.front());
  const std::vector<bool> concerned = concerned_paths(builds, run, change);
  return change.kind == RoutineChange::Kind::no_wait ? saved_by_waits(builds, concerned)
                                                     : saved_by_computation(builds, concerned);
}

/// `by_chance`: whether such a change may be chance. What may be none, and may be a gain that counts, cannot be told.
Kept judged(const Prediction& prediction, const Saved& saved, bool by_chance, double time_s) {
  constexpr double noticed = 0.1; // of what was promised: less of it, or beyond it, is not told apart
  constexpr double light = 0.003; // of T; else after a promise of nothing a gain of nothing would count
  const Estimate& realised = saved.seconds;
  const double least = std::max(noticed * prediction.high.gain_s, light * time_s);
  if (!by_chance && realised.low > 0.) {
    if (realised.median < least) return Kept::not_realised;
    if (realised.low > (1 + noticed) * prediction.high.gain_s) return Kept::more;
    return realised.high < (1 - noticed) * prediction.low.gain_s ? Kept::less : Kept::as_promised;
  }
  const bool bounded = may_decide(realised, saved.runs_before, saved.runs_after);
  return bounded && realised.high < least ? Kept::not_realised : Kept::cannot_be_told;
}

/// Those that were asked for are judged alone, as T is; the candidates are one family, as call paths are.
void judge(Promises& of_run, const std::vector<Saved>& all) {
  std::vector<Promise>& promises = of_run.all;
  std::vector<double> chances; // of candidates
  for (std::size_t i = 0; i < promises.size(); ++i)
    if (!promises[i].asked) chances.push_back(all[i].chance);
  const std::vector<bool> found = discoveries(chances, false_discovery_rate);
  std::size_t candidate = 0;
  for (std::size_t i = 0; i < promises.size(); ++i) {
    const bool differs = promises[i].asked ? all[i].chance <= false_discovery_rate : found[candidate++];
    const bool by_chance = !differs || !ranks_agree(all[i].rank_chance);
    promises[i].kept = judged(promises[i].prediction, all[i], by_chance, of_run.time_s);
  }
}

} // namespace

const char* name_of(Kept kept) {
  constexpr const char* names[] = {"as_promised", "more", "less", "not_realised", "cannot_be_told"};
  return names[static_cast<int>(kept)];
}

Promises promises_of(const Build& before, const Build& after, const CommonSize& size,
                     const std::vector<std::string>& asked, bool oversubscribed_ok) {
  Promises promises{size.ranks, size.threads, 0, {}};
  if (!before.unfinished.empty() || !after.unfinished.empty()) return promises;
  const Point& point = *find_point(before, size.ranks, size.threads);
  const Profile& run = median_tree(point, size.before);
  const std::vector<Finding> findings = merged_findings(diagnoses_of(size.before));
  const std::optional<Profile> base = read_base(before, point, oversubscribed_ok);
  WhatIf what_if = postproc::what_if({&run, base ? &*base : nullptr, &findings, nullptr, asked});
  promises.time_s = what_if.time_s;
  const BothBuilds builds = both_builds(size, run, is_same_build(before.hash, after.hash));
  std::vector<Saved> all;
  const auto add = [&](Prediction prediction, bool is_asked) {
    all.push_back(realised(builds, run, prediction.changes));
    promises.all.push_back({std::move(prediction), is_asked, all.back().seconds, {}});
  };
  if (what_if.asked) add(std::move(*what_if.asked), true);
  if (!is_same_build(before.hash, after.hash)) // else nothing was changed
    for (Prediction& candidate : what_if.candidates) add(std::move(candidate), false);
  judge(promises, all);
  return promises;
}

} // namespace andes::postproc
