// Rows are made in the order of the file, which has parents first; what depends on children
// (whether to keep, inclusive bytes) is summed in the reverse order.
#include "postproc/analysis/tree.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/threads.h"
#include "postproc/model/read_waits.h"

namespace andes::postproc {
namespace {

TreeRow row_of(const Profile& profile, const Statistic* statistics, int id, const SamplingError& exclusive_error,
               bool idle_known) {
  using namespace run_file;
  const CallPath& path = profile.callpaths[static_cast<std::size_t>(id)];
  const Region& region = profile.regions[static_cast<std::size_t>(path.region)];
  TreeRow row;
  row.id = id;
  if (path.parent >= 0) row.parent = path.parent;
  row.name = region.name;
  row.kind = region.kind;
  row.file = region.file;
  row.line = region.line;
  row.visits = statistics[visits].sum;
  row.inclusive_s = statistics[inclusive_ns].sum * 1e-9;
  row.exclusive_s = statistics[exclusive_ns].sum * 1e-9;
  row.mean_s = statistics[inclusive_ns].mean * 1e-9;
  row.max_s = statistics[inclusive_ns].max * 1e-9;
  row.communication_s = statistics[communication_ns].sum * 1e-9;
  if (idle_known) row.idle_s = (statistics[path_idle_ns].sum + statistics[team_idle_ns].sum) * 1e-9;
  if (is_io_known(profile)) row.io_s = statistics[io_ns].sum * 1e-9;
  row.transfer_s = statistics[transfer_ns].sum * 1e-9;
  row.own_overlap_percent =
      overlap_percent(statistics[transfer_ns].sum, statistics[overlap_low_ns].sum, statistics[overlap_high_ns].sum);
  row.load_balance = balance_of(statistics[computation_ns].mean, statistics[computation_ns].max);
  row.bytes_sent = statistics[bytes_sent].sum;
  row.bytes_received = statistics[bytes_received].sum;
  row.messages_sent = statistics[messages_sent].sum;
  row.messages_received = statistics[messages_received].sum;
  row.bytes_read = statistics[bytes_read].sum;
  row.bytes_written = statistics[bytes_written].sum;
  row.sampled_visits = statistics[sampled_visits].sum;
  row.timed_visits = statistics[timed_visits].sum;
  row.visits_below = visits_below(statistics);
  row.visits_above = visits_above(statistics);
  row.muted = is_muted(statistics);
  row.inclusive_error_s = scaled(inclusive_error(statistics), 1e-9);
  row.exclusive_error_s = scaled(exclusive_error, 1e-9);
  row.inclusive_bytes = row.bytes_sent + row.bytes_received;
  row.inclusive_io_bytes = row.bytes_read + row.bytes_written;
  return row;
}

Sampling sampling_of(const Tree& tree) {
  Sampling sampling;
  double overflow_s = 0, unreliable_s = 0;
  for (const TreeRow& row : tree.rows) {
    sampling.add(row.name, row.kind, row.inclusive_error_s, row.muted);
    if (!row.inclusive_error_s.reliable && !row.muted) unreliable_s += row.exclusive_s;
    if (!is_overflow(row.kind, row.name)) continue;
    sampling.overflow_visits += row.visits;
    overflow_s += row.exclusive_s;
  }
  sampling.overflow_percent = 100 * overflow_s / tree.time_s;
  sampling.unreliable_percent = 100 * unreliable_s / tree.time_s;
  return sampling;
}

} // namespace

bool has_overlap(const Tree& tree) {
  return std::any_of(tree.rows.begin(), tree.rows.end(),
                     [](const TreeRow& row) { return row.overlap_percent.has_value(); });
}

bool lacks_overlap(const Profile& profile, const Tree& tree) {
  if (!why_no_waits(profile).empty() || has_overlap(tree)) return false;
  return std::any_of(tree.rows.begin(), tree.rows.end(), [](const TreeRow& row) {
    constexpr std::string_view starting[] = {"MPI_Isend", "MPI_Ibsend", "MPI_Issend",  "MPI_Irsend",
                                             "MPI_Irecv", "MPI_Start",  "MPI_Startall"};
    return std::find(std::begin(starting), std::end(starting), row.name) != std::end(starting);
  });
}

std::map<int, OverlapPercent> overlaps_of_ranks(const Profile& profile) {
  std::map<int, OverlapPercent> overlaps;
  for (const auto& [rank, o] : transfers_of_ranks(profile))
    if (const auto percent = overlap_percent(o.transfer_ns, o.low_ns, o.high_ns)) overlaps[rank] = *percent;
  return overlaps;
}

Tree tree_of(const Profile& profile, const std::vector<Statistic>& statistics, const std::vector<int>& chosen) {
  const std::size_t count = profile.callpaths.size();
  const std::vector<SamplingError> exclusive = exclusive_errors(profile, statistics);
  const std::vector<InclusiveOverlap> overlaps = inclusive_overlaps(profile, statistics);
  const std::vector<EventCount> counts = event_counts(profile, statistics);
  const std::optional<CycleEvents> per = cycle_events(profile.events);
  const bool idle_known = why_no_waits(profile).empty() || has_teams(profile);
  const bool are_sampled = has_function_samples(profile);
  std::vector<TreeRow> all;
  std::vector<bool> keep(count);
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(row_of(profile, &statistics[i * profile.metrics()], static_cast<int>(i), exclusive[i], idle_known));
    TreeRow& row = all.back();
    if (are_sampled)
      row.region_error_s = 1e-9 * std::sqrt(statistics[i * profile.metrics() + run_file::region_error_ns2].sum);
    row.overlap_percent = overlaps[i].percent();
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(i * profile.events.size());
    row.events.assign(first, first + static_cast<std::ptrdiff_t>(profile.events.size()));
    if (per) {
      const EventCount &instructions = row.events[per->instructions], &cycles = row.events[per->cycles];
      row.instructions_per_cycle = per_cycle(instructions.inclusive, cycles.inclusive);
      row.own_instructions_per_cycle = per_cycle(instructions.exclusive, cycles.exclusive);
    }
    keep[i] = i == 0 || row.visits != 0 || row.inclusive_s != 0 || row.exclusive_s != 0;
  }
  for (std::size_t i = count; i-- > 0;) {
    if (!keep[i] || !all[i].parent) continue;
    const auto parent = static_cast<std::size_t>(*all[i].parent);
    keep[parent] = true;
    all[parent].inclusive_bytes += all[i].inclusive_bytes;
    all[parent].inclusive_io_bytes += all[i].inclusive_io_bytes;
  }
  Tree tree;
  tree.ranks = chosen.empty() ? static_cast<std::size_t>(profile.ranks) : chosen.size();
  tree.time_s = thread_time_s(profile, chosen);
  std::vector<std::size_t> row_of_id(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!keep[i]) continue;
    row_of_id[i] = tree.rows.size();
    if (all[i].parent)
      tree.rows[row_of_id[static_cast<std::size_t>(*all[i].parent)]].children.push_back(tree.rows.size());
    else tree.roots.push_back(tree.rows.size());
    tree.rows.push_back(std::move(all[i]));
  }
  if (chosen.empty()) set_message_sizes(profile, tree);
  sort_children(tree, {});
  tree.sampling = sampling_of(tree);
  tree.sampling.add_limits(profile);
  return tree;
}

void sort_children(Tree& tree, const TreeOrder& order) {
  const auto weight = [&](std::size_t i) {
    const TreeRow& row = tree.rows[i];
    switch (order.by) {
    case TreeOrder::By::event: return row.events[order.event].inclusive;
    case TreeOrder::By::instructions_per_cycle:
      return row.instructions_per_cycle ? -*row.instructions_per_cycle : -std::numeric_limits<double>::infinity();
    default: return row.inclusive_s;
    }
  };
  const auto heavier = [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); };
  for (TreeRow& row : tree.rows) std::stable_sort(row.children.begin(), row.children.end(), heavier);
}

} // namespace andes::postproc
