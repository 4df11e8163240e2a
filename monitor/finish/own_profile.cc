// The profile of this process: from ticks of the locations' trees to nanoseconds of call paths.
#include <algorithm>
#include <cmath>

#include "monitor/finish/derive.h"
#include "monitor/finish/left_out.h"
#include "monitor/finish/message_sizes.h"
#include "monitor/finish/own_cost.h"
#include "monitor/finish/profile.h"

namespace andes::monitor {
namespace {

/// A value that is no number, a defect of andes, would make the whole run unusable: it is left out and counted.
void put(Profile& profile, std::int32_t path, run_file::MetricId metric, std::size_t location, double value) {
  if (value == 0) return;
  if (!std::isfinite(value)) {
    ++profile.values_not_finite;
    return;
  }
  std::vector<double>& column = column_of(profile.paths[static_cast<std::size_t>(path)].values, metric);
  if (column.size() <= location) column.resize(location + 1);
  column[location] += value;
}

/// Whether OpenMP was met in the process.
bool has_teams(const Process& process) {
  for (std::uint32_t i = 1; i < process.registry.count; ++i) {
    const std::uint32_t kind = process.registry.regions[i].kind;
    if (kind >= ANDES_KIND_PARALLEL && kind <= ANDES_KIND_APART) return true;
  }
  return false;
}

void put_event(ProfilePath& path, std::size_t event, std::size_t location, double value) {
  if (value == 0) return;
  std::vector<double>& column = column_of(path.events, event);
  if (column.size() <= location) column.resize(location + 1);
  column[location] += value;
}

LocationRow location_row(const Process& process, const Location& location, const Derived& derived,
                         const TickScale& scale, bool teams) {
  LocationRow row;
  auto ns = [&](double ticks) { return std::llround(scale.duration_ns(ticks)); };
  row.rank = process.mpi.rank;
  row.process = process.process_id;
  row.start_ns = scale.realtime_ns(location.first_ticks);
  row.end_ns = scale.realtime_ns(location.last_ticks);
  row.off_ns = ns(static_cast<double>(location.off_ticks));
  if (location.number == 0) row.init_ns = ns(static_cast<double>(process.mpi.init_ticks));
  row.communication_ns = ns(derived.communication[node_root]);
  row.io_ns = ns(derived.io[node_root]);
  row.tool_ns = ns(derived.exclusive[node_tool]);
  row.wall_ns = ns(derived.inclusive[node_root]);
  row.compute_ns = ns(derived.computation[node_root]);
  row.synchronisation_ns = ns(derived.synchronisation[node_root]);
  // Of a process that was killed the latest reading on the way may be long ago. The first and last reading lie a little
  // outside of the measured interval: a wait that falls there may be longer than a short run.
  if (process.state == State::finished && location.losses.waits.ran_ns > 0)
    row.core_wait_ns = std::min<std::int64_t>(std::llround(location.losses.waits.ns), row.wall_ns);
  if (!teams) return row;
  row.team_idle_ns = row.idle_ns = ns(derived.team_idle[node_root]); // own_waits.cc adds waits in MPI
  row.apart_ns = ns(derived.apart);
  row.parallel_ns = ns(derived.parallel);
  return row;
}

/// A member's work in a team stays below the mirrored root of the thread that opened it, not below the member's
/// own root.
void subtract_mirrored_roots(const Tree& tree, Derived& derived) {
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i) {
    if (tree.node(i).kind != ANDES_KIND_ROOT) continue;
    for (auto* column : {&derived.inclusive, &derived.computation, &derived.communication, &derived.synchronisation,
                         &derived.team_idle, &derived.io})
      (*column)[node_root] -= (*column)[i];
  }
}

// Values that the program attached to this location's call paths.
void add_attached(Profile& profile, const Process& process, const Location& location,
                  const std::vector<std::int32_t>& path_of_node) {
  AttachedValues& attached = profile.attached;
  attached.lost += static_cast<std::int64_t>(location.values.lost);
  for (std::uint32_t i = 0; i < location.values.count; ++i) {
    const AttachedValue& value = location.values.all[i];
    const std::int32_t path = value.node < path_of_node.size() ? path_of_node[value.node] : -1;
    if (path < 0) continue;
    const std::string name = process.registry.regions[value.region].name;
    const auto known = std::find(attached.names.begin(), attached.names.end(), name);
    const auto index = static_cast<std::int32_t>(known - attached.names.begin());
    if (known == attached.names.end()) attached.names.push_back(name);
    attached.rows.push_back({profile.paths[static_cast<std::size_t>(path)].hash, index,
                             static_cast<std::int32_t>(profile.locations.size()),
                             static_cast<std::int64_t>(value.count), static_cast<std::int64_t>(value.not_finite),
                             value.sum, value.min, value.max, value.last});
  }
}

/// Index in the profile by region number, made when a region is first met: each region has many call paths.
class RegionNumbers {
public:
  RegionNumbers(Profile& profile, const Registry& registry, const Names& names)
      : profile_(profile), registry_(registry), names_(names), numbers_(registry.count, unknown) {}

