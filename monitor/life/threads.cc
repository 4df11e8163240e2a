#include "monitor/life/threads.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/core/counting.h"
#include "monitor/core/held_threads.h"
#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/life/measuring.h"
#include "monitor/say/say.h"
#include "monitor/system/memory.h"
#include "monitor/system/thread_time.h"

namespace andes::monitor {
namespace {

pthread_key_t thread_end_key;
bool thread_end_known;

bool is_main_thread() { return syscall(SYS_gettid) == getpid(); }

// The main thread has ended by pthread_exit, but the process goes on: the rank's time, which is that of the
// main thread, is idle from here on.
void leave_to_others(Location& location) {
  static andes_site after = ANDES_SITE("(main thread has ended)", nullptr, 0, ANDES_KIND_APART);
  if (!location.in_use) return;
  pop_frames(location, location.frames + 1, ticks_now(the_process.clock));
  open_visit(the_process, location, &after, location.stack_high, location.frames[0].caller);
}

// Runs when a thread ends. Destructors of other keys may still enter probes: so the function asks to
// be called again and takes the location away only in the last round.
void end_thread(void* round) {
  auto rounds_left = reinterpret_cast<std::uintptr_t>(round);
  if (rounds_left > 1) {
    pthread_setspecific(thread_end_key, reinterpret_cast<void*>(rounds_left - 1));
    return;
  }
  ReentryGuard inside;
  Location* location = this_thread.location;
  const bool main_thread = location && location->number == 0;
  if (main_thread) leave_to_others(*location);
  SignalSafeProcessLock locked;
  this_thread.ended = true;
  this_thread.location = nullptr;
  if (!location) return;
  const std::uint64_t begin_ticks = ticks_now(the_process.clock);
  stop_counting(*location);
  const State state = state_now(the_process);
  if (state != State::finished)
    read_core_waits(location->losses, location->thread_id); // else the profile may be read already
  forget_thread(the_process.counters);
  if (main_thread) return;
  const std::uint64_t now_ticks = ticks_now(the_process.clock);
  if (state == State::measuring) charge_tool(*location, now_ticks - begin_ticks);
  close_frames(*location, now_ticks);
}

// A location for a new thread: the one of a thread that has ended, or a new one.
Location* find_location(bool main_thread, std::uint64_t now_ticks) {
  for (std::uint32_t i = 1; !main_thread && i < the_process.location_count; ++i)
    if (the_process.locations[i] && !the_process.locations[i]->in_use) {
      location_resume(*the_process.locations[i], stack_of_this_thread(), now_ticks);
      take_over(*the_process.locations[i]);
      return the_process.locations[i];
    }
  std::uint32_t number = main_thread ? 0 : the_process.location_count > 0 ? the_process.location_count : 1;
  if (number == max_locations || the_process.locations_full) return nullptr;
  auto* location = reserve_array<Location>(1);
  if (location) arena_map(location, sizeof *location);
  const TreeLimits limits = {the_process.settings.node_limit, the_process.settings.depth_limit,
                             !the_process.settings.full_recursion, the_process.counters.count};
  // The main thread's time begins with the process, even if its first probe is met later.
  if (main_thread) now_ticks = the_process.clock.start.ticks;
  // The least memory of the other threads' trees comes on top of the setting, so that the setting does not bound
  // the number of threads, and a new thread takes nothing from memory that running threads use at the same time.
  const bool has_room = !main_thread || the_process.tree_memory.take(least_tree_bytes + own_bytes);
  if (!location || !has_room ||
      !location_start(*location, limits, the_process.tree_memory, main_thread ? region_program : region_thread,
                      stack_of_this_thread(), now_ticks)) {
    the_process.locations_full = true; // memory is never given back
    return nullptr;
  }
  const bool logs_calls = the_process.events.log_bytes != 0 && (the_process.events.logged_calls & function_calls);
  governor_start(location->governor, the_process.settings.budget_percent / 100,
                 the_process.settings.windows && !logs_calls, the_process.costs, now_ticks ^ number, now_ticks);
  location->governor.may_sample = !sees_all_visits(the_process);
  if (logs_calls) location->call_tables = &the_process.events;
  location->number = number;
  take_over(*location);
  __atomic_store_n(&the_process.locations[number], location, __ATOMIC_RELEASE); // the thread of the windows
                                                                                // may be reading
  if (the_process.location_count <= number) __atomic_store_n(&the_process.location_count, number + 1, __ATOMIC_RELEASE);
  return location;
}

} // namespace

void take_over(Location& location) {
  const LockedWindows locked(the_process.windows);
  location.thread_id = static_cast<std::int32_t>(syscall(SYS_gettid));
  location.window_cpu_ns = thread_cpu_ns(location.thread_id);
  begin_core_losses(location.losses, location.thread_id);
}

void watch_thread_ends() { thread_end_known = pthread_key_create(&thread_end_key, end_thread) == 0; }

Location* attach_thread() {
  if (this_thread.location) return this_thread.location;
  if (this_thread.ended) return nullptr;
  SignalSafeProcessLock locked;
  if (!start_measuring()) {
    this_thread.ended = true; // threads that outlive the measured interval need not come here again and take the lock
    return nullptr;
  }
  const std::uint64_t begin_ticks = ticks_now(the_process.clock);
  Location* location = find_location(is_main_thread(), begin_ticks);
  if (!location) {
    if (the_process.location_count == 0) give_up_measuring("no memory for a call tree");
    else
      andes_say_once(
          said_no_location, "monitor: threads beyond %u alive at once are not measured: %s", the_process.location_count,
          the_process.locations_full ? "there is no memory for their call trees" : "the table of threads is full");
    this_thread.ended = true;
    return nullptr;
  }
  if (the_process.state == State::off) switch_off(*location, ticks_now(the_process.clock));
  this_thread.location = location;
  std::uint64_t choosing_ticks = 0;
  if (the_process.counters.wanted != 0) {
    start_counting(the_process.counters, *location);
    choosing_ticks = take_choosing_ticks();
  }
  // That of the main thread is the start of the process; it lies before its first visit.
  if (location->number != 0 || the_process.counters.wanted != 0)
    charge_tool(*location, choosing_ticks + ticks_now(the_process.clock) - begin_ticks);
  if (thread_end_known) pthread_setspecific(thread_end_key, reinterpret_cast<void*>(std::uintptr_t{3}));
  return location;
}

Location* attach_module(andes_view* view) {
  KeepErrno keep_errno;
  Location* location = attach_thread();
  if (!location) return nullptr;
  // With another clock, or with counters, every visit takes the slow path.
  *view = {location->hot, the_process.fast_visits ? ANDES_REGIONS : 0, 0};
  return location;
}

} // namespace andes::monitor
