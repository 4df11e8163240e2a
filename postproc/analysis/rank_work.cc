#include "postproc/analysis/rank_work.h"

#include <algorithm>

#include "postproc/analysis/late_work.h"
#include "postproc/analysis/moved_work.h"
#include "postproc/analysis/paths.h"
#include "postproc/model/read_own_times.h"
#include "postproc/model/read_waits.h"

namespace andes::postproc {
namespace {

double idle_s(const Profile& profile, const Location& l) {
  if (const auto idle = idle_in_mpi_ns(profile, l)) return 1e-9 * *idle;
  return 1e-9 * l.communication_ns; // waits were not measured: any of it may be waiting
}

/// By call path of `run`: the sum over ranks of its own time at the base.
std::vector<double> base_sums(const Profile& run, const Profile& base) {
  std::vector<double> sums;
  for (const std::vector<BasePath>& there : base_paths(run, base)) {
    double sum_s = 0;
    for (const BasePath& path : there) {
      const auto i = static_cast<std::size_t>(path.callpath);
      const bool computes = is_computing_kind(base.region_of(i).kind);
      if (computes) sum_s += path.share * 1e-9 * base.statistic(i, run_file::exclusive_ns).sum;
    }
    sums.push_back(sum_s);
  }
  return sums;
}

} // namespace

RankWork rank_work_of(const Profile& run, const Profile* base) {
  constexpr double least_share = 1e-4; // of p x T: lighter call paths are left as they are
  RankWork result;
  result.time_s = run.wall_s;
  std::vector<bool> wanted(run.callpaths.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = is_computing_kind(run.region_of(i).kind) &&
                run.statistic(i, run_file::exclusive_ns).sum > least_share * run.ranks * run.wall_s * 1e9;
  const OwnTimes own = own_times_of_ranks(run, wanted);
  result.ranks = own.ranks;
  result.all_ranks = static_cast<int>(own.ranks.size()) == run.ranks;
  std::map<int, std::size_t> place;
  for (std::size_t i = 0; i < own.ranks.size(); ++i) place[own.ranks[i]] = i;
  const bool threads =
      std::any_of(run.locations.begin(), run.locations.end(), [](const Location& l) { return l.thread; });
  std::vector<double> at_base;
  if (base) at_base = base_sums(run, *base);
  for (std::size_t path = 0; path < wanted.size(); ++path) {
    if (!wanted[path]) continue;
    ComputedPath& work = result.paths[static_cast<int>(path)];
    for (const double ns : own.own_ns[path]) work.own_s.push_back(1e-9 * ns);
    for (const TeamTimes& team : own.teams[path]) {
      work.least_s.push_back(1e-9 * team.least_ns);
      work.most_s.push_back(1e-9 * team.most_ns);
      work.team_s.push_back(1e-9 * team.sum_ns);
    }
    work.waited_s.resize(work.own_s.size());
    const Statistic& statistic = run.statistic(path, run_file::exclusive_ns);
    work.mean_s = 1e-9 * statistic.mean;
    work.least_of_ranks_s = 1e-9 * statistic.min;
    work.all_s = 1e-9 * statistic.sum;
    if (threads && !work.own_s.empty()) { // the statistic has other threads, too
      work.mean_s = 0;
      for (const double s : work.own_s) work.mean_s += s / static_cast<double>(work.own_s.size());
      work.least_of_ranks_s = *std::ranges::min_element(work.least_s);
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
      if (const auto work = result.paths.find(share.callpath); work != result.paths.end())
        work->second.waited_s[at->second] += 1e-9 * share.share * wait_ns;
  };
  for (const auto& [finding, waits] : waits_of_ranks(run))
    if (const auto shares = late.of_finding.find(finding); shares != late.of_finding.end())
      for (const RankWait& wait : waits) add(shares->second, wait.rank, wait.wait_ns);
  result.waits_s.resize(result.ranks.size());
  result.team_waits_s.resize(result.ranks.size());
  for (const Location& l : run.locations) {
    const auto at = place.find(l.rank);
    if (l.thread != 0 || at == place.end()) continue;
    add(late.at_end, l.rank, l.wait_at_end_ns.value_or(0));
    result.waits_s[at->second] = std::max(0.0, run.wall_s - (1e-9 * l.wall_ns - idle_s(run, l)));
    result.team_waits_s[at->second] = 1e-9 * l.team_idle_ns.value_or(0);
  }
  return result;
}

} // namespace andes::postproc