  /// Result made_by_compiler: the region is not in the profile.
  std::int32_t operator[](std::uint32_t region) {
    std::int32_t& number = numbers_[region];
    if (number != unknown) return number;
    const Region& met = registry_.regions[region];
    return number =
               is_made_by_compiler(met, names_) ? made_by_compiler : region_index(profile_, region_row(met, names_));
  }

  static constexpr std::int32_t made_by_compiler = -1;

private:
  static constexpr std::int32_t unknown = -2;

  Profile& profile_;
  const Registry& registry_;
  const Names& names_;
  std::vector<std::int32_t> numbers_;
};

void add_location(Profile& profile, const Process& process, const Names& names, RegionNumbers& numbers,
                  const Location& location, const ProbeCosts& costs, const CodeScopes& scopes, const TickScale& scale,
                  bool teams) {
  Derived derived = derive(location.tree, costs, core_loss(location.losses, scale.ns_per_tick),
                           {.samples = location.function_samples,
                            .period_ticks = process.windows.sample_period_ns / scale.ns_per_tick,
                            .cost_ticks = process.windows.sample_cost_ns / scale.ns_per_tick,
                            .scopes = &scopes});
  profile.tool_error_ns += derived.tool_error * scale.ns_per_tick;
  if (location.function_samples) profile.function_samples += location.function_samples->taken;
  const std::vector<std::vector<double>> counts = inclusive_counts(process, location);
  const std::size_t column = profile.locations.size();
  LocationRow row = location_row(process, location, derived, scale, teams);
  // Threads are numbered by their order here: if the main thread was never seen, the first other
  // thread represents the rank.
  row.thread = static_cast<std::int32_t>(column);
  subtract_mirrored_roots(location.tree, derived);
  const Tree& tree = location.tree;
  std::vector<std::int32_t> path_of_node(tree.node_count, -1);
  for (std::uint32_t i = 0; i < tree.node_count; ++i) {
    const andes_node& node = tree.node(i);
    const std::int64_t visits = i == node_tool ? derived.tool_visits : tree.visits(i);
    // Skips tool and overflow nodes that were not needed. Mirrors of another thread's call paths have no visits
    // either, but children.
    if (visits == 0 && location.tree.accounts[i].first_child == 0) continue;
    const Region& region = process.registry.regions[node.region];
    std::int32_t parent = node.kind == ANDES_KIND_ROOT ? -1 : path_of_node[node.parent];
    if (numbers[node.region] == RegionNumbers::made_by_compiler) { // inclusive times above contain its time already
      path_of_node[i] = parent;
      put(profile, parent, run_file::exclusive_ns, column, scale.duration_ns(derived.exclusive[i]));
      continue;
    }
    // The call site is a call path between caller and MPI call, with no time of its own.
    std::int32_t call_site = -1;
    if (*region.module && ANDES_KIND_IS_MPI(region.kind))
      parent = call_site = path_index(profile, parent, region_index(profile, call_site_row(region, names)));
    const std::int32_t path = path_of_node[i] = path_index(profile, parent, numbers[node.region]);
    if (node.is_polled) profile.paths[static_cast<std::size_t>(path)].is_polled = true;
    auto put_ns = [&](run_file::MetricId metric, double ticks) {
      put(profile, path, metric, column, scale.duration_ns(ticks));
    };
    auto put_ns2 = [&](run_file::MetricId metric, double ticks2) {
      put(profile, path, metric, column, scale.duration_ns(scale.duration_ns(ticks2)));
    };
    auto put_inclusive = [&](run_file::MetricId metric, double value) {
      put(profile, path, metric, column, value);
      if (call_site >= 0) put(profile, call_site, metric, column, value);
    };
    put_inclusive(run_file::visits, i == node_tool ? static_cast<double>(visits) : derived.visits[i]);
    put_inclusive(run_file::inclusive_ns, scale.duration_ns(derived.inclusive[i]));
    put_ns(run_file::exclusive_ns, derived.exclusive[i]);
    put_inclusive(run_file::computation_ns, scale.duration_ns(derived.computation[i]));
    put_inclusive(run_file::communication_ns, scale.duration_ns(derived.communication[i]));
    put_inclusive(run_file::synchronisation_ns, scale.duration_ns(derived.synchronisation[i]));
    put_ns(run_file::team_idle_ns, derived.team_idle[i]);
    put_inclusive(run_file::io_ns, scale.duration_ns(derived.io[i]));
    for (std::size_t event = 0; event < counts.size(); ++event) {
      if (counts[event].empty()) continue;
      put_event(profile.paths[static_cast<std::size_t>(path)], event, column, counts[event][i]);
      if (call_site >= 0)
        put_event(profile.paths[static_cast<std::size_t>(call_site)], event, column, counts[event][i]);
    }
    const OwnErrors& own = derived.own_errors;
    put_ns2(run_file::own_error_ns2, own.each[i] * own.each[i]);
    put_ns2(run_file::region_error_ns2, own.in_region[i] * own.in_region[i]);
    put_ns(run_file::probe_error_ns, derived.probe_error[i]);
    const Distances& of_visits = derived.visits_error[i];
    put(profile, path, run_file::visits_below2, column, of_visits.below * of_visits.below);
    put(profile, path, run_file::visits_above2, column, of_visits.above * of_visits.above);
    put(profile, path, run_file::visits_cost_below, column, derived.visits_cost[i].below);
    put(profile, path, run_file::visits_cost_above, column, derived.visits_cost[i].above);
    if (node.record != 0) {
      const Estimate& estimate = derived.estimates[i];
      const SampleRecord& record = tree.records[node.record];
      const double apart = derived.visits[i] - static_cast<double>(tree.visits(i) - record.windows.visits);
      put(profile, path, run_file::sampled_visits, column, static_cast<double>(sampled_visits(tree, i)) + apart);
      put(profile, path, run_file::timed_visits, column,
          static_cast<double>(record.sample.timed + record.windows.timed));
      put_ns2(run_file::variance_ns2, estimate.variance);
      put_ns2(run_file::below_ns2, estimate.below * estimate.below);
      put_ns2(run_file::above_ns2, estimate.above * estimate.above);
      put_ns(run_file::cost_error_ns, derived.cost_error[i]);
      put(profile, path, run_file::unreliable, column, estimate.reliable ? 0 : 1);
    }
    if (node.traffic == 0) continue;
    const andes_traffic& traffic = location.traffic[node.traffic];
    const bool io = node.kind == ANDES_KIND_IO;
    const auto sent = static_cast<double>(traffic.bytes_sent), received = static_cast<double>(traffic.bytes_received);
    put(profile, path, io ? run_file::bytes_written : run_file::bytes_sent, column, sent);
    put(profile, path, io ? run_file::bytes_read : run_file::bytes_received, column, received);
    put(profile, path, run_file::messages_sent, column, static_cast<double>(traffic.messages_sent));
    put(profile, path, run_file::messages_received, column, static_cast<double>(traffic.messages_received));
    (io ? row.bytes_written : row.bytes_sent) += static_cast<std::int64_t>(traffic.bytes_sent);
    (io ? row.bytes_read : row.bytes_received) += static_cast<std::int64_t>(traffic.bytes_received);
    add_sizes(profile.paths[static_cast<std::size_t>(path)].sizes, traffic.sizes);
    row.messages_sent += static_cast<std::int64_t>(traffic.messages_sent);
    row.messages_received += static_cast<std::int64_t>(traffic.messages_received);
  }
  add_attached(profile, process, location, path_of_node);
  profile.locations.push_back(row);
  profile.path_of_node.push_back(std::move(path_of_node));
}

/// Whether there are samples of the program counter.
bool is_sampled(const Process& process) {
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    if (const Location* const location = process.locations[i];
        location && location->function_samples && location->function_samples->taken != 0)
      return true;
  return false;
}

// This rank's row of the communication matrix, over all its locations.
void add_messages(Profile& profile, const Process& process) {
  for (int to = 0; to < process.mpi.size; ++to) {
    MessageRow row = {process.mpi.rank, to, 0, 0};
    for (std::uint32_t i = 0; i < process.location_count; ++i) {
      const Location* location = process.locations[i];
      if (!location || !location->peers) continue;
      row.messages += static_cast<std::int64_t>(location->peers[to].messages);
      row.bytes += static_cast<std::int64_t>(location->peers[to].bytes);
    }
    if (row.messages != 0) profile.messages.push_back(row);
  }
}

} // namespace

