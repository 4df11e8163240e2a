// The finishing library: opened at the end of a run, when measuring is over. Gathers the ranks'
// profiles, makes one Run of them, and rank 0 writes the run file. Nothing leaves here but what is
// said on standard error: no exception, no exit (invariant 3).
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "monitor/finish/gather.h"
#include "monitor/finish/make_run.h"

namespace andes {
namespace {

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
  const Bounds bounds = bounds_of(process, transport ? transport->size : 1);
  const std::int64_t deadline_ns =
      monotonic_ns() + static_cast<std::int64_t>(process.settings.gather_timeout_s * 1e9);
  Profile profile =
      own_profile(process, this_host(), names_of_addresses(process.registry, transport, deadline_ns));
  const OwnWaits waits = measure_waits(process, profile, transport, deadline_ns);
  Reduction reduction = reduce(std::move(profile), bounds);
  const Gathered gathered = gather(reduction, bounds, transport, deadline_ns);
  if (!gathered.complete)
    std::fprintf(stderr, "andes: rank %d: %s within %g s; the run file is incomplete\n",
                 process.mpi.rank, gathered.trouble.c_str(), process.settings.gather_timeout_s);
  if (!gathered.at_root) return;

  const RunOrigin origin = {this_program(), telling_environment()};
  Run run = make_run(process, reduction, origin, waits, gathered.complete);
  const std::string wanted = wanted_path(process, origin.program);
  if (is_only_around_others(process, wanted)) return;
  const std::string path = free_name(wanted);
  if (path != wanted)
    std::fprintf(stderr, "andes: %s: exists already; writing %s\n", wanted.c_str(), path.c_str());
  make_directories(path);
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
