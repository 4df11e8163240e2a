#include "postproc/analysis/what_if.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/rank_work.h"
#include "postproc/analysis/suggested_changes.h"

namespace andes::postproc {
namespace {

constexpr std::size_t most_candidates = 10;

/// A change with what it concerns.
struct Placed {
  RoutineChange change;
  std::vector<bool> paths;
};

struct SavedWork {
  RankTimes own_s, waited_s;
  RankTimes least_s, team_s; // in parallel regions by any thread of the team, by all of them together; else as own_s
  double all_s = 0; // of the work of all ranks together
  double any_s = 0; // the least of any rank, without waits
};

void faster(double& time_s, double factor, double& saved_s) {
  saved_s += time_s * (1 - 1 / factor);
  time_s /= factor;
}

/// Applies changes of computation in turn to copies of the works that they concern.
SavedWork saved_by(const RankWork& state, const std::vector<Placed>& changes, int ranks) {
  SavedWork saved;
  saved.own_s.resize(state.ranks.size());
  saved.least_s.resize(state.ranks.size());
  saved.team_s.resize(state.ranks.size());
  saved.waited_s.resize(state.ranks.size());
  std::map<int, ComputedPath> works;
  for (const Placed& placed : changes) {
    if (placed.change.kind == RoutineChange::Kind::no_wait) continue;
    for (const auto& [path, work] : state.paths)
      if (placed.paths[static_cast<std::size_t>(path)]) works.try_emplace(path, work);
    for (auto& [path, work] : works) {
      if (!placed.paths[static_cast<std::size_t>(path)]) continue;
      if (placed.change.kind == RoutineChange::Kind::faster) {
        const double factor = placed.change.factor;
        double ignored = 0;
        for (std::size_t i = 0; i < state.ranks.size(); ++i) {
          faster(work.own_s[i], factor, saved.own_s[i]);
          faster(work.least_s[i], factor, saved.least_s[i]);
          faster(work.most_s[i], factor, ignored);
          faster(work.team_s[i], factor, saved.team_s[i]);
          faster(work.waited_s[i], factor, saved.waited_s[i]);
        }
        faster(work.least_of_ranks_s, factor, saved.any_s);
        faster(work.mean_s, factor, ignored);
        faster(work.all_s, factor, saved.all_s);
        if (work.base_sum_s) faster(*work.base_sum_s, factor, ignored);
        continue;
      }
      saved.all_s += work.all_s; // balanced visit by visit it may save more than in sum, but no more than all
      double target_s = work.mean_s;
      if (placed.change.kind == RoutineChange::Kind::parallel && work.base_sum_s && *work.base_sum_s > 0)
        target_s = std::min(target_s, *work.base_sum_s / ranks);
      const double mean_of_most_s =
          std::accumulate(work.most_s.begin(), work.most_s.end(), 0.0) / static_cast<double>(work.most_s.size());
      for (std::size_t i = 0; i < state.ranks.size(); ++i) {
        // A region lasts as long as its longest thread: it is as much shorter as that has more than those of others.
        const double own_s = work.own_s[i] - target_s, most_s = work.most_s[i] - mean_of_most_s;
        const bool in_team = work.team_s[i] != work.own_s[i];
        saved.own_s[i] += own_s;
        saved.least_s[i] += in_team ? std::min(own_s, most_s) : own_s;
        saved.team_s[i] += in_team ? std::max(own_s, work.team_s[i]) : own_s;
        work.least_s[i] = work.most_s[i] = work.team_s[i] = target_s;
        saved.waited_s[i] += work.waited_s[i];
        work.own_s[i] = target_s;
        work.waited_s[i] = 0;
      }
      saved.any_s += work.least_of_ranks_s - target_s;
      if (work.mean_s > 0) work.all_s *= target_s / work.mean_s;
      work.least_of_ranks_s = work.mean_s = target_s;
    }
  }
  return saved;
}

struct Bounds {
  GainBound low, high;
};

Bounds bounds_of(const RankWork& state, const SavedWork& saved) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Bounds bounds{{infinite, GainBound::From::rank, -1}, {state.time_s, GainBound::From::any, -1}};
  for (std::size_t i = 0; i < state.ranks.size(); ++i) {
    const double most_s = std::max(saved.own_s[i], std::min(saved.own_s[i] + state.team_waits_s[i], saved.team_s[i]));
    const double low_s = saved.least_s[i] + std::min(saved.waited_s[i], state.waits_s[i]);
    const double high_s = most_s + state.waits_s[i];
    if (low_s < bounds.low.gain_s) bounds.low = {low_s, GainBound::From::rank, state.ranks[i]};
    if (high_s < bounds.high.gain_s) bounds.high = {high_s, GainBound::From::rank, state.ranks[i]};
  }
  if (!state.all_ranks && saved.any_s < bounds.low.gain_s) bounds.low = {saved.any_s, GainBound::From::any, -1};
  // The chain of work and messages that took T takes as long as before, less what is taken from the work on it.
  if (saved.all_s < bounds.high.gain_s) bounds.high = {saved.all_s, GainBound::From::work, -1};
  // If so, more waits were counted to the change than follow from it: those for the rank that saves most remain.
  if (!saved.least_s.empty() && saved.all_s < bounds.low.gain_s) {
    const auto most = std::ranges::max_element(saved.least_s);
    bounds.low = {*most, GainBound::From::rank, state.ranks[static_cast<std::size_t>(most - saved.least_s.begin())]};
  }
  bounds.low.gain_s = std::min(bounds.low.gain_s, bounds.high.gain_s);
  return bounds;
}

/// Of the findings in the call paths: one of them goes at least, or all of them.
Bounds bounds_without_waits(const Profile& run, const RankWork& state, const std::vector<bool>& paths,
                            const std::vector<Finding>& findings) {
  std::set<std::vector<std::string>> places;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (paths[i] && run.statistic(i, path_idle_ns).sum > 0 && !is_computing_kind(run.region_of(i).kind))
      places.insert(path_of(run, static_cast<int>(i)));
  Bounds bounds{{0, GainBound::From::waits, -1}, {0, GainBound::From::waits, -1}};
  for (const Finding& finding : findings) {
    if (!places.count(finding.path)) continue;
    const auto earlier = std::find_if(finding.gains.begin(), finding.gains.end(),
                                      [](const Gain& gain) { return gain.cure == run_file::cure_earlier; });
    const Gain& gain = earlier == finding.gains.end() ? finding.gain : *earlier;
    const auto from = gain.value_s ? GainBound::From::replay : GainBound::From::waits;
    if (gain.low_s > bounds.low.gain_s) bounds.low = {gain.low_s, from, -1};
    bounds.high = {bounds.high.gain_s + std::max(0.0, gain.high_s), from, -1};
  }
  for (std::size_t i = 0; i < state.ranks.size(); ++i)
    if (state.waits_s[i] < bounds.high.gain_s) bounds.high = {state.waits_s[i], GainBound::From::rank, state.ranks[i]};
  bounds.low.gain_s = std::min(bounds.low.gain_s, bounds.high.gain_s);
  return bounds;
}

/// The smallest and the largest ratio of the gain at another size to that at the size of the run.
std::pair<double, double> gain_ratios(const RankWork& state, const std::vector<Placed>& changes, double base,
                                      double size, double other) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto take = [&](double ratio) {
    low = std::min(low, ratio);
    high = std::max(high, ratio);
  };
  for (const Placed& placed : changes) {
    if (placed.change.kind == RoutineChange::Kind::no_wait) {
      take(size / other);
      take(1);
      continue;
    }
    if (placed.change.kind != RoutineChange::Kind::faster) { // imbalance shrinks with the work, or is serial
      take(size / other);
      take(base < size ? (1 - base / other) / (1 - base / size) : 1);
      continue;
    }
    double now_s = 0, before_s = 0;
    bool known = base < size;
    for (const auto& [path, work] : state.paths) {
      if (!placed.paths[static_cast<std::size_t>(path)]) continue;
      known = known && work.base_mean_s;
      before_s += work.base_mean_s.value_or(0);
      now_s += work.mean_s;
      for (const double wait_s : work.waited_s) now_s += wait_s / static_cast<double>(state.ranks.size());
    }
    if (!known || now_s <= 0) {
      take(size / other);
      take(1);
      continue;
    }
    // before/now = serial + (before - serial) base / size, as in the serial fraction of Karp and Flatt.
    const double serial_s =
        std::clamp((now_s - before_s * base / size) / (1 - base / size), 0.0, std::max(before_s, now_s));
    const double there_s = serial_s + (before_s - serial_s) * base / other;
    take(std::max(0.0, there_s / now_s));
  }
  return {low, high};
}

