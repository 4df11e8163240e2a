#include "postproc/analysis/promises.h"

#include <set>

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/points.h"
#include "postproc/analysis/routines.h"
#include "postproc/analysis/shared_names.h"
#include "postproc/model/read_run.h"

namespace andes::postproc {
namespace {

using Names = std::vector<std::string>;

/// What the report of these runs says (report.cc). `run`: the median one of `trees`.
WhatIf what_if_at(const Build& build, const Point& point, const std::vector<Profile>& trees, const Profile& run,
                  const std::vector<std::string>& asked) {
  std::vector<Diagnosis> diagnoses;
  for (const Profile& tree : trees) diagnoses.push_back(diagnosis_of(tree));
  const std::vector<Finding> findings = merged_findings(diagnoses);
  const Point& smallest = build.points.front();
  std::optional<Profile> base;
  if (smallest.ranks < point.ranks && build.axis == Axis::ranks)
    base = read_run(median_run(smallest).profile.file, Detail::tree);
  return what_if({&run, base ? &*base : nullptr, &findings, nullptr, asked});
}

/// Call paths of both builds, and the core times of their runs.
struct BothBuilds {
  SharedNames names;
  std::size_t newer = 1; // number of the newer build in `names`
  std::vector<CoreTime> before, after;
};

BothBuilds both_builds(const std::vector<Profile>& old_runs, const std::vector<Profile>& new_runs, bool same) {
  std::vector<BuildTree> trees(same ? 1 : 2);
  std::vector<CoreTime> before, after;
  for (const Profile& run : old_runs) add_run(trees.front(), run), before.push_back(core_time_of(run));
  for (const Profile& run : new_runs) add_run(trees.back(), run), after.push_back(core_time_of(run));
  const std::size_t newer = trees.size() - 1;
  return {SharedNames(std::move(trees)), newer, std::move(before), std::move(after)};
}

/// What a change concerns: call paths with all that they call.
class Concern {
public:
  Concern(BothBuilds& builds, const Profile& run, const std::vector<RoutineChange>& changes) : builds_(builds) {
    for (const RoutineChange& change : changes) {
      waits_ = change.kind == RoutineChange::Kind::no_wait;
      const std::vector<bool> paths = paths_of(run, change);
      for (std::size_t i = 0; i < paths.size(); ++i)
        if (paths[i]) numbers_.insert(builds.names.number(0, path_of(run, static_cast<int>(i))));
    }
  }

  /// Seconds of each core: computation with the waits that go back to it, or the waits themselves.
  double spent_s(const CoreTime& time, std::size_t build) const {
    double sum_s = 0;
    for (const auto& [names, path] : time.paths)
      if (is_concerned(names, build)) sum_s += waits_ ? path.idle_s : path.computation_s;
    for (const auto& [key, origin] : time.origins)
      if (!waits_ && (key.first == OriginKind::imbalance || key.first == OriginKind::serial) &&
          is_concerned(key.second, build))
        sum_s += origin.seconds;
    return sum_s / time.cores;
  }

private:
  bool is_concerned(const Names& names, std::size_t build) const {
    Names begin;
    for (const std::string& name : names) {
      begin.push_back(name);
      if (numbers_.contains(builds_.names.number(build, begin))) return true;
    }
    return false;
  }

  BothBuilds& builds_;
  std::set<int> numbers_;
  bool waits_ = false;
};

/// By what T became shorter: all of it, where several changes were made.
Estimate realised(BothBuilds& builds, const Profile& run, const std::vector<std::string>& texts) {
  std::vector<RoutineChange> changes;
  for (const std::string& text : texts) changes.push_back(change_of(text));
  const Concern concern(builds, run, changes);
  const auto spent = [&](const std::vector<CoreTime>& times, std::size_t build) {
    std::vector<double> values;
    for (const CoreTime& time : times)
      values.push_back(changes.size() > 1 ? time.time_s : concern.spent_s(time, build));
    return values;
  };
  return derive(sample_of(spent(builds.before, 0), 1), sample_of(spent(builds.after, builds.newer), 2),
                [](double before, double after) { return before - after; });
}

Kept judged(const Prediction& prediction, const Estimate& realised) {
  constexpr double noticed = 0.1; // of what was promised: less of it, or beyond it, is not told apart
  const double low = realised.low.value_or(realised.median), high = realised.high.value_or(realised.median);
  if (low <= 0 || realised.median < noticed * prediction.high.gain_s) return Kept::not_realised;
  if (low > (1 + noticed) * prediction.high.gain_s) return Kept::more;
  return high < (1 - noticed) * prediction.low.gain_s ? Kept::less : Kept::as_promised;
}

} // namespace

const char* name_of(Kept kept) {
  constexpr const char* names[] = {"as_promised", "more", "less", "not_realised"};
  return names[static_cast<int>(kept)];
}

Promises promises_of(const Build& before, const Build& after, int ranks, int threads,
                     const std::vector<std::string>& asked) {
  Promises promises{ranks, threads, 0, {}};
  if (!before.unfinished.empty() || !after.unfinished.empty()) return promises;
  const Point &point = *find_point(before, ranks, threads), &newer = *find_point(after, ranks, threads);
  const std::vector<Profile> runs = read_trees(point);
  const Profile& run = median_tree(point, runs);
  WhatIf what_if = what_if_at(before, point, runs, run, asked);
  promises.time_s = what_if.time_s;
  BothBuilds builds = both_builds(runs, read_trees(newer), !before.hash.empty() && before.hash == after.hash);
  const auto add = [&](Prediction prediction, bool is_asked) {
    Promise promise{std::move(prediction), is_asked, {}, {}};
    promise.realised_s = realised(builds, run, promise.prediction.changes);
    promise.kept = judged(promise.prediction, promise.realised_s);
    promises.all.push_back(std::move(promise));
  };
  if (what_if.asked) add(std::move(*what_if.asked), true);
  for (Prediction& candidate : what_if.candidates) add(std::move(candidate), false);
  return promises;
}

} // namespace andes::postproc
