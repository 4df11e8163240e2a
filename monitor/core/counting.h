// Counting: the counters of a thread (counters/counters.h), read at the slow path of each visit and charged to its call
// path.
//
// Invariants:
//  - only the thread itself reads its counters: PAPI gives a thread no others (count());
//  - counts that belong to no call path are dropped: those before the measured interval and while measuring is switched
//    off, and those of other threads since their last reading when one of these times begins or ends.
#pragma once
#include <cstdint>

#include "monitor/counters/counters.h"

namespace andes::monitor {

struct Location;

/// The counters of one thread; a member of its Location.
struct Counting {
  Counters* counters; // null: the thread does not count
  int sets[max_event_groups];
  std::int64_t last[max_events]; // values at the last reading, by place
  bool drop; // counts until the next reading are not charged
};

/// Begin and end counting in the calling thread, whose location `location` is.
void start_counting(Counters& counters, Location& location);
void stop_counting(Location& location);

/// To be called when the calling thread ends: PAPI forgets the thread.
void forget_thread(Counters& counters);

/// The counters of `location`, which is another thread's, are not read any more.
void give_up_counting(Location& location);

/// Charges the counts of the calling thread since its last reading to the innermost open call path of its
/// location.
void count_now(Location& location);

} // namespace andes::monitor
