// Run: a finished run as plain data, before it becomes a run file. Filled by gathering (gather.h)
// or by a generator of test runs; written by write_run.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/refusal.h"
#include "common/run_facts.h"
#include "monitor/interface/left_out.h"
#include "monitor/interface/run_file.h"

struct sqlite3;

namespace andes::monitor {

struct Host {
  std::string name;
  std::int64_t usable_cores = 0;
  std::string cpu;
  std::int64_t memory_bytes = 0;
};

/// A thread of a rank with its totals over the measured interval; times in nanoseconds.
/// compute + communication + idle + io + tool = wall (invariant 1; without idle, communication and io are all of
/// the time in MPI).
struct LocationRow {
  std::int32_t rank = 0, thread = 0, host = 0, process = 0;
  std::int32_t has_values = 1; // 0: counted in the statistics only
  std::int64_t start_ns = 0, end_ns = 0; // since the run's start
  std::int64_t wall_ns = 0, off_ns = 0, init_ns = 0;
  std::optional<std::int64_t> wait_at_end_ns = 0; // empty: not all ranks reached the end
  std::int64_t compute_ns = 0, communication_ns = 0, io_ns = 0, tool_ns = 0, synchronisation_ns = 0;
  std::optional<std::int64_t> idle_ns; // sum of the waits in MPI and team_idle_ns, as far as they were
                                       // measured; empty: neither was
  /// Time waiting for other threads of the process; the part of it between parallel regions; time in
  /// outermost parallel regions. Empty: no OpenMP was met in this process.
  std::optional<std::int64_t> team_idle_ns, apart_ns, parallel_ns;
  std::int64_t bytes_sent = 0, bytes_received = 0, messages_sent = 0, messages_received = 0;
  std::int64_t bytes_read = 0, bytes_written = 0; // from and to files
  /// Ready to run without a core. Empty: the kernel does not count it, or the process did not reach its end.
  std::optional<std::int64_t> core_wait_ns;
};

/// Name of a kind of regions (enum andes_kind), or of call sites of MPI, which are not probes.
const char* kind_name(std::uint32_t kind);
inline constexpr const char* call_site_kind = "call-site";

struct RegionRow {
  std::string name, kind, file;
  std::int32_t line = 0;
};

/// Whether the region is an MPI function.
bool is_mpi(const RegionRow& region);

/// Whether its own time is waiting for other threads of the process.
bool is_idle(const RegionRow& region);

/// Whether its own time is computation.
bool computes(const RegionRow& region);

/// Which part of the time, waiting aside, a call of this function is.
run_file::MetricId time_in_call(const RegionRow& region);

/// A function without a probe, with its estimated part (0 to 1) of the own time of the region that calls it.
struct LeftOutRow {
  std::int32_t region = 0;
  NotedFunction function;
  double share = 0;
  bool unknown_work = false; // the region also calls code whose work is unknown
  std::int64_t samples = 0; // of the region, which tell the share; 0: by operations in the source
};

struct CallPathRow {
  std::int32_t parent = -1; // index; -1: root
  std::int32_t region = 0;
};

/// A call path in a single step of a phase, beside that of all steps (fold_phases.h).
struct StepRow {
  std::int32_t parent = -1;   // index into Run::steps; -1: this is the step itself
  std::int32_t callpath = 0;  // index of the same call path without the step
  std::int32_t region = 0;
  std::optional<std::int64_t> number; // of the step itself; empty: a call path below it, or many steps together
};

/// Values that the program attached to a call path in one location (andes_value).
struct AttachedValueRow {
  std::int32_t callpath = 0;
  std::int32_t step = -1; // index into Run::steps; -1: not in a single step
  std::string name;
  std::int32_t location = 0;
  std::int64_t count = 0, not_finite = 0;
  double sum = 0, min = 0, max = 0, last = 0; // meaningless if count is 0
};

/// A further metric of this run beside the fixed ones of run_file.h, such as the waits of a cause.
/// Its number is metric_count plus its index in Run::more_metrics.
struct MetricRow {
  std::string name, unit, description;
};

/// One metric of one call path over all ranks of the run (docs/run-file.md).
struct StatisticRow {
  std::int32_t callpath = 0;
  std::int32_t metric = run_file::visits;
  double sum = 0, min = 0, max = 0, mean = 0, sd = 0;
  std::int32_t min_rank = 0, max_rank = 0;
};

/// Values of one metric of one call path over the locations that have values, in their order.
struct Column {
  std::int32_t callpath = 0;
  std::int32_t metric = run_file::visits;
  std::vector<double> values;
};

/// How many messages of a class of sizes (core/message_sizes.h) a call path has moved, over all ranks.
struct SizeRow {
  std::int32_t callpath = 0, size_class = 0;
  double messages = 0;
};

struct MessageRow {
  std::int32_t source = 0, destination = 0;
  std::int64_t messages = 0, bytes = 0;
};

/// A cause of waiting, named by a rule; its waits by call path and location are metric `wait:NAME`.
struct CauseRow {
  std::string name, title, description, advice;
  std::int32_t metric = 0;
};

/// Waits of one cause in one call path, over all ranks, by peer and by origin of the chain of waits;
/// -1: not known.
struct WaitRow {
  std::int32_t cause = 0, callpath = 0; // index into Run::causes, Run::callpaths
  std::int32_t peer_callpath = -1, peer_rank = -1, origin_callpath = -1, origin_rank = -1;
  double wait_ns = 0, events = 0;
  double variance_ns2 = 0; // squared standard error of wait_ns; 0: every operation was kept
};

/// For how long a rank waited for another one, all causes and call paths together.
struct WaitPairRow {
  std::int32_t rank = 0, peer_rank = -1; // -1: not known, or without a row of its own
  std::int64_t wait_ns = 0;
};

/// By how much the run would have been shorter with a cure of the waits of one cause in one call path.
struct GainRow {
  std::int32_t cause = 0, callpath = 0; // index into Run::causes, Run::callpaths
  std::string cure;                     // run_file::cure_...
  double gain_ns = 0, error_ns = 0;     // negative: it would have been longer
};

/// A rank and call path at which chains of waits began, with the waits of all ranks that did.
struct OriginRow {
  std::int32_t rank = 0, callpath = 0;
  std::int32_t doing_callpath = -1; // what the rank did before; -1: not known
  double doing_ns = 0; // time before the calls, since the MPI call before them that did not only start an operation
  double wait_ns = 0, events = 0;
  std::optional<double> longer_ns = {}; // of the waits: computed longer than those who waited; absent: not known
};

/// Operations that were not whole at the end of the run, of one kind and the same call paths; -1: not known, any, or
/// none.
struct LeftOverRow {
  const char* kind = ""; // run_file::left_...
  std::int32_t callpath = -1, rank = -1; // of the first of them
  std::int32_t peer_callpath = -1, peer_rank = -1; // of its other side
  std::int32_t tag = -1;
  double events = 0;
  std::int32_t root = -1, peer_root = -1; // of a collective: ranks that the two named
};

struct SnapshotRow {
  std::int32_t rank = 0, number = 0;
  std::int64_t time_ns = 0;
};

/// How a rank ended, in a run whose end not all ranks reached.
struct EndingRow {
  std::int32_t rank = 0;
  std::string how; // run_file::end_...
  std::int32_t detail = 0; // number of the signal, error code of MPI_Abort, or class of an error of MPI
  std::int64_t time_ns = 0; // since the run's start
  bool last_event = false; // time_ns is the time of the last event: the end is not known
  std::int32_t callpath = -1; // open call path at that time; -1: not known
  std::string text = {}; // of an error of MPI: the call, the class and what is wrong
};

struct Run {
  Facts facts;
  std::map<std::string, std::string> environment;
  std::vector<Host> hosts;
  std::vector<LocationRow> locations; // sorted by rank, thread
  std::vector<RegionRow> regions;
  std::vector<LeftOutRow> left_out; // by region
  std::vector<CallPathRow> callpaths; // parents before children
  std::vector<StepRow> steps; // parents before children
  std::vector<StatisticRow> step_statistics; // `callpath`: index into steps
  std::vector<AttachedValueRow> attached; // by call path, step, name, location
  std::vector<MetricRow> more_metrics; // numbered from run_file::metric_count
  std::vector<StatisticRow> statistics; // all-zero ones left out
  std::vector<Column> columns; // all-zero columns left out
  std::vector<SizeRow> message_sizes; // by call path, class
  std::vector<MessageRow> messages;
  std::vector<CauseRow> causes;
  std::vector<WaitRow> waits;
  std::vector<WaitPairRow> wait_pairs; // by rank, peer
  std::vector<GainRow> gains;
  std::vector<OriginRow> origins;
  std::vector<LeftOverRow> left_overs; // by kind, call path, peer's call path
  std::vector<SnapshotRow> snapshots;
  std::vector<EndingRow> endings; // all ranks, by rank; empty for a complete run
};

/// A run file without rows, in memory. A rank that has time before its run is known may prepare it. If it fails,
/// write_run() reports the error.
std::shared_ptr<sqlite3> begin_run_file();

/// Writes `run` as a run file at `path`: built in memory, written to a temporary name beside it, then
/// linked to `path` (never over an existing file). `table_values` is the largest number of non-zero
/// per-location values kept as a plain table; beyond it they become zlib columns.
/// Throws Refusal. `database` comes from begin_run_file() and has not been used before.
void write_run(const Run& run, const std::string& path, std::size_t table_values,
               std::shared_ptr<sqlite3> database = begin_run_file());

} // namespace andes::monitor
