// Counters: events that the setting `counters` names, counted by PAPI for each thread and call path. Whoever
// asks for them gives up the probes' fast path: each visit begins and ends with a reading, and what was
// counted since the reading before is charged to the call path that was innermost meanwhile. So the sums of a
// tree are exclusive, recursion and all, and add up to what the thread has counted.
//
// Invariants:
//  - without the setting nothing here is called, and no library is opened;
//  - nothing here fails the program or ends its run: what cannot be counted is stated, with the reason.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/counters/papi.h"

namespace andes {

inline constexpr std::uint32_t max_events = 32;      // of the setting
inline constexpr std::uint32_t max_event_groups = 8; // components of PAPI: an event set has events of one

/// An event that was asked for.
struct CountedEvent {
  char name[96];
  char trouble[384];   // why it is not counted, or not everywhere; a reason and a remedy. Empty: nothing is wrong
  int code;            // of PAPI
  int component;       // of PAPI
  std::uint32_t place; // among those that are counted, by group
  bool counted;
  bool said;           // its trouble, on standard error
};

/// Events of one component.
struct EventGroup {
  int component;
  std::uint32_t first, count; // places
};

/// Of the process. All zero: nothing is to be counted.
struct Counters {
  std::uint32_t wanted;  // events
  std::uint32_t count;   // of them that are counted
  std::uint32_t group_count;
  std::uint32_t failed_threads; // that do not count, or not to their end
  CountedEvent events[max_events];
  std::uint32_t event_of_place[max_events];
  bool seen[max_events]; // by place: PAPI has given a number; software may register its events late, or never
  EventGroup groups[max_event_groups];
  Papi papi;
};

/// Chooses what can be counted; the first thread of the process, once, within InPapi (core/counting.h). `wanted` is the setting.
void choose_counters(Counters& counters, const char* wanted, const char* library);

/// What could not be counted, on standard error, what was said before left out. Once for the job: by its first
/// rank, as soon as that is known.
void say_troubles(Counters& counters);

/// States why the event is not counted: "fact: more; remedy".
void state(CountedEvent& event, const char* fact, const char* more, const char* remedy);

const char* text_of(const Papi& papi, int error);

/// Destroys a set of events of which nothing is counted.
void put_down(const Papi& papi, int& set);

} // namespace andes
