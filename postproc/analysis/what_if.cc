// All vectors of ranks are of the ranks whose values the run has, in seconds.
#include "postproc/analysis/what_if.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/identity.h"
#include "postproc/analysis/late_work.h"
#include "postproc/analysis/paths.h"
#include "postproc/model/read_own_times.h"
#include "postproc/model/read_waits.h"

namespace andes::postproc {
namespace {

constexpr std::size_t most_candidates = 10;
using Ranks = std::vector<double>;

/// A call path that computes.
struct Work {
  Ranks own_s, waited_s; // computation; waits of each rank that follow from it
  double mean_s = 0, least_s = 0; // over all ranks
  std::optional<double> base_sum_s, base_mean_s;
};

/// What the ranks of the run do.
struct State {
  double time_s = 0;
  std::vector<int> ranks;
  bool all_ranks = true;
  Ranks waits_s;              // all waits of each rank, before its end and at it
  std::map<int, Work> works; // by call path
};

double idle_s(const Profile& profile, const Location& l) {
  if (const auto idle = idle_in_mpi_ns(profile, l)) return 1e-9 * *idle;
  return 1e-9 * l.communication_ns; // waits were not measured: any of it may be waiting
}

/// By call path of `run`: the sum over ranks of its own time at the base.
std::vector<double> base_sums(const Profile& run, const Profile& base) {
  std::vector<double> sums;
  for (const int path : same_paths(run, base)) {
    const auto i = static_cast<std::size_t>(path);
    const bool computes = path >= 0 && is_computing_kind(base.region_of(i).kind);
    sums.push_back(computes ? 1e-9 * base.statistic(i, run_file::exclusive_ns).sum : 0);
  }
  return sums;
}

State state_of(const Profile& run, const Profile* base) {
  constexpr double least_share = 1e-4; // of p x T: lighter call paths are left as they are
  State state;
  state.time_s = run.wall_s;
  std::vector<bool> wanted(run.callpaths.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = is_computing_kind(run.region_of(i).kind) &&
                run.statistic(i, run_file::exclusive_ns).sum > least_share * run.ranks * run.wall_s * 1e9;
  const OwnTimes own = own_times_of_ranks(run, wanted);
  state.ranks = own.ranks;
  state.all_ranks = static_cast<int>(own.ranks.size()) == run.ranks;
  std::map<int, std::size_t> place;
  for (std::size_t i = 0; i < own.ranks.size(); ++i) place[own.ranks[i]] = i;
  const bool threads =
      std::any_of(run.locations.begin(), run.locations.end(), [](const Location& l) { return l.thread; });
  std::vector<double> at_base;
  if (base) at_base = base_sums(run, *base);
  for (std::size_t path = 0; path < wanted.size(); ++path) {
    if (!wanted[path]) continue;
    Work& work = state.works[static_cast<int>(path)];
    for (const double ns : own.own_ns[path]) work.own_s.push_back(1e-9 * ns);
    work.waited_s.resize(work.own_s.size());
    const Statistic& statistic = run.statistic(path, run_file::exclusive_ns);
    work.mean_s = 1e-9 * statistic.mean;
    work.least_s = 1e-9 * statistic.min;
    if (threads && !work.own_s.empty()) { // the statistic has other threads, too
      work.mean_s = 0;
      for (const double s : work.own_s) work.mean_s += s / static_cast<double>(work.own_s.size());
      work.least_s = *std::min_element(work.own_s.begin(), work.own_s.end());
    }
    if (threads || !base) continue;
    work.base_sum_s = at_base[path];
    work.base_mean_s = *work.base_sum_s / base->ranks;
  }
  const LateWork late = late_work_of(run);
  const auto add = [&](const std::vector<WorkShare>& shares, int rank, double wait_ns) {
    const auto at = place.find(rank);
    if (at == place.end()) return;
    for (const WorkShare& share : shares)
      if (const auto work = state.works.find(share.callpath); work != state.works.end())
        work->second.waited_s[at->second] += 1e-9 * share.share * wait_ns;
  };
  for (const auto& [finding, waits] : waits_of_ranks(run))
    if (const auto shares = late.of_finding.find(finding); shares != late.of_finding.end())
      for (const RankWait& wait : waits) add(shares->second, wait.rank, wait.wait_ns);
  state.waits_s.resize(state.ranks.size());
  for (const Location& l : run.locations) {
    const auto at = place.find(l.rank);
    if (l.thread != 0 || at == place.end()) continue;
    add(late.at_end, l.rank, l.wait_at_end_ns.value_or(0));
    state.waits_s[at->second] = std::max(0.0, run.wall_s - (1e-9 * l.wall_ns - idle_s(run, l)));
  }
  return state;
}

/// A change with what it concerns.
struct Placed {
  RoutineChange change;
  std::vector<bool> paths;
};

struct Saved {
  Ranks own_s, waited_s;
  double all_s = 0; // of the work of all ranks together
  double any_s = 0; // the least of any rank, without waits
};

void faster(double& time_s, double factor, double& saved_s) {
  saved_s += time_s * (1 - 1 / factor);
  time_s /= factor;
}

/// Applies changes of computation in turn to copies of the works that they concern.
Saved saved_by(const State& state, const std::vector<Placed>& changes, int ranks) {
  Saved saved;
  saved.own_s.resize(state.ranks.size());
  saved.waited_s.resize(state.ranks.size());
  std::map<int, Work> works;
  for (const Placed& placed : changes) {
    if (placed.change.kind == RoutineChange::Kind::no_wait) continue;
    for (const auto& [path, work] : state.works)
      if (placed.paths[static_cast<std::size_t>(path)]) works.try_emplace(path, work);
    for (auto& [path, work] : works) {
      if (!placed.paths[static_cast<std::size_t>(path)]) continue;
      if (placed.change.kind == RoutineChange::Kind::faster) {
        const double factor = placed.change.factor;
        double ignored = 0;
        for (std::size_t i = 0; i < state.ranks.size(); ++i) {
          faster(work.own_s[i], factor, saved.own_s[i]);
          faster(work.waited_s[i], factor, saved.waited_s[i]);
        }
        faster(work.least_s, factor, saved.any_s);
        double mean_s = 0;
        faster(work.mean_s, factor, mean_s);
        saved.all_s += ranks * mean_s;
        if (work.base_sum_s) faster(*work.base_sum_s, factor, ignored);
        continue;
      }
      saved.all_s += ranks * work.mean_s; // balanced visit by visit it may save more than in sum, but no more than all
      double target_s = work.mean_s;
      if (placed.change.kind == RoutineChange::Kind::parallel && work.base_sum_s && *work.base_sum_s > 0)
        target_s = std::min(target_s, *work.base_sum_s / ranks);
      for (std::size_t i = 0; i < state.ranks.size(); ++i) {
        saved.own_s[i] += work.own_s[i] - target_s;
        saved.waited_s[i] += work.waited_s[i];
        work.own_s[i] = target_s;
        work.waited_s[i] = 0;
      }
      saved.any_s += work.least_s - target_s;
      work.least_s = work.mean_s = target_s;
    }
  }
  return saved;
}

struct Bounds {
  GainBound low, high;
};

Bounds bounds_of(const State& state, const Saved& saved) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Bounds bounds{{infinite, GainBound::From::rank, -1}, {state.time_s, GainBound::From::any, -1}};
  for (std::size_t i = 0; i < state.ranks.size(); ++i) {
    const double low_s = saved.own_s[i] + std::min(saved.waited_s[i], state.waits_s[i]);
    const double high_s = saved.own_s[i] + state.waits_s[i];
    if (low_s < bounds.low.gain_s) bounds.low = {low_s, GainBound::From::rank, state.ranks[i]};
    if (high_s < bounds.high.gain_s) bounds.high = {high_s, GainBound::From::rank, state.ranks[i]};
  }
  if (!state.all_ranks && saved.any_s < bounds.low.gain_s) bounds.low = {saved.any_s, GainBound::From::any, -1};
  // The chain of work and messages that took T takes as long as before, less what is taken from the work on it.
  if (saved.all_s < bounds.high.gain_s) bounds.high = {saved.all_s, GainBound::From::work, -1};
  // If so, more waits were counted to the change than follow from it: those for the rank that saves most remain.
  if (!saved.own_s.empty() && saved.all_s < bounds.low.gain_s) {
    const auto most = std::ranges::max_element(saved.own_s);
    bounds.low = {*most, GainBound::From::rank, state.ranks[static_cast<std::size_t>(most - saved.own_s.begin())]};
  }
  bounds.low.gain_s = std::min(bounds.low.gain_s, bounds.high.gain_s);
  return bounds;
}

/// Of the findings in the call paths: one of them goes at least, or all of them.
Bounds bounds_without_waits(const Profile& run, const State& state, const std::vector<bool>& paths,
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
std::pair<double, double> gain_ratios(const State& state, const std::vector<Placed>& changes, double base, double size,
                                      double other) {
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
    for (const auto& [path, work] : state.works) {
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

std::vector<ChangedSize> sizes_of(const WhatIfInput& input, const State& state, const std::vector<Placed>& changes,
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

Prediction predict(const WhatIfInput& input, const State& state, const std::vector<Placed>& changes) {
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

/// Functions whose computation is mostly their own could be faster, and call paths that are uneven balanced.
std::vector<RoutineChange> suggestions(const Profile& run, const State& state) {
  constexpr double matters = 0.01, uneven = 1.02;
  struct Function {
    double own_s = 0, inclusive_s = 0; // means over ranks
  };
  std::map<std::string, Function> functions;
  std::vector<RoutineChange> changes;
  for (const auto& [path, work] : state.works) {
    std::set<int> seen; // regions: recursion counts once
    for (int at = path; at >= 0; at = run.callpaths[static_cast<std::size_t>(at)].parent) {
      const int number = run.callpaths[static_cast<std::size_t>(at)].region;
      const Region& region = run.regions[static_cast<std::size_t>(number)];
      if (!is_probed_kind(region.kind) || !seen.insert(number).second) continue;
      functions[region.name].inclusive_s += work.mean_s;
      if (at == path) functions[region.name].own_s += work.mean_s;
    }
    const double most_s = work.own_s.empty() ? 0 : *std::max_element(work.own_s.begin(), work.own_s.end());
    if (run.callpaths[static_cast<std::size_t>(path)].parent < 0 || most_s < matters * state.time_s) continue;
    const std::string place = place_of_path(run, path);
    if (most_s > uneven * work.mean_s) changes.push_back({RoutineChange::Kind::balanced, place, 1});
    if (work.base_sum_s.value_or(0) > 0 && work.mean_s * run.ranks > uneven * *work.base_sum_s)
      changes.push_back({RoutineChange::Kind::parallel, place, 1});
  }
  for (const auto& [name, function] : functions)
    if (function.own_s >= 0.5 * function.inclusive_s) changes.push_back({RoutineChange::Kind::faster, name, 2});
  return changes;
}

/// The functions that call MPI where ranks wait.
std::set<std::string> waiting_places(const std::vector<Finding>& findings) {
  std::set<std::string> places;
  for (const Finding& finding : findings) {
    if (finding.path.size() < 2 || finding.cause == wait_at_end) continue;
    std::string place;
    for (std::size_t i = 0; i + 1 < finding.path.size(); ++i) place += (i == 0 ? "" : ">") + finding.path[i];
    places.insert(place);
  }
  return places;
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
  const State state = state_of(run, input.base);
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
  std::vector<RoutineChange> changes = suggestions(run, state);
  for (const std::string& place : waiting_places(*input.findings))
    changes.push_back({RoutineChange::Kind::no_wait, place, 1});
  std::vector<std::pair<RoutineChange, Prediction>> gains;
  for (const RoutineChange& change : changes) {
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
