// What the probes reach: beginning to measure, attaching threads, entering and leaving by the slow path; forks. What the
// wrappers reach: monitor.cc. See process.h for the state and its invariants.
#include "monitor/core/process.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/core/calibrate.h"
#include "monitor/core/held_threads.h"
#include "monitor/core/here.h"
#include "monitor/core/marks.h"
#include "monitor/core/memory.h"
#include "monitor/core/recursion.h"
#include "monitor/core/signals.h"
#include "monitor/core/thread_time.h"
#include "monitor/core/visit.h"

#define ANDES_EXPORT extern "C" __attribute__((visibility("default")))

namespace andes {

Process the_process;
pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
__thread Here here __attribute__((tls_model("initial-exec")));

namespace {

pthread_key_t thread_end_key;
bool thread_end_known;
std::uint64_t choosing_ticks; // spent in choosing what to count, and not yet charged

bool is_main_thread() { return syscall(SYS_gettid) == getpid(); }

// The main thread has ended by pthread_exit, the process goes on: the rank's time, which is the main thread's,
// is idle from here on.
void leave_to_others(Location& location) {
  static andes_site after = ANDES_SITE("(main thread has ended)", nullptr, 0, ANDES_KIND_APART);
  if (!location.in_use) return;
  pop_frames(location, location.frames + 1, ticks_now(the_process.clock));
  open_visit(the_process, location, &after, location.stack_high, location.frames[0].caller);
}

// Runs when a thread ends. Destructors of other keys may still enter probes: so it asks to be called
// again and takes the location away in the last round only.
void end_thread(void* round) {
  auto rounds_left = reinterpret_cast<std::uintptr_t>(round);
  if (rounds_left > 1) {
    pthread_setspecific(thread_end_key, reinterpret_cast<void*>(rounds_left - 1));
    return;
  }
  Inside inside;
  Location* location = here.location;
  const bool main_thread = location && location->number == 0;
  if (main_thread) leave_to_others(*location);
  Locked locked;
  here.ended = true;
  here.location = nullptr;
  if (!location) return;
  stop_counting(*location);
  add_core_waits(*location);
  forget_thread(the_process.counters);
  if (!main_thread) close_frames(*location, ticks_now(the_process.clock));
}

// This thread is the location's from here on.
void take_over(Location& location) {
  const LockedWindows locked(the_process.windows);
  location.thread_id = static_cast<std::int32_t>(syscall(SYS_gettid));
  location.window_cpu_ns = thread_cpu_ns(location.thread_id);
  location.waits_before = core_waits(location.thread_id);
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
  if (location) arena_back(location, sizeof *location);
  const TreeLimits limits = {the_process.settings.node_limit, the_process.settings.depth_limit,
                             !the_process.settings.full_recursion, the_process.counters.count};
  // The main thread's life begins with the process, whenever its first probe is met.
  if (main_thread) now_ticks = the_process.clock.start.ticks;
  // What the others' trees take at least comes on top of the setting, which so does not bound the number of
  // threads; and nothing is asked of what running threads take from at the same time.
  const bool has_room = !main_thread || the_process.tree_memory.take(least_tree_bytes);
  if (!location || !has_room || !location_start(*location, limits, the_process.tree_memory,
                                   main_thread ? region_program : region_thread,
                                   stack_of_this_thread(), now_ticks)) {
    the_process.locations_full = true; // memory is never given back
    return nullptr;
  }
  governor_start(location->governor, the_process.settings.budget_percent / 100,
                 the_process.settings.windows, the_process.costs, now_ticks ^ number, now_ticks);
  location->governor.may_sample = the_process.counters.count == 0;
  location->number = number;
  take_over(*location);
  __atomic_store_n(&the_process.locations[number], location, __ATOMIC_RELEASE); // windows may be looking
  if (the_process.location_count <= number) the_process.location_count = number + 1;
  return location;
}

void give_up(const char* why) {
  andes_say_once(said_no_memory, "monitor: %s; this process is not measured", why);
  the_process.state = State::finished;
  arena_remove();
}

// The environment is the program's to change.
void keep_settings() {
  MonitorSettings& settings = the_process.settings;
  const char** const texts[] = {&settings.out, &settings.rules, &settings.arena, &settings.counters, &settings.papi_library};
  for (const char** text : texts)
    if (**text) *text = keep_text(the_process.registry, *text);
}

} // namespace

void add_core_waits(Location& location) {
  const CoreWaits now = core_waits(location.thread_id);
  if (now.count < location.waits_before.count) return; // the thread is gone
  location.waits.ns += now.ns - location.waits_before.ns;
  location.waits.count += now.count - location.waits_before.count;
  location.waits_before = now;
}

bool start_measuring() {
  if (the_process.state != State::idle) return the_process.state != State::finished;
  if (!monitor_wanted()) {
    the_process.state = State::finished;
    return false;
  }
  the_process.settings = read_settings();
  arena_start();
  choose_clock(the_process.clock, the_process.settings.tsc_allowed);
  if (!registry_start(the_process.registry)) {
    give_up("no memory for its tables");
    return false;
  }
  keep_settings();
  the_process.tree_memory.left_bytes =
      static_cast<std::int64_t>(the_process.settings.tree_mb * 1e6);
  event_tables_start(the_process.events,
                     static_cast<std::uint64_t>(the_process.settings.log_mb * 1e6),
                     the_process.clock.start.ticks);
  the_process.events.request_inits = the_process.settings.request_inits;
  if (*the_process.settings.counters) {
    const std::uint64_t begin_ticks = ticks_now(the_process.clock);
    choose_counters(the_process.counters, the_process.settings.counters, the_process.settings.papi_library);
    choosing_ticks = ticks_now(the_process.clock) - begin_ticks;
  }
  the_process.fast_visits = the_process.clock.kind == ClockKind::tsc && the_process.counters.count == 0;
  the_process.costs = calibrate(the_process);
  if (the_process.arena.header) pthread_atfork(hold_process, let_process_go, part_process);
  if (the_process.chosen && !may_use_mpi()) {
    watch_signals();
    say_troubles(the_process.counters);
  }
  thread_end_known = pthread_key_create(&thread_end_key, end_thread) == 0;
  the_process.state = State::measuring;
  return true;
}

Location* attach_thread() {
  if (here.location) return here.location;
  if (here.ended) return nullptr;
  Locked locked;
  if (!start_measuring()) {
    here.ended = true; // the threads that outlive the measured interval need not ask again, under the lock
    return nullptr;
  }
  const std::uint64_t begin_ticks = ticks_now(the_process.clock);
  Location* location = find_location(is_main_thread(), begin_ticks);
  if (!location) {
    if (the_process.location_count == 0) give_up("no memory for a call tree");
    else
      andes_say_once(said_no_location,
                     "monitor: threads beyond %u alive at once are not measured: %s",
                     the_process.location_count,
                     the_process.locations_full ? "there is no memory for their call trees"
                                                : "no more have a place");
    here.ended = true;
    return nullptr;
  }
  if (the_process.state == State::off) switch_off(*location, ticks_now(the_process.clock));
  here.location = location;
  if (the_process.counters.wanted != 0) {
    start_counting(the_process.counters, *location);
    charge_tool(*location, choosing_ticks + ticks_now(the_process.clock) - begin_ticks);
    choosing_ticks = 0;
  }
  if (thread_end_known)
    pthread_setspecific(thread_end_key, reinterpret_cast<void*>(std::uintptr_t{3}));
  return location;
}

Location* look_around(andes_view* view) {
  KeepErrno keep_errno;
  Location* location = attach_thread();
  if (!location) return nullptr;
  // Another clock, or counters: every visit takes the slow path.
  *view = {location->hot, the_process.fast_visits ? ANDES_REGIONS : 0, 0};
  return location;
}

namespace {

[[gnu::noinline]] andes_frame* enter_any(andes_site* site, std::uintptr_t stack, std::uintptr_t caller,
                                         andes_view* view) {
  Inside inside;
  if (!inside) {
    note_missed(site);
    return nullptr;
  }
  Location* location = view->regions != 0 ? here.location : look_around(view);
  if (!location) return nullptr;
  andes_frame* frame = open_visit(the_process, *location, site, stack, caller);
  return !frame || view->regions != 0 ? frame : tagged(frame);
}

andes_frame* enter(andes_site* site, std::uintptr_t stack, std::uintptr_t caller, andes_view* view) {
  if (view->regions != 0 && here.location)
    if (andes_frame* frame = enter_folded(*here.location, *site, stack, caller)) return frame;
  return enter_any(site, stack, caller, view);
}

[[gnu::noinline]] void leave_any(andes_frame* frame) {
  frame = reinterpret_cast<andes_frame*>(reinterpret_cast<std::uintptr_t>(frame) & ~slow_leave);
  Inside inside; // what a signal handler has opened is closed also inside
  if (here.location) close_visit(the_process, *here.location, frame, !inside);
}

void leave(andes_frame* frame) {
  if (!the_process.fast_visits || !here.location || !leave_folded(*here.location, frame)) leave_any(frame);
}

} // namespace
} // namespace andes

