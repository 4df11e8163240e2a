// A row of `wait` names the late call path at which its chain began, or at least the other side; table `origin` says
// what was computed before that call path, and how long all ranks waited for it.
#include "postproc/analysis/late_work.h"

#include <algorithm>

#include "postproc/analysis/wait_origin.h"

namespace andes::postproc {
namespace {

std::vector<WorkShare> work_of_last_rank(const Profile& profile) {
  std::vector<WorkShare> shares;
  const Location* last = last_rank(profile);
  if (!last) return shares;
  double sum = 0;
  for (std::size_t path = 0; path < profile.callpaths.size(); ++path) {
    const Statistic& own = profile.statistic(path, run_file::exclusive_ns);
    if (!is_computing_kind(profile.region_of(path).kind) || own.max_rank != last->rank || own.max <= own.mean) continue;
    shares.push_back({static_cast<int>(path), own.max - own.mean});
    sum += own.max - own.mean;
  }
  for (WorkShare& share : shares) share.share /= sum;
  return shares;
}

/// What the rank of an origin computed before its late call: what made it late, as in the ledger, or where nothing did
/// what the run names; -1: it did something else.
int computation_before(const Profile& profile, const WaitOrigin& origin) {
  const LateReason reason = late_reason(profile, origin);
  const int path = reason.kind == OriginKind::late_messages ? origin.doing_callpath : reason.callpath;
  return path >= 0 && is_computing_kind(profile.region_of(static_cast<std::size_t>(path)).kind) ? path : -1;
}

} // namespace

const Location* last_rank(const Profile& profile) {
  const Location* last = nullptr;
  for (const Location& l : profile.locations)
    if (l.thread == 0 && l.wait_at_end_ns && (!last || *l.wait_at_end_ns < *last->wait_at_end_ns)) last = &l;
  return last;
}

LateWork late_work_of(const Profile& profile) {
  LateWork late;
  if (!why_no_waits(profile).empty()) return late;
  std::map<int, std::map<int, double>> work_before; // by late call path: waits by what was computed before it
  std::map<int, double> waits_for;                  // all waits for it
  for (const WaitOrigin& origin : profile.origins) {
    waits_for[origin.callpath] += origin.wait_ns;
    if (const int path = computation_before(profile, origin); path >= 0)
      work_before[origin.callpath][path] += origin.wait_ns;
  }
  std::map<std::pair<int, int>, std::map<int, double>> by_work;
  std::map<std::pair<int, int>, double> sums;
  for (const Wait& wait : profile.waits) {
    const std::pair finding(wait.cause, wait.callpath);
    sums[finding] += wait.wait_ns;
    const int late_path = wait.origin_callpath >= 0 ? wait.origin_callpath : wait.peer_callpath;
    const auto before = work_before.find(late_path);
    if (before == work_before.end() || waits_for[late_path] <= 0) continue;
    for (const auto& [path, wait_ns] : before->second)
      by_work[finding][path] += wait.wait_ns * wait_ns / waits_for[late_path];
  }
  for (const auto& [finding, works] : by_work)
    for (const auto& [path, wait_ns] : works)
      if (sums[finding] > 0) late.of_finding[finding].push_back({path, wait_ns / sums[finding]});
  late.at_end = work_of_last_rank(profile);
  return late;
}

std::vector<double> waits_by_work(const Profile& profile, const LateWork& late) {
  std::vector<double> waits(profile.callpaths.size());
  const auto add = [&waits](const std::vector<WorkShare>& shares, double wait_ns) {
    for (const WorkShare& work : shares) waits[static_cast<std::size_t>(work.callpath)] += work.share * wait_ns;
  };
  for (const CauseStatistic& finding : profile.cause_statistics)
    if (const auto shares = late.of_finding.find({finding.cause, finding.callpath}); shares != late.of_finding.end())
      add(shares->second, finding.wait_ns.sum);
  for (const Location& l : profile.locations)
    if (l.thread == 0) add(late.at_end, l.wait_at_end_ns.value_or(0));
  return waits;
}

} // namespace andes::postproc
