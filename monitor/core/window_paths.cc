#include "monitor/core/window_paths.h"

#include "monitor/core/window_cost.h"
#include "monitor/core/window_part.h"

namespace andes::monitor {
namespace {

constexpr double least_part_ms = 0.004; // window_part.h
constexpr double weight_of_new = 1.0 / 8; // in running means

// The share of the window in which visits of the call path were timed, or, where that ended early, the share of its
// `visits`; if none was timed now, that of the latest one: a visit of it may have ended only now.
double part_share(SampleRecord& record, const EndedWindow& window, double visits) {
  if (record.part_window == window.number) {
    const auto begin = static_cast<double>(record.part.begin_ticks);
    const auto end = static_cast<double>(load_relaxed(record.part.end_ticks));
    const double length = (end < window.open_ticks ? end : window.open_ticks) - begin;
    const bool is_cut = load_relaxed(record.part.end_ticks) == TimedPart::cut && visits > record.part.most;
    const std::uint32_t apart = load_relaxed(record.part.apart);
    store_relaxed(record.part.apart, 0u); // later windows are others' to be timed
    record.part_share = is_cut       ? record.part.most / visits
                        : apart != 0 ? share_of_clusters(apart)
                        : length > 0 ? length / window.open_ticks
                                     : 1;
  }
  return record.part_share > 0 ? record.part_share : 1;
}

RestMark& mark_of(const Tree& tree, const SampleRecord& record) { return tree.rest_marks[&record - tree.records]; }

// After a round without visits. Of every second call path the next visits in a window are timed.
void begin_rest(Location& location, SampleRecord& record, const EndedWindow& window) {
  const Tree& tree = location.tree;
  mark_of(tree, record) = {load_relaxed(tree.node(record.node).countdown), record.node, true};
  begin_rest(record.windows, tree.unvisited);
  store_relaxed(record.visits_marked, record.visits_now);
  std::uint64_t random = window.number + (std::uint64_t{record.node} << 32);
  record.windows.rest.is_timed = random_below(random, windows_a_round) == 0;
  if (!record.windows.rest.is_timed) return;
  const auto back = static_cast<std::uint64_t>(location.back_ticks);
  time_part(location.tree, record, {back, TimedPart::no_end, timings_for(tree.record_count).most});
}

// `unvisited`: the sums of a call path without visits, until the window from which on this one does not rest.
void end_rest(const Location& location, SampleRecord& record, const WindowSums& unvisited) {
  record.visits_per_ns = visits_per_ns(location, record);
  mark_of(location.tree, record).rests = false;
  end_rest(record.windows, unvisited);
}

void follow_visits(SampleRecord& record, double visits, double open_ns) {
  if (open_ns <= 0) return;
  // Of windows with visits alone: what is visited in bursts would else be timed until the end of a window in one.
  if (visits > 0)
    record.visits_a_window += (record.visits_a_window == 0 ? 1 : weight_of_new) * (visits - record.visits_a_window);
  record.visits_per_ns += (record.windows.windows == 1 ? 1 : weight_of_new) * (visits / open_ns - record.visits_per_ns);
}

} // namespace

double visits_per_ns(const Location& location, const SampleRecord& record) {
  constexpr std::uint32_t most = 64; // windows without visits, after which little is left
  double mean = record.visits_per_ns;
  if (!record.windows.rests) return mean;
  const std::uint32_t windows = location.tree.unvisited.windows - record.windows.rest.windows;
  for (std::uint32_t i = 0; i < windows && i < most; ++i) mean *= 1 - weight_of_new;
  return mean;
}

void end_rest(Location& location, SampleRecord& record) {
  if (!record.windows.rests) return;
  end_rest(location, record, location.tree.unvisited);
  time_next(location.tree, record, 0, 0);
}

void choose_timed(const Process& process, Location& location) {
  constexpr double many_visits = 32; // in a window; fewer begin too late to tell when the thread has gone on
  const Windows& windows = process.windows;
  const WindowPlan plan = {.open = windows.open_ms * process.costs.ticks_per_ms,
                           .timed = load_relaxed(process.costs.timed),
                           .least = least_part_ms * process.costs.ticks_per_ms,
                           .back = location.back_ticks,
                           .timings = timings_for(location.tree.record_count)};
  location.back_shows = false;
  for_each_awake(location.tree, false, [&](SampleRecord& record) {
    store_relaxed(record.visits_marked, visits_from_outside(location.tree, record.node));
    std::uint64_t random = windows.round_random + record.node;
    if (random_below(random, windows_a_round) != windows.count % windows_a_round) return;
    record.part_window = windows.count;
    if (record.visits_a_window >= many_visits) location.back_shows = true;
    time_part(location.tree, record, part_for(plan, record.visits_a_window * share_by_themselves(record.windows)));
  });
}

double add_window(const ProbeCosts& costs, Location& location, const EndedWindow& window, const TakenByOpener& taken) {
  constexpr double most_of_own = 4; // times its own time that a window stands for
  const double open_ns = open_ns_of(location), interrupted_ns = taken.charged_ns;
  const double ns_per_tick = 1e6 / costs.ticks_per_ms;
  const WindowCost cost = cost_of_window(costs, location, (open_ns - interrupted_ns) / ns_per_tick);
  const double cost_ns = (cost.measured + cost.taken) * ns_per_tick;
  const double own_ns = at_least(open_ns - cost_ns - interrupted_ns, 0);
  // Its own time stands for all that the thread would have had: windows in which it did much cost more, and would count
  // for less than others (decision 315).
  const double would_have_ns = open_ns + taken.lost_ns;
  const double weight = window.stratum_ticks / window.open_ticks *
                        (own_ns * most_of_own > would_have_ns ? would_have_ns / own_ns : most_of_own);
  WindowLook look = {.weight = weight,
                     .timed_weight = weight,
                     .open_cpu_ns = own_ns,
                     .cpu_ns = location.closed_cpu_ns - (open_ns - own_ns),
                     .cost_ns = cost.taken * ns_per_tick + interrupted_ns,
                     .visits = 0,
                     .ends_round = window.ends_round};
  const WindowSums until_before = location.tree.unvisited;
  add_window(location.tree.unvisited, look);
  for_each_awake(location.tree, true, [&](SampleRecord& record) {
    if (rests_on(record)) return;
    if (record.windows.rests) {
      if (record.windows.rest.is_timed) record.part_window = window.number;
      end_rest(location, record, until_before);
    }
    const auto visits = static_cast<double>(record.visits_now - record.windows.visits_seen);
    look.timed_weight = weight / part_share(record, window, visits);
    look.visits = record.visits_now;
    add_window(record.windows, look);
    end_showing(location.tree, record.node);
    follow_visits(record, visits, open_ns);
    if (window.ends_round && may_rest(record.windows)) begin_rest(location, record, window);
  });
  location.window_cpu_ns += location.closed_cpu_ns;
  return open_ns > 0 ? cost_ns / open_ns : 0;
}

} // namespace andes::monitor
