// Reduction: the results of a group of ranks, in the form that is sent from rank to rank. For each
// call path and metric it holds one statistic over the ranks of the group, so that merging two
// groups costs the same however many ranks they have. The values of single locations are sent as
// well while they are few enough, else only those of a few ranks, the extremes among them (kept_ranks.cc).
//
// Invariants:
//  - paths: parents before children; a path's statistics are a list through `next`, each later in
//    the array than the one before; a metric that is zero on all ranks has none;
//  - a metric without a statistic is zero on all ranks of the group;
//  - `statistics` are over all `ranks` of the group, including those without the call path;
//  - locations are in the order of ranks and threads if groups are merged in that order;
//  - no more than Bounds::paths call paths: the rest is summed in those named more_paths and
//    more_mpi below its root (overflow.cc), so that exclusive values add up to the same;
//  - call paths in single steps of phases have only statistics, no rows: their values are part of
//    their folded call paths, and they are dropped first if there are too many;
//  - with `all_values` there is a row of values for every location, else for those of the telling ranks.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "monitor/finish/profile.h"
#include "monitor/finish/statistic.h"

namespace andes::monitor {

/// The names of the two regions, as in the registry of the core.
inline constexpr const char* more_paths = "(more call paths)";
inline constexpr const char* more_mpi = "(more MPI calls)";

struct ReducedPath {
  std::int32_t parent = -1; // index; -1: root
  std::int32_t region = 0;
  std::int32_t depth = 0;  // 0: root
  std::int32_t first = -1; // index of the first statistic; -1: none
  std::int64_t ranks = 0;  // number of ranks with this call path
  std::uint64_t hash = 0;  // of the chain of regions
  std::int32_t folded = -1; // of a call path in a single step: that of all steps (fold_phases.h)
  std::int32_t unused = 0;
};

struct ReducedValue {
  std::int32_t metric = 0;
  std::int32_t next = -1; // index of the path's next statistic; -1: none
  Statistic statistic;
};

/// The values of one location: from the end of the previous row to `end`.
struct ValueRow {
  std::int64_t location = 0, end = 0; // indices
};

struct Reduction {
  std::int64_t ranks = 0;      // in the group
  std::int32_t first_rank = 0; // the lowest of them
  std::vector<RegionRow> regions;
  std::vector<std::uint64_t> region_hashes;
  std::vector<ReducedPath> paths;
  std::vector<ReducedValue> statistics;
  std::vector<ProfileHost> hosts;
  std::vector<LocationRow> locations; // start_ns, end_ns: wall-clock time (CLOCK_REALTIME)
  std::vector<MessageRow> messages;
  std::vector<SnapshotRow> snapshots; // time_ns: wall-clock time
  double clock_error_ppm = 0;         // largest of the ranks
  double tool_error_ns = 0;           // sum over the ranks
  double window_thread_ns = 0;        // sum over the ranks
  std::int64_t function_samples = 0;  // sum over the ranks
  std::uint32_t limits_met = 0;       // of any rank, or of this reduction (tree.h)
  std::int32_t metrics = run_file::metric_count; // of the run; the same on all ranks
  WaitSums waits;
  std::vector<WaitPairRow> wait_pairs;
  std::vector<EventState> events; // their metrics: first_event_metric plus the place here
  AttachedValues attached;
  SampledShares sampled_shares; // sums over the ranks

  bool all_values = true;
  std::vector<ValueRow> rows;
  std::vector<std::int32_t> row_statistics; // for each value in a row: index of its statistic in `statistics`
  std::vector<double> row_values;

  std::int64_t dropped_paths = 0; // each is counted in every group that dropped it
  std::int64_t dropped_ranks = 0; // no path lacks the values of more ranks than these

  std::unordered_map<std::uint64_t, std::int32_t> region_of_hash, path_of_hash;
  std::unordered_map<std::string, std::int32_t> host_of_name;
};

/// Limits from the settings and the size of the job; the same on all ranks.
struct Bounds {
  std::int64_t job_ranks = 1;
  std::size_t paths = 65536; // node_limit
  double column_bytes = 64e6; // columns_mb; before compression
};

/// Entries of the communication matrix, and snapshots, that one rank may contribute: 2^18 over all
/// ranks, but at least eight a rank.
std::size_t rows_per_rank(const Bounds& bounds);

/// The same of the ranks that it waited for: 2^14, as pages have them of every size of a sweep.
std::size_t wait_pairs_per_rank(const Bounds& bounds);

/// Largest size of a value of this metric in a column of the run file (docs/run-file.md).
std::size_t bytes_in_column(std::int32_t metric);

/// The reduction of a group that is this rank alone.
Reduction reduce(Profile profile, const Bounds& bounds);

/// Adds the ranks of `from`, none of which is in `into`.
void merge(Reduction& into, const Reduction& from, const Bounds& bounds);

/// Index of a region or call path; made if it is missing.
std::int32_t region_index(Reduction& reduction, const RegionRow& region, std::uint64_t hash);
std::int32_t path_index(Reduction& reduction, std::int32_t parent, std::int32_t region);

/// Index of the statistic of a path's metric; if there is none: -1, or a new one that is zero on all ranks.
std::int32_t find_statistic(const Reduction& reduction, std::int32_t path, std::int32_t metric);
std::int32_t statistic_index(Reduction& reduction, std::int32_t path, std::int32_t metric);

/// Columns over the locations that have a row of values, in their order.
std::vector<Column> columns_of(const Reduction& reduction);

/// Rebuilds the hash tables from the paths, regions and hosts.
void index_hashes(Reduction& reduction);

/// Sums call paths beyond the bound in more_paths and more_mpi. The call paths of the most ranks
/// stay; among equals the less deep ones.
void limit_paths(Reduction& reduction, const Bounds& bounds);

/// Keeps only the values of a few ranks if the values of the whole job would exceed the
/// bound. The bound is compared with the least room that the job needs by the group's knowledge, so
/// that values are dropped if and only if the whole job exceeds it, whichever group notices that first.
void limit_values(Reduction& reduction, const Bounds& bounds);

} // namespace andes::monitor
