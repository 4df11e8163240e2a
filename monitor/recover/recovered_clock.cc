#include "monitor/recover/recovered_clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include "monitor/recover/open_visits.h"

namespace andes::monitor {
namespace {

// Possible drift between two nodes, per nanosecond, if their slopes come from CLOCK_MONOTONIC.
constexpr double drift = 1e-4;
// Other threads may go on for a second or less between the signal and the end of the process.
constexpr std::uint64_t survived_ticks = 1'000'000'000;
constexpr std::int64_t long_enough_ns = 20'000'000; // between two anchors, compared with their error

/// Nanoseconds per tick between two anchors, and the interval between them: the longer, the more precise.
struct Slope {
  double ns_per_tick = 0;
  std::int64_t base_ns = 0;
};

std::optional<Slope> slope_between(const Anchor& from, const Anchor& to) {
  if (to.ticks <= from.ticks || to.monotonic_ns - from.monotonic_ns < long_enough_ns) return {};
  const Slope slope = {static_cast<double>(to.monotonic_ns - from.monotonic_ns) /
                           static_cast<double>(to.ticks - from.ticks),
                       to.monotonic_ns - from.monotonic_ns};
  constexpr double least = 0.01, most = 100; // 10 MHz to 100 GHz
  if (slope.ns_per_tick < least || slope.ns_per_tick > most) return {};
  return slope;
}

std::optional<Slope> slope_of(const RecoveredProcess& recovered, const Anchor* now) {
  const Clock& clock = recovered.process.clock;
  if (clock.kind == ClockKind::monotonic) return Slope{1, INT64_MAX};
  if (came_to_end(recovered) && clock.end.ticks != 0)
    if (const auto slope = slope_between(clock.start, clock.end)) return slope;
  if (now)
    if (const auto slope = slope_between(clock.start, *now)) return slope;
  return slope_between(clock.start, clock.init);
}

void set_end(RecoveredProcess& recovered, double ns_per_tick) {
  Clock& clock = recovered.process.clock;
  const auto since_ns = static_cast<std::int64_t>(
      std::llround(static_cast<double>(recovered.end_ticks - clock.start.ticks) * ns_per_tick));
  clock.end = {recovered.end_ticks, clock.start.monotonic_ns + since_ns, clock.start.realtime_ns + since_ns};
}

/// Finds the end of the process, in its ticks.
void find_end(RecoveredProcess& recovered, const Anchor* now) {
  const Process& process = recovered.process;
  const Ending& ending = recovered.ending;
  const std::uint64_t start_ticks = process.clock.start.ticks;
  if (came_to_end(recovered) && process.end_ticks > start_ticks) {
    recovered.end_ticks = process.end_ticks;
    recovered.end_known = true;
  } else if (recovered.alive && now) {
    recovered.end_ticks = recovered.read_ticks; // what it did since then is not known
    recovered.end_known = true;
  } else {
    const std::uint64_t last = last_event(recovered);
    // A program may survive a signal, by a handler of its own that never returns.
    if (ending.kind == EndKind::signal && last > ending.ticks + survived_ticks) recovered.ending = {};
    const bool seen = recovered.ending.kind == EndKind::running && recovered.died_ticks > last;
    recovered.end_known = seen || (ending.kind != EndKind::running && ending.ticks > start_ticks);
    recovered.end_ticks = seen ? recovered.died_ticks : recovered.end_known ? ending.ticks : last;
  }
  // Not later than now, if that is known; this also avoids division by zero and overflow.
  std::uint64_t most = start_ticks + most_ticks;
  if (now && now->ticks > start_ticks) most = std::min(most, now->ticks);
  recovered.end_ticks = std::clamp(recovered.end_ticks, start_ticks + 1, std::max(most, start_ticks + 1));
}

/// The clock of a process of this host now. Waits if the process began only a moment ago: between its start and now
/// there must be enough time to measure the length of a tick.
Anchor anchor_now(const Clock& clock) {
  const std::int64_t since_ns = monotonic_ns() - clock.start.monotonic_ns;
  if (clock.kind != ClockKind::monotonic && since_ns >= 0 && since_ns < long_enough_ns)
    std::this_thread::sleep_for(std::chrono::nanoseconds(long_enough_ns - since_ns));
  return take_anchor(clock);
}

} // namespace

std::string this_boot_id() {
  std::string line;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), line);
  return line;
}

