// Counters: events that the setting `counters` names, counted by PAPI or the kernel for each thread and call path. With
// counters there is no fast path for probes: each visit begins and ends with a reading, and the counts since
// the previous reading are charged to the call path that was innermost meanwhile. So the sums in a tree are
// exclusive, with recursion too, and add up to the counts of the thread.
//
// Invariants:
//  - without the setting nothing here is called, and no library is opened;
//  - nothing here fails the program or ends its run: events that cannot be counted are reported, with the reason.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/counters/kernel_events.h"
#include "monitor/counters/papi.h"

namespace andes::monitor {

inline constexpr std::uint32_t max_events = 32; // in the setting
inline constexpr std::uint32_t max_event_groups = 8; // components of PAPI: an event set has events of one
    // component only

/// An event of the setting.
struct CountedEvent {
  char name[96];
  char trouble[384]; // why it is not counted, or not everywhere: reason and remedy. Empty: no trouble
  int code; // of PAPI, or of the kernel
  int component; // of PAPI, or kernel_component
  std::uint32_t place; // index among the counted events, which are ordered by group
  bool counted;
  bool said; // `trouble` was written to standard error
};

/// Events of one component.
struct EventGroup {
  int component;
  std::uint32_t first, count; // places
};

/// The counters of the process. All zero: nothing is counted.
struct Counters {
  std::uint32_t wanted; // events
  std::uint32_t count; // wanted events that are counted
  std::uint32_t group_count;
  std::uint32_t failed_threads; // threads that do not count, or not until their end
  CountedEvent events[max_events];
  std::uint32_t event_of_place[max_events];
  bool seen[max_events]; // by place: PAPI has given a value; software-defined events may be registered late, or never
  EventGroup groups[max_event_groups];
  Papi papi;
};

/// Chooses the events that can be counted. Called once, by the first thread of the process, within InPapi
/// (core/in_papi.h). `wanted` is the setting.
void choose_counters(Counters& counters, const char* wanted, const char* library);

/// Reports on standard error the events that could not be counted, each once. Only one process of the job
/// reports: its first rank, as soon as that is known.
void say_troubles(Counters& counters);

/// States why the event is not counted: "fact: more; remedy".
void state(CountedEvent& event, const char* fact, const char* more, const char* remedy);

/// What an error means: of the component's functions.
const char* text_of(const Papi& papi, int component, int error);

/// Begin, read and end the counting of a group in the calling thread. `set` is what stands for the group; errors are
/// negative, and leave nothing behind.
int start_group(const Counters& counters, const EventGroup& group, int& set);
int read_group(const Counters& counters, const EventGroup& group, int set, long long* values);
void stop_group(const Counters& counters, const EventGroup& group, int& set);

} // namespace andes::monitor
