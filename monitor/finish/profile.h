// Profile: the results of this rank: call paths with the values of each of its locations. It is made
// once, from the locations' trees; reduce() of reduction.h turns it into the form that is sent.
//
// Invariants:
//  - paths: parents before children; two paths are one if their chains of regions are equal
//    (compared by a 64-bit hash of the chain);
//  - values of a path have one entry per location, in the order of `locations`; a metric that is
//    zero for all locations has none.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "monitor/core/process.h"
#include "monitor/finish/events.h"
#include "monitor/finish/names.h"
#include "monitor/finish/run.h"
#include "monitor/finish/sampled_shares.h"
#include "monitor/finish/wait_sums.h"

namespace andes::monitor {

/// Numbers of the metrics that follow the fixed ones in a run whose waits were measured: idle time,
/// inclusive, then the waits of each cause, in the order of the rules.
inline constexpr std::int32_t idle_metric = run_file::metric_count;
inline constexpr std::int32_t first_cause_metric = idle_metric + 1;

/// By metric; the columns behind the last one with values are missing.
using Values = std::vector<std::vector<double>>;

/// The metrics of almost every call path: visits, and inclusive times up to that in MPI.
inline constexpr std::size_t usual_metrics = run_file::communication_ns + 1;

/// The values of one metric by location; made if they are missing.
inline std::vector<double>& column_of(Values& values, std::size_t metric) {
  if (values.size() <= metric) values.resize(metric + 1);
  return values[metric];
}

struct ProfilePath {
  std::int32_t parent = -1; // index; -1: root
  std::int32_t region = 0;
  std::uint64_t hash = 0; // of the chain of regions
  Values values = Values(usual_metrics);
  Values events = {}; // by event, inclusive counts; empty: nothing was counted
  std::vector<double> sizes = {}; // by class of sizes, over all locations; empty: nothing was moved
  bool is_polled = false; // polls that have been part of a loop (own_waits.cc)
  std::int32_t folded = -1; // of a call path in a single step: the call path of all steps together (fold_phases.h)
};

/// Values that the program attached to a call path in one location (andes_value).
struct AttachedRow {
  std::uint64_t path = 0;         // hash
  std::int32_t name = 0;          // index into the names
  std::int32_t location = 0;      // index
  std::int64_t count = 0, not_finite = 0;
  double sum = 0, min = 0, max = 0, last = 0;
};
struct AttachedValues {
  std::vector<std::string> names;
  std::vector<AttachedRow> rows;
  std::int64_t lost = 0; // values for which there was no room
};

/// A host with the cores that its ranks may use together.
struct ProfileHost {
  Host facts;
  std::vector<std::uint8_t> cores; // one entry per core: 1 if usable
};

struct Profile {
  std::vector<RegionRow> regions;
  std::vector<std::uint64_t> region_hashes; // hashes of their texts, made once
  std::vector<ProfilePath> paths;
  std::vector<ProfileHost> hosts;
  std::vector<LocationRow> locations; // start_ns, end_ns: wall-clock time (CLOCK_REALTIME)
  std::vector<MessageRow> messages;
  std::vector<SnapshotRow> snapshots; // time_ns: wall-clock time
  double clock_error_ppm = 0;
  double tool_error_ns = 0; // of the tool's time, sum over locations
  double window_thread_ns = 0; // processor time
  std::int64_t function_samples = 0; // sum over locations
  std::int64_t values_not_finite = 0; // left out, of this rank
  std::uint32_t limits_met = 0; // of any location (tree.h)
  std::int32_t metrics = run_file::metric_count; // number of metrics of the run
  WaitSums waits;
  std::vector<WaitPairRow> wait_pairs; // of this rank, by peer
  std::vector<EventState> events;
  AttachedValues attached;
  SampledShares sampled_shares;
  std::vector<std::vector<std::int32_t>> path_of_node; // by location; -1: none
  std::unordered_map<std::uint64_t, std::int32_t> region_of_hash, path_of_hash;
};

/// Ticks to time, one slope from the first to the last anchor; see definition in docs/metrics.md.
struct TickScale {
  double ns_per_tick = 1;
  Anchor origin;
  double error_ppm = 0; // disagreement of the slopes before and after MPI_Init

  double duration_ns(double ticks) const { return ticks * ns_per_tick; }
  std::int64_t realtime_ns(std::uint64_t ticks) const;
};
TickScale tick_scale(const Clock& clock);

/// The profile of a process on `host`. Regions known by address get their `names`.
Profile own_profile(const Process& process, const ProfileHost& host, const Names& names = {});

/// Index of a region or call path in `profile`; made if it is missing.
std::int32_t region_index(Profile& profile, const RegionRow& region);
std::int32_t path_index(Profile& profile, std::int32_t parent, std::int32_t region);

/// Hash of a region's name, kind, file and line.
std::uint64_t hash_of(const RegionRow& region);

/// Hash of a call path, from the hash of its parent (0 above a root) and of its region.
std::uint64_t hash_of_path(std::uint64_t parent, std::uint64_t region);

} // namespace andes::monitor
