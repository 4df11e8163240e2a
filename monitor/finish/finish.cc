// The finishing library: opened at the end of a run, when measuring is over. Gathers the ranks'
// profiles, makes one Run of them, and rank 0 writes the run file. The only effect outside is text
// on standard error: no exception, no exit (invariant 3).
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "monitor/core/layout.h"
#include "monitor/finish/events.h"
#include "monitor/finish/fold_phases.h"
#include "monitor/finish/gather.h"
#include "monitor/finish/left_out.h"
#include "monitor/finish/make_run.h"
#include "monitor/finish/say.h"
#include "monitor/system/blocked_write_signals.h"

namespace andes::monitor {
namespace {

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

// A process without MPI and without probes gives a run only if it is the program itself, not a
// shell or script around mpirun. It is taken for such a wrapper if a run file has appeared in the
// directory of its own one since it began.
bool is_only_around_others(const Process& process, const std::string& path) {
  if (process.mpi.present || process.registry.count != first_free_region) return false;
  namespace fs = std::filesystem;
  const auto began = fs::file_time_type::clock::from_sys(
      std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::nanoseconds(process.clock.start.realtime_ns)));
  std::error_code none;
  const fs::path directory = fs::path(path).parent_path();
  for (const auto& entry : fs::directory_iterator(directory.empty() ? "." : directory, none)) {
    std::error_code gone;
    if (entry.path().extension() == ".andes" && entry.last_write_time(gone) >= began && !gone) return true;
  }
  return false;
}

// Writes the run file. Throws Refusal.
void write(const Process& process, Run& run, const Program& program, std::shared_ptr<sqlite3> database,
           std::chrono::steady_clock::time_point begin) {
  const std::string wanted = wanted_path(process, program);
  if (is_only_around_others(process, wanted)) return;
  for (int tries_left = 10;; --tries_left) {
    const std::string path = free_name(wanted);
    // A world may spawn several others, so an existing name is normal for these.
    if (path != wanted && !process.mpi.spawned) say(wanted + ": exists already; writing " + path);
    make_directories(path);
    run.facts["finish_ns"] =
        static_cast<std::int64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count());
    if (!database) database = begin_run_file();
    try {
      return write_run(run, path, process.settings.table_values, std::move(database));
    } catch (const Refusal&) {
      // A process that ends at the same time may have taken the name meanwhile.
      std::error_code none;
      if (tries_left == 0 || !std::filesystem::exists(path, none)) throw;
    }
  }
}

RunOrigin origin_of(const Process& process) {
  std::vector<std::string> modules = modules_with_sites(process);
  RunOrigin origin = {this_program(), telling_environment(), notes_in(modules), {}};
  // The program's stamp counts, wherever probes are.
  if (modules.empty() || modules[0] != own_program) modules.insert(modules.begin(), own_program);
  origin.stamp = stamp_in(modules);
  return origin;
}

/// The system's ids of all threads that were measured.
std::vector<std::int32_t> threads_of(const Process& process) {
  std::vector<std::int32_t> threads;
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    if (process.locations[i]) threads.push_back(process.locations[i]->thread_id);
  return threads;
}

// Gathers, rank 0 writes, and all ranks are told the result. Returns the trouble; empty: none.
std::string finish(const Process& process, const andes_transport* transport) {
  const auto begin = std::chrono::steady_clock::now();
  const Bounds bounds = bounds_of(process, transport ? transport->size : 1);
  const std::int64_t deadline_ns = monotonic_ns() + static_cast<std::int64_t>(process.settings.gather_timeout_s * 1e9);
  Profile profile = own_profile(process, this_host(threads_of(process)),
                                names_of_addresses(process.registry, transport, deadline_ns));
  const std::string rank = "rank " + std::to_string(process.mpi.rank) + ": ";
  if (profile.values_not_finite > 0)
    say(rank + std::to_string(profile.values_not_finite) +
        " values are no numbers and are left out; please report it with the program's name");
  const OwnWaits waits = measure_waits(process, profile, transport, deadline_ns);
  Reduction reduction = reduce(std::move(profile), bounds);
  RunOrigin origin;
  std::shared_ptr<sqlite3> database;
  if (!transport || transport->rank == 0) origin = origin_of(process);
  if (transport && transport->rank == 0) database = begin_run_file(); // meanwhile other ranks make their messages
  const Gathered gathered = gather(reduction, bounds, transport, deadline_ns);
  // No run file that lacks ranks is written: recovery finds the arenas of all ranks.
  if (!gathered.complete)
    return rank + gathered.trouble + " within " + number_text(process.settings.gather_timeout_s) + " s";
  std::string trouble;
  if (gathered.at_root) {
    put_steps_last(reduction);
    say_events(process, reduction);
    Run run = make_run(process, reduction, origin, waits, gathered.complete);
    try {
      write(process, run, origin.program, std::move(database), begin);
    } catch (const Refusal& refusal) { // the other ranks wait for the result
      trouble = refusal.what();
    }
  }
  if (!acknowledge(trouble.empty(), transport, deadline_ns) && trouble.empty())
    trouble = rank + "rank 0 has not written the run file";
  return trouble;
}

} // namespace
} // namespace andes::monitor

extern "C" __attribute__((visibility("default"))) const std::uint64_t andes_finish_layout =
    andes::monitor::monitor_layout();

extern "C" __attribute__((visibility("default"))) void andes_finish_run(const andes::monitor::Process* process,
                                                                        const andes_transport* transport,
                                                                        andes::monitor::FinishOutcome* outcome) {
  const andes::monitor::BlockedWriteSignals held;
  andes::monitor::lines_are_said = process->lines_are_said;
  std::string trouble;
  try {
    trouble = andes::monitor::finish(*process, transport);
  } catch (const std::exception& failure) {
    trouble = std::string("finishing: ") + failure.what();
  }
  outcome->safe = trouble.empty();
  std::snprintf(outcome->trouble, sizeof outcome->trouble, "%s", trouble.c_str());
}
