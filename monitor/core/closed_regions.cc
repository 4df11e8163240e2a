#include "monitor/core/closed_regions.h"

#include "monitor/core/closed_records.h"
#include "monitor/core/hidden_frames.h"
#include "monitor/core/timed_visits.h"
#include "monitor/core/window_paths.h"
#include "monitor/core/windows.h"
#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr double recent_ms = 200; // a thread that the governor has swept since then is at work
constexpr double lower = 0.5;     // of the budget: room is taken up to here
constexpr double first_closed_ms = 500, longest_closed_ms = 20'000; // least time that a region stays closed

// A region was closed, or opened for good. Other threads look without the lock.
void set_closed_count(Windows& windows, std::uint32_t count) {
  __atomic_store_n(&windows.closed_count, count, __ATOMIC_RELEASE);
  __atomic_store_n(&windows.generation, windows.generation + 1, __ATOMIC_RELEASE);
}

// Forecasts what each closed region would cost if it were open, in the thread where it is most: its visits, each with a
// search for the caller where that is closed, without the searches of its callees, which would end. Less than 0: it is
// dearer now that it is closed.
void forecast_closed(Process& process, const ProbeCosts& costs) {
  Windows& windows = process.windows;
  const double ns_per_tick = 1e6 / process.costs.ticks_per_ms;
  const auto each_closed = [&](auto each) {
    for (std::uint32_t i = 0; i < windows.closed_count; ++i) each(process.registry.regions[windows.closed[i]]);
  };
  each_closed([](Region& region) { region.open_cost = 0; });
  for_each_thread(process, [&](Location& location) {
    const Tree& tree = location.tree;
    each_closed([](Region& region) { region.thread_open_cost = 0; });
    for_each_record(location.tree, [&](const SampleRecord& record) {
      const andes_node& node = tree.node(record.node);
      const bool below_closed = is_closed(process.registry.regions[tree.node(node.parent).region]) ||
                                load_relaxed(tree.accounts[record.node].slow_path) != SlowPath::as_usual;
      process.registry.regions[node.region].thread_open_cost +=
          visits_per_ns(location, record) * ns_per_tick * (counted_cost(costs) + (below_closed ? costs.sample : 0)) -
          load_relaxed(tree.accounts[record.node].searches_below);
    });
    each_closed([](Region& region) {
      const bool first = region.open_cost == 0; // a thread that does not visit it has no say
      if (region.thread_open_cost != 0 && (first || region.thread_open_cost > region.open_cost))
        region.open_cost = region.thread_open_cost;
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
      end_rest(location, record);
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

} // namespace

void open_what_fits(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  ProbeCosts costs;
  load_costs(costs, process.costs);
  forecast_closed(process, costs);
  double forecast = 0;
  for_each_thread(process, [&](const Location& location) {
    const bool recent = now_ticks - location.governor.swept_ticks < ticks_of(process, recent_ms);
    if (load_relaxed(location.in_use) && recent && location.governor.forecast > forecast)
      forecast = location.governor.forecast;
  });
  double room = lower * process.settings.budget_percent / 100 - forecast;
  for (std::uint32_t i = windows.closed_count; i-- > 0;) {
    const Region& region = process.registry.regions[windows.closed[i]];
    double least_ms = first_closed_ms;
    for (std::uint32_t closing = 1; closing < region.closings && least_ms < longest_closed_ms; ++closing) least_ms *= 2;
    const bool fits = region.open_cost <= room || region.open_cost < 0;
    if (!fits || now_ticks - region.closed_ticks < ticks_of(process, least_ms)) continue;
    room -= region.open_cost;
    open_for_good(process, i);
  }
}

namespace {

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
  store_relaxed(region.closings, region.closings + 1);
  region.closed_ticks = now_ticks;
  windows.closed[windows.closed_count] = number;
  set_closed_count(windows, windows.closed_count + 1);
  if (!windows.open) set_sites(process, region, ANDES_REGION_OFF);
}

} // namespace

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
    if (windows.open) close_window(process, now_ticks); // it has seen nothing of this region
    close_region(process, region, now_ticks);
  }
}

namespace {

// Call paths of a closed region that had fewer visits wait for a window to see them: most never come again, as those of
// reading the program's input, and each record takes the memory of six call paths (decision 302).
constexpr std::int64_t fewest_for_record = 64;

// The next visit, which a window must see, takes the slow path, and gets the record. Under the lock of the windows.
void wait_for_window(Tree& tree, std::uint32_t node) {
  std::uint32_t& since = tree.accounts[node].unseen_since;
  if (since == 0) since = tree.unvisited.windows + 1;
  if (!is_due(tree, node)) set_countdown(tree, node, 0);
}

bool has_record_at_once(const Tree& tree, std::uint32_t node) {
  return tree.node(node).record != 0 || tree.visits(node) >= fewest_for_record;
}

// The visits of a call path of a closed region belong to windows from now on, if there is a record for it. Under
// process_lock and the lock of the windows. `cpu_ns`: the thread's core time since the last window.
void belong_to_windows(Location& location, std::uint32_t node, double cpu_ns) {
  Tree& tree = location.tree;
  location.governor.seed += 0x9e3779b97f4a7c15ull;
  if (!is_sampled(tree.node(node)) && !make_sampled(tree, node, location.governor.seed)) return;
  SampleRecord& record = tree.records[tree.node(node).record];
  if (record.windowed) return;
  begin_windowed(tree, record);
  begin_sample(tree, node);
  record.windows.cpu_ns -= cpu_ns; // the record begins in the middle of a stratum
}

} // namespace

void follow_closings(Process& process, Location& location) {
  Governor& governor = location.governor;
  const std::uint32_t generation = __atomic_load_n(&process.windows.generation, __ATOMIC_ACQUIRE);
  if (governor.generation == generation) return;
  const SignalSafeProcessLock process_locked;
  const LockedWindows locked(process.windows);
  governor.generation = process.windows.generation;
  const double cpu_ns = cpu_since_window(location);
  Tree& tree = location.tree;
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node) {
    if (!is_closed(process.registry.regions[tree.node(node).region])) continue;
    if (has_record_at_once(tree, node)) belong_to_windows(location, node, cpu_ns);
    else wait_for_window(tree, node);
  }
  update_forced_slow_paths(process, location);
}

void follow_visited_path(Process& process, Location& location, std::uint32_t node) {
  if (is_closed(process.registry.regions[location.tree.node(node).region])) {
    const SignalSafeProcessLock process_locked;
    const LockedWindows locked(process.windows);
    // A path that a window has revealed stands for the whole stratum: the windows before have seen no visit of it.
    belong_to_windows(location, node, process.windows.open ? 0 : cpu_since_window(location));
  } else if (may_be_hidden(process.registry.regions[location.tree.node(node).region])) {
    // It was closed, and opened again: its visits meanwhile no window has seen, or there would be a call path.
    if (std::uint32_t& since = location.tree.accounts[node].unseen_since; since == 0) since = 1;
  }
  force_slow_path_beside(process, location, node);
}

void follow_found_path(Process& process, Location& location, std::uint32_t node) {
  if (is_closed(process.registry.regions[location.tree.node(node).region])) {
    const SignalSafeProcessLock process_locked;
    const LockedWindows locked(process.windows);
    wait_for_window(location.tree, node);
  }
  force_slow_path_beside(process, location, node);
}

} // namespace andes::monitor