std::int64_t TickScale::realtime_ns(std::uint64_t ticks) const {
  return origin.realtime_ns +
         std::llround(static_cast<double>(static_cast<std::int64_t>(ticks - origin.ticks)) * ns_per_tick);
}

TickScale tick_scale(const Clock& clock) {
  TickScale scale;
  scale.origin = clock.end;
  if (clock.kind == ClockKind::monotonic) return scale;
  auto slope = [](const Anchor& from, const Anchor& to) {
    return static_cast<double>(to.monotonic_ns - from.monotonic_ns) / static_cast<double>(to.ticks - from.ticks);
  };
  scale.ns_per_tick = slope(clock.start, clock.end);
  // Two slopes can be compared only if both intervals are long compared with an anchor's error.
  constexpr std::int64_t long_enough_ns = 20'000'000;
  if (clock.init.ticks != 0 && clock.init.monotonic_ns - clock.start.monotonic_ns > long_enough_ns &&
      clock.end.monotonic_ns - clock.init.monotonic_ns > long_enough_ns)
    scale.error_ppm = std::abs(slope(clock.start, clock.init) / slope(clock.init, clock.end) - 1) * 1e6;
  return scale;
}

Profile own_profile(const Process& process, const ProfileHost& host, const Names& names) {
  Profile profile;
  const TickScale scale = tick_scale(process.clock);
  const ProbeCosts costs = probe_costs(process);
  profile.clock_error_ppm = scale.error_ppm;
  profile.window_thread_ns = load_relaxed(process.windows.thread_ns);
  profile.hosts.push_back(host);
  profile.events = events_of(process);
  std::uint32_t paths = 0; // reserved at once: touching new memory costs more than the work on it
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    if (const Location* location = process.locations[i]) {
      paths = std::max(paths, location->tree.node_count);
      profile.limits_met |= load_relaxed(location->tree.limits_met);
    }
  profile.paths.reserve(paths);
  const bool teams = has_teams(process);
  RegionNumbers numbers(profile, process.registry, names);
  const std::vector<NotedFunction> left_out =
      is_sampled(process) ? without_probe(notes_in(modules_with_sites(process))) : std::vector<NotedFunction>();
  const CodeScopes scopes = find_code_scopes(process, !left_out.empty());
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    if (process.locations[i])
      add_location(profile, process, names, numbers, *process.locations[i], costs, scopes, scale, teams);
  const auto region_of = [&](std::uint32_t region) {
    return function_of(region_row(process.registry.regions[region], names));
  };
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    if (process.locations[i]) add_shares(*process.locations[i], scopes, left_out, region_of, profile.sampled_shares);
  add_messages(profile, process);
  for (std::uint32_t i = 0; i < process.snapshot_count && i < max_snapshots; ++i)
    profile.snapshots.push_back(
        {process.mpi.rank, static_cast<std::int32_t>(i + 1), scale.realtime_ns(process.snapshots[i].ticks)});
  return profile;
}

} // namespace andes::monitor
