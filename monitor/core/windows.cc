#include "monitor/core/windows.h"

#include <link.h>
#include <sched.h>

#include "monitor/core/hidden_frames.h"
#include "monitor/core/process.h"
#include "monitor/core/window_thread.h"
#include "monitor/system/memory.h"
#include "monitor/system/thread_time.h"

namespace andes::monitor {
namespace {

constexpr double first_length_ms = 8, shortest_ms = 2, longest_ms = 50; // of a stratum
constexpr double first_open_ms = 0.1, shortest_open_ms = 0.03;
constexpr double late_ms = 1;  // the thread comes late
constexpr double idle_ms = 1000; // while nothing is closed
constexpr double most_open = 0.1;       // share of a stratum
constexpr double share_of_visits = 0.2; // of the budget, for visits in windows
constexpr double share_of_opener = 0.2; // of the budget, for the thread that opens them
constexpr double timings_wanted = 32, most_warm_up = 8; // timed visits of a call path, and those before them
constexpr std::uint32_t most_timings = 512; // where it has many more visits than in other windows
constexpr double weight_of_new = 1.0 / 8; // in running means
constexpr std::uint32_t windows_between_looks = 32; // for regions that could be opened for good
constexpr double lower = 0.5;           // of the budget: room is taken up to here
constexpr double first_closed_ms = 500, longest_closed_ms = 20'000; // least time that a region stays closed

std::uint64_t ticks_of(const Process& process, double ms) {
  return static_cast<std::uint64_t>(ms * process.costs.ticks_per_ms);
}

double at_least_0(double value) { return value > 0 ? value : 0; }

double random_share(Windows& windows) {
  return static_cast<double>(random_below(windows.random, 1u << 31)) / (1u << 31);
}

void set_sites(const Process& process, const Region& region, std::uint32_t number) {
  for_each_site(process.windows.sites, region,
                [number](andes_site& site) { __atomic_store_n(&site.region, number, __ATOMIC_RELEASE); });
}

// A region was closed, or opened for good. Other threads look without the lock.
void set_closed_count(Windows& windows, std::uint32_t count) {
  __atomic_store_n(&windows.closed_count, count, __ATOMIC_RELEASE);
  __atomic_store_n(&windows.generation, windows.generation + 1, __ATOMIC_RELEASE);
}

void set_due(Windows& windows, std::uint64_t ticks) { store_relaxed(windows.due_ticks, ticks); }

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

// Core time of the thread since the last window ended.
double cpu_since_window(const Location& location) {
  const double now_ns = location.in_use ? thread_cpu_ns(location.thread_id) : 0;
  return now_ns > location.window_cpu_ns ? now_ns - location.window_cpu_ns : 0;
}

bool is_measured(const Process& process) { return state_now(process) == State::measuring; }

// Chooses when the next window opens: anywhere in the stratum that begins at `begin_ticks`. The window may end in the
// next stratum, so no part of a stratum is seen less than others.
void begin_stratum(Process& process, std::uint64_t begin_ticks) {
  Windows& windows = process.windows;
  windows.stratum_ticks = begin_ticks;
  set_due(windows, begin_ticks + ticks_of(process, random_share(windows) * windows.length_ms));
}

void skip_stratum(Process& process, std::uint64_t now_ticks) {
  for_each_thread(process, [](Location& location) { location.window_cpu_ns += cpu_since_window(location); });
  begin_stratum(process, now_ticks);
  if (process.windows.closed_count == 0) set_due(process.windows, now_ticks + ticks_of(process, idle_ms));
}

// The part of a window of `open_ticks` in which a call path of so many visits has those that shall be timed, which takes
// `timed` for each. Where it has few it is the rest of the window, however long that will be.
TimedPart part_for(double visits, double open_ticks, double timed) {
  const double warm_up = visits / 4 < most_warm_up ? visits / 4 : most_warm_up;
  const double each = visits > 0 ? open_ticks / visits + timed : 0;
  const double begin = warm_up * each, end = begin + timings_wanted * each;
  if (visits < warm_up + timings_wanted) return {static_cast<std::uint64_t>(begin), TimedPart::no_end};
  return {static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end)};
}

// In each window only some call paths are timed, and each in one window of a round: at random, so that no two of
// them are always timed together.
void choose_timed(const Process& process, Location& location) {
  const Windows& windows = process.windows;
  const double open_ticks = windows.open_ms * process.costs.ticks_per_ms, timed = load_relaxed(process.costs.timed);
  for_each_record(location.tree, [&](SampleRecord& record) {
    record.visits_marked = visits_from_outside(location.tree, record.node);
    std::uint64_t random = windows.round_random + record.node;
    if (random_below(random, windows_a_round) != windows.in_round) return;
    record.part_window = windows.count;
    time_part(location.tree, record, part_for(record.visits_a_window, open_ticks, timed), most_timings);
  });
}

void open_window(Process& process) {
  Windows& windows = process.windows;
  if (windows.in_round == 0) windows.round_random = windows.random;
  for_each_thread(process, [&process](Location& location) { choose_timed(process, location); });
  for_each_thread(process, [](Location& location) { location.open_cpu_ns = cpu_since_window(location); });
  windows.opened_ticks = ticks_now(process.clock);
  for_each_thread(process,
                  [&windows](Location& location) { store_relaxed(location.tree.window_ticks, windows.opened_ticks); });
  store_relaxed(windows.open, true);
  for (std::uint32_t i = 0; i < windows.closed_count; ++i)
    set_sites(process, process.registry.regions[windows.closed[i]], windows.closed[i]);
  set_due(windows, windows.opened_ticks + ticks_of(process, windows.open_ms));
}

// Sets the number of visits, and of timed visits, that the next window shall see.
void adapt(Process& process, double cost_ticks_per_tick) {
  Windows& windows = process.windows;
  const double budget = process.settings.budget_percent / 100;
  double open_ms = windows.open_ms;
  if (cost_ticks_per_tick > 0) open_ms = share_of_visits * budget * windows.length_ms / cost_ticks_per_tick;
  windows.open_ms += weight_of_new * (open_ms - windows.open_ms);
  const double most_ms = most_open * windows.length_ms;
  if (windows.open_ms > most_ms) windows.open_ms = most_ms;
  if (windows.open_ms < shortest_open_ms) windows.open_ms = shortest_open_ms;
  if (!windows.has_thread || windows.count < 4) return;
  const double per_window_ms = windows.opener_ns / windows.count / 1e6;
  windows.length_ms = per_window_ms / (share_of_opener * budget);
  if (windows.length_ms < shortest_ms) windows.length_ms = shortest_ms;
  if (windows.length_ms > longest_ms) windows.length_ms = longest_ms;
}

// Cost of a location's visits in the window, in ticks.
double cost_of_window(const ProbeCosts& costs, Location& location) {
  const std::uint64_t searches = load_relaxed(location.searches_in_windows);
  double ticks = static_cast<double>(searches - location.searches_seen) * costs.sample;
  location.searches_seen = searches;
  for_each_record(location.tree, [&](SampleRecord& record) {
    time_next(location.tree, record, 0, 0);
    record.visits_now = visits_from_outside(location.tree, record.node);
    const auto visits = static_cast<double>(record.visits_now - record.windows.visits_seen);
    auto timed = static_cast<double>(load_relaxed(record.windows.timed) - record.windows.timed_seen);
    if (timed > 0) timed += most_warm_up;
    if (timed > visits) timed = visits;
    ticks += cost_in_windows(costs, location.tree.node(record.node).kind, location.tree.accounts[record.node].by_hooks,
                             visits, timed);
  });
  return ticks;
}

/// A window that ends.
struct Ending {
  std::uint32_t number;
  double open_ticks, stratum_ticks;
  bool ends_round;
};

// The share of the window in which visits of the call path were timed; if none was timed now, that of the latest one:
// a visit of it may have ended only now.
double part_share(SampleRecord& record, const Ending& window) {
  if (record.part_window == window.number) {
    const auto begin = static_cast<double>(record.part.begin_ticks), end = static_cast<double>(record.part.end_ticks);
    const double length = (end < window.open_ticks ? end : window.open_ticks) - begin;
    record.part_share = length > 0 ? length / window.open_ticks : 1;
  }
  return record.part_share > 0 ? record.part_share : 1;
}

// Adds one location's part of a window; returns the cost of its visits as a share of the thread's core time. The
// cost is not part of the program's own time, to which rates of visits refer.
double look_at(const ProbeCosts& costs, Location& location, const Ending& window) {
  const double ns_per_tick = 1e6 / costs.ticks_per_ms, weight = window.stratum_ticks / window.open_ticks;
  const double open_ns = at_least_0(location.closed_cpu_ns - location.open_cpu_ns);
  const double cost_ns = cost_of_window(costs, location) * ns_per_tick;
  const double own_ns = at_least_0(open_ns - cost_ns);
  for_each_record(location.tree, [&](SampleRecord& record) {
    const auto visits = static_cast<double>(record.visits_now - record.windows.visits_seen);
    add_window(record.windows, {.weight = weight,
                                .timed_weight = weight / part_share(record, window),
                                .open_cpu_ns = own_ns,
                                .cpu_ns = location.closed_cpu_ns - (open_ns - own_ns),
                                .cost_ns = open_ns - own_ns,
                                .visits = record.visits_now,
                                .ends_round = window.ends_round});
    if (open_ns <= 0) return;
    const double new_share = record.windows.windows == 1 ? 1 : weight_of_new;
    record.visits_a_window += new_share * (visits - record.visits_a_window);
    record.visits_per_ns += new_share * (visits / open_ns - record.visits_per_ns);
  });
  location.window_cpu_ns += location.closed_cpu_ns;
  return open_ns > 0 ? cost_ns / open_ns : 0;
}

void close_window(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  const auto open_ticks = static_cast<double>(now_ticks - windows.opened_ticks);
  windows.in_round = (windows.in_round + 1) % windows_a_round;
  const Ending window = {.number = windows.count,
                         .open_ticks = open_ticks > 1 ? open_ticks : 1,
                         .stratum_ticks = static_cast<double>(ticks_of(process, windows.length_ms)),
                         .ends_round = windows.in_round == 0};
  // In the same order as at the opening: first the threads' times, then the sites, so that the delay between
  // the two is the same.
  for_each_thread(process, [](Location& location) { location.closed_cpu_ns = cpu_since_window(location); });
  for (std::uint32_t i = 0; i < windows.closed_count; ++i)
    set_sites(process, process.registry.regions[windows.closed[i]], ANDES_REGION_OFF);
  store_relaxed(windows.open, false);
  ProbeCosts costs;
  load_costs(costs, process.costs);
  double cost = 0;
  for_each_thread(process, [&](Location& location) {
    const double its_cost = look_at(costs, location, window);
    if (its_cost > cost) cost = its_cost;
  });
  windows.count++;
  const double before_ms = windows.length_ms;
  adapt(process, cost);
  const std::uint64_t end_ticks = windows.stratum_ticks + ticks_of(process, before_ms);
  const bool in_time = now_ticks < end_ticks + ticks_of(process, windows.length_ms);
  begin_stratum(process, in_time ? end_ticks : now_ticks);
}

// Visits of each closed region by the thread that makes most of them.
void note_rates(Process& process) {
  Windows& windows = process.windows;
  const auto each_closed = [&](auto each) {
    for (std::uint32_t i = 0; i < windows.closed_count; ++i) each(process.registry.regions[windows.closed[i]]);
  };
  each_closed([](Region& region) { region.visits_per_ns = 0; });
  for_each_thread(process, [&](Location& location) {
    each_closed([](Region& region) { region.thread_visits_per_ns = 0; });
    for_each_record(location.tree, [&](const SampleRecord& record) {
      process.registry.regions[location.tree.node(record.node).region].thread_visits_per_ns += record.visits_per_ns;
    });
    each_closed([](Region& region) {
      if (region.thread_visits_per_ns > region.visits_per_ns) region.visits_per_ns = region.thread_visits_per_ns;
    });
  });
}

void open_for_good(Process& process, std::uint32_t at) {
  Windows& windows = process.windows;
  const std::uint32_t number = windows.closed[at];
  Region& region = process.registry.regions[number];
  for_each_thread(process, [&](Location& location) {
    const double cpu_ns = cpu_since_window(location);
    for_each_record(location.tree, [&](SampleRecord& record) {
      if (location.tree.node(record.node).region != number) return;
      record.windows.cpu_ns += cpu_ns;
      end_windowed(location.tree, record);
    });
  });
  const std::uint32_t last = windows.closed_count - 1;
  windows.closed[at] = windows.closed[last];
  store_relaxed(region.closed, false);
  set_closed_count(windows, last);
  set_sites(process, region, number);
}

// Opens regions for which the budget has room again. A region that was closed more often stays closed longer.
void open_what_fits(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  note_rates(process);
  double forecast = 0;
  for_each_thread(process, [&](const Location& location) {
    const bool recent = now_ticks - location.governor.swept_ticks < 4 * ticks_of(process, longest_ms);
    if (location.in_use && recent && location.governor.forecast > forecast) forecast = location.governor.forecast;
  });
  double room = lower * process.settings.budget_percent / 100 - forecast;
  for (std::uint32_t i = windows.closed_count; i-- > 0;) {
    const Region& region = process.registry.regions[windows.closed[i]];
    const double ticks_per_ns = process.costs.ticks_per_ms / 1e6;
    const double cost = region.visits_per_ns / ticks_per_ns * load_relaxed(process.costs.sampled);
    double least_ms = first_closed_ms;
    for (std::uint32_t closing = 1; closing < region.closings && least_ms < longest_closed_ms; ++closing) least_ms *= 2;
    if (cost > room || now_ticks - region.closed_ticks < ticks_of(process, least_ms)) continue;
    room -= cost;
    open_for_good(process, i);
  }
}

bool may_close(const Region& region) {
  const bool is_code =
      region.kind == ANDES_KIND_FUNCTION || region.kind == ANDES_KIND_LOOP || region.kind == ANDES_KIND_BLOCK;
  const bool is_named = region.line == 0 && !*region.module; // its begin and end are separate calls that must match
  return ((is_code && !is_named) || region.is_local) && !region.closed && !region.stays_open && region.first_site != 0;
}

bool leads_to_teams(Process& process, std::uint32_t region) {
  bool leads = false;
  for_each_thread(process, [&](const Location& location) {
    const Tree& tree = location.tree;
    const std::uint32_t whole = tree.whole_nodes();
    for (std::uint32_t node = 0; node < whole && !leads; ++node)
      leads = tree.node(node).region == region && tree.is_pinned(node, pin_team);
  });
  return leads;
}

void close_region(Process& process, std::uint32_t number, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  Region& region = process.registry.regions[number];
  store_relaxed(region.closed, true);
  region.closings++;
  region.closed_ticks = now_ticks;
  windows.closed[windows.closed_count] = number;
  set_closed_count(windows, windows.closed_count + 1);
  if (!windows.open) set_sites(process, region, ANDES_REGION_OFF);
}

// To be called before a region is closed while no other is.
void start_windows(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  const bool first = windows.length_ms == 0;
  if (first) {
    windows.random = now_ticks ^ static_cast<std::uint64_t>(process.process_id) << 32;
    windows.length_ms = first_length_ms;
    windows.open_ms = first_open_ms;
  }
  skip_stratum(process, now_ticks);
  begin_stratum(process, now_ticks);
  if (first) windows.has_thread = process.settings.window_thread && start_window_thread(process);
  else if (windows.has_thread) wake_window_thread();
}

/// The objects that are loaded.
struct Loaded {
  static constexpr std::uint32_t most = 512;
  std::uint32_t count = 0;
  struct {
    std::uintptr_t low, high;
  } ranges[most];

