#include "postproc/analysis/paths.h"

#include <algorithm>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/identity.h"
#include "postproc/analysis/medians.h"
#include "postproc/analysis/threads.h"

namespace andes::postproc {
namespace {

std::vector<PathShare> shares_of(const Profile& profile) {
  using namespace run_file;
  const double percent = 100.0 / (thread_time_s(profile) * 1e9);
  const std::vector<SamplingError> exclusive = exclusive_errors(profile, profile.statistics);
  const bool idle_known = why_no_waits(profile).empty() || has_teams(profile);
  const bool io_known = is_io_known(profile);
  const std::vector<InclusiveOverlap> overlaps = inclusive_overlaps(profile, profile.statistics);
  std::vector<PathShare> shares(profile.callpaths.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    PathShare& s = shares[i];
    const double inclusive = profile.statistic(i, inclusive_ns).sum * percent;
    s.inclusive_percent = inclusive;
    s.exclusive_percent = profile.statistic(i, exclusive_ns).sum * percent;
    s.own_percent += s.exclusive_percent;
    s.communication_percent = profile.statistic(i, communication_ns).sum * percent;
    if (idle_known)
      s.idle_percent = (profile.statistic(i, path_idle_ns).sum + profile.statistic(i, team_idle_ns).sum) * percent;
    if (io_known) s.io_percent = profile.statistic(i, io_ns).sum * percent;
    s.synchronisation_percent = profile.statistic(i, synchronisation_ns).sum * percent;
    s.exclusive_mean_s = profile.statistic(i, exclusive_ns).mean * 1e-9;
    const Statistic& computation = profile.statistic(i, computation_ns);
    s.load_balance = balance_of(computation.mean, computation.max);
    const Statistic& communication = profile.statistic(i, communication_ns);
    s.communication_balance = balance_of(communication.mean, communication.max);
    s.overlap_percent = overlaps[i].percent();
    const Statistic* statistics = &profile.statistics[i * profile.metrics()];
    s.inclusive_error_percent = scaled(inclusive_error(statistics), percent);
    s.own_error_percent = scaled(exclusive[i], percent); // its MPI calls are exact
    s.exclusive_error_s = scaled(exclusive[i], 1e-9 / profile.ranks);
    s.muted = is_muted(statistics);
    s.visits = statistics[visits].sum;
    s.sampled_visits = statistics[sampled_visits].sum;
    s.timed_visits = statistics[timed_visits].sum;
    s.visits_below = visits_below(statistics);
    s.visits_above = visits_above(statistics);
    const CallPath& path = profile.callpaths[i];
    const Region& region = profile.regions[static_cast<std::size_t>(path.region)];
    if (is_idle_kind(region.kind)) s.own_idle_percent += s.exclusive_percent;
    if (path.parent >= 0 && is_mpi_kind(region.kind)) {
      PathShare& caller = shares[static_cast<std::size_t>(path.parent)];
      caller.own_percent += inclusive;
      caller.own_idle_percent += s.idle_percent.value_or(0);
    }
  }
  return shares;
}

constexpr double least_width = 2; // points: what is narrower cannot mislead

/// Of the median of the repeats.
void add_if_wide(Sampling& sampling, const std::vector<PathRow>& rows, std::size_t place) {
  const PathRow& row = rows[place];
  std::vector<SamplingError> errors;
  std::vector<double> percent;
  for (const PathShare& run : row.runs) {
    errors.push_back(run.own_error_percent);
    percent.push_back(run.own_percent);
  }
  const SamplingError error = error_of_median(errors);
  if (!has_interval(error) || !error.reliable) return;
  const double value = median(percent), low = lower_end(value, error), high = upper_end(value, error);
  if (high - low > std::max(value, least_width))
    sampling.wide.push_back({path_of(rows, static_cast<int>(place)), value, low, high, error.by_probes});
}

} // namespace

std::optional<OverlapPercent> overlap_percent(double transfer, double low, double high) {
  if (transfer <= 0) return {};
  const auto percent = [transfer](double part) { return 100 * std::clamp(part / transfer, 0.0, 1.0); };
  return OverlapPercent{percent(low), percent(high)};
}

std::optional<OverlapPercent> InclusiveOverlap::percent() const {
  return overlap_percent(transfer_ns, low_ns, high_ns);
}

std::vector<InclusiveOverlap> inclusive_overlaps(const Profile& profile, const std::vector<Statistic>& statistics) {
  using namespace run_file;
  std::vector<InclusiveOverlap> overlaps(profile.callpaths.size());
  for (std::size_t i = overlaps.size(); i-- > 0;) { // callees before callers
    const Statistic* own = &statistics[i * profile.metrics()];
    overlaps[i].transfer_ns += own[transfer_ns].sum;
    overlaps[i].low_ns += own[overlap_low_ns].sum;
    overlaps[i].high_ns += own[overlap_high_ns].sum;
    if (profile.callpaths[i].parent < 0) continue;
    InclusiveOverlap& caller = overlaps[static_cast<std::size_t>(profile.callpaths[i].parent)];
    caller.transfer_ns += overlaps[i].transfer_ns;
    caller.low_ns += overlaps[i].low_ns;
    caller.high_ns += overlaps[i].high_ns;
  }
  return overlaps;
}

std::vector<std::string> path_of(const Profile& profile, int callpath) {
  std::vector<std::string> names;
  if (callpath >= static_cast<int>(profile.callpaths.size())) return names;
  for (int at = callpath; at >= 0; at = profile.callpaths[static_cast<std::size_t>(at)].parent) {
    const CallPath& path = profile.callpaths[static_cast<std::size_t>(at)];
    if (path.parent < 0 && !names.empty()) break; // the root names only itself
    names.push_back(profile.regions[static_cast<std::size_t>(path.region)].name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::vector<std::string> path_of(const std::vector<PathRow>& rows, int row) {
  std::vector<std::string> names;
  for (int at = row; at >= 0; at = rows[static_cast<std::size_t>(at)].parent) {
    if (rows[static_cast<std::size_t>(at)].parent < 0 && !names.empty()) break;
    names.push_back(rows[static_cast<std::size_t>(at)].name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::vector<PathRow> side_by_side(const std::vector<Profile>& runs) {
  std::vector<const Profile*> profiles;
  for (const Profile& run : runs) profiles.push_back(&run);
  return side_by_side(profiles);
}

std::vector<PathRow> side_by_side(const std::vector<const Profile*>& runs) {
  SharedPaths shared = shared_paths(runs, builds_of(runs));
  std::vector<PathRow> rows;
  for (SharedPath& path : shared.paths)
    rows.push_back({path.parent, std::move(path.name), std::move(path.kind), std::move(path.file), path.line,
                    std::vector<PathShare>(runs.size())});
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::vector<PathShare> shares = shares_of(*runs[r]);
    for (std::size_t i = 0; i < shares.size(); ++i) rows[static_cast<std::size_t>(shared.of[r][i])].runs[r] = shares[i];
  }
  return rows;
}

Sampling sampling_of(const std::vector<PathRow>& rows) {
  Sampling sampling;
  const std::size_t runs = rows.empty() ? 0 : rows.front().runs.size();
  std::vector<double> visits(runs), percent(runs), unreliable_percent(runs);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PathRow& row = rows[i];
    SamplingError any;
    bool muted = false;
    for (std::size_t r = 0; r < row.runs.size(); ++r) {
      any = error_of_sum(any, row.runs[r].inclusive_error_percent);
      muted = muted || row.runs[r].muted;
      if (!row.runs[r].inclusive_error_percent.reliable && !row.runs[r].muted)
        unreliable_percent[r] += row.runs[r].exclusive_percent;
      if (!is_overflow(row.kind, row.name)) continue;
      visits[r] += row.runs[r].visits;
      percent[r] += row.runs[r].exclusive_percent;
    }
    sampling.add(row.name, row.kind, any, muted);
    add_if_wide(sampling, rows, i);
  }
  std::stable_sort(sampling.wide.begin(), sampling.wide.end(),
                   [](const WideEstimate& a, const WideEstimate& b) { return a.high - a.low > b.high - b.low; });
  for (std::size_t r = 0; r < runs; ++r) {
    sampling.overflow_visits = std::max(sampling.overflow_visits, visits[r]);
    sampling.overflow_percent = std::max(sampling.overflow_percent, percent[r]);
    sampling.unreliable_percent = std::max(sampling.unreliable_percent, unreliable_percent[r]);
  }
  return sampling;
}

} // namespace andes::postproc
