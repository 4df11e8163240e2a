// Process: all that the monitor knows and has measured about this process, but for locks and thread-local state
// (this_thread.h). The finishing library gets it by reference once measuring is over: it is its input.
//
// Invariants:
//  - `process_lock` guards registry, locations and state; it is taken on slow paths only, and never by a
//    thread that is already inside the monitor (a signal handler's probe gives up instead);
//  - locations are never freed: the program's modules hold pointers to them.
#pragma once
#include <pthread.h>

#include <cstdint>

#include "monitor/arena/arena.h"
#include "monitor/clock/clock.h"
#include "monitor/clock/clock_sync.h"
#include "monitor/core/budget.h"
#include "monitor/core/location.h"
#include "monitor/core/monitor_settings.h"
#include "monitor/core/windows.h"
#include "monitor/counters/counters.h"
#include "monitor/sites/addresses.h"
#include "monitor/sites/named_sites.h"
#include "monitor/sites/registry.h"
#include "monitor/system/blocked_signals.h"

namespace andes::monitor {

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

struct Snapshot {
  std::uint64_t ticks;
};

struct MpiFacts {
  bool present = false;
  bool spawned = false; // started by processes of another MPI_COMM_WORLD
  bool sessions = false; // MPI sessions without MPI_Init: the ranks never meet
  int rank = 0, size = 1;
  int version = 0, subversion = 0;
  std::uint64_t init_ticks = 0; // duration of MPI_Init
  char library[256] = {};
  andes_eager_limits eager = {};
};

/// Lies in pages of its own: the arena's file is mapped over them.
struct alignas(largest_page_bytes) Process {
  State state = State::idle;
  MonitorSettings settings;
  Clock clock;
  Registry registry = {};
  Addresses addresses = {};
  NamedSites names = {};
  Windows windows = {};
  Budget tree_memory;     // what is left of setting tree_mb
  ProbeCosts costs;           // of probes, as of the latest calibration; calibrated while other threads read it
  CostHistory cost_history;   // written by the thread that calibrates
  bool calibrating = false;
  Location* locations[max_locations] = {};
  std::uint32_t location_count = 0; // number 0 is the main thread's, even if other threads were met first
  bool locations_full = false;      // there was no memory for another location
  std::uint64_t end_ticks = 0;      // entry into MPI_Finalize, or exit
  std::int32_t process_id = 0;
  bool lines_are_said = false; // at the end: standard error is still the same file (monitor/say)
  bool chosen = false; // this process is ANDES_PID: measured even without MPI
  std::uint32_t openmp = 0; // OpenMp: runtimes whose parallel regions were met
  MpiFacts mpi;
  EventTables events;
  ClockSync clock_sync;
  GlobalClock global_clock;
  Counters counters = {};
  bool fast_visits = false; // visits need no more than the probes do inline: the clock is the time stamp counter, and
      // no visit must be seen
  Snapshot snapshots[max_snapshots] = {};
  std::uint32_t snapshot_count = 0; // of all; only the first max_snapshots are kept, each shortly after it is counted
  Arena arena = {};
};

extern Process the_process;

/// Whether the monitor must see every visit: to read counters, or to log it. Then none is sampled.
inline bool sees_all_visits(const Process& process) {
  return process.counters.count != 0 || (process.events.logged_calls & function_calls) != 0;
}

/// The state, which another thread may change meanwhile.
inline State state_now(const Process& process) {
  State state;
  __atomic_load(&process.state, &state, __ATOMIC_RELAXED);
  return state;
}

/// Not part of the_process: threads may wait for the lock while the arena is mapped over the_process.
extern pthread_mutex_t process_lock;

/// Holds process_lock.
class ProcessLock {
public:
  ProcessLock() { pthread_mutex_lock(&process_lock); }
  ~ProcessLock() { pthread_mutex_unlock(&process_lock); }
  ProcessLock(const ProcessLock&) = delete;
  ProcessLock& operator=(const ProcessLock&) = delete;
};

/// Holds process_lock with all signals but those of faults blocked. For entries from the program's own code, such as
/// probes: a signal handler may longjmp out of these. It must not longjmp out of an MPI call: there ProcessLock is
/// enough.
class SignalSafeProcessLock {
  const BlockedSignals blocked_;
  const ProcessLock locked_;
};

/// Calls `each` with every location of the process, also those of threads that have ended.
template <class Each> void for_each_location(Each each) {
  for (std::uint32_t i = 0; i < the_process.location_count; ++i)
    if (the_process.locations[i]) each(*the_process.locations[i]);
}

/// Stamps a snapshot, if the process is measured. Lock-free: signal handlers may call it.
void stamp_snapshot(std::uint64_t now_ticks);

} // namespace andes::monitor