std::optional<double> speedup_of(double base_s, double time_s) {
  return time_s > 0 && base_s > 0 ? std::optional(base_s / time_s) : std::nullopt;
}

/// The work of the run divided by the work of the base: more than 1 only in a weak sweep.
double work_of(const WhatIfInput& input) {
  if (!input.scaling || !input.scaling->weak) return 1;
  const auto threads = static_cast<int>(fact_number(*input.run, "threads").value_or(1));
  for (const ScalingPoint& point : input.scaling->points)
    if (point.ranks == input.run->ranks && point.threads == threads)
      return static_cast<double>(point.size) / input.scaling->base_size;
  return static_cast<double>(input.run->ranks) / input.scaling->base_size;
}

std::vector<ChangedSize> sizes_of(const WhatIfInput& input, const RankWork& state, const std::vector<Placed>& changes,
                                  const Bounds& bounds) {
  const double size = input.run->ranks;
  const double base_s = input.scaling ? work_of(input) * input.scaling->base_time_s.median : 0;
  std::vector<ChangedSize> sizes;
  const auto add = [&](int at, bool projected, double fastest_s, double slowest_s, double low_s, double high_s) {
    const double least_s = std::max(0.0, fastest_s - high_s), most_s = slowest_s - low_s;
    sizes.push_back({at, projected, least_s, most_s, speedup_of(base_s, most_s), speedup_of(base_s, least_s)});
  };
  add(input.run->ranks, false, state.time_s, state.time_s, bounds.low.gain_s, bounds.high.gain_s);
  if (!input.scaling || input.scaling->axis != Axis::ranks) return sizes;
  const Scaling& scaling = *input.scaling;
  for (const Projection& p : scaling.projection) {
    const auto [least, most] = gain_ratios(state, changes, scaling.base_size, size, p.size);
    const double time_s = base_s / p.speedup.median;
    const double low_s = bounds.low.gain_s * (bounds.low.gain_s < 0 ? most : least);
    const double high_s = bounds.high.gain_s * (bounds.high.gain_s < 0 ? least : most);
    if (sizes.back().size != p.size) {
      add(p.size, true, time_s, time_s, low_s, high_s);
      continue;
    }
    const ChangedSize amdahl = sizes.back(); // with the trend: between both
    sizes.pop_back();
    add(p.size, true, time_s, time_s, low_s, high_s);
    ChangedSize& both = sizes.back();
    both.time_low_s = std::min(both.time_low_s, amdahl.time_low_s);
    both.time_high_s = std::max(both.time_high_s, amdahl.time_high_s);
    both.speedup_low = speedup_of(base_s, both.time_high_s);
    both.speedup_high = speedup_of(base_s, both.time_low_s);
  }
  return sizes;
}

