// Windows: regions whose visits are too many even to count are closed. Their sites are out of use, which costs next
// to nothing, but for short stretches of time at random moments, in which visits are counted and some timed. So
// visits and times of everything are estimated at any budget (docs/metrics.md, "Windows").
//
// Time is cut into strata of equal length; in each a window begins, at a random place. A visit belongs to the sample if
// it begins in a window, however long it lasts, so all visits have the same chance. What a thread has done
// in a window is related to the time that it had a core in it: the kernel counts that exactly, whoever took the core
// away meanwhile, the opener itself included.
//
// Windows are opened and closed by a thread of their own (window_thread.h), or, where there can be none, by slow
// visits of probes.
//
// Invariants:
//  - all that stands here is changed under its lock; sites are stored to by nobody else once their region is closed;
//  - no site is touched while a module is being unloaded;
//  - the lock is taken after process_lock, never before it, and nothing is asked of the program or of the C library
//    under it that takes one: the thread that opens windows has no thread-local data of its own.
#pragma once
#include <cstdint>

#include "monitor/core/governor.h"
#include "monitor/sites/registry.h"
#include "monitor/sites/probe_sites.h"

namespace andes {

struct Process;
struct Location;

inline constexpr std::uint32_t max_closed = 4096;

struct Windows {
  unsigned char lock;
  bool open;             // now
  bool has_thread;       // that opens them; else slow visits do
  bool over;             // nothing is opened any more
  std::uint32_t unloading; // modules, at present
  std::uint32_t generation; // changes whenever a region is closed or opened for good
  std::uint32_t* closed; // numbers of closed regions
  std::uint32_t closed_count;
  ProbeSites sites;
  std::uint64_t random;
  std::uint64_t stratum_ticks;  // when it began
  std::uint64_t due_ticks;      // the next opening, or closing
  std::uint64_t opened_ticks;
  double length_ms, open_ms;    // of a stratum, and of its window
  std::uint32_t count;          // windows so far
  double opener_ns;             // processor time of the thread that opens them
};

/// Takes the lock. From the program's threads only while signals are blocked (blocked_signals.h) or in MPI.
class LockedWindows {
public:
  explicit LockedWindows(Windows& windows);
  ~LockedWindows();
  LockedWindows(const LockedWindows&) = delete;
  LockedWindows& operator=(const LockedWindows&) = delete;

private:
  Windows& windows_;
};

/// A site has been met: it is known from now on, and out of use if its region is closed and no window is open.
/// `of_module`: lies in the data of a module. Under process_lock.
void meet_site(Process& process, andes_site* site, std::uint32_t region, bool of_module);

/// Closes regions of the list as far as they may be closed. Takes process_lock.
void close_regions(Process& process, const ToClose& to_close, std::uint64_t now_ticks);

/// Tells a location's nodes which of their regions were closed since it last asked. By its own thread.
void follow_closings(Process& process, Location& location);

/// Opens or closes a window if that is due; returns when to call it again. By the thread of the windows, or where
/// there is none by slow visits.
std::uint64_t step_windows(Process& process, std::uint64_t now_ticks);

/// Whether a slow visit has to step them: there is no thread for it, or it has not had a core for long.
bool are_windows_late(const Process& process, std::uint64_t now_ticks);

/// Times begin anew; nothing of what was seen counts.
void restart_windows(Process& process, std::uint64_t now_ticks);

/// No window is opened any more, and what was seen until now counts.
void end_windows(Process& process, std::uint64_t now_ticks);

/// The child of a fork has none of the parent's threads. `goes_on`: it is measured.
void part_windows(Process& process, bool goes_on);

/// Around the unloading of modules.
void begin_unloading(Process& process);
void end_unloading(Process& process);

} // namespace andes