void set_clocks(const std::vector<RecoveredProcess*>& job) {
  const std::string here = this_boot_id();
  std::map<std::string, Slope> of_host; // the most precise one
  Slope of_any;
  std::vector<std::optional<Slope>> slopes;
  for (RecoveredProcess* one : job) {
    const bool is_here = !here.empty() && one->boot_id == here;
    const Anchor anchor = is_here ? anchor_now(one->process.clock) : Anchor();
    const Anchor* now = is_here ? &anchor : nullptr;
    find_end(*one, now);
    const auto& slope = slopes.emplace_back(slope_of(*one, now));
    if (!slope || one->process.clock.kind == ClockKind::monotonic) continue;
    Slope& best = of_host[one->boot_id];
    if (slope->base_ns > best.base_ns) best = *slope;
    if (slope->base_ns > of_any.base_ns) of_any = *slope;
  }
  for (std::size_t i = 0; i < job.size(); ++i) {
    RecoveredProcess& one = *job[i];
    const bool has_end = came_to_end(one) && one.process.clock.end.ticks == one.end_ticks;
    Slope slope = slopes[i].value_or(Slope());
    if (slope.base_ns == 0) slope = of_host[one.boot_id];
    if (slope.base_ns == 0) slope = of_any;
    one.scaled = slope.base_ns != 0;
    if (!has_end) set_end(one, one.scaled ? slope.ns_per_tick : 1);
  }
}

bool share_clocks(const std::vector<RecoveredProcess*>& job) {
  const auto all = [&](auto holds) { return std::all_of(job.begin(), job.end(), holds); };
  if (all([](const RecoveredProcess* one) { return one->process.global_clock.synchronised; })) return true;
  if (!all([](const RecoveredProcess* one) { return one->process.clock_sync.done_at_init && one->scaled; }))
    return false;
  // Of each host the point of the rank that has compared its clock with rank 0's.
  std::map<std::string, RecoveredProcess*> leaders;
  for (RecoveredProcess* one : job) {
    const auto [found, fresh] = leaders.emplace(one->boot_id, one);
    if (!fresh && found->second->process.global_clock.init.error_ns == 0 && one->process.global_clock.init.error_ns > 0)
      found->second = one;
  }
  const auto nodes = static_cast<std::int32_t>(leaders.size());
  const auto first =
      std::find_if(job.begin(), job.end(), [](const RecoveredProcess* one) { return one->process.mpi.rank == 0; });
  if (nodes > 1 && first == job.end()) return false; // the process whose clock is the global one is missing
  double largest_ns = 0;
  std::int32_t node = 0;
  for (const auto& [host, leader] : leaders) {
    const bool own = nodes == 1 || host == (*first)->boot_id;
    const GlobalClock from = (own && first != job.end() ? *first : leader)->process.global_clock;
    if (!own && from.init.error_ns == 0) return false; // the rank that compared this node's clock is missing
    const double ns_per_tick = tick_scale(leader->process.clock).ns_per_tick;
    std::uint64_t end_ticks = from.init.ticks + 1;
    for (const RecoveredProcess* one : job)
      if (one->boot_id == host) end_ticks = std::max(end_ticks, one->end_ticks);
    const double since_ns = static_cast<double>(end_ticks - from.init.ticks) * ns_per_tick;
    GlobalClock shared = from;
    shared.end = {end_ticks, from.init.global_ns + since_ns, own ? 0 : from.init.error_ns + drift * since_ns};
    shared.nodes = nodes;
    shared.node = node++;
    shared.synchronised = true;
    largest_ns = std::max(largest_ns, shared.end.error_ns);
    for (RecoveredProcess* one : job)
      if (one->boot_id == host) one->process.global_clock = shared;
  }
  for (RecoveredProcess* one : job) one->process.global_clock.offset_error_ns = largest_ns;
  return true;
}

} // namespace andes::monitor
