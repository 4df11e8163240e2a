// For the code that opens and closes regions and windows (closed_regions.h, windows.h): the threads and their call
// paths of closed regions. All of it under the lock of the windows.
#pragma once
#include "monitor/core/bounds.h"
#include "monitor/core/process.h"
#include "monitor/system/thread_time.h"

namespace andes::monitor {

inline std::uint64_t ticks_of(const Process& process, double ms) {
  return static_cast<std::uint64_t>(ms * process.costs.ticks_per_ms);
}

inline bool is_measured(const Process& process) { return state_now(process) == State::measuring; }

template <class Each> void for_each_thread(Process& process, Each each) {
  const std::uint32_t count = __atomic_load_n(&process.location_count, __ATOMIC_ACQUIRE);
  for (std::uint32_t i = 0; i < count; ++i)
    if (Location* location = __atomic_load_n(&process.locations[i], __ATOMIC_ACQUIRE)) each(*location);
}

/// Calls each(record) for the call paths of closed regions in this location.
template <class Each> void for_each_record(const Tree& tree, Each each) {
  const std::uint32_t count = __atomic_load_n(&tree.record_count, __ATOMIC_ACQUIRE);
  for (std::uint32_t i = 1; i < count; ++i)
    if (__atomic_load_n(&tree.records[i].windowed, __ATOMIC_ACQUIRE)) each(tree.records[i]);
}

/// The same but for those that rest. `may_wake`: a resting one whose node has changed is among them.
template <class Each> void for_each_awake(const Tree& tree, bool may_wake, Each each) {
  const std::uint32_t count = __atomic_load_n(&tree.record_count, __ATOMIC_ACQUIRE);
  for (std::uint32_t i = 1; i < count; ++i) {
    const RestMark& mark = tree.rest_marks[i];
    if (mark.rests && (!may_wake || load_relaxed(tree.node(mark.node).countdown) == mark.countdown)) continue;
    if (__atomic_load_n(&tree.records[i].windowed, __ATOMIC_ACQUIRE)) each(tree.records[i]);
  }
}

/// Whether the window that has ended leaves a resting call path at rest: it has seen no visit of it.
inline bool rests_on(const SampleRecord& record) {
  return record.windows.rests && record.visits_now == record.windows.visits_seen;
}

/// Core time of the thread since the last window ended, ns.
inline double cpu_since_window(const Location& location) {
  const double now_ns = load_relaxed(location.in_use) ? thread_cpu_ns(location.thread_id) : 0;
  return now_ns > location.window_cpu_ns ? now_ns - location.window_cpu_ns : 0;
}

/// Puts a region's sites out of use (ANDES_REGION_OFF), or into use (its number).
inline void set_sites(const Process& process, const Region& region, std::uint32_t number) {
  for_each_site(process.windows.sites, region,
                [number](andes_site& site) { __atomic_store_n(&site.region, number, __ATOMIC_RELEASE); });
}

} // namespace andes::monitor
