#include "monitor/core/counting.h"

#include "monitor/core/in_papi.h"

namespace andes::monitor {
namespace {

/// An error of a group; 0: none.
struct GroupError {
  int error = 0;
  int component = 0;
};

GroupError read_all(const Counters& counters, const Counting& counting, long long* now) {
  const InPapi in_papi;
  int error = 0;
  for (std::uint32_t g = 0; g < counters.group_count; ++g) {
    error = read_group(counters, counters.groups[g], counting.sets[g], now + counters.groups[g].first);
    if (error != 0) return {error, counters.groups[g].component};
  }
  return {};
}

/// The thread stops counting; the first thread of the process that fails says why.
void fail(Counters& counters, Location& location, const char* fact, const GroupError& failed) {
  location.counting.counters = nullptr;
  if (__atomic_fetch_add(&counters.failed_threads, 1, __ATOMIC_RELAXED) != 0) return;
  for (std::uint32_t i = 0; i < counters.wanted; ++i)
    if (counters.events[i].counted)
      state(counters.events[i], fact, text_of(counters.papi, failed.component, failed.error),
            "its counts cover the time before, and other threads");
}

} // namespace

void start_counting(Counters& counters, Location& location) {
  if (counters.count == 0 || !location.tree.counts) return;
  const InPapi in_papi;
  Counting& counting = location.counting;
  if (counters.papi.register_thread) counters.papi.register_thread(); // without it PAPI registers the thread itself
  for (std::uint32_t made = 0; made < counters.group_count; ++made) {
    const int error = start_group(counters, counters.groups[made], counting.sets[made]);
    if (error == 0) continue;
    const GroupError failed{error, counters.groups[made].component};
    while (made-- > 0) stop_group(counters, counters.groups[made], counting.sets[made]);
    fail(counters, location, "a thread cannot count", failed);
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
  for (std::uint32_t g = 0; g < counters->group_count; ++g)
    stop_group(*counters, counters->groups[g], counting.sets[g]);
}

void forget_thread(Counters& counters) {
  if (counters.count != 0 && counters.papi.unregister_thread) counters.papi.unregister_thread();
}

void give_up_counting(Location& location) { location.counting.counters = nullptr; }

void count_now(Location& location) {
  Counting& counting = location.counting;
  Counters* const counters = counting.counters;
  if (!counters) return;
  long long now[max_events];
  if (const GroupError failed = read_all(*counters, counting, now); failed.error != 0) {
    fail(*counters, location, "reading has failed", failed);
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
