// The finishing library: opened at the end of a run, when measuring is over. Gathers the ranks'
// profiles, makes one Run of them, and rank 0 writes the run file. Nothing leaves here but what is
// said on standard error: no exception, no exit (invariant 3).
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "monitor/finish/gather.h"
#include "monitor/finish/host.h"
#include "monitor/finish/own_cost.h"
#include "monitor/finish/run_waits.h"

namespace andes {
namespace {

std::string json_list(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    if (json.size() > 1) json += ",";
    json += '"';
    for (const char c : text) {
      char code[8];
      if (c == '"' || c == '\\')
        json += '\\', json += c;
      else if (static_cast<unsigned char>(c) < 0x20)
        std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c)), json += code;
      else
        json += c;
    }
    json += '"';
  }
  return json + "]";
}

// Without the C library's calendar, which reads the time zone's file first.
std::string iso_time(std::int64_t realtime_ns) {
  using namespace std::chrono;
  const sys_time<milliseconds> time(milliseconds(realtime_ns / 1'000'000));
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  char text[80];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text;
}

struct Span {
  std::int64_t start_ns, end_ns, off_ns;
};

// First rank's start to last rank's end, and the time all of them were switched off, by main threads.
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

Bounds bounds_of(const Process& process, const andes_transport* transport) {
  Bounds bounds;
  bounds.job_ranks = transport ? transport->size : 1;
  bounds.paths = process.settings.node_limit;
  bounds.column_bytes = process.settings.columns_mb * 1e6;
  return bounds;
}

// What the run file does not hold in full, for all that read it.
void fill_limits(Run& run, const Reduction& reduction) {
  run.facts["columns"] = reduction.all_values ? "all" : "telling";
  if (reduction.dropped_paths == 0) return;
  run.facts["dropped_paths"] = reduction.dropped_paths;
  run.facts["dropped_ranks"] = reduction.dropped_ranks;
}

void fill_facts(Run& run, const Process& process, const Reduction& reduction,
                const Program& program, const Span& span, bool complete) {
  std::int64_t ranks = 0, threads = 0, threads_of_rank = 0, cores = 0;
  for (std::size_t i = 0; i < reduction.locations.size(); ++i) { // by rank, thread
    const bool new_rank = i == 0 || reduction.locations[i].rank != reduction.locations[i - 1].rank;
    ranks += new_rank;
    threads_of_rank = new_rank ? 1 : threads_of_rank + 1;
    threads = std::max(threads, threads_of_rank);
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
  facts["wall_ns"] = span.end_ns - span.start_ns - span.off_ns;
  facts["measured_from"] = process.settings.from_start || !process.mpi.present ? "start" : "init";
  if (process.mpi.present) {
    facts["mpi_library"] = std::string(process.mpi.library);
    facts["mpi_version"] =
        std::to_string(process.mpi.version) + "." + std::to_string(process.mpi.subversion);
  }
  facts["clock"] = process.clock.kind == ClockKind::tsc ? "tsc" : "monotonic";
  facts["clock_hz"] = 1e9 / tick_scale(process.clock).ns_per_tick;
  facts["clock_error_ppm"] = reduction.clock_error_ppm;
  if (reduction.hosts.size() > 1) facts["several_hosts_clock"] = std::int64_t{1};
  facts["monitor_version"] = ANDES_VERSION;
  facts["usable_cores"] = cores;
  facts["complete"] = std::int64_t{complete};
}

Run make_run(const Process& process, const Reduction& reduction, const Program& program,
             const OwnWaits& waits, bool complete) {
  Run run;
  const Span span = span_of(reduction.locations);
  fill_facts(run, process, reduction, program, span, complete);
  fill_limits(run, reduction);
  run.environment = telling_environment();
  for (const ProfileHost& host : reduction.hosts) {
    run.hosts.push_back(host.facts);
    run.hosts.back().usable_cores = usable_cores(host);
  }
  for (LocationRow row : reduction.locations) {
    if (row.thread == 0) row.wait_at_end_ns = span.end_ns - row.end_ns;
    row.start_ns -= span.start_ns;
    row.end_ns -= span.start_ns;
    row.has_values = 0;
    run.locations.push_back(row);
  }
  for (const ValueRow& row : reduction.rows)
    run.locations[static_cast<std::size_t>(row.location)].has_values = 1;
  run.regions = reduction.regions;
  const auto ranks = static_cast<double>(reduction.ranks);
  for (std::size_t i = 0; i < reduction.paths.size(); ++i) {
    const ReducedPath& path = reduction.paths[i];
    run.callpaths.push_back({path.parent, path.region});
    for (std::int32_t at = path.first; at >= 0;) {
      const ReducedValue& value = reduction.statistics[static_cast<std::size_t>(at)];
      const Statistic& s = value.statistic;
      run.statistics.push_back({static_cast<std::int32_t>(i), value.metric, s.sum, s.min, s.max,
                                s.sum / ranks, deviation(s, ranks), s.min_rank, s.max_rank});
      at = value.next;
    }
  }
  run.columns = columns_of(reduction);
  run.messages = reduction.messages;
  run.snapshots = reduction.snapshots;
  for (SnapshotRow& snapshot : run.snapshots) snapshot.time_ns -= span.start_ns;
  state_waits(run, reduction, waits);
  state_own_cost(run, process, tick_scale(process.clock).ns_per_tick);
  return run;
}

// A name that is free: the one asked for, or with a number before its extension.
std::string free_name(const std::string& wanted) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(wanted, ignored)) return wanted;
  const fs::path path = wanted;
  for (int number = 2; number < 1000; ++number) {
    const fs::path other = path.parent_path() / (path.stem().string() + "." +
                                                 std::to_string(number) + path.extension().string());
    if (!fs::exists(other, ignored)) return other.string();
  }
  return wanted;
}

