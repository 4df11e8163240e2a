// Invariant: the ledger and the findings have the same reason for an origin.
#include "postproc/analysis/wait_origin.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "postproc/analysis/late_work.h"

namespace andes::postproc {
namespace {

constexpr double main_share = 0.5; // of what is waited for, from which on a reason is the main one

/// Computation of which one rank alone has (nearly) all.
bool is_serial(const Profile& profile, std::size_t callpath) {
  constexpr double nearly = 0.99;
  const Statistic& work = profile.statistic(callpath, run_file::exclusive_ns);
  return profile.ranks > 1 && work.max >= nearly * work.sum;
}

const Statistic& own_or_all(const Profile& profile, std::size_t callpath) {
  return profile.statistic(callpath,
                           stands_for_callees(profile, callpath) ? run_file::computation_ns : run_file::exclusive_ns);
}

/// Computing of which all ranks have as much: no rank is late because of it.
bool is_even(const Profile& profile, std::size_t callpath) {
  constexpr double even = 0.95; // mean / maximum
  const Statistic& work = own_or_all(profile, callpath);
  return work.sum >= even * work.max * profile.ranks;
}

/// Whether ranks may have waited for this computing for half of the time. While one computes no more than all others
/// wait: of messages to and fro with little work between them it is MPI that takes the rest.
bool may_be_most_of(const Profile& profile, std::size_t callpath, double wait_ns) {
  const double others = static_cast<double>(std::max<std::size_t>(profile.locations.size(), 1) - 1);
  return others * own_or_all(profile, callpath).max >= main_share * wait_ns;
}

bool can_make_late(const Region& region) {
  return (!communicates(region) || region.kind == "io") && !is_idle_kind(region.kind) && region.kind != "tool";
}

/// The innermost call path that both lie in, themselves included. Parents have smaller numbers.
int common_caller(const Profile& profile, int a, int b) {
  while (a != b) {
    int& inner = a > b ? a : b;
    inner = profile.callpaths[static_cast<std::size_t>(inner)].parent;
  }
  return a;
}

bool lies_in(const Profile& profile, int callpath, int caller) {
  while (callpath > caller) callpath = profile.callpaths[static_cast<std::size_t>(callpath)].parent;
  return callpath == caller;
}

/// What the other ranks have less of the call path itself than the origin's, together. Of a call path that is not the
/// named one it is known of the rank that has most: where two have as much of it, of one of them.
double excess_ns(const Profile& profile, const WaitOrigin& origin, std::size_t callpath) {
  const Statistic& work = profile.statistic(callpath, run_file::exclusive_ns);
  if (work.max_rank == origin.rank) return profile.ranks * work.max - work.sum;
  const bool is_named = static_cast<int>(callpath) == origin.doing_callpath;
  return is_named ? std::max(0.0, profile.ranks * origin.own_ns.value_or(0) - work.sum) : 0;
}

/// What made a rank late, a call path; -1: not known. The run names the call path that computed most before the late
/// call, as far as the call tree tells (docs/metrics.md, "Idle and causes"). It is that one if this rank has more of it
/// than the others by half of the waits or more. Else it is the one of which this rank has most more, if that is as
/// much, of those below the innermost caller of the named one and of the late call; else the one named, if ranks have
/// different amounts of it, and as much as such waits take, or if the rank had computed longer before its late calls:
/// then ranks take turns.
int work_before(const Profile& profile, const WaitOrigin& origin) {
  const int named = origin.doing_callpath;
  if (profile.ranks < 2 || named < 0 || profile.region_of(static_cast<std::size_t>(named)).kind == "io") return named;
  if (is_late_by_itself(profile, origin, named)) return named;
  const double enough_ns = main_share * origin.wait_ns;
  const bool by_turns = origin.longer_ns && *origin.longer_ns >= enough_ns;
  const int caller = common_caller(profile, named, origin.callpath);
  double most_ns = enough_ns;
  int work_path = -1;
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i) {
    if (!can_make_late(profile.region_of(i)) || excess_ns(profile, origin, i) <= most_ns) continue;
    if (!lies_in(profile, static_cast<int>(i), caller)) continue;
    most_ns = excess_ns(profile, origin, i);
    work_path = static_cast<int>(i);
  }
  if (work_path >= 0) return work_path;
  const auto path = static_cast<std::size_t>(named);
  return by_turns || (!is_even(profile, path) && may_be_most_of(profile, path, origin.wait_ns)) ? named : -1;
}

LateReason reason_of_work(const Profile& profile, int callpath) {
  const auto path = static_cast<std::size_t>(callpath);
  const OriginKind kind = profile.region_of(path).kind == "io" ? OriginKind::input_output
                          : is_serial(profile, path)           ? OriginKind::serial
                                                               : OriginKind::imbalance;
  return {kind, callpath};
}

} // namespace

