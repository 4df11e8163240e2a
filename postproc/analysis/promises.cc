#include "postproc/analysis/promises.h"

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/identity.h"

namespace andes::postproc {
namespace {

/// Call paths of both builds, and the core times of their runs with these.
struct BothBuilds {
  SharedPaths shared;
  std::vector<CoreTime> before, after;
  std::vector<int> numbers; // of the call paths of the run that makes the promises
};

BothBuilds both_builds(const CommonSize& size, const Profile& run, bool same) {
  std::vector<BuildTree> trees(same ? 1 : 2);
  BothBuilds builds;
  for (const Profile& one : size.before) builds.before.push_back(core_time_in(trees.front(), one));
  for (const Profile& one : size.after) builds.after.push_back(core_time_in(trees.back(), one));
  builds.numbers = add_run(trees.front(), run); // it is one of them
  builds.shared = shared_paths(std::move(trees));
  for (CoreTime& time : builds.before) renumber(time, builds.shared.of.front());
  for (CoreTime& time : builds.after) renumber(time, builds.shared.of.back());
  for (int& number : builds.numbers) number = builds.shared.of.front()[static_cast<std::size_t>(number)];
  return builds;
}

/// What a change concerns: call paths with all that they call.
class Concern {
public:
  Concern(const BothBuilds& builds, const Profile& run, const std::vector<RoutineChange>& changes)
      : concerned_(builds.shared.paths.size()) {
    for (const RoutineChange& change : changes) {
      waits_ = change.kind == RoutineChange::Kind::no_wait;
      const std::vector<bool> paths = paths_of(run, change);
      for (std::size_t i = 0; i < paths.size(); ++i)
        if (paths[i]) concerned_[static_cast<std::size_t>(builds.numbers[i])] = true;
    }
    for (std::size_t i = 0; i < concerned_.size(); ++i) // callers stand before what they call
      if (const int caller = builds.shared.paths[i].parent; caller >= 0 && concerned_[static_cast<std::size_t>(caller)])
        concerned_[i] = true;
  }

  /// Seconds of each core: computation with the waits that go back to it, or the waits themselves.
  double spent_s(const CoreTime& time) const {
    double sum_s = 0;
    for (const auto& [number, path] : time.paths)
      if (concerned_[static_cast<std::size_t>(number)]) sum_s += waits_ ? path.idle_s : path.computation_s;
    for (const auto& [key, origin] : time.origins)
      if (!waits_ && (key.first == OriginKind::imbalance || key.first == OriginKind::serial) &&
          concerned_[static_cast<std::size_t>(key.second)])
        sum_s += origin.seconds;
    return sum_s / time.cores;
  }

private:
  std::vector<bool> concerned_; // by number
  bool waits_ = false;
};

/// By what T became shorter: all of it, where several changes were made.
Estimate realised(const BothBuilds& builds, const Profile& run, const std::vector<std::string>& texts) {
  std::vector<RoutineChange> changes;
  for (const std::string& text : texts) changes.push_back(change_of(text));
  const Concern concern(builds, run, changes);
  const auto spent = [&](const std::vector<CoreTime>& times) {
    std::vector<double> values;
    for (const CoreTime& time : times) values.push_back(changes.size() > 1 ? time.time_s : concern.spent_s(time));
    return values;
  };
  return derive(sample_of(spent(builds.before), 1), sample_of(spent(builds.after), 2),
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

Promises promises_of(const Build& before, const Build& after, const CommonSize& size,
                     const std::vector<std::string>& asked, bool oversubscribed_ok) {
  Promises promises{size.ranks, size.threads, 0, {}};
  if (!before.unfinished.empty() || !after.unfinished.empty()) return promises;
  const Point& point = *find_point(before, size.ranks, size.threads);
  const Profile& run = median_tree(point, size.before);
  std::vector<Diagnosis> diagnoses;
  for (const Profile& tree : size.before) diagnoses.push_back(diagnosis_of(tree));
  const std::vector<Finding> findings = merged_findings(diagnoses);
  const std::optional<Profile> base = read_base(before, point, oversubscribed_ok);
  WhatIf what_if = postproc::what_if({&run, base ? &*base : nullptr, &findings, nullptr, asked});
  promises.time_s = what_if.time_s;
  const BothBuilds builds = both_builds(size, run, is_same_build(before.hash, after.hash));
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
