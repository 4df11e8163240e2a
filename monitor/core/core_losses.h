// Core losses: what a thread notices of its waits for a core (docs/metrics.md, "Waiting for a core"). A visit of a
// microsecond that contains such a wait takes milliseconds; if it is timed it stands for thousands of visits. So timed
// visits of sampled call paths in which the thread has lost its core are kept apart (SampleRecord::interrupted). The
// kernel's mark (switch_mark.h) tells of a switch for the price of a load; numbers are asked for after a switch alone.
//
// Invariants:
//  - all of it is written by the location's own thread, but for the waits, which another thread may read while this one
//    is held or has ended, and for the mark, which another thread may take away;
//  - CLOCK_THREAD_CPUTIME_ID is never asked for: the kernel then looks whether the thread's turn is over, so that waits
//    would move from the program into the monitor.
#pragma once
#include <cstdint>

#include "monitor/system/core_waits.h"
#include "monitor/system/switch_mark.h"

namespace andes::monitor {

/// Readings of a thread's waits: each tells the number m and the time d (ns) of the waits since the one before.
struct WaitReadings {
  double count = 0; // of readings with waits
  double m = 0, d = 0, mm = 0, md = 0, dd = 0; // sums of m and d, of their squares and products
};

struct CoreLosses {
  std::uint64_t* mark = nullptr; // of this thread; null: switches are not noticed
  bool notices = false; // some thread of the location had a mark
  bool has_counted = false; // this thread
  ThreadSwitches counted = {}; // when a switch was noticed last
  std::uint64_t lost_ticks = 0, left_ticks = 0; // when an involuntary, and a voluntary, switch was noticed last
  double work_ticks = 0; // running mean of pieces of the monitor's own work in which the core was not lost
  std::uint64_t monitor_ticks = 0; // waits within that work
  std::uint64_t read_ticks = 0; // of the latest reading on the way
  CoreWaits waits = {}; // in the measured interval
  CoreWaits waits_before = {}; // of the thread, at the latest reading
  WaitReadings readings = {};
};

/// The calling thread, `thread_id`, is the location's from here on.
void begin_core_losses(CoreLosses& losses, std::int32_t thread_id);

/// Whether there was a switch, or a signal, since notice_switch() was last called. Asked at the end of timed visits,
/// and of those before them that bring their code into the caches; at the begin on the slow path alone: the fast path
/// does not look.
inline bool has_switched(const CoreLosses& losses) {
  const std::uint64_t* const mark = load_relaxed(losses.mark);
  return mark && !is_marked(*mark);
}

/// Notes what kind of switch there was. By the location's own thread.
void notice_switch(CoreLosses& losses, std::uint64_t now_ticks);

/// Whether the thread has lost its core since then against its will, and has not given it up itself.
inline bool is_interrupted(const CoreLosses& losses, std::uint64_t since_ticks) {
  return losses.lost_ticks > since_ticks && losses.left_ticks <= since_ticks;
}

/// Notes a wait for a core within a piece of the monitor's own work, at whose end it is to be called by the location's
/// own thread: what it lasted longer than others do. The kernel looks whether a turn is over when it is asked for
/// processor times, so turns end here that would have ended a little later without the monitor (decision 297).
void note_work(CoreLosses& losses, std::uint64_t begin_ticks, std::uint64_t end_ticks);

/// Adds the waits since the last reading, `now` being all waits of the thread.
void add_reading(CoreLosses& losses, const CoreWaits& now);
void read_core_waits(CoreLosses& losses, std::int32_t thread_id);

/// The same, if there were some and the last reading was long ago: at a small budget (share of the time) longer.
void read_core_waits_now_and_then(CoreLosses& losses, std::int32_t thread_id, std::uint64_t now_ticks,
                                  double ticks_per_ms, double budget);

/// A measured interval begins. The location's thread may be another than the calling one.
void restart_core_losses(CoreLosses& losses, std::int32_t thread_id);

} // namespace andes::monitor
