// Windows: regions with too many visits even to count them are closed (closed_regions.h). Their sites are out of use,
// which costs next to nothing, except in windows: short times at random moments in which visits are counted and some
// are timed. So visits and times of all call paths can be estimated at any budget (docs/metrics.md, "Windows").
//
// Time is cut into strata of equal length; in each a window begins, at a random place. A visit belongs to the sample if
// it begins in a window, however long it lasts, so all visits have the same chance. A thread's visits in a window are
// related to its core time in the window: the kernel counts core time exactly, whichever thread takes the core
// meanwhile, the thread of the windows included.
//
// Windows are opened and closed by a thread of their own (window_thread.h), which takes samples of functions, too, or,
// where there can be none, by slow visits of probes.
//
// Invariants:
//  - all data here is changed under its lock;
//  - the lock is taken after process_lock, never before it, and under it nothing of the program or the C library is
//    called that takes another lock: the thread that opens windows has no thread-local data of its own.
#pragma once
#include <cstdint>

#include "monitor/core/governor.h"
#include "monitor/core/unloading.h"
#include "monitor/sites/probe_sites.h"
#include "monitor/sites/registry.h"

namespace andes::monitor {

struct Process;
struct Location;

inline constexpr std::uint32_t max_closed = 4096;

/// Whether it is known how often functions can be sampled, if at all.
enum class Preparation : std::uint8_t {
  due,
  running, // the thread waits for the kernel, perhaps for 0.1 s: the end does not wait for the thread then
  done
};

struct Windows {
  unsigned char lock;
  bool open; // now; read without the lock where a search is counted
  bool has_thread; // a thread opens windows; else slow visits do
  bool over; // no window is opened any more
  bool no_samples; // of functions: there is no memory for them
  Preparation of_samples;
  std::uint32_t unloading; // modules that are being unloaded now
  UnloadedCode unloaded;
  std::uint32_t generation; // changes whenever a region is closed or opened for good
  std::uint32_t* closed; // numbers of closed regions
  std::uint32_t closed_count;
  ProbeSites sites;
  std::uint64_t random;
  std::uint64_t round_random; // chooses the window of the present round in which a call path is timed
  std::uint64_t thread_ticks; // when the thread that opens windows began, and with it samples, or times began anew
      // since; 0: not yet
  std::uint64_t started_ticks; // begin of the first stratum
  std::uint64_t stratum_ticks; // begin of the present stratum
  std::uint64_t due_ticks; // the next opening, or closing
  std::uint64_t opened_ticks;
  double length_ms, open_ms; // length of a stratum, and of its window
  std::uint32_t count; // windows so far
  double thread_ns; // processor time of the thread that opens windows
  double steps_ns; // processor time that opening and closing has taken, with the waiting of the thread that does it
  double reading_ns; // the part of that for reading samples of functions
  double sample_cost_ns, sample_period_ns; // of samples of functions (function_samples.h); 0: none are taken
  std::uint32_t later_periods; // from one to the next once they come less often
};

/// Whether any region is closed. May be called without the lock.
inline bool is_any_closed(const Windows& windows) {
  return __atomic_load_n(&windows.closed_count, __ATOMIC_ACQUIRE) != 0; // with has_thread
}

/// Takes the lock, or, if it must not wait for it, perhaps not: then it is false. From the program's threads only while
/// signals are blocked (blocked_signals.h) or in MPI.
class LockedWindows {
public:
  explicit LockedWindows(Windows& windows, bool waits = true);
  ~LockedWindows();
  LockedWindows(const LockedWindows&) = delete;
  LockedWindows& operator=(const LockedWindows&) = delete;
  explicit operator bool() const { return taken_; }

private:
  Windows& windows_;
  bool taken_;
};

/// A thread that opens and closes windows, and its processor time until which that is counted, ns.
struct WindowStepper {
  std::int32_t thread_id;
  double until_ns;
};

/// To be called before a region is closed while no other is. Under the lock.
void start_windows(Process& process, std::uint64_t now_ticks);

/// To be called once a call path is sampled, so that samples tell of visits so short that timing them tells little
/// (decision 287).
void start_samples_early(Process& process, std::uint64_t now_ticks);

/// Whether it is time to call prepare_samples().
bool are_samples_due(const Process& process, std::uint64_t now_ticks);

/// Closes the window that is open. Under the lock.
void close_window(Process& process, std::uint64_t now_ticks);

/// Opens or closes a window if that is due; returns when to call it again. Called by the thread of the windows.
std::uint64_t step_windows(Process& process, WindowStepper& stepper, std::uint64_t now_ticks);

/// The same by a slow visit, unless another thread is at it: that one may have lost its core, and holds the lock.
void step_late_windows(Process& process, std::int32_t own_id, std::uint64_t now_ticks);

/// To be called before measuring is switched off or on: samples of functions until now are of the state before.
void end_samples_of_state(Process& process);

/// Finds how often functions may be sampled, by taking some samples of the calling thread, that of the windows.
void prepare_samples(Process& process, std::int32_t own_id);

/// Whether a slow visit must call step_late_windows(): there is no thread for it, or the thread has not had a core
/// for long.
bool are_windows_late(const Process& process, std::uint64_t now_ticks);

/// Times begin anew; all data of earlier windows is dropped.
void restart_windows(Process& process, std::uint64_t now_ticks);

/// No window is opened any more; the data so far counts.
void end_windows(Process& process, std::uint64_t now_ticks);

/// The child of a fork has none of the parent's threads. `goes_on`: it is measured.
void reset_windows_in_child(Process& process, bool goes_on);

} // namespace andes::monitor
