// Time decides which visits of a window are timed: those that begin in a part of it that is fixed before it opens
// (decision 235).
#include "monitor/core/windows.h"

#include <sched.h>

#include "monitor/core/closed_records.h"
#include "monitor/core/closed_regions.h"
#include "monitor/core/function_samples.h"
#include "monitor/core/window_part.h"
#include "monitor/core/window_paths.h"
#include "monitor/core/window_thread.h"

namespace andes::monitor {
namespace {

constexpr double first_length_ms = 8, shortest_ms = 2; // of a stratum
// That is the longest until there are enough windows to tell errors in any case; then strata may be longer, too.
constexpr double longest_ms = 50, enough_windows = 400;
constexpr double first_open_ms = 0.1, shortest_open_ms = 0.03;
constexpr double weight_of_latest = 1.0 / 8; // what the latest window suggests, in the length of the next
constexpr double late_ms = 1;  // the thread comes late
constexpr double idle_ms = 1000, idle_with_samples_ms = 40; // while nothing is closed
constexpr double between_starts_ms = 2; // of samples of two threads, while nothing is closed
constexpr double before_samples_ms = 50; // so that short runs need not wait for them
constexpr double most_open = 0.1;       // share of a stratum
constexpr double share_of_visits = 0.2; // of the budget, for visits in windows
constexpr double share_of_opener = 0.15; // of the budget, for the thread that opens them
constexpr double share_of_samples = 0.15; // of the budget, for samples of functions; early ones come more often:
constexpr double more_early = 4, most_early = 0.005; // by so much, but for no more of the time than that
constexpr double shortest_period_ns = 2e6; // of those: a ring has room for 0.1 s
constexpr double least_lost_ns = 3000; // of its core time in a window: another thread had the core
constexpr double most_lost_ns = 60'000; // to the thread of the windows, at the window's opening and before it is due
constexpr double switch_ns = 6000; // from a timer's interrupt to the end of a window, as other threads' time
constexpr double most_edges_ms = 0.06; // for which a thread stands still at an edge, on the average
constexpr double early_ms = 500; // windows of this age and younger come more often, so that short runs are told of, too
constexpr std::uint32_t windows_between_looks = 32; // for regions that could be opened for good

double within(double least, double value, double most) { return value > most ? most : value < least ? least : value; }

double random_share(Windows& windows) {
  return static_cast<double>(random_below(windows.random, 1u << 31)) / (1u << 31);
}

void set_due(Windows& windows, std::uint64_t ticks) { store_relaxed(windows.due_ticks, ticks); }

// Chooses when the next window opens: anywhere in the stratum that begins at `begin_ticks`. The window may end in the
// next stratum, so no part of a stratum is seen less than others.
void begin_stratum(Process& process, std::uint64_t begin_ticks) {
  Windows& windows = process.windows;
  windows.stratum_ticks = begin_ticks;
  set_due(windows, begin_ticks + ticks_of(process, random_share(windows) * windows.length_ms));
}

bool is_prepared(const Windows& windows) { return windows.of_samples == Preparation::done; }

Preparation first_preparation(const Process& process) {
  return process.settings.function_samples ? Preparation::due : Preparation::done;
}

void skip_stratum(Process& process, std::uint64_t now_ticks) {
  for_each_thread(process, [](Location& location) { location.window_cpu_ns += cpu_since_window(location); });
  begin_stratum(process, now_ticks);
  if (process.windows.closed_count != 0) return;
  const Windows& windows = process.windows;
  const double wait_ms = windows.sample_period_ns > 0 ? idle_with_samples_ms // rings fill up
                         : is_prepared(windows)       ? idle_ms
                                                      : before_samples_ms;
  set_due(process.windows, now_ticks + ticks_of(process, wait_ms));
}

void open_window(Process& process) {
  Windows& windows = process.windows;
  if (windows.count % windows_a_round == 0) windows.round_random = windows.random;
  for_each_thread(process, [&process](Location& location) { choose_timed(process, location); });
  for_each_thread(process, [](Location& location) { location.open_cpu_ns = cpu_since_window(location); });
  windows.opened_ticks = ticks_now(process.clock);
  for_each_thread(process, [&windows](Location& location) {
    store_relaxed<std::uint64_t>(location.tree.first_in_window, 0);
    store_relaxed(location.tree.window_ticks, windows.opened_ticks);
  });
  store_relaxed(windows.open, true);
  for (std::uint32_t i = 0; i < windows.closed_count; ++i)
    set_sites(process, process.registry.regions[windows.closed[i]], windows.closed[i]);
  set_due(windows, windows.opened_ticks + ticks_of(process, windows.open_ms));
}

// Sets the length of the next window and of its stratum; `now_ticks` is the end of the latest one.
void adapt(Process& process, double cost_ticks_per_tick, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  const double budget = process.settings.budget_percent / 100;
  if (windows.count >= 4) {
    const double per_window_ms = at_least(windows.steps_ns - windows.reading_ns, 0) / windows.count / 1e6;
    const double age_ms = static_cast<double>(now_ticks - windows.started_ticks) / process.costs.ticks_per_ms;
    // Where visits are so many that the shortest window costs too much, windows are rarer.
    const double least_ms = cost_ticks_per_tick * shortest_open_ms / (share_of_visits * budget);
    const double length_ms = per_window_ms / (share_of_opener * budget) * age_ms / (age_ms + early_ms);
    const double most_ms = age_ms > enough_windows * longest_ms ? age_ms / enough_windows : longest_ms;
    windows.length_ms = within(shortest_ms, length_ms > least_ms ? length_ms : least_ms, most_ms);
  }
  double open_ms = windows.open_ms;
  if (cost_ticks_per_tick > 0) open_ms = share_of_visits * budget * windows.length_ms / cost_ticks_per_tick;
  windows.open_ms += weight_of_latest * (open_ms - windows.open_ms);
  windows.open_ms = within(shortest_open_ms, windows.open_ms, most_open * windows.length_ms);
}

double ns_per_tick(const Process& process) { return 1e6 / process.costs.ticks_per_ms; }

// Time of a window in which the thread had no core.
double lost_ns(const Process& process, const Location& location, const EndedWindow& window) {
  return window.seen_ticks * ns_per_tick(process) - open_ns_of(location);
}

// The thread whose core the thread of the windows has taken to close this one, none where that has come to another
// core. The core time that it lacks is what passed after the window was due, and little more. Where it lacks more it
// may have slept, or other processes had the core when the timer expired.
Location* interrupted_thread(Process& process, const EndedWindow& window) {
  if (!process.windows.has_thread) return nullptr;
  Location* found = nullptr;
  double least_ns = window.late_ticks * ns_per_tick(process) + most_lost_ns;
  for_each_thread(process, [&](Location& location) {
    const double ns = lost_ns(process, location, window);
    if (ns < least_lost_ns || ns > least_ns) return;
    least_ns = ns;
    found = &location;
  });
  return found;
}

// What the kernel has charged to that thread beside its own work: the interrupt of the timer and the switches. It stood
// still from the opening until it went on (`back_ticks`) and from the due end to the closing, and had no core for what
// it lacks of both. Where no visits tell when it goes on, a switch is left out of the time after the due end. Now and
// then it goes on for long after that end: the mean counts (docs/metrics.md, "Windows"; decision 316).
double interrupt_ns(const Process& process, Location& location, const EndedWindow& window) {
  const double lost_ticks = lost_ns(process, location, window) / ns_per_tick(process);
  const double others_ticks =
      location.back_ticks > 0 ? lost_ticks - location.back_ticks : switch_ns / ns_per_tick(process);
  location.edges_ticks = next_mean(location.edges_ticks, at_least(window.late_ticks - others_ticks, 0),
                                   most_edges_ms * process.costs.ticks_per_ms);
  return location.edges_ticks * ns_per_tick(process);
}

} // namespace

void close_window(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  // Where the run ends before the window does, the chance of a visit to be seen is still that of the whole window.
  const std::uint64_t until_ticks = now_ticks > windows.due_ticks ? now_ticks : windows.due_ticks;
  const auto open_ticks = static_cast<double>(until_ticks - windows.opened_ticks);
  const EndedWindow window = {.number = windows.count,
                              .open_ticks = open_ticks > 1 ? open_ticks : 1,
                              .stratum_ticks = static_cast<double>(ticks_of(process, windows.length_ms)),
                              .seen_ticks = static_cast<double>(now_ticks - windows.opened_ticks),
                              .late_ticks = static_cast<double>(until_ticks - windows.due_ticks),
                              .ends_round = (windows.count + 1) % windows_a_round == 0};
  // In the same order as at the opening: first the threads' times, then the sites, so that the delay between
  // the two is the same.
  for_each_thread(process, [](Location& location) { location.closed_cpu_ns = cpu_since_window(location); });
  for (std::uint32_t i = 0; i < windows.closed_count; ++i)
    set_sites(process, process.registry.regions[windows.closed[i]], ANDES_REGION_OFF);
  store_relaxed(windows.open, false);
  ProbeCosts costs;
  load_costs(costs, process.costs);
  Location* const interrupted = interrupted_thread(process, window);
  double cost = 0;
  for_each_thread(process, [&](Location& location) {
    TakenByOpener taken;
    if (&location == interrupted) taken = {interrupt_ns(process, location, window), lost_ns(process, location, window)};
    const double its_cost = add_window(costs, location, window, taken);
    const std::uint64_t first = load_relaxed(location.tree.first_in_window);
    if (location.back_shows && first > 0)
      location.back_ticks =
          next_mean(location.back_ticks, static_cast<double>(first), most_edges_ms * process.costs.ticks_per_ms);
    if (its_cost > cost) cost = its_cost;
  });
  windows.count++;
  const double before_ms = windows.length_ms;
  adapt(process, cost, now_ticks);
  const std::uint64_t end_ticks = windows.stratum_ticks + ticks_of(process, before_ms);
  const bool in_time = now_ticks < end_ticks + ticks_of(process, windows.length_ms);
  begin_stratum(process, in_time ? end_ticks : now_ticks);
}

namespace {

void start_thread(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  store_relaxed(windows.thread_ticks, now_ticks);
  windows.of_samples = first_preparation(process);
  if (!is_prepared(windows)) begin_samples(process, now_ticks);
  windows.has_thread = process.settings.window_thread && start_window_thread(process);
}

} // namespace

void start_windows(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  if (windows.length_ms == 0) {
    windows.random = now_ticks ^ static_cast<std::uint64_t>(process.process_id) << 32;
    windows.length_ms = first_length_ms;
    windows.open_ms = first_open_ms;
    windows.started_ticks = now_ticks;
  }
  skip_stratum(process, now_ticks);
  begin_stratum(process, now_ticks);
  if (windows.thread_ticks == 0) start_thread(process, now_ticks);
  else if (windows.has_thread) wake_window_thread();
}

void start_samples_early(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  if (load_relaxed(windows.thread_ticks) != 0) return;
  if (!process.settings.function_samples || !process.settings.window_thread) return;
  const BlockedSignals blocked;
  const LockedWindows locked(windows);
  if (windows.thread_ticks != 0 || windows.over || windows.unloading != 0 || !is_measured(process)) return;
  skip_stratum(process, now_ticks);
  start_thread(process, now_ticks);
}

LockedWindows::LockedWindows(Windows& windows, bool waits) : windows_(windows) {
  while (!(taken_ = !__atomic_test_and_set(&windows_.lock, __ATOMIC_ACQUIRE)) && waits) sched_yield();
}
LockedWindows::~LockedWindows() {
  if (taken_) __atomic_clear(&windows_.lock, __ATOMIC_RELEASE);
}

namespace {

void look_at_samples(Process& process, std::int32_t own_id, std::uint64_t now_ticks) {
  const double before_ns = thread_cpu_ns(own_id);
  const bool others_wait = follow_samples(process, now_ticks);
  if (others_wait && process.windows.closed_count == 0)
    set_due(process.windows, now_ticks + ticks_of(process, between_starts_ms));
  process.windows.reading_ns += thread_cpu_ns(own_id) - before_ns;
}

// Under the lock.
std::uint64_t step(Process& process, WindowStepper& stepper, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  if (windows.over) return 0;
  if (windows.open) {
    if (now_ticks >= windows.due_ticks) {
      close_window(process, now_ticks);
      look_at_samples(process, stepper.thread_id, now_ticks);
      if (windows.count % windows_between_looks == 0) open_what_fits(process, now_ticks);
    }
  } else if (now_ticks >= windows.due_ticks) {
    if (windows.unloading == 0 && windows.closed_count != 0 && is_measured(process)) open_window(process);
    else {
      skip_stratum(process, now_ticks);
      look_at_samples(process, stepper.thread_id, now_ticks);
    }
  }
  const double until_ns = thread_cpu_ns(stepper.thread_id);
  windows.steps_ns += until_ns - stepper.until_ns;
  stepper.until_ns = until_ns;
  return windows.due_ticks;
}

} // namespace

void end_samples_of_state(Process& process) {
  const LockedWindows locked(process.windows);
  read_samples(process);
}

std::uint64_t step_windows(Process& process, WindowStepper& stepper, std::uint64_t now_ticks) {
  const LockedWindows locked(process.windows);
  return step(process, stepper, now_ticks);
}

void step_late_windows(Process& process, std::int32_t own_id, std::uint64_t now_ticks) {
  const LockedWindows locked(process.windows, false);
  if (!locked) return;
  WindowStepper stepper = {own_id, thread_cpu_ns(own_id)};
  step(process, stepper, now_ticks);
}

bool are_samples_due(const Process& process, std::uint64_t now_ticks) {
  const Windows& windows = process.windows;
  const auto age_ticks = static_cast<std::int64_t>(now_ticks - load_relaxed(windows.thread_ticks));
  return !is_prepared(windows) && age_ticks >= static_cast<std::int64_t>(ticks_of(process, before_samples_ms));
}

void prepare_samples(Process& process, std::int32_t own_id) {
  Windows& windows = process.windows;
  {
    const LockedWindows locked(windows);
    if (windows.over) return;
    windows.of_samples = Preparation::running;
  }
  const double cost_ns = take_own_files() ? find_cost_of_sample(process, own_id) : 0;
  const LockedWindows locked(windows);
  windows.of_samples = Preparation::done;
  if (cost_ns <= 0 || windows.over) return;
  const double later = share_of_samples * process.settings.budget_percent / 100;
  const double early = within(later, more_early * later, most_early > later ? most_early : later);
  const double period_ns = cost_ns / early;
  windows.sample_cost_ns = cost_ns;
  windows.sample_period_ns = period_ns > shortest_period_ns ? period_ns : shortest_period_ns;
  windows.later_periods =
      static_cast<std::uint32_t>(within(1, cost_ns / later / windows.sample_period_ns + 0.999, more_early));
  if (windows.closed_count == 0) set_due(windows, 0); // the next step starts them
}

bool are_windows_late(const Process& process, std::uint64_t now_ticks) {
  const Windows& windows = process.windows;
  if (!is_any_closed(windows)) return false;
  const auto late_ticks = static_cast<std::int64_t>(now_ticks - load_relaxed(windows.due_ticks));
  return late_ticks > 0 && (!windows.has_thread || late_ticks > static_cast<std::int64_t>(ticks_of(process, late_ms)));
}

void restart_windows(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  const LockedWindows locked(windows);
  restart_samples(process);
  if (windows.thread_ticks != 0) store_relaxed(windows.thread_ticks, now_ticks); // the first samples come more often
  if (windows.closed_count == 0) return;
  if (windows.open) close_window(process, now_ticks);
  windows.started_ticks = now_ticks;
  skip_stratum(process, now_ticks);
  for_each_thread(process, [](Location& location) {
    location.tree.unvisited = {};
    for_each_record(location.tree, [&](SampleRecord& record) {
      end_rest(location, record);
      record.windows = {.visits_seen = visits_from_outside(location.tree, record.node)};
    });
  });
}

void end_windows(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  bool is_preparing = false;
  {
    const LockedWindows locked(windows);
    if (windows.over) return;
    is_preparing = windows.of_samples == Preparation::running;
    if (windows.open) close_window(process, now_ticks);
    end_samples(process);
    windows.over = true;
    for_each_thread(process, [](Location& location) {
      const double cpu_ns = cpu_since_window(location);
      location.window_cpu_ns += cpu_ns;
      for_each_record(location.tree, [&](SampleRecord& record) {
        end_rest(location, record);
        record.windows.cpu_ns += cpu_ns;
      });
    });
  }
  if (windows.has_thread && !is_preparing) join_window_thread();
}

void reset_windows_in_child(Process& process, bool goes_on) {
  const BlockedSignals blocked; // the thread has no signals
  Windows& windows = process.windows;
  windows.lock = 0;
  windows.of_samples = first_preparation(process);
  if (windows.thread_ticks != 0) windows.thread_ticks = ticks_now(process.clock);
  forget_samples(process);
  windows.unloading = 0;
  if (!goes_on) windows.over = true;
  else if (windows.has_thread) windows.has_thread = start_window_thread(process);
}

} // namespace andes::monitor
