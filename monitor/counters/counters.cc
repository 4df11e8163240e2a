#include "monitor/counters/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/counters/permission.h"
#include "monitor/say/say.h"

namespace andes::monitor {
namespace {

static_assert(said_event + max_events <= said_limit);

/// Whether the kernel lets users count events of their own processes.
bool is_permitted() {
  char text[32] = {};
  const int file = open(paranoid_file, O_RDONLY | O_CLOEXEC);
  if (file < 0) return true; // not known
  const bool told = read(file, text, sizeof text - 1) > 0;
  close(file);
  return !told || atoi(text) <= most_paranoid;
}

void destroy_event_set(const Papi& papi, int& set) {
  papi.cleanup_eventset(set);
  papi.destroy_eventset(&set);
}

void state_component(const Papi& papi, CountedEvent& event, int component) {
  const PAPI_component_info_t* info = papi.get_component_info(component);
  char fact[100];
  snprintf(fact, sizeof fact, "PAPI's component %.60s is off", info ? info->name : "for it");
  const bool of_processor = info && strncmp(info->name, "perf_event", 10) == 0;
  const char* const remedy = !of_processor     ? "papi_component_avail tells more"
                             : !is_permitted() ? permission_remedy
                                               : "run on a processor that shows its counters, or count events of "
                                                 "software, as perf::PAGE-FAULTS (docs/counters.md)";
  state(event, fact, info ? info->disabled_reason : "", remedy);
}

void state_error(const Papi& papi, CountedEvent& event, int error) {
  constexpr const char* list = "papi_avail and papi_native_avail list the events";
  switch (error) {
  case PAPI_ECMP_DISABLED: state_component(papi, event, event.component); break;
  case PAPI_ECNFLCT:
    state(event, "it cannot be counted together with the events before it", "", "count it in a separate run");
    break;
  case PAPI_EISRUN:
    state(event, "the program itself uses these counters", text_of(papi, event.component, error),
          "let only one of them use this component of PAPI");
    break;
  case PAPI_EPERM: state(event, "not permitted", "", permission_remedy); break;
  default: state(event, "not available", text_of(papi, event.component, error), list);
  }
}

void take_events(Counters& counters, const char* wanted) {
  constexpr const char* between = ", \t\n";
  for (const char* at = wanted + strspn(wanted, between); *at;) {
    const std::size_t length = strcspn(at, between);
    bool known = false;
    for (std::uint32_t i = 0; i < counters.wanted; ++i)
      known = known || (strlen(counters.events[i].name) == length && memcmp(counters.events[i].name, at, length) == 0);
    if (counters.wanted == max_events && !known) {
      state(counters.events[max_events - 1], "too many events: it and those after it are not counted", "",
            "ask for fewer");
      return;
    }
    if (!known) {
      CountedEvent& event = counters.events[counters.wanted++];
      snprintf(event.name, sizeof event.name, "%.*s", static_cast<int>(length), at);
      if (length >= sizeof event.name) state(event, "its name is too long", "", "take a shorter one");
    }
    at += length + strspn(at + length, between);
  }
}

/// Whether the kernel counts the event by itself; then it is tried.
bool take_kernel_event(CountedEvent& event) {
  const int number = kernel_event(event.name);
  if (number < 0) return false;
  const int file = open_kernel_event(number);
  event.trouble[0] = 0;
  event.code = number;
  event.component = kernel_component;
  event.counted = file >= 0;
  if (event.counted) close_kernel_event(file);
  else if (file == -EACCES || file == -EPERM)
    state(event, "not permitted", "", "ask for kernel.perf_event_paranoid to be 1 or less; page faults need 2 or less");
  else state(event, "the kernel does not count it", strerror(-file), "leave it out");
  return true;
}

void find_event(Counters& counters, CountedEvent& event) {
  const Papi& papi = counters.papi;
  event.component = -1;
  if (const int error = papi.event_name_to_code(event.name, &event.code); error != PAPI_OK) {
    if (take_kernel_event(event)) return;
    // Events of the processor have plain names; those of other components begin with its name and ":::".
    const PAPI_component_info_t* processor = papi.get_component_info(0);
    if (!strstr(event.name, ":::") && processor && processor->disabled_reason[0]) state_component(papi, event, 0);
    else state_error(papi, event, error);
    return;
  }
  event.component = papi.get_event_component(event.code);
  if (event.component < 0) state_error(papi, event, event.component);
}

/// Adds the event to the counted ones, if they can be counted together. This is tested by starting the set:
/// some components report an error no earlier.
void try_event(Counters& counters, CountedEvent& event) {
  const Papi& papi = counters.papi;
  int set = PAPI_NULL;
  int error = papi.create_eventset(&set);
  for (const CountedEvent* other = counters.events; error == PAPI_OK && other != &event; ++other)
    if (other->counted && other->component == event.component) error = papi.add_event(set, other->code);
  if (error == PAPI_OK) error = papi.add_event(set, event.code);
  if (error == PAPI_OK && (error = papi.start(set)) == PAPI_OK) {
    long long values[max_events];
    papi.stop(set, values);
  }
  destroy_event_set(papi, set);
  event.counted = error == PAPI_OK;
  if (!event.counted) state_error(papi, event, error);
}

/// Orders the events so that those of a component stand together.
void place_events(Counters& counters) {
  for (std::uint32_t i = 0; i < counters.wanted; ++i) {
    const CountedEvent& first = counters.events[i];
    bool placed = !first.counted;
    for (std::uint32_t g = 0; g < counters.group_count; ++g)
      placed = placed || (counters.groups[g].component == first.component && first.component != kernel_component);
    if (placed) continue;
    EventGroup* group = counters.group_count < max_event_groups ? &counters.groups[counters.group_count++] : nullptr;
    if (group) *group = {first.component, counters.count, 0};
    for (std::uint32_t k = i; k < counters.wanted; ++k) {
      CountedEvent& event = counters.events[k];
      if (!event.counted || event.component != first.component) continue;
      if (event.component == kernel_component && k != i) continue;
      if (!group) {
        event.counted = false;
        state(event, "events of too many components of PAPI", "", "count it in a separate run");
        continue;
      }
      event.place = counters.count++;
      counters.event_of_place[event.place] = k;
      ++group->count;
    }
  }
}

} // namespace

const char* text_of(const Papi& papi, int component, int error) {
  const char* text = component == kernel_component ? strerror(-error) : papi.strerror(error);
  return text ? text : "unknown error";
}

void state(CountedEvent& event, const char* fact, const char* more, const char* remedy) {
  snprintf(event.trouble, sizeof event.trouble, "%.100s%s%.127s; %.127s", fact, *more ? ": " : "", more, remedy);
}

int start_group(const Counters& counters, const EventGroup& group, int& set) {
  const Papi& papi = counters.papi;
  const auto code_of = [&](std::uint32_t place) { return counters.events[counters.event_of_place[place]].code; };
  if (group.component == kernel_component) {
    set = open_kernel_event(code_of(group.first));
    return set < 0 ? set : 0;
  }
  set = PAPI_NULL;
  int error = papi.create_eventset(&set);
  for (std::uint32_t i = group.first; error == PAPI_OK && i < group.first + group.count; ++i)
    error = papi.add_event(set, code_of(i));
  if (error == PAPI_OK) error = papi.start(set);
  if (error != PAPI_OK) destroy_event_set(papi, set);
  return error;
}

int read_group(const Counters& counters, const EventGroup& group, int set, long long* values) {
  return group.component == kernel_component ? read_kernel_event(set, values) : counters.papi.read(set, values);
}

void stop_group(const Counters& counters, const EventGroup& group, int& set) {
  if (group.component == kernel_component) {
    close_kernel_event(set);
    return;
  }
  long long values[max_events];
  counters.papi.stop(set, values);
  destroy_event_set(counters.papi, set);
}

void choose_counters(Counters& counters, const char* wanted, const char* library) {
  take_events(counters, wanted);
  if (counters.wanted == 0) return;
  char trouble[sizeof CountedEvent::trouble];
  const bool loaded = load_papi(counters.papi, library, trouble, sizeof trouble);
  if (!loaded) counters.papi = {}; // none of it is called
  for (std::uint32_t i = 0; i < counters.wanted; ++i) {
    CountedEvent& event = counters.events[i];
    if (!loaded && !take_kernel_event(event)) memcpy(event.trouble, trouble, sizeof trouble);
    if (!event.trouble[0] && !event.counted) find_event(counters, event);
    if (!event.trouble[0] && !event.counted) try_event(counters, event);
  }
  place_events(counters);
}

void say_troubles(Counters& counters) {
  for (std::uint32_t i = 0; i < counters.wanted; ++i) {
    CountedEvent& event = counters.events[i];
    if (!event.trouble[0] || event.said) continue;
    event.said = true;
    andes_say_once(said_event + static_cast<int>(i), "counters: %s: %s", event.name, event.trouble);
  }
}

} // namespace andes::monitor
