// Profile: a run as it was read from its run file, as plain data. The schema with the meaning of
// every column is monitor/interface/run_file.h.
//
// Invariants, checked by read_run whatever the file says:
//  - parents stand before their children, and every index points into its table;
//  - all numbers are finite, ranks are counted without gaps of the fact `ranks`;
//  - values that the file lacks are absent (std::optional), never zero.
// The inline namespace keeps these structures apart from the monitor's of the same names, which
// `andes recover` brings into the same program.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/run_facts.h"
#include "monitor/interface/run_file.h"

namespace andes::postproc {

struct ProfileHost {
  std::string name, cpu;
  std::optional<std::int64_t> usable_cores;
};

/// A thread of a rank with its totals over the measured interval.
struct Location {
  int rank = 0, thread = 0;
  std::optional<int> host;
  double wall_ns = 0, compute_ns = 0, communication_ns = 0, tool_ns = 0, synchronisation_ns = 0;
  std::optional<double> off_ns, init_ns, wait_at_end_ns, idle_ns;
  /// Waiting for other threads of the process (part of idle_ns), of it between parallel regions; time in
  /// outermost parallel regions. Absent: nothing of OpenMP was met, or the file is of before.
  std::optional<double> team_idle_ns, apart_ns, parallel_ns;
  /// Of team_idle_ns: waiting to enter (kind lock) inside parallel regions, and outside. Inside them: communication;
  /// waits in MPI, with input and output. Absent: the values of this location's call paths are not kept.
  std::optional<double> lock_ns, lock_outside_ns, region_communication_ns, region_wait_ns;
  std::optional<double> bytes_sent, bytes_received, messages_sent, messages_received;
  /// Input and output, and its bytes. Absent: in files of before it is part of communication.
  std::optional<double> io_ns, bytes_read, bytes_written;
  /// Ready to run without a core. Absent: not known.
  std::optional<double> core_wait_ns;
  std::optional<double> io_in_communication_ns; // of files of before; absent: not known
  bool has_values = true;      // per call path; false: it counts in the statistics only
};

struct Region {
  std::string name, kind, file; // file is empty where it is not known
  int line = 0;                 // 0: not known
};

/// A function without a probe: its estimated part (0 to 1) of the own time of a region.
struct LeftOut {
  int region = 0;
  std::string name, file;
  int line = 0;
  double share = 0;
  bool unknown_work = false; // the region also calls code whose work is unknown
  bool is_sampled = false; // by samples of the program counter; else by operations in the source
};

struct CallPath {
  int parent = -1; // -1: a root
  int region = 0;
};

/// A call path in a single step of a phase. Its time is also in that of `callpath`.
struct Step {
  int parent = -1;   // another step's number; -1: the step itself, `callpath` is its phase
  int callpath = 0;  // the same call path, all steps together
  int region = 0;
  std::optional<long long> number; // of the step itself; absent: below it, or many steps together
};

/// Values that the program attached to a call path in one location. If the count is zero there are no numbers.
struct AttachedValue {
  int callpath = 0;
  int step = -1; // number of a Step; -1: not in a single step
  std::string name;
  std::size_t location = 0;
  double count = 0, not_finite = 0;
  std::optional<double> sum, min, max, last;
};

/// Value of a metric of a call path over all ranks of the run.
struct Statistic {
  double sum = 0, min = 0, max = 0, mean = 0, sd = 0;
  int min_rank = 0, max_rank = 0;
};

/// Messages of a class of sizes in a call path, sum over all ranks (docs/metrics.md, "Message sizes").
struct MessageSize {
  int callpath = 0;
  double at_least = 0;         // bytes
  std::optional<double> below; // absent: the class has no bound
  double messages = 0;
};

/// The metric of call paths that only runs with measured waits have, numbered behind those of
/// run_file.h.
enum WaitMetric : int {
  path_idle_ns = run_file::metric_count, // inclusive, as communication_ns
  path_metric_count
};

/// An event that was asked for and not counted, or not everywhere (setting `counters`).
struct MissingEvent {
  std::string event, reason;
  std::optional<int> ranks; // that have not counted it; absent: none has
};

/// Why ranks wait, as a rule names it.
struct Cause {
  std::string name, title, description, advice;
};

/// Waits of a cause in a call path over all ranks, exclusive.
struct CauseStatistic {
  int cause = 0, callpath = 0; // indices
  Statistic wait_ns;
};

/// The same waits by peer and by origin of the chain of waits; -1: not known.
struct Wait {
  int cause = 0, callpath = 0;
  int peer_callpath = -1, peer_rank = -1, origin_callpath = -1, origin_rank = -1;
  double wait_ns = 0, events = 0, variance_ns2 = 0;
};

/// By how much T would shrink with a cure of the waits of one cause in one call path, by a replay.
struct CureGain {
  int cause = 0, callpath = 0;
  std::string cure; // run_file::cure_...
  double gain_ns = 0, error_ns = 0; // negative: T would grow
};

/// Where chains of waits began, with the waits of all ranks that did.
struct WaitOrigin {
  int rank = 0, callpath = 0;
  int doing_callpath = -1; // what the rank did before; -1: not known
  double doing_ns = 0, wait_ns = 0, events = 0;
  std::optional<double> longer_ns; // of the waits: the rank had computed longer than those who waited
  std::optional<double> own_ns;    // the rank's own time in doing_callpath, in all of the run; absent: not kept
};

/// Operations that were not whole at the end of the run, of one kind and the same call paths: the first of them.
struct LeftOver {
  std::string kind; // run_file::left_...
  std::optional<int> callpath, rank, peer_callpath, peer_rank, tag; // absent: not known, any, or none
  double events = 0; // of all of them
  std::optional<int> root, peer_root; // of a collective: ranks that the two named as its root; absent: not known
};

/// How a rank ended, of a run that is not complete.
struct RankEnding {
  int rank = 0;
  std::string how;                 // run_file::end_...
  int detail = 0;                  // number of the signal, what MPI_Abort was called with, or class of the error
  std::optional<double> time_ns;   // since the run's start; absent: nothing is left of the rank
  bool last_event = false;         // time_ns is that of its last event, as the time of its end is not known
  std::optional<int> callpath;     // that was open then
  std::string text;                // of an error of MPI: the call, the class and what is wrong
};

struct Profile {
  std::string file; // as the user named it
  Facts facts;
  std::vector<ProfileHost> hosts;
  std::vector<Location> locations; // by rank, thread
  int ranks = 0;
  double wall_s = 0; // T of docs/metrics.md
  std::vector<std::string> events; // that were counted, in the order of the setting
  std::vector<MissingEvent> missing_events;
  std::vector<RankEnding> endings; // of all ranks, by rank; empty: the run says nothing about it
  std::vector<LeftOver> left_overs; // in the order in which they are told
  bool counts_unknown_transfers = false; // where `transfers_unknown` is absent it is zero; false: of older monitors