  bool holds(const void* place) const {
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    bool held = count == most; // too many to know
    for (std::uint32_t i = 0; i < count && !held; ++i) held = address >= ranges[i].low && address < ranges[i].high;
    return held;
  }
};

int note_loaded(dl_phdr_info* info, std::size_t, void* noted) {
  auto& loaded = *static_cast<Loaded*>(noted);
  for (int i = 0; i < info->dlpi_phnum && loaded.count < Loaded::most; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const std::uintptr_t low = info->dlpi_addr + part.p_vaddr;
    loaded.ranges[loaded.count++] = {low, low + part.p_memsz};
  }
  return 0;
}

} // namespace

LockedWindows::LockedWindows(Windows& windows) : windows_(windows) {
  while (__atomic_test_and_set(&windows_.lock, __ATOMIC_ACQUIRE)) sched_yield();
}
LockedWindows::~LockedWindows() { __atomic_clear(&windows_.lock, __ATOMIC_RELEASE); }

void meet_site(Process& process, andes_site* site, std::uint32_t region, bool of_module) {
  Windows& windows = process.windows;
  const LockedWindows locked(windows);
  if (!windows.sites.entries) probe_sites_start(windows.sites);
  Region& known = process.registry.regions[region];
  add_site(windows.sites, known, site, of_module);
  const bool off = known.closed && !windows.open;
  __atomic_store_n(&site->region, off ? ANDES_REGION_OFF : region, __ATOMIC_RELEASE); // as region_of reads it
}

