// The run file (interface I2): one SQLite 3 database per run. This header is the schema, shared by
// its writer (monitor/finish) and its readers (postproc); docs/run-file.md explains every column.
//
// Invariants:
//  - what was not measured is absent: no row, or NULL; never zero;
//  - times are nanoseconds; `statistic` is over all ranks of the run, including those that never
//    entered the call path (they count as zero in mean, min and sd);
//  - per-location values stand in `value` (zeros left out; in the order of call path, metric and location, without
//    a key) or, beyond a size, in `value_column`;
//    beyond another size only some locations have them (`has_values`), and fact `columns` says so.
#pragma once

namespace andes::run_file {

inline constexpr int application_id = 0x414e4453; // "ANDS"
inline constexpr int format = 3;                  // user_version

/// Stands before the extension in the file names of worlds that MPI_Comm_spawn started (docs/run-file.md).
inline constexpr const char* spawned_mark = ".spawned";

inline constexpr const char* schema = R"sql(
CREATE TABLE fact(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE environment(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT NOT NULL, usable_cores INTEGER, cpu TEXT,
  memory_bytes INTEGER);
CREATE TABLE location(id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, thread INTEGER NOT NULL,
  host INTEGER REFERENCES host, process INTEGER, start_ns INTEGER, end_ns INTEGER,
  wall_ns INTEGER NOT NULL, off_ns INTEGER, init_ns INTEGER, wait_at_end_ns INTEGER,
  compute_ns INTEGER NOT NULL, communication_ns INTEGER NOT NULL, idle_ns INTEGER,
  tool_ns INTEGER NOT NULL, synchronisation_ns INTEGER NOT NULL,
  bytes_sent INTEGER, bytes_received INTEGER, messages_sent INTEGER, messages_received INTEGER,
  has_values INTEGER NOT NULL, team_idle_ns INTEGER, apart_ns INTEGER, parallel_ns INTEGER,
  io_ns INTEGER, bytes_read INTEGER, bytes_written INTEGER, core_wait_ns INTEGER);
CREATE TABLE region(id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, file TEXT,
  line INTEGER);
CREATE TABLE left_out(region INTEGER NOT NULL REFERENCES region, name TEXT NOT NULL, file TEXT,
  line INTEGER, share REAL NOT NULL, unknown_work INTEGER NOT NULL);
CREATE TABLE callpath(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES callpath,
  region INTEGER NOT NULL REFERENCES region);
CREATE TABLE step(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES step,
  callpath INTEGER NOT NULL REFERENCES callpath, region INTEGER NOT NULL REFERENCES region,
  number INTEGER);
CREATE TABLE step_statistic(step INTEGER NOT NULL, metric INTEGER NOT NULL, sum REAL NOT NULL,
  min REAL NOT NULL, max REAL NOT NULL, mean REAL NOT NULL, sd REAL NOT NULL,
  min_rank INTEGER NOT NULL, max_rank INTEGER NOT NULL, PRIMARY KEY(step, metric)) WITHOUT ROWID;
CREATE TABLE attached(callpath INTEGER NOT NULL REFERENCES callpath, step INTEGER REFERENCES step,
  name TEXT NOT NULL, location INTEGER NOT NULL REFERENCES location, count INTEGER NOT NULL,
  not_finite INTEGER NOT NULL, sum REAL, min REAL, max REAL, last REAL);
CREATE TABLE metric(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL,
  description TEXT NOT NULL);
CREATE TABLE statistic(callpath INTEGER NOT NULL, metric INTEGER NOT NULL, sum REAL NOT NULL,
  min REAL NOT NULL, max REAL NOT NULL, mean REAL NOT NULL, sd REAL NOT NULL,
  min_rank INTEGER NOT NULL, max_rank INTEGER NOT NULL, PRIMARY KEY(callpath, metric)) WITHOUT ROWID;
CREATE TABLE value(callpath INTEGER NOT NULL, metric INTEGER NOT NULL, location INTEGER NOT NULL,
  value REAL NOT NULL);
CREATE TABLE value_column(callpath INTEGER NOT NULL, metric INTEGER NOT NULL, type TEXT NOT NULL,
  numbers BLOB NOT NULL, PRIMARY KEY(callpath, metric)) WITHOUT ROWID;
CREATE TABLE message_size(callpath INTEGER NOT NULL, at_least INTEGER NOT NULL, below INTEGER,
  messages REAL NOT NULL, PRIMARY KEY(callpath, at_least)) WITHOUT ROWID;
CREATE TABLE message(source INTEGER NOT NULL, destination INTEGER NOT NULL,
  messages INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY(source, destination)) WITHOUT ROWID;
CREATE TABLE cause(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
  description TEXT, advice TEXT, metric INTEGER NOT NULL REFERENCES metric);
CREATE TABLE wait(cause INTEGER NOT NULL REFERENCES cause, callpath INTEGER NOT NULL,
  peer_callpath INTEGER, peer_rank INTEGER, origin_callpath INTEGER, origin_rank INTEGER,
  wait_ns REAL NOT NULL, events REAL NOT NULL, variance_ns2 REAL);
CREATE TABLE wait_pair(rank INTEGER NOT NULL, peer_rank INTEGER NOT NULL, wait_ns INTEGER NOT NULL,
  PRIMARY KEY(rank, peer_rank)) WITHOUT ROWID;
CREATE TABLE gain(cause INTEGER NOT NULL REFERENCES cause, callpath INTEGER NOT NULL,
  cure TEXT NOT NULL, gain_ns REAL NOT NULL, error_ns REAL NOT NULL);
CREATE TABLE origin(rank INTEGER NOT NULL, callpath INTEGER NOT NULL, doing_callpath INTEGER,
  doing_ns REAL NOT NULL, wait_ns REAL NOT NULL, events REAL NOT NULL);
CREATE TABLE left_over(kind TEXT NOT NULL, callpath INTEGER REFERENCES callpath, rank INTEGER,
  peer_callpath INTEGER REFERENCES callpath, peer_rank INTEGER, tag INTEGER, events REAL NOT NULL);
CREATE TABLE snapshot(rank INTEGER NOT NULL, number INTEGER NOT NULL, time_ns INTEGER NOT NULL,
  PRIMARY KEY(rank, number)) WITHOUT ROWID;
CREATE TABLE ending(rank INTEGER PRIMARY KEY, how TEXT NOT NULL, detail INTEGER, time_ns INTEGER,
  last_event INTEGER NOT NULL, callpath INTEGER REFERENCES callpath, text TEXT);
)sql";

/// Cures of waits (table `gain`; older files lack it): docs/metrics.md, "Gain".
inline constexpr const char* cure_earlier = "earlier";     // what came late comes in time
inline constexpr const char* cure_share = "share";         // the work of the late rank is shared by all
inline constexpr const char* cure_leave_out = "leave_out"; // the work of the late rank is left out

/// How a rank ended (table `ending`; older files lack it).
inline constexpr const char* end_finalize = "finalize"; // reached MPI_Finalize, or its normal end
inline constexpr const char* end_exit = "exit";         // left without MPI_Finalize
inline constexpr const char* end_signal = "signal";     // `detail`: the signal's number
inline constexpr const char* end_abort = "abort";       // MPI_Abort; `detail`: its error code
inline constexpr const char* end_error = "error";       // an error of MPI; `detail`: its class, `text`: what it says
inline constexpr const char* end_killed = "killed";     // recorded no end: SIGKILL, _exit
inline constexpr const char* end_running = "running";   // was still running: this is a snapshot
inline constexpr const char* end_missing = "missing";   // no data of the rank is left

/// What was left over at the end (table `left_over`; older files lack it).
inline constexpr const char* left_send = "send";       // no receive took it
inline constexpr const char* left_receive = "receive"; // no send met it
inline constexpr const char* left_request = "request"; // no call completed it
inline constexpr const char* left_order = "collective_order";     // ranks called different collectives
inline constexpr const char* left_root = "collective_root";       // not exactly one rank was the root
inline constexpr const char* left_missing = "collective_missing"; // not all ranks called it

// Facts (table `fact`): name, meaning. Written by the monitor:
//   program              base name of the executable
//   executable           its path
//   executable_hash      16 hexadecimal digits
//   arguments            JSON array of the program's arguments, without the program
//   directory            working directory
//   started              UTC, ISO 8601
//   ranks                number of ranks that reported
//   threads              largest number of locations of a rank
//   busy_threads         threads of all ranks that computed at the same time, one of each rank at least
//   wall_ns              T: first rank's start of measurement to last rank's entry into MPI_Finalize
//   measured_from        init | start
//   mpi_library          first line of MPI_Get_library_version; absent without MPI
//   mpi_version          e.g. 3.1
//   openmp               libgomp | libomp | libgomp libomp: whose parallel regions rank 0 has met; absent: none
//   clock                tsc | monotonic
//   clock_hz             ticks per second
//   clock_error_ppm      disagreement of the anchors
//   several_hosts_clock  1 if start and end of ranks were compared over hosts by wall-clock time
//   monitor_version      of andes
//   usable_cores         sum over hosts of the cores that the ranks there may use
//   columns              all | telling: which locations have per-location values
//   dropped_paths        call paths beyond node_limit, each counted in every group of ranks that
//                        summed it in (more call paths) or (more MPI calls); absent: none
//   lost_values          values of andes_value that found no place; absent: none
//   dropped_ranks        no call path lacks the values of more ranks than these; absent: none
//   complete             1; 0 for a run from which something is missing
//   recovered            1: made from what the processes left (andes recover); job_ranks: ranks that the job
//                        had; snapshot: 1 if it went on; lost_call_paths, lost_records, lost_threads: what
//                        had found no room; clock_unknown: 1 if times are in ticks. Absent otherwise
//   finish_ns            time spent in comparing, gathering and writing on rank 0
//   budget_percent       what probes were allowed to cost, of the wall time; 0: all visits are timed
//   probe_ns             calibrated cost of a timed pair of probes (rank 0), without other work around it
//   probe_dependent_ns   the same among work whose operations wait for each other
//   probe_busy_ns        the same among work that keeps the processor busy
//   windows              windows in which closed regions were open (rank 0); absent: none was closed
//   sampled_probe_ns     calibrated cost of a pair of probes that only counts (rank 0)
//   tool_error_ns        residual error of the tool's time over all locations
//   tree_bytes           memory of the call trees of rank 0
//   wait_states          measured | none
//   wait_states_reason   why they were not; absent where they were, as what follows where they were not
//   messages_matched     messages of which both sides were compared
//   messages_unmatched   messages and parts of collectives whose other side had not been logged
//   events_unordered     operations not compared as their order on a channel is not known
//   events_lost          operations for which the log had no room at all
//   log_level            1 in 2^log_level operations was kept; figures are for all of them
//   wait_unclassified_ns differences of times on two nodes within twice the clocks' error
//   clock_violations     operations that seem complete before they could be, beyond that error
//   rules                names of the rule files, separated by blanks
//   clock_offset_error_ns  largest error of a difference between the clocks of two ranks; 0 on one node
//   gains                replayed | none: whether table `gain` says what cures gain
//   gains_reason         why the operations were not replayed
//   transfers_unknown    non-blocking messages whose transfer time is not known; absent: none
//   transfer_source      setting | calibration: where expected transfer times come from; absent: there
//                        were no non-blocking messages, or no times
// Added by `andes run` after the end (annotate):
//   command              JSON array, after substitution of {p} and {t}
//   ranks_started        p of --ranks
//   threads_started      t of --threads: threads that a rank was asked to have
//   repeat, series, label   1.., directory name, text
//   exit_status          of the command; absent when a signal ended it
//   signal               number of the signal that ended the command
//   oversubscribed       1 if busy threads exceed usable_cores, else 0
//   overhead_percent, overhead_low, overhead_high   intrusion measured by --overhead
//   command_wall_ns      of the whole command, launcher included

/// The part of the call tree that a metric's value in a call path covers.
enum class Covers {
  own,           // the call path itself: values of different call paths can be added
  exclusive,     // the same, for times: in a leaf the exclusive time is also the inclusive one
  subtree,       // the call path and all below it
  subtree_error, // the error of a `subtree` value
};

/// A metric (table `metric`, metrics.def).
struct Metric {
  const char* name;
  const char* unit;
  Covers covers;
  const char* description;
};
enum MetricId : int {
#define ANDES_METRIC(name, unit, covers, description) name,
#include "monitor/interface/metrics.def"
#undef ANDES_METRIC
  metric_count
};
inline constexpr Metric metrics[metric_count] = {
#define ANDES_METRIC(name, unit, covers, description) {#name, unit, Covers::covers, description},
#include "monitor/interface/metrics.def"
#undef ANDES_METRIC
};

/// Names of region kinds in table `region`, as of enum andes_kind.
/// root function block loop phase tool overflow parallel workshare task critical,
/// instance (a step of a phase: only in table `step`), the idle ones
/// barrier lock apart, and of MPI send receive exchange source destination
/// synchronisation one-sided io management; and call-site, which is not a kind of probes: the place that an MPI
/// call is made from. The root region's name is "(program)"; of other threads "(thread)"; the tool's "(andes)".
} // namespace andes::run_file