Prediction predict(const WhatIfInput& input, const RankWork& state, const std::vector<Placed>& changes) {
  Bounds bounds = bounds_of(state, saved_by(state, changes, input.run->ranks));
  const bool computation = std::any_of(changes.begin(), changes.end(), [](const Placed& placed) {
    return placed.change.kind != RoutineChange::Kind::no_wait;
  });
  std::vector<bool> quiet(input.run->callpaths.size());
  bool any_quiet = false;
  for (const Placed& placed : changes) {
    if (placed.change.kind != RoutineChange::Kind::no_wait) continue;
    any_quiet = true;
    for (std::size_t i = 0; i < quiet.size(); ++i) quiet[i] = quiet[i] || placed.paths[i];
  }
  if (any_quiet) {
    const Bounds without = bounds_without_waits(*input.run, state, quiet, *input.findings);
    if (!computation) {
      bounds = without;
    } else {
      // High: a rank's own work bounds both together. Low: the larger one alone, less what the other one may cost.
      if (without.low.gain_s > bounds.low.gain_s)
        bounds.low = {without.low.gain_s + std::min(0.0, bounds.low.gain_s), GainBound::From::one, -1};
      bounds.low.gain_s = std::min(bounds.low.gain_s, bounds.high.gain_s);
    }
  }
  Prediction prediction;
  for (const Placed& placed : changes) prediction.changes.push_back(text_of(placed.change));
  prediction.low = bounds.low;
  prediction.high = bounds.high;
  prediction.sizes = sizes_of(input, state, changes, bounds);
  return prediction;
}