void close_regions(Process& process, const ToClose& to_close, std::uint64_t now_ticks) {
  const SignalSafeProcessLock process_locked;
  Windows& windows = process.windows;
  const LockedWindows locked(windows);
  if (!windows.closed && !(windows.closed = reserve_array<std::uint32_t>(max_closed))) return;
  if (windows.over || windows.unloading != 0 || !is_measured(process)) return;
  for (std::uint32_t i = 0; i < to_close.count; ++i) {
    const std::uint32_t region = to_close.regions[i];
    if (windows.closed_count == max_closed || !may_close(process.registry.regions[region]) ||
        leads_to_teams(process, region))
      continue;
    if (windows.closed_count == 0) start_windows(process, now_ticks);
    close_region(process, region, now_ticks);
  }
}

void follow_closings(Process& process, Location& location) {
  Governor& governor = location.governor;
  const std::uint32_t generation = __atomic_load_n(&process.windows.generation, __ATOMIC_ACQUIRE);
  if (governor.generation == generation) return;
  const SignalSafeProcessLock process_locked;
  const LockedWindows locked(process.windows);
  governor.generation = process.windows.generation;
  Tree& tree = location.tree;
  const double cpu_ns = cpu_since_window(location);
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node) {
    if (!is_closed(process.registry.regions[tree.node(node).region])) continue;
    governor.seed += 0x9e3779b97f4a7c15ull;
    if (!is_sampled(tree.node(node)) && !make_sampled(tree, node, governor.seed)) continue;
    SampleRecord& record = tree.records[tree.node(node).record];
    if (record.windowed) continue;
    begin_windowed(tree, record);
    record.windows.cpu_ns -= cpu_ns; // the record begins in the middle of a stratum
  }
  update_forced_slow_paths(process, location);
}

