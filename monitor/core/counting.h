// Counting: the counters of a thread (counters/counters.h), read at the slow path of each visit and charged to its call
// path.
//
// Invariants:
//  - a thread's counters are read by that thread alone: PAPI knows no others' (count());
//  - what cannot be attributed is dropped, not charged to something else: the time before the measured
//    interval, while switched off, and what other threads have counted since their last reading when these begin or end.
#pragma once
#include <cstdint>

#include "monitor/counters/counters.h"

namespace andes {

struct Location;

/// Of a thread; in its Location.
struct Counting {
  Counters* counters; // null: nothing is read
  int sets[max_event_groups];
  std::int64_t last[max_events]; // by place, at the reading before
  bool drop; // what is counted until the next reading is not charged
};

/// Begins and ends counting in the calling thread, whose location it is.
void start_counting(Counters& counters, Location& location);
void stop_counting(Location& location);

/// The calling thread ends: PAPI forgets it.
void forget_thread(Counters& counters);

/// The location of another thread: it is read no more.
void give_up_counting(Location& location);

/// Charges what the calling thread has counted since its last reading to the innermost open call path of its
/// location.
void count_now(Location& location);

} // namespace andes