bool nearly_same(double a, double b) { return std::abs(a - b) <= 0.01 * std::max(std::abs(a), std::abs(b)); }

/// Whether the waits of a function are those of another one that it calls, but for a hundredth: the other one says more
/// closely where they are.
bool says_less(const RoutineChange& change, const Prediction& prediction, const RoutineChange& other,
               const Prediction& of_other) {
  using Kind = RoutineChange::Kind;
  return change.kind == Kind::no_wait && other.kind == Kind::no_wait && other.place.starts_with(change.place + ">") &&
         nearly_same(prediction.low.gain_s, of_other.low.gain_s) &&
         nearly_same(prediction.high.gain_s, of_other.high.gain_s);
}

} // namespace

WhatIf what_if(const WhatIfInput& input) {
  constexpr double matters = 0.005;
  const Profile& run = *input.run;
  const RankWork state = rank_work_of(run, input.base);
  WhatIf result;
  result.ranks = run.ranks;
  result.time_s = run.wall_s;
  if (!input.asked.empty()) {
    std::vector<Placed> asked;
    for (const std::string& text : input.asked) {
      const RoutineChange change = change_of(text);
      asked.push_back({change, paths_of(run, change)});
    }
    result.asked = predict(input, state, asked);
  }
  std::vector<std::pair<RoutineChange, Prediction>> gains;
  for (const RoutineChange& change : suggested_changes(run, state, *input.findings)) {
    Concerned concerned = concerned_by(run, change);
    if (!concerned.any) continue; // a name that cannot be written down
    Prediction prediction = predict(input, state, {{change, std::move(concerned.paths)}});
    const double middle_s = (prediction.low.gain_s + prediction.high.gain_s) / 2;
    if (middle_s > matters * run.wall_s) gains.emplace_back(change, std::move(prediction));
  }
  for (const auto& [change, prediction] : gains)
    if (std::none_of(gains.begin(), gains.end(),
                     [&](const auto& other) { return says_less(change, prediction, other.first, other.second); }))
      result.candidates.push_back(prediction);
  std::stable_sort(result.candidates.begin(), result.candidates.end(), [](const Prediction& a, const Prediction& b) {
    return a.low.gain_s + a.high.gain_s > b.low.gain_s + b.high.gain_s;
  });
  if (result.candidates.size() > most_candidates) result.candidates.resize(most_candidates);
  return result;
}

} // namespace andes::postproc