std::uint64_t step_windows(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  const LockedWindows locked(windows);
  if (windows.over) return 0;
  if (windows.open) {
    if (now_ticks >= windows.due_ticks) {
      close_window(process, now_ticks);
      if (windows.count % windows_between_looks == 0) open_what_fits(process, now_ticks);
    }
  } else if (now_ticks >= windows.due_ticks) {
    if (windows.unloading == 0 && windows.closed_count != 0 && is_measured(process)) open_window(process);
    else skip_stratum(process, now_ticks);
  }
  return windows.due_ticks;
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
  if (windows.closed_count == 0) return;
  if (windows.open) close_window(process, now_ticks);
  skip_stratum(process, now_ticks);
  for_each_thread(process, [](const Location& location) {
    for_each_record(location.tree, [&](SampleRecord& record) {
      record.windows = {.visits_seen = visits_from_outside(location.tree, record.node)};
    });
  });
}

void end_windows(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  {
    const LockedWindows locked(windows);
    if (windows.over) return;
    if (windows.open) close_window(process, now_ticks);
    windows.over = true;
    for_each_thread(process, [](Location& location) {
      const double cpu_ns = cpu_since_window(location);
      location.window_cpu_ns += cpu_ns;
      for_each_record(location.tree, [&](SampleRecord& record) { record.windows.cpu_ns += cpu_ns; });
    });
  }
  if (windows.has_thread) join_window_thread();
}