  // Only with Detail::tree:
  std::vector<Region> regions;
  std::vector<LeftOut> left_out; // by region
  std::vector<CallPath> callpaths;
  std::vector<Statistic> statistics; // callpath * metrics() + metric
  std::vector<Step> steps;                 // parents before children
  std::vector<Statistic> step_statistics;  // as `statistics`, by step
  std::vector<AttachedValue> attached;     // by call path, step, name, location
  int first_step_path = -1; // steps are call paths, too, numbered from here (with_steps_apart); -1: they are not
  std::vector<MessageSize> message_sizes;  // by call path, size; empty: of files of before, too
  std::optional<double> destinations; // ranks to which a rank that sends messages sends them, mean; absent: none sends
  std::vector<Cause> causes;
  std::vector<CauseStatistic> cause_statistics; // by cause, call path; those with waits
  std::vector<Wait> waits;
  std::vector<CureGain> gains;
  std::vector<WaitOrigin> origins; // heaviest first

  /// Metrics of a call path: the fixed ones, those of waits, and the inclusive counts of each event.
  std::size_t metrics() const { return path_metric_count + events.size(); }

  const Region& region_of(std::size_t callpath) const {
    return regions[static_cast<std::size_t>(callpaths[callpath].region)];
  }

  /// `metric`: a run_file::MetricId, a WaitMetric or an event_metric().
  const Statistic& statistic(std::size_t callpath, int metric) const {
    return statistics[callpath * metrics() + static_cast<std::size_t>(metric)];
  }
};

/// The metric of an event by its place in Profile::events: how often it was counted, callees included.
constexpr int event_metric(std::size_t event) { return path_metric_count + static_cast<int>(event); }

/// Whether anything of OpenMP was met: then waiting for threads is known.
bool has_teams(const Profile& profile);

/// Why a run says nothing about waits; empty where they were measured.
std::string why_no_waits(const Profile& profile);

/// Waits of a location in MPI: its idle time without what it waits for other threads. Absent: not measured.
std::optional<double> idle_in_mpi_ns(const Profile& profile, const Location& location);

/// Time of MPI_Init, of the rank where it took longest. Absent: not known.
std::optional<double> longest_init_s(const Profile& profile);

/// Whether input and output is a part of time of its own: not in files of before.
bool is_io_known(const Profile& profile);

/// Communication of a location without input and output. Absent: not known of a file of before.
std::optional<double> transferring_ns(const Location& location);

/// A fact as text (numbers are written out), or `fallback`.
std::string fact_text(const Profile& profile, FactName name, std::string fallback = {});

/// A fact as a number; absent when it is missing or not a finite number.
std::optional<double> fact_number(const Profile& profile, FactName name);

/// The name of an MPI library, without what stands behind its version: that is long.
std::string short_library(const std::string& mpi_library);

/// Program and arguments as typed in a shell.
std::string command_line(const Profile& profile);

/// The name of the program of all runs of its sweep, with `{p}` and `{t}` as they were typed for `andes run`. Of a run
/// whose program does not depend on its size, its name.
std::string swept_program(const Profile& profile);

/// The arguments of all runs of its sweep, as a JSON array: `{p}` and `{t}` as they were typed for `andes run`. Of a
/// run whose arguments do not depend on its size, its arguments.
std::string swept_arguments(const Profile& profile);

/// The same as a list; empty where the fact is no list of texts.
std::vector<std::string> swept_argument_list(const Profile& profile);

/// This program with these arguments.
std::string swept_command_line(const Profile& profile);

/// Why the run may not stand for its number of ranks, or empty: it failed, or it is incomplete.
std::string failure_of(const Profile& profile);
std::string incompleteness_of(const Profile& profile);

/// Made of a run that went on; of a world that was begun by MPI_Comm_spawn.
bool is_spawned(const Profile& profile);
bool is_snapshot(const Profile& profile);

/// How ranks ended (ending_text.h), with their call paths if these were read; none where nothing tells.
std::vector<std::string> endings_of(const Profile& profile);

/// More busy threads than usable cores: the times then mostly show time slicing.
bool is_oversubscribed(const Profile& profile);

/// Data that the run file does not contain completely because of a setting.
struct Limit {
  std::string id; // kept_ranks, dropped_paths, thinned_log
  std::string text; // a sentence without a full stop
};
std::vector<Limit> limits_of(const Profile& profile);

/// Kinds of regions that are MPI calls.
bool is_mpi_kind(const std::string& kind);

/// Whether a region is a call of MPI that concerns other processes, or files.
bool communicates(const Region& region);

/// Kinds whose exclusive time is waiting for other threads of the process.
bool is_idle_kind(const std::string& kind);

/// Kinds whose exclusive time is computation, local calls of MPI among them.
bool is_computing_kind(const std::string& kind);

/// By call path the outermost parallel region that it lies in, itself included; -1: it lies in none.
std::vector<int> outermost_regions(const Profile& profile);

/// Functions, loops, marked blocks, phases and constructs of OpenMP: what has a probe in the program's own code.
bool is_probed_kind(const std::string& kind);

} // namespace andes::postproc