// A process without MPI and without probes is worth a run only if it is the program itself: a shell
// or a script around mpirun is not. It is taken for one if a run file has appeared beside its own
// place since it began.
bool is_only_around_others(const Process& process, const std::string& path) {
  if (process.mpi.present || process.registry.count != first_free_region) return false;
  namespace fs = std::filesystem;
  const auto began = fs::file_time_type::clock::from_sys(std::chrono::sys_time<std::chrono::nanoseconds>(
      std::chrono::nanoseconds(process.clock.start.realtime_ns)));
  std::error_code none;
  const fs::path directory = fs::path(path).parent_path();
  for (const auto& entry : fs::directory_iterator(directory.empty() ? "." : directory, none)) {
    std::error_code gone;
    if (entry.path().extension() == ".andes" && entry.last_write_time(gone) >= began && !gone)
      return true;
  }
  return false;
}

void finish(const Process& process, const andes_transport* transport) {
  const auto begin = std::chrono::steady_clock::now();
  const Bounds bounds = bounds_of(process, transport);
  const std::int64_t deadline_ns =
      monotonic_ns() + static_cast<std::int64_t>(process.settings.gather_timeout_s * 1e9);
  Profile profile = own_profile(process, names_of_addresses(process.registry, transport, deadline_ns));
  const OwnWaits waits = measure_waits(process, profile, transport, deadline_ns);
  Reduction reduction = reduce(std::move(profile), bounds);
  const Gathered gathered = gather(reduction, bounds, transport, deadline_ns);
  if (!gathered.complete)
    std::fprintf(stderr, "andes: rank %d: %s within %g s; the run file is incomplete\n",
                 process.mpi.rank, gathered.trouble.c_str(), process.settings.gather_timeout_s);
  if (!gathered.at_root) return;

  const Program program = this_program();
  Run run = make_run(process, reduction, program, waits, gathered.complete);
  const std::string pattern = *process.settings.out ? process.settings.out : "%x-p%p-%u.andes";
  const std::string wanted = expand_out(pattern, program, process.mpi.size);
  if (is_only_around_others(process, wanted)) return;
  const std::string path = free_name(wanted);
  if (path != wanted)
    std::fprintf(stderr, "andes: %s: exists already; writing %s\n", wanted.c_str(), path.c_str());
  std::error_code no_directory; // write_run says what is wrong with the place
  if (const auto directory = std::filesystem::path(path).parent_path(); !directory.empty())
    std::filesystem::create_directories(directory, no_directory);
  run.facts["finish_ns"] = static_cast<std::int64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count());
  const std::string trouble = write_run(run, path, process.settings.table_values);
  if (!trouble.empty()) std::fprintf(stderr, "andes: %s\n", trouble.c_str());
}

} // namespace
} // namespace andes

extern "C" __attribute__((visibility("default"))) void
andes_finish_run(const andes::Process* process, const andes_transport* transport) {
  try {
    andes::finish(*process, transport);
  } catch (const std::exception& trouble) {
    std::fprintf(stderr, "andes: finishing: %s; no run file is written\n", trouble.what());
  }
}
