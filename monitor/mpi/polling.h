// PollingLoop: polls of a thread (MPI_Test, MPI_Iprobe, MPI_Win_test, ...) that follow each other and find nothing, up
// to the one that finds what the thread has waited for. The last poll is then logged as one call that begins with the
// first: so the rules classify the wait in a loop as they classify the one in MPI_Wait.
//
// Invariants:
//  - what the program computes between two polls is no part of the loop: its begin moves forward by as much. A gap
//    of at most `gap_ticks`, or the time that a poll takes, is the loop's own and counts as time of the polls.
//    library_ticks of the location contains it;
//  - of longer gaps (long_gaps in polling.cc) the kernel tells what the thread has computed: short sleeps and time in
//    which other threads had the core are the loop's own, too. Long sleeps stand for work here as everywhere else;
//  - any other call of MPI but local ones ends the loop, and so does a poll that finds something;
//  - polls of closed regions read no clock: they are counted, and every 32nd looks what time it is;
//  - a loop that has lasted for long stands in the arena (PollReport, with what it asks for as an Intent): each tenth
//    of a second it is seen to go on; each time that it has doubled its length a few polls are asked what they want.
#pragma once
#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {

/// How a thread uses its core in a polling loop, as far as it is known: tells what was computed between polls from
/// sleep, waits for a core and interrupts.
struct CoreUse {
  /// Time that the thread has had a core, as the kernel counted it at the end of a poll, and when that was; 0: not
  /// asked in this loop.
  std::uint64_t had_ticks, read_at_ticks;
  /// Time that the thread has waited for a core, as asked last; 0: not asked in this loop.
  std::uint64_t waited_ticks;
  /// Time of batches that took too long for once, which is not counted as computation yet.
  std::uint64_t chance_ticks;
  /// There were long gaps in this loop; in the one before.
  bool pauses, paused;
};

struct PollingLoop {
  /// 0: no poll has been in vain since the last one that found something.
  std::uint64_t begin_ticks;
  /// Up to here the loop's time is accounted for.
  std::uint64_t seen_ticks;
  /// Of the location at that time; another value later tells of another call in between.
  std::uint64_t library_ticks;
  /// What a poll takes, rather less; 0: not known yet.
  std::uint64_t poll_ticks;
  /// The longest gap that is the loop's own, and the longest one that the kernel need not be asked about.
  std::uint64_t own_gap_ticks, long_gap_ticks;
  CoreUse core;
  /// Its first poll, whatever was computed since; when the arena is told of it next, and when what it asks for.
  std::uint64_t first_ticks, due_ticks, ask_ticks;
  /// When the arena was told of it first; what had been computed until then, and how long the thread had had a core and
  /// had waited for one.
  std::uint64_t told_ticks, told_computed_ticks, told_core_ticks, told_wait_ticks;
  std::uint64_t polls; // since then, with and without a visit
  std::uint64_t between_ticks; // since then: time between looks, without the polls that had a visit
  /// How often the thread had yielded its core at the end of the last poll.
  std::uint64_t yields;
  /// Polls that are to say what they ask for.
  std::uint32_t to_ask;
  /// Polls since seen_ticks that have read no clock, and how many of them are counted before it is read.
  std::uint32_t untimed, look_at;
  /// Timed polls since continue_loop().
  std::uint32_t timed;
  /// More than the loop's own has passed between the last looks, as far as is known.
  bool computes;
  /// The last loop that ended had polls in vain.
  bool waited;
};
extern __thread PollingLoop polling __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// The longest gap between two polls that is the loop's own.
extern std::uint64_t gap_ticks;

inline constexpr std::uint32_t polls_between_looks = 32;
/// Consecutive ones, and again as many behind one that asks for something new.
inline constexpr std::uint32_t polls_to_ask = 64;

bool look_at_loop();
bool yielded(const PollingLoop& loop, const andes_location_data& location, std::uint64_t gap);
bool continue_loop(const Visit& visit);
Visit end_loop(const Visit& visit);

/// Counts a poll without a visit that was in vain. False: look_at_loop() is due.
[[gnu::always_inline]] inline bool is_only_counted() { return ++polling.untimed < polling.look_at; }

/// The call has asked in vain. True: it is to declare what it has asked for (polled.h).
[[gnu::always_inline]] inline bool polled_in_vain(const Visit& visit) {
  PollingLoop& loop = polling;
  if (!visit) return __builtin_expect(!is_only_counted(), 0) && look_at_loop();
  const std::uint64_t gap = visit.enter_ticks - loop.seen_ticks;
  andes_location_data& location = *visit.location;
  if (__builtin_expect(loop.begin_ticks != 0 && loop.untimed == 0 && gap + visit.ticks <= loop.long_gap_ticks &&
                           loop.library_ticks + visit.ticks == location.library_ticks &&
                           ++loop.timed < polls_between_looks,
                       1)) {
    const bool is_work = gap > loop.own_gap_ticks && (location.yields == loop.yields || !yielded(loop, location, gap));
    const std::uint64_t computed = is_work ? gap : 0;
    loop.yields = location.yields;
    loop.begin_ticks += computed;
    location.library_ticks += gap - computed;
    loop.seen_ticks = visit.enter_ticks + visit.ticks;
    loop.library_ticks = location.library_ticks;
    return false;
  }
  return continue_loop(visit);
}

/// The call has found something: it with the polls before it as one call. Without a visit that is as before.
inline Visit loop_with(const Visit& visit) {
  polling.waited = false;
  return polling.begin_ticks != 0 ? end_loop(visit) : visit;
}

/// The call path of a poll without a visit; null: it is not the program's, or nothing is measured. `region`: of the
/// site, 0 until it is known.
andes_node* closed_path(const andes_site& site, std::uint32_t& region, std::uintptr_t stack, std::uintptr_t caller);

/// The visit of a poll without one, since its region is closed, which has found something: with the polls before it
/// as one call. Where there are none the visit has no length. `region` as above.
Visit closed_loop(const andes_site& site, std::uint32_t& region, std::uintptr_t stack, std::uintptr_t caller);

} // namespace andes::monitor::mpi