void andes::note_missed(andes_site* site) {
  if (site->region == ANDES_REGION_OFF || here.in_papi) return;
  for (MissedVisits& visits : here.missed_visits)
    if (visits.count == 0 || visits.site == site) {
      visits.site = site;
      ++visits.count;
      here.missed = true;
      return;
    }
}

void andes::count_missed() {
  here.missed = false;
  for (MissedVisits& visits : here.missed_visits)
    for (; visits.count > 0; --visits.count) {
      if (!here.location || !here.location->in_use) continue;
      // As if it were inlined into what is innermost.
      const andes_frame& top = *here.location->hot->top;
      andes_frame* frame = open_visit(the_process, *here.location, visits.site,
                                      top.stack + here.location->stack_low, top.caller);
      if (frame) close_visit(the_process, *here.location, frame);
    }
}

void andes::stamp_snapshot(std::uint64_t now_ticks) {
  if (the_process.state != State::measuring) return;
  const std::uint32_t number = __atomic_fetch_add(&the_process.snapshot_count, 1, __ATOMIC_RELAXED);
  if (number < max_snapshots) the_process.snapshots[number] = {now_ticks};
  if (ArenaHeader* header = the_process.arena.header)
    __atomic_store_n(&header->snapshot_count, number + 1, __ATOMIC_RELEASE);
}

