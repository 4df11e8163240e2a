// The tree of Program, with every metric of every call path filled in as the monitor would.
#include "tests/postproc/run_maker.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "monitor/finish/statistic.h"

namespace andes::test {
namespace {

enum Path { program, main_, setup, broadcast, work, sweep, path_count };
constexpr double broadcast_bytes = 800;

} // namespace

Run run_of(const Program& p, int ranks, double scale) {
  using namespace run_file;
  const double serial_ns = std::round(p.serial_s * scale * 1e9);
  const double parallel_ns = std::round(p.parallel_s * scale * 1e9 / ranks);
  const double wall_ns = serial_ns + parallel_ns;
  Run run;
  run.facts = {{"program", p.name},
               {"arguments", p.arguments},
               {"executable", "/home/user/" + p.name},
               {"executable_hash", p.hash},
               {"started", p.started},
               {"ranks", std::int64_t{ranks}},
               {"threads", std::int64_t{1}},
               {"wall_ns", static_cast<std::int64_t>(wall_ns)},
               {"mpi_library", "Open MPI v4.1.4, package: Debian"},
               {"usable_cores", std::int64_t{64}},
               {"columns", "all"},
               {"complete", std::int64_t{1}},
               {"exit_status", std::int64_t{0}}};
  run.hosts = {{"node1", 64, "a processor", 1 << 30}};
  run.regions = {{"(program)", "root", "", 0},         {"main", "function", "jacobi.c", 10},
                 {"setup", "function", "jacobi.c", 3}, {"MPI_Bcast", "source", "", 0},
                 {"work", "function", "jacobi.c", 5},  {"sweep", "function", "jacobi.c", 7}};
  run.callpaths = {{-1, program},      {program, main_}, {main_, setup},
                   {main_, broadcast}, {main_, work},    {work, sweep}};
  std::vector<std::vector<std::vector<double>>> values(
      path_count, std::vector<std::vector<double>>(
                      metric_count, std::vector<double>(static_cast<std::size_t>(ranks))));
  for (int rank = 0; rank < ranks; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    const double computing = parallel_ns + (rank == 0 ? serial_ns : 0);
    const double waiting = rank == 0 ? 0 : serial_ns;
    LocationRow l;
    l.rank = rank;
    l.end_ns = l.wall_ns = static_cast<std::int64_t>(wall_ns);
    l.compute_ns = static_cast<std::int64_t>(computing);
    l.communication_ns = static_cast<std::int64_t>(waiting);
    l.bytes_sent = rank == 0 ? static_cast<std::int64_t>(broadcast_bytes) : 0;
    l.bytes_received = rank == 0 ? 0 : static_cast<std::int64_t>(broadcast_bytes);
    run.locations.push_back(l);
    for (auto& path : values) path[visits][r] = 1;
    const auto times = [&](Path path, double inclusive, double computation, double exclusive) {
      auto& metrics = values[path];
      metrics[inclusive_ns][r] = inclusive;
      metrics[computation_ns][r] = computation;
      metrics[communication_ns][r] = inclusive - computation;
      metrics[exclusive_ns][r] = exclusive;
    };
    times(program, wall_ns, computing, 0);
    times(main_, wall_ns, computing, 0);
    if (rank == 0)
      times(setup, serial_ns, serial_ns, serial_ns);
    else
      values[setup][visits][r] = 0;
    times(broadcast, waiting, 0, waiting);
    times(work, parallel_ns, parallel_ns, 0);
    times(sweep, parallel_ns, parallel_ns, parallel_ns);
    (rank == 0 ? values[broadcast][bytes_sent] : values[broadcast][bytes_received])[r] =
        broadcast_bytes;
  }
  for (int path = 0; path < path_count; ++path)
    for (int metric = 0; metric < metric_count; ++metric) {
      auto& column = values[static_cast<std::size_t>(path)][static_cast<std::size_t>(metric)];
      bool zero = true;
      for (const double value : column) zero = zero && value == 0;
      if (!zero) run.columns.push_back({path, static_cast<MetricId>(metric), column});
    }
  return run;
}

Run by_another_way(Run run) {
  for (auto& region : run.regions)
    if (region.name == "work") region.name = "work_alone", region.line = 6;
  return run;
}

Run team_run(const std::vector<TeamProcess>& processes, double time_s) {
  using namespace run_file;
  Run run = run_of({}, 1);
  run.facts["ranks"] = static_cast<std::int64_t>(processes.size());
  run.facts["wall_ns"] = std::llround(time_s * 1e9);
  run.facts["wait_states"] = "measured";
  run.regions = {{"(program)", "root", "", 0},  {"main", "function", "heat.c", 10},
                 {"step", "parallel", "heat.c", 12}, {"(implicit barrier)", "barrier", "", 0},
                 {"(wait for critical)", "lock", "", 0}, {"MPI_Send", "send", "", 0},
                 {"MPI_Allreduce", "exchange", "", 0},   {"(thread)", "root", "", 0},
                 {"(between parallel regions)", "apart", "", 0}};
  run.callpaths = {{-1, 0}, {0, 1}, {1, 2}, {2, 3}, {2, 4}, {2, 5}, {1, 6}, {-1, 7}, {7, 8}};
  run.columns.clear();
  run.locations.clear();
  std::size_t most = 1;
  for (std::size_t rank = 0; rank < processes.size(); ++rank) {
    const TeamProcess& process = processes[rank];
    most = std::max(most, process.threads.size());
    for (std::size_t thread = 0; thread < process.threads.size(); ++thread) {
      const TeamThread& t = process.threads[thread];
      const bool main_thread = thread == 0;
      const double region_s = t.compute_s + t.barrier_s + t.lock_s + t.communication_s + t.wait_s;
      const double apart_s = main_thread ? 0 : time_s - region_s;
      const auto ns = [](double s) { return static_cast<std::int64_t>(std::llround(s * 1e9)); };
      LocationRow l;
      l.rank = static_cast<std::int32_t>(rank);
      l.thread = static_cast<std::int32_t>(thread);
      l.end_ns = l.wall_ns = ns(time_s);
      l.compute_ns = ns(t.compute_s + (main_thread ? process.serial_s : 0));
      l.communication_ns = ns(t.communication_s + (main_thread ? process.communication_s : 0));
      l.team_idle_ns = ns(t.barrier_s + t.lock_s + apart_s);
      l.idle_ns = *l.team_idle_ns + ns(t.wait_s + (main_thread ? process.wait_s : 0));
      l.apart_ns = ns(apart_s);
      l.parallel_ns = ns(region_s);
      run.locations.push_back(l);
    }
  }
  run.facts["threads"] = static_cast<std::int64_t>(most);
  const int idle = metric_of(run, "idle_ns");
  const auto put = [&](int path, int metric, auto seconds) { // of a process, a thread's number and itself
    std::vector<double> values;
    for (const TeamProcess& process : processes)
      for (std::size_t i = 0; i < process.threads.size(); ++i)
        values.push_back(std::round(1e9 * seconds(process, i, process.threads[i])));
    if (std::any_of(values.begin(), values.end(), [](double value) { return value != 0; }))
      run.columns.push_back({path, metric, values});
  };
  using P = const TeamProcess&;
  using T = const TeamThread&;
  const auto region_s = [](T t) { return t.compute_s + t.barrier_s + t.lock_s + t.communication_s + t.wait_s; };
  const auto of_main = [](std::size_t thread, double seconds) { return thread == 0 ? seconds : 0; };
  put(team_step, inclusive_ns, [&](P, std::size_t, T t) { return region_s(t); });
  put(team_step, exclusive_ns, [&](P, std::size_t, T t) { return t.compute_s; });
  put(team_step, computation_ns, [&](P, std::size_t, T t) { return t.compute_s; });
  put(team_step, communication_ns, [&](P, std::size_t, T t) { return t.communication_s; });
  put(team_step, idle, [&](P, std::size_t, T t) { return t.wait_s; });
  put(team_step, team_idle_ns, [&](P, std::size_t, T t) { return t.barrier_s + t.lock_s; });
  put(team_step, visits, [&](P, std::size_t, T) { return 1e-9; });
  for (const int metric : {inclusive_ns, exclusive_ns, team_idle_ns}) {
    put(team_barrier, metric, [&](P, std::size_t, T t) { return t.barrier_s; });
    put(team_lock, metric, [&](P, std::size_t, T t) { return t.lock_s; });
    if (metric != exclusive_ns)
      put(team_thread, metric, [&](P, std::size_t i, T t) { return i == 0 ? 0 : time_s - region_s(t); });
    put(team_apart, metric, [&](P, std::size_t i, T t) { return i == 0 ? 0 : time_s - region_s(t); });
  }
  for (const int metric : {inclusive_ns, exclusive_ns}) {
    put(team_send, metric, [&](P, std::size_t, T t) { return t.communication_s + t.wait_s; });
    put(team_allreduce, metric, [&](P p, std::size_t i, T) { return of_main(i, p.communication_s + p.wait_s); });
  }
  put(team_send, communication_ns, [&](P, std::size_t, T t) { return t.communication_s; });
  put(team_send, idle, [&](P, std::size_t, T t) { return t.wait_s; });
  put(team_allreduce, communication_ns, [&](P p, std::size_t i, T) { return of_main(i, p.communication_s); });
  put(team_allreduce, idle, [&](P p, std::size_t i, T) { return of_main(i, p.wait_s); });
  for (const int path : {team_root, team_main}) {
    const auto outside = [&](P p) { return p.serial_s + p.communication_s + p.wait_s; };
    put(path, inclusive_ns, [&](P p, std::size_t i, T t) { return region_s(t) + of_main(i, outside(p)); });
    put(path, computation_ns, [&](P p, std::size_t i, T t) { return t.compute_s + of_main(i, p.serial_s); });
    put(path, communication_ns,
        [&](P p, std::size_t i, T t) { return t.communication_s + of_main(i, p.communication_s); });
    put(path, idle, [&](P p, std::size_t i, T t) { return t.wait_s + of_main(i, p.wait_s); });
    put(path, team_idle_ns, [&](P, std::size_t, T t) { return t.barrier_s + t.lock_s; });
    put(path, visits, [&](P, std::size_t i, T) { return of_main(i, 1e-9); });
  }
  put(team_main, exclusive_ns, [&](P p, std::size_t i, T) { return of_main(i, p.serial_s); });
  return run;
}

void set_values(Run& run, int callpath, int metric, std::vector<double> values) {
  values.resize(run.locations.size());
  for (Column& column : run.columns) {
    if (column.callpath != callpath || column.metric != metric) continue;
    column.values = std::move(values);
    return;
  }
  run.columns.push_back({callpath, metric, std::move(values)});
}

int metric_of(Run& run, const std::string& name, const std::string& unit) {
  for (int metric = 0; metric < run_file::metric_count; ++metric)
    if (name == run_file::metrics[metric].name) return metric;
  for (std::size_t i = 0; i < run.more_metrics.size(); ++i)
    if (run.more_metrics[i].name == name) return run_file::metric_count + static_cast<int>(i);
  run.more_metrics.push_back({name, unit, "metric of a test"});
  return run_file::metric_count + static_cast<int>(run.more_metrics.size()) - 1;
}

void measure_waits(Run& run) {
  run.facts["wait_states"] = "measured";
  for (LocationRow& location : run.locations) location.idle_ns = 0;
}

namespace {

void add_wait_pairs(Run& run, const Waits& waits) {
  for (std::size_t i = 0; i < waits.wait_s.size(); ++i) {
    const auto wait_ns = static_cast<std::int64_t>(std::round(waits.wait_s[i] * 1e9));
    const WaitPairRow added{run.locations.at(i).rank, waits.peer_rank, wait_ns};
    const auto key = [](const WaitPairRow& row) { return std::pair(row.rank, row.peer_rank); };
    const auto at = std::lower_bound(run.wait_pairs.begin(), run.wait_pairs.end(), added,
                                     [&](const auto& a, const auto& b) { return key(a) < key(b); });
    if (wait_ns == 0) continue;
    if (at != run.wait_pairs.end() && key(*at) == key(added)) at->wait_ns += wait_ns;
    else run.wait_pairs.insert(at, added);
  }
}

} // namespace

void add_waits(Run& run, const Waits& waits) {
  add_wait_pairs(run, waits);
  const auto column_of = [&run](int callpath, int metric) -> std::vector<double>& {
    for (Column& column : run.columns)
      if (column.callpath == callpath && column.metric == metric) return column.values;
    run.columns.push_back({callpath, metric, std::vector<double>(run.locations.size())});
    return run.columns.back().values;
  };
  auto cause = std::find_if(run.causes.begin(), run.causes.end(),
                            [&](const CauseRow& c) { return c.name == waits.cause; });
  if (cause == run.causes.end())
    cause = run.causes.insert(run.causes.end(), {waits.cause, "Title of " + waits.cause,
                                                 "Ranks wait.", "Change " + waits.cause + ".",
                                                 metric_of(run, "wait:" + waits.cause)});
  const int idle = metric_of(run, "idle_ns");
  double sum_ns = 0;
  for (std::size_t i = 0; i < waits.wait_s.size(); ++i) {
    const double wait_ns = std::round(waits.wait_s[i] * 1e9);
    sum_ns += wait_ns;
    column_of(waits.callpath, cause->metric)[i] += wait_ns;
    run.locations.at(i).communication_ns -= static_cast<std::int64_t>(wait_ns);
    *run.locations.at(i).idle_ns += static_cast<std::int64_t>(wait_ns);
    for (int at = waits.callpath; at >= 0;
         at = run.callpaths[static_cast<std::size_t>(at)].parent) {
      column_of(at, idle)[i] += wait_ns;
      column_of(at, run_file::communication_ns)[i] -= wait_ns;
    }
  }
  run.waits.push_back({static_cast<std::int32_t>(cause - run.causes.begin()), waits.callpath,
                       waits.peer_callpath, waits.peer_rank, waits.origin_callpath,
                       waits.origin_rank, sum_ns, waits.events, waits.variance_ns2});
}

void set_statistics(Run& run) {
  run.statistics.clear();
  for (const Column& column : run.columns) {
    Statistic s;
    double ranks = 0;
    for (std::size_t i = 0; i < run.locations.size();) {
      const std::int32_t rank = run.locations[i].rank;
      double value = 0; // of all its threads
      for (; i < run.locations.size() && run.locations[i].rank == rank; ++i)
        value += column.values.at(i);
      merge(s, ranks++, statistic_of_rank(rank, value), 1);
    }
    run.statistics.push_back({column.callpath, column.metric, s.sum, s.min, s.max, s.sum / ranks,
                              deviation(s, ranks), s.min_rank, s.max_rank});
  }
}

void keep_values_of(Run& run, const std::vector<int>& ranks) {
  set_statistics(run);
  for (LocationRow& location : run.locations)
    location.has_values = std::find(ranks.begin(), ranks.end(), location.rank) != ranks.end();
  for (Column& column : run.columns) {
    std::vector<double> kept;
    for (std::size_t i = 0; i < run.locations.size(); ++i)
      if (run.locations[i].has_values) kept.push_back(column.values.at(i));
    column.values = kept;
  }
  run.facts["columns"] = "telling";
}

void write(Run run, const std::string& path, std::size_t table_values) {
  if (run.statistics.empty()) set_statistics(run);
  write_run(run, path, table_values);
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "andes-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored; // a leftover in the temporary directory is no failure of the test
  std::filesystem::remove_all(path_, ignored);
}

} // namespace andes::test
