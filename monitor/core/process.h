// Process: what the monitor knows of this process and has measured; besides it there are locks, and what the threads
// themselves keep (here.h). The finishing library gets it by reference once measuring is over: it is its input.
//
// Invariants:
//  - `process_lock` guards registry, locations and state; it is taken on slow paths only, and never by a
//    thread that is already inside the monitor (a signal handler's probe gives up instead);
//  - locations are never freed: modules of the program hold pointers to them.
#pragma once
#include <pthread.h>

#include <cstdint>

#include "monitor/core/addresses.h"
#include "monitor/core/arena.h"
#include "monitor/core/budget.h"
#include "monitor/core/clock.h"
#include "monitor/core/clock_sync.h"
#include "monitor/core/counters.h"
#include "monitor/core/location.h"
#include "monitor/core/named_sites.h"
#include "monitor/core/registry.h"
#include "monitor/core/standard_error.h"
#include "monitor/core/undisturbed.h"
#include "monitor/core/windows.h"

namespace andes {

inline constexpr std::uint32_t max_locations = 4096;
inline constexpr std::uint32_t max_snapshots = 1024;

enum class State : std::uint32_t {
  idle,      // nothing measured yet: no file, no thread, no output
  measuring,
  off,       // switched off by MPI_Pcontrol(0)
  finished,  // run written, or given up
};

/// Runtimes of OpenMP, as bits.
enum OpenMp : std::uint32_t { openmp_gomp = 1, openmp_omp = 2 };

/// Settings of monitor/interface/settings.h as the monitor uses them.
struct MonitorSettings {
  bool from_start = false;
  bool full_recursion = false;
  bool tsc_allowed = true;
  bool windows = true, window_thread = true;
  bool call_sites = false;
  double budget_percent = default_of("budget_percent"); // 0: every visit is timed
  double tree_mb = default_of("tree_mb");               // of all locations together
  std::uint32_t node_limit = default_of("node_limit"), depth_limit = default_of("depth_limit");
  std::uint32_t phase_limit = default_of("phase_limit"); // steps of a phase, in one call path, that are told apart
  std::uint64_t table_values = default_of("table_values");
  double columns_mb = default_of("columns_mb");
  double log_mb = default_of("log_mb"); // of all locations together
  double transfer_latency_ns = 0, transfer_bytes_per_s = 0; // of messages; 0: to be measured
  double gather_timeout_s = default_of("gather_timeout_s");
  const char* out = "";
  std::uint8_t request_inits = 0; // of event_log.h: calls that setting `events` wants
  const char* rules = "";  // path of a further file of rules
  const char* arena = "";  // arena_place.h
  int snapshot_signal = 0; // 0: none
  const char* counters = ""; // names of events
  const char* papi_library = "";
};

struct Snapshot {
  std::uint64_t ticks;
};

struct MpiFacts {
  bool present = false;
  bool spawned = false; // by processes of another MPI_COMM_WORLD
  int rank = 0, size = 1;
  int version = 0, subversion = 0;
  std::uint64_t init_ticks = 0; // duration of MPI_Init
  char library[256] = {};
};

/// Lies in pages of its own, which the arena maps over.
struct alignas(arena_page_bytes) Process {
  State state = State::idle;
  MonitorSettings settings;
  Clock clock;
  Registry registry = {};
  Addresses addresses = {};
  NamedSites names = {};
  Windows windows = {};
  Budget tree_memory;     // what is left of setting tree_mb
  ProbeCosts costs, costs_at_end; // of probes: the governor knows the first
  Location* locations[max_locations] = {};
  std::uint32_t location_count = 0; // 0 is the main thread's, also when it came late
  bool locations_full = false;      // there was no memory for one more
  std::uint64_t end_ticks = 0;      // entry into MPI_Finalize, or exit
  std::int32_t process_id = 0;
  bool chosen = false; // this process is ANDES_PID: measured even without MPI
  StandardError standard_error; // when the process began
  std::uint32_t openmp = 0; // OpenMp: whose parallel regions were met
  MpiFacts mpi;
  EventTables events;
  ClockSync clock_sync;
  GlobalClock global_clock;
  Counters counters = {};
  bool fast_visits = false; // what probes do inline is all there is to do: the clock is the time stamp counter, nothing is counted
  Snapshot snapshots[max_snapshots] = {};
  std::uint32_t snapshot_count = 0; // all; only the first max_snapshots are kept, each soon after it is counted
  Arena arena = {};
};

extern Process the_process;
/// Not in the image: threads may wait for it while the arena is mapped over the_process.
extern pthread_mutex_t process_lock;

/// Calls `each` with every location of the process, also those of threads that have ended.
template <class Each> void for_each_location(Each each) {
  for (std::uint32_t i = 0; i < the_process.location_count; ++i)
    if (the_process.locations[i]) each(*the_process.locations[i]);
}

/// Holds the lock of the process's state.
class LockedInMpi {
public:
  LockedInMpi() { pthread_mutex_lock(&process_lock); }
  ~LockedInMpi() { pthread_mutex_unlock(&process_lock); }
  LockedInMpi(const LockedInMpi&) = delete;
  LockedInMpi& operator=(const LockedInMpi&) = delete;
};

/// The same where the program may be in code of its own, as in probes: a signal handler may leave that for ever. Calls
/// of MPI nobody may leave so.
class Locked {
  const Undisturbed undisturbed_;
  const LockedInMpi locked_;
};

/// Whether the settings let this process be measured at all.
bool monitor_wanted();

/// Setting call_sites, also before anything is measured.
bool call_sites_wanted();

/// Reads ANDES_* from the environment (they were checked by `andes run`; what cannot be read here
/// keeps its default and is said once: so only when something is measured).
MonitorSettings read_settings();

/// Stamps a snapshot, if something is measured. Lock-free: from signal handlers too.
void stamp_snapshot(std::uint64_t now_ticks);

/// Starts measuring if that has not happened yet; under the lock. False when nothing is measured.
bool start_measuring();

/// This thread's location, attached if need be; null when not measured or when called again from
/// inside the monitor. Takes the lock.
Location* attach_thread();

/// How long the location's thread has waited for a core since that was last asked.
void add_core_waits(Location& location);

/// The same for a module, whose view of it is filled in.
Location* look_around(andes_view* view);

/// A frame for andes_leave that only andes_monitor::leave can leave.
inline constexpr std::uintptr_t slow_leave = 1;
inline andes_frame* tagged(andes_frame* frame) {
  return reinterpret_cast<andes_frame*>(reinterpret_cast<std::uintptr_t>(frame) | slow_leave);
}

/// Before a fork, and after it in the parent.
void hold_process();
void let_process_go();
/// After it in the child.
void part_process();

/// Ends measuring and, if there is something to tell, hands over to the finishing library. False: there is no memory
/// left to ask anything of MPI but its end.
bool finish_process(const andes_transport* transport);

} // namespace andes
