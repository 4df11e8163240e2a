#include "monitor/core/counting.h"

#include "monitor/core/in_papi.h"

namespace andes::monitor {
namespace {

int read_all(const Counters& counters, const Counting& counting, long long* now) {
  const InPapi in_papi;
  int error = PAPI_OK;
  for (std::uint32_t g = 0; g < counters.group_count && error == PAPI_OK; ++g)
    error = counters.papi.read(counting.sets[g], now + counters.groups[g].first);
  return error;
}

/// The thread stops counting; the first thread of the process that fails says why.
void fail(Counters& counters, Location& location, const char* fact, int error) {
  location.counting.counters = nullptr;
  if (__atomic_fetch_add(&counters.failed_threads, 1, __ATOMIC_RELAXED) != 0) return;
  for (std::uint32_t i = 0; i < counters.wanted; ++i)
    if (counters.events[i].counted)
      state(counters.events[i], fact, text_of(counters.papi, error),
            "its counts cover the time before, and other threads");
}

} // namespace

void start_counting(Counters& counters, Location& location) {
  if (counters.count == 0 || !location.tree.counts) return;
  const InPapi in_papi;
  const Papi& papi = counters.papi;
  Counting& counting = location.counting;
  papi.register_thread(); // without it PAPI registers the thread itself
  int error = PAPI_OK;
  std::uint32_t made = 0;
  for (; made < counters.group_count && error == PAPI_OK; ++made) {
    const EventGroup& group = counters.groups[made];
    counting.sets[made] = PAPI_NULL;
    error = papi.create_eventset(&counting.sets[made]);
    for (std::uint32_t i = group.first; error == PAPI_OK && i < group.first + group.count; ++i)
      error = papi.add_event(counting.sets[made], counters.events[counters.event_of_place[i]].code);
    if (error == PAPI_OK) error = papi.start(counting.sets[made]);
  }
  if (error != PAPI_OK) {
    long long values[max_events];
    while (made-- > 0) {
      papi.stop(counting.sets[made], values);
      destroy_event_set(papi, counting.sets[made]);
    }
    fail(counters, location, "a thread cannot count", error);
    return;
  }
  counting.drop = true;
  counting.counters = &counters;
  count_now(location);
}

void stop_counting(Location& location) {
  Counting& counting = location.counting;
  Counters* const counters = counting.counters;
  if (!counters) return;
  const InPapi in_papi;
  count_now(location);
  counting.counters = nullptr;
  long long values[max_events];
  for (std::uint32_t g = 0; g < counters->group_count; ++g) {
    counters->papi.stop(counting.sets[g], values);
    destroy_event_set(counters->papi, counting.sets[g]);
  }
}

void forget_thread(Counters& counters) {
  if (counters.count != 0) counters.papi.unregister_thread();
}

void give_up_counting(Location& location) { location.counting.counters = nullptr; }

void count_now(Location& location) {
  Counting& counting = location.counting;
  Counters* const counters = counting.counters;
  if (!counters) return;
  long long now[max_events];
  if (const int error = read_all(*counters, counting, now); error != PAPI_OK) {
    fail(*counters, location, "reading has failed", error);
    return;
  }
  const bool drop = __atomic_exchange_n(&counting.drop, false, __ATOMIC_RELAXED) || location.suspended;
  std::int64_t* const sums = counts_of(location.tree, innermost(location));
  for (std::uint32_t i = 0; i < counters->count; ++i) {
    // A software-defined event that is not registered yet reads as -1; a value that falls counts as no change.
    const std::int64_t value = now[i] > 0 ? now[i] : 0;
    if (now[i] >= 0 && !__atomic_load_n(&counters->seen[i], __ATOMIC_RELAXED))
      __atomic_store_n(&counters->seen[i], true, __ATOMIC_RELAXED);
    if (!drop && value > counting.last[i]) sums[i] += value - counting.last[i];
    counting.last[i] = value;
  }
}

} // namespace andes::monitor
