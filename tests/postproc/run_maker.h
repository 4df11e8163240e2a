// Runs made up for tests and benchmarks, with answers that can be computed by hand.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "monitor/finish/run.h"

namespace andes::test {

using namespace monitor;

/// A program whose rank 0 computes `serial_s` in main > setup while the others wait in
/// main > MPI_Bcast, after which every rank computes `parallel_s` / p in main > work > sweep.
/// T(p) = serial_s + parallel_s / p, exactly (times are whole nanoseconds).
struct Program {
  double serial_s = 1, parallel_s = 9;
  std::string name = "jacobi", arguments = R"(["2048"])", hash = "00000000000000aa";
  std::string started = "2026-11-20T12:00:00Z";
};

/// `scale` multiplies all times: noise of a repeat.
Run run_of(const Program& program, int ranks, double scale = 1);

/// Such a run whose ranks come to `sweep` through another function than `work`.
Run by_another_way(Run run);

/// Call paths of these runs, in the order of Run::callpaths.
enum ProgramPath { path_root, path_main, path_setup, path_broadcast, path_work, path_sweep };

/// What a thread does in the one parallel region of its process, in seconds.
struct TeamThread {
  double compute_s = 0, barrier_s = 0, lock_s = 0;
  double communication_s = 0, wait_s = 0; // in MPI
};

/// A process: its main thread computes, calls MPI, and opens the region main > step; the region is as long as
/// its first thread is in it. Workers are apart for the rest of the time.
struct TeamProcess {
  double serial_s = 0, communication_s = 0, wait_s = 0;
  std::vector<TeamThread> threads;
};

/// A run of these processes with measured waits; `time_s` is T and the wall time of every location.
Run team_run(const std::vector<TeamProcess>& processes, double time_s);

/// Call paths of these runs, in the order of Run::callpaths.
enum TeamPath { team_root, team_main, team_step, team_barrier, team_lock, team_send, team_allreduce, team_thread, team_apart };

/// Gives a metric of a call path these values, by location, instead of what it had.
void set_values(Run& run, int callpath, int metric, std::vector<double> values);

/// Number of the metric of this name, a fixed one or one of the run's own, which is made if need
/// be.
int metric_of(Run& run, const std::string& name, const std::string& unit = "ns");

/// Waits of a cause in a call path of MPI, by location in seconds, with who was waited for.
struct Waits {
  std::string cause; // its title is "Title of CAUSE" unless the run has the cause already
  int callpath = 0;
  std::vector<double> wait_s;
  int peer_callpath = -1, peer_rank = -1, origin_callpath = -1, origin_rank = -1;
  double events = 1, variance_ns2 = 0;
};

/// Makes the run one whose waits were measured, without any yet.
void measure_waits(Run& run);

/// Turns communication time into idle time, in the locations and all call paths above, and adds
/// the cause and a row of `wait`; the run must be one of measured waits.
void add_waits(Run& run, const Waits& waits);

/// Makes the statistics over ranks from the columns, which must have the values of all locations.
void set_statistics(Run& run);

/// Leaves the values of these ranks alone, as the monitor does beyond the setting columns_mb.
void keep_values_of(Run& run, const std::vector<int>& ranks);

/// Writes a run file, with the statistics of its columns if it has none; throws std::runtime_error
/// with the writer's message.
void write(Run run, const std::string& path, std::size_t table_values = 20000);

/// A directory of its own for a test, removed at the end.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string operator/(const std::string& name) const { return path_ + '/' + name; }
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

} // namespace andes::test