void reset_windows_in_child(Process& process, bool goes_on) {
  const BlockedSignals blocked; // the thread has no signals
  Windows& windows = process.windows;
  windows.lock = 0;
  windows.unloading = 0;
  if (!goes_on) windows.over = true;
  else if (windows.has_thread) windows.has_thread = start_window_thread(process);
}

void begin_unloading(Process& process) {
  const BlockedSignals blocked;
  Windows& windows = process.windows;
  const LockedWindows locked(windows);
  if (windows.open) close_window(process, ticks_now(process.clock));
  windows.unloading++;
}

void end_unloading(Process& process) {
  Windows& windows = process.windows;
  Loaded loaded;
  const bool any_sites = __atomic_load_n(&windows.sites.entries, __ATOMIC_ACQUIRE) != nullptr;
  if (any_sites) dl_iterate_phdr(note_loaded, &loaded); // takes the loader's lock: must not be called under ours
  const BlockedSignals blocked;
  const LockedWindows locked(windows);
  windows.unloading--;
  const std::uint32_t regions = __atomic_load_n(&process.registry.count, __ATOMIC_ACQUIRE);
  for (std::uint32_t i = 1; i < regions && any_sites; ++i)
    remove_sites(windows.sites, process.registry.regions[i],
                 [&](const andes_site* site) { return !loaded.holds(site); });
}

} // namespace andes::monitor