void andes::hold_process() {
  here.held_for_fork = here.inside == 0;
  if (here.held_for_fork) {
    lock_holding();
    pthread_mutex_lock(&process_lock);
  }
  arena_hold(here.held_for_fork);
}

void andes::let_process_go() {
  if (!here.held_for_fork) return;
  here.held_for_fork = false;
  arena_let_go();
  pthread_mutex_unlock(&process_lock);
  unlock_holding();
}

// A child that MPI or the end of its parent's run has nothing to do with: what it measures is nobody's. One
// of a process without them goes on as it did, in memory of its own: it may be the one that begins MPI.
void andes::part_process() {
  process_lock = PTHREAD_MUTEX_INITIALIZER;
  part_holding();
  here.held_for_fork = false;
  arena_part();
  for_each_location([](Location& location) {
    location.team.busy = 0;
    give_up_counting(location); // PAPI counts the parent
  });
  the_process.counters.count = 0;
  const bool goes_on = !the_process.mpi.present && !the_process.chosen;
  part_windows(the_process, goes_on);
  if (goes_on) return;
  the_process.state = State::finished;
  for_each_location([](Location& location) { close_to_probes(location); });
  here.location = nullptr;
  here.ended = true;
}

using namespace andes;

ANDES_EXPORT const andes_monitor andes_monitor = {
    ANDES_PROBE_VERSION, 0, enter, leave, named_site, enter_phase, begin_mark, end_mark, attach_value,
    control_measuring, is_measuring};

ANDES_EXPORT andes_location_data* andes_location_here() {
  Inside inside;
  KeepErrno keep_errno;
  Location* location = inside ? attach_thread() : nullptr;
  return location && location->in_use && !location->suspended ? location : nullptr;
}