const char* name_of(OriginKind kind) {
  switch (kind) {
  case OriginKind::imbalance: return "imbalance";
  case OriginKind::serial: return "serial";
  case OriginKind::input_output: return "input_output";
  case OriginKind::late_messages: return "late_messages";
  case OriginKind::end: return "end";
  case OriginKind::not_known: break;
  }
  return "not_known";
}

bool stands_for_callees(const Profile& profile, std::size_t callpath) {
  constexpr double most = 0.5; // of what it computes with them
  return profile.statistic(callpath, run_file::exclusive_ns).sum <
         most * profile.statistic(callpath, run_file::computation_ns).sum;
}

bool is_late_by_itself(const Profile& profile, const WaitOrigin& origin, int callpath) {
  return excess_ns(profile, origin, static_cast<std::size_t>(callpath)) >= main_share * origin.wait_ns;
}

LateReason late_reason(const Profile& profile, const WaitOrigin& origin) {
  const int work = work_before(profile, origin);
  return work >= 0 ? reason_of_work(profile, work) : LateReason{OriginKind::late_messages, origin.callpath};
}

Origins::Origins(const Profile& profile) {
  std::map<int, double> waits; // by late call path
  for (const WaitOrigin& origin : profile.origins) waits[origin.callpath] += origin.wait_ns;
  for (const WaitOrigin& origin : profile.origins)
    if (const double wait_ns = waits[origin.callpath]; wait_ns > 0)
      by_late_call_[origin.callpath].push_back({&origin, late_reason(profile, origin), origin.wait_ns / wait_ns});
}

std::optional<MainOrigin> Origins::main_of(const std::vector<const Wait*>& waits) const {
  struct Part {
    double wait_ns = 0;
    std::map<int, double> ranks;
  };
  std::map<std::pair<OriginKind, int>, Part> parts;
  double sum_ns = 0;
  for (const Wait* wait : waits) {
    sum_ns += wait->wait_ns;
    const auto late = by_late_call_.find(wait->origin_callpath);
    if (late == by_late_call_.end()) continue;
    for (const Known& known : late->second) {
      Part& part = parts[{known.reason.kind, known.reason.callpath}];
      part.wait_ns += known.share * wait->wait_ns;
      part.ranks[known.origin->rank] += known.share * wait->wait_ns;
    }
  }
  const auto heaviest = std::ranges::max_element(parts, {}, [](const auto& part) { return part.second.wait_ns; });
  if (heaviest == parts.end() || heaviest->second.wait_ns < main_share * sum_ns) return std::nullopt;
  constexpr double matters = 0.1;
  std::vector<std::pair<int, double>> ranks(heaviest->second.ranks.begin(), heaviest->second.ranks.end());
  std::erase_if(ranks, [&](const auto& rank) { return rank.second < matters * heaviest->second.wait_ns; });
  std::ranges::stable_sort(ranks, std::greater(), &std::pair<int, double>::second);
  MainOrigin origin{{heaviest->first.first, heaviest->first.second}, {}};
  for (const auto& [rank, wait_ns] : ranks) origin.ranks.push_back(rank);
  return origin;
}

std::optional<MainOrigin> main_origin_at_end(const Profile& profile) {
  const Location* last = last_rank(profile);
  if (!last || !why_no_waits(profile).empty()) return std::nullopt;
  for (const WorkShare& work : late_work_of(profile).at_end)
    if (work.share >= main_share) return MainOrigin{reason_of_work(profile, work.callpath), {last->rank}};
  return std::nullopt;
}

} // namespace andes::postproc
