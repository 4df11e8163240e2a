// See make_run.h.
#include "monitor/finish/make_run.h"

#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <tuple>

#include "monitor/finish/events.h"
#include "monitor/finish/fold_phases.h"
#include "monitor/finish/json_text.h"
#include "monitor/finish/left_out.h"
#include "monitor/finish/message_sizes.h"
#include "monitor/finish/own_cost.h"

namespace andes::monitor {
namespace {

struct Span {
  std::int64_t start_ns, end_ns, off_ns;
};

// From the first rank's start to the last rank's end, and the time during which all were switched off; by
// main threads.
Span span_of(const std::vector<LocationRow>& locations) {
  Span span = {INT64_MAX, INT64_MIN, INT64_MAX};
  for (const LocationRow& row : locations) {
    if (row.thread != 0) continue;
    span.start_ns = std::min(span.start_ns, row.start_ns);
    span.end_ns = std::max(span.end_ns, row.end_ns);
    span.off_ns = std::min(span.off_ns, row.off_ns);
  }
  return span;
}

// Estimates how many threads of a rank computed at the same time: the largest number of threads that were alive
// together and computed for at least a hundredth of the run. Helper threads that mostly wait do not count.
std::int64_t busy_at_once(const LocationRow* rows, std::size_t count, std::int64_t wall_ns) {
  std::vector<std::pair<std::int64_t, int>> changes; // at the same time an end comes before a start
  for (std::size_t i = 0; i < count; ++i)
    if (rows[i].compute_ns * 100 >= wall_ns) {
      changes.push_back({rows[i].start_ns, 1});
      changes.push_back({rows[i].end_ns, -1});
    }
  std::sort(changes.begin(), changes.end());
  std::int64_t now = 0, most = 1; // at least the main thread
  for (const auto& [time_ns, change] : changes) most = std::max(most, now += change);
  return most;
}

constexpr std::pair<std::uint32_t, const char*> limits_of_trees[] = {
    {met_tree_mb, "tree_mb"}, {met_node_limit, "node_limit"}, {met_depth_limit, "depth_limit"}};

// Records, for readers of the run file, which data it does not contain in full.
void fill_limits(Run& run, const Reduction& reduction) {
  run.facts["columns"] = reduction.all_values ? "all" : "telling";
  std::string met;
  for (const auto& [limit, setting] : limits_of_trees)
    if (reduction.limits_met & limit) met += (met.empty() ? "" : " ") + std::string(setting);
  if (!met.empty()) run.facts["limits_met"] = met;
  if (reduction.dropped_paths == 0) return;
  run.facts["dropped_paths"] = reduction.dropped_paths;
  run.facts["dropped_ranks"] = reduction.dropped_ranks;
}

void fill_build_facts(Run& run, const BuildStamp& stamp) {
  const auto set = [&run](FactName name, const std::string& value) {
    if (!value.empty()) run.facts[name] = value;
  };
  set("commit", stamp.commit);
  set("commit_time", stamp.commit_time);
  set("branch", stamp.branch);
  if (stamp.dirty) run.facts["dirty"] = std::int64_t{1};
  set("compiler", stamp.compiler);
  set("compiler_flags", stamp.flags);
}

void fill_facts(Run& run, const Process& process, const Reduction& reduction, const Program& program, const Span& span,
                bool complete) {
  std::int64_t ranks = 0, threads = 0, busy_threads = 0, cores = 0;
  const std::vector<LocationRow>& locations = reduction.locations; // by rank, thread
  const std::int64_t wall_ns = span.end_ns - span.start_ns - span.off_ns;
  for (std::size_t first = 0, next; first < locations.size(); first = next) {
    next = first + 1;
    while (next < locations.size() && locations[next].rank == locations[first].rank) ++next;
    ++ranks;
    threads = std::max(threads, static_cast<std::int64_t>(next - first));
    busy_threads += busy_at_once(&locations[first], next - first, wall_ns);
  }
  for (const ProfileHost& host : reduction.hosts) cores += usable_cores(host);

  auto& facts = run.facts;
  facts["program"] = program.name;
  facts["executable"] = program.executable;
  facts["executable_hash"] = program.hash;
  facts["arguments"] = json_list(program.arguments);
  facts["directory"] = program.directory;
  facts["started"] = iso_time(span.start_ns);
  facts["ranks"] = ranks;
  facts["threads"] = threads;
  facts["busy_threads"] = busy_threads;
  facts["wall_ns"] = wall_ns;
  facts["measured_from"] = process.settings.from_start || !process.mpi.present ? "start" : "init";
  constexpr const char* runtimes[] = {"absent", "libgomp", "libomp", "libgomp libomp"};
  if (process.openmp != 0) facts["openmp"] = runtimes[process.openmp & 3];
  if (process.mpi.spawned) facts["spawned"] = std::int64_t{1};
  if (process.mpi.sessions) facts["sessions"] = std::int64_t{1};
  if (process.mpi.present) {
    facts["mpi_library"] = std::string(process.mpi.library);
    if (const auto bytes = process.mpi.eager.within_node)
      facts["eager_limit_within_node"] = static_cast<std::int64_t>(bytes);
    if (const auto bytes = process.mpi.eager.between_nodes)
      facts["eager_limit_between_nodes"] = static_cast<std::int64_t>(bytes);
    facts["mpi_version"] = std::to_string(process.mpi.version) + "." + std::to_string(process.mpi.subversion);
  }
  facts["clock"] = process.clock.kind == ClockKind::tsc ? "tsc" : "monotonic";
  facts["clock_hz"] = 1e9 / tick_scale(process.clock).ns_per_tick;
  facts["clock_error_ppm"] = reduction.clock_error_ppm;
  if (reduction.hosts.size() > 1) facts["several_hosts_clock"] = std::int64_t{1};
  facts["monitor_version"] = ANDES_VERSION;
  facts["usable_cores"] = cores;
  if (utsname system; uname(&system) == 0) facts["kernel"] = std::string(system.sysname) + " " + system.release;
  facts["complete"] = std::int64_t{complete};
}

// `path` is a call path in a single step: these follow all others, whose indices are those of the callpaths.
StepRow step_row(const Run& run, const Reduction& reduction, const ReducedPath& path) {
  const auto callpaths = static_cast<std::int32_t>(run.callpaths.size());
  StepRow row{std::max(-1, path.parent - callpaths), path.folded, path.region, std::nullopt};
  const RegionRow& region = reduction.regions[static_cast<std::size_t>(path.region)];
  if (region.kind != step_kind) return row;
  const std::string text = region.name.substr(region.name.rfind(' ') + 1); // "(more)" is not a number
  std::int64_t number = 0;
  if (const auto end = text.data() + text.size(); std::from_chars(text.data(), end, number).ptr == end)
    row.number = number;
  return row;
}

void add_attached(Run& run, const Reduction& reduction) {
  const auto callpaths = static_cast<std::int32_t>(run.callpaths.size());
  std::int64_t lost = reduction.attached.lost;
  for (const AttachedRow& from : reduction.attached.rows) {
    const auto found = reduction.path_of_hash.find(from.path);
    if (found == reduction.path_of_hash.end()) { // its call path was dropped and summed elsewhere
      lost += from.count + from.not_finite;
      continue;
    }
    AttachedValueRow row;
    const std::int32_t folded = reduction.paths[static_cast<std::size_t>(found->second)].folded;
    row.callpath = folded >= 0 ? folded : found->second;
    row.step = folded >= 0 ? found->second - callpaths : -1;
    row.name = reduction.attached.names[static_cast<std::size_t>(from.name)];
    row.location = from.location;
    row.count = from.count;
    row.not_finite = from.not_finite;
    row.sum = from.sum;
    row.min = from.min;
    row.max = from.max;
    row.last = from.last;
    run.attached.push_back(std::move(row));
  }
  std::sort(run.attached.begin(), run.attached.end(), [](const AttachedValueRow& a, const AttachedValueRow& b) {
    return std::tie(a.callpath, a.step, a.name, a.location) < std::tie(b.callpath, b.step, b.name, b.location);
  });
  if (lost > 0) run.facts["lost_values"] = lost;
}

} // namespace

// Does not use the C library's calendar, which would read the time zone file first.
std::string iso_time(std::int64_t realtime_ns) {
  using namespace std::chrono;
  const sys_time<milliseconds> time(milliseconds(realtime_ns / 1'000'000));
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  char text[80];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

Run make_run(const Process& process, const Reduction& reduction, const RunOrigin& origin, const OwnWaits& waits,
             bool complete) {
  Run run;
  const Span span = span_of(reduction.locations);
  fill_facts(run, process, reduction, origin.program, span, complete);
  fill_build_facts(run, origin.stamp);
  fill_limits(run, reduction);
  run.environment = origin.environment;
  for (const ProfileHost& host : reduction.hosts) {
    run.hosts.push_back(host.facts);
    run.hosts.back().usable_cores = usable_cores(host);
  }
  for (LocationRow row : reduction.locations) {
    row.wait_at_end_ns = row.thread == 0 ? span.end_ns - row.end_ns : 0;
    row.start_ns -= span.start_ns;
    row.end_ns -= span.start_ns;
    row.has_values = 0;
    run.locations.push_back(row);
  }
  for (const ValueRow& row : reduction.rows) run.locations[static_cast<std::size_t>(row.location)].has_values = 1;
  run.regions = reduction.regions;
  run.left_out = resolved(origin.notes, run.regions);
  take_shares(reduction.sampled_shares, run.regions, run.left_out);
  add_waits_to_run(run, reduction, waits);
  const std::vector<std::int32_t> events = state_events(run, reduction);
  const auto number_of = [&](std::int32_t metric) {
    if (is_size(metric)) return -1; // only a damaged message has values of single ranks
    return is_event(metric) ? events[static_cast<std::size_t>(metric - first_event_metric)] : metric;
  };
  const auto ranks = static_cast<double>(reduction.ranks);
  for (const ReducedPath& path : reduction.paths) {
    const bool step = path.folded >= 0;
    const auto number = static_cast<std::int32_t>(step ? run.steps.size() : run.callpaths.size());
    if (step) run.steps.push_back(step_row(run, reduction, path));
    else run.callpaths.push_back({path.parent, path.region});
    for (std::int32_t at = path.first; at >= 0;) {
      const ReducedValue& value = reduction.statistics[static_cast<std::size_t>(at)];
      const Statistic& s = value.statistic;
      at = value.next;
      if (is_size(value.metric)) {
        run.message_sizes.push_back({number, value.metric - first_size_metric, s.sum});
        continue;
      }
      const std::int32_t metric = number_of(value.metric);
      auto& rows = step ? run.step_statistics : run.statistics;
      if (metric >= 0)
        rows.push_back(
            {number, metric, s.sum, s.min, s.max, s.sum / ranks, deviation(s, ranks), s.min_rank, s.max_rank});
    }
  }
  run.columns = columns_of(reduction);
  for (Column& column : run.columns) column.metric = number_of(column.metric);
  std::erase_if(run.columns, [](const Column& column) { return column.metric < 0; });
  std::sort(run.message_sizes.begin(), run.message_sizes.end(), [](const SizeRow& a, const SizeRow& b) {
    return std::tie(a.callpath, a.size_class) < std::tie(b.callpath, b.size_class);
  });
  run.messages = reduction.messages;
  run.snapshots = reduction.snapshots;
  for (SnapshotRow& snapshot : run.snapshots) snapshot.time_ns -= span.start_ns;
  add_attached(run, reduction);
  add_own_cost_to_run(run, process, tick_scale(process.clock).ns_per_tick, reduction);
  return run;
}

std::string wanted_path(const Process& process, const Program& program) {
  const std::string pattern = *process.settings.out ? process.settings.out : "%x-p%p-%u.andes";
  const std::string path = expand_out(pattern, program, process.mpi.size);
  return process.mpi.spawned ? marked_name(path, run_file::spawned_mark) : path;
}

std::string marked_name(const std::string& path, const std::string& mark) {
  std::filesystem::path name = path;
  return name.replace_filename(name.stem().string() + mark + name.extension().string()).string();
}

std::string free_name(const std::string& wanted) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  // A dangling symbolic link occupies a name, too.
  const auto is_taken = [&](const fs::path& path) { return fs::exists(fs::symlink_status(path, ignored)); };
  if (!is_taken(wanted)) return wanted;
  for (int number = 2; number < 1000; ++number) {
    const std::string other = marked_name(wanted, std::string(".").append(std::to_string(number)));
    if (!is_taken(other)) return other;
  }
  return wanted;
}

void make_directories(const std::string& path) {
  std::error_code ignored;
  if (const auto directory = std::filesystem::path(path).parent_path(); !directory.empty())
    std::filesystem::create_directories(directory, ignored);
}

Bounds bounds_of(const Process& process, int ranks) {
  Bounds bounds;
  bounds.job_ranks = ranks;
  bounds.paths = process.settings.node_limit;
  bounds.column_bytes = process.settings.columns_mb * 1e6;
  return bounds;
}

} // namespace andes::monitor
