// The run file (interface I2): one SQLite 3 database per run. This header is the schema, shared by
// its writer (monitor/finish) and its readers (postproc); docs/run-file.md explains every column, facts.def
// declares the facts.
//
// Invariants:
//  - what was not measured is absent: no row, or NULL; never zero;
//  - times are nanoseconds; `statistic` is over all ranks of the run, including those that never
//    entered the call path (they count as zero in mean, min and sd);
//  - rows of the statistics and of `value` (zeros left out) stand in the order of call path or step, metric and
//    location, each once; a key would cost MPI_Finalize time: 130 ns a row of `statistic`;
//  - per-location values stand in `value` or, beyond a size, in `value_column`;
//    beyond another size only some locations have them (`has_values`), and fact `columns` says so.
#pragma once

namespace andes::run_file {

inline constexpr char head[16] = "SQLite format 3"; // the first bytes of each database
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
  line INTEGER, share REAL NOT NULL, unknown_work INTEGER NOT NULL,
  samples INTEGER);
CREATE TABLE callpath(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES callpath,
  region INTEGER NOT NULL REFERENCES region);
CREATE TABLE step(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES step,
  callpath INTEGER NOT NULL REFERENCES callpath, region INTEGER NOT NULL REFERENCES region,
  number INTEGER);
CREATE TABLE step_statistic(step INTEGER NOT NULL, metric INTEGER NOT NULL, sum REAL NOT NULL,
  min REAL NOT NULL, max REAL NOT NULL, mean REAL NOT NULL, sd REAL NOT NULL,
  min_rank INTEGER NOT NULL, max_rank INTEGER NOT NULL);
CREATE TABLE attached(callpath INTEGER NOT NULL REFERENCES callpath, step INTEGER REFERENCES step,
  name TEXT NOT NULL, location INTEGER NOT NULL REFERENCES location, count INTEGER NOT NULL,
  not_finite INTEGER NOT NULL, sum REAL, min REAL, max REAL, last REAL);
CREATE TABLE metric(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL,
  description TEXT NOT NULL);
CREATE TABLE statistic(callpath INTEGER NOT NULL, metric INTEGER NOT NULL, sum REAL NOT NULL,
  min REAL NOT NULL, max REAL NOT NULL, mean REAL NOT NULL, sd REAL NOT NULL,
  min_rank INTEGER NOT NULL, max_rank INTEGER NOT NULL);
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
  doing_ns REAL NOT NULL, wait_ns REAL NOT NULL, events REAL NOT NULL, longer_ns REAL);
CREATE TABLE left_over(kind TEXT NOT NULL, callpath INTEGER REFERENCES callpath, rank INTEGER,
  peer_callpath INTEGER REFERENCES callpath, peer_rank INTEGER, tag INTEGER, events REAL NOT NULL,
  root INTEGER, peer_root INTEGER);
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
inline constexpr const char* end_stopped =
    "stopped";   // the same, after `andes run` was stopped; `detail`: by which signal
inline constexpr const char* end_running = "running";   // was still running: this is a snapshot
inline constexpr const char* end_missing = "missing";   // no data of the rank is left

/// What was left over at the end (table `left_over`; older files lack it).
inline constexpr const char* left_send = "send";       // no receive took it
inline constexpr const char* left_receive = "receive"; // no send met it
inline constexpr const char* left_request = "request"; // no call completed it
inline constexpr const char* left_order = "collective_order";     // ranks called different collectives
inline constexpr const char* left_root = "collective_root";       // ranks named different roots
inline constexpr const char* left_missing = "collective_missing"; // not all ranks called it

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
