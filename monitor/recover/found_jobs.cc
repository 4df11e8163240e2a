#include "monitor/recover/found_jobs.h"

#include <sys/stat.h>

#include <algorithm>

#include "monitor/finish/make_run.h"
#include "monitor/recover/jobs.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recovered_clock.h"

namespace andes {
namespace {

void add(FoundJob& job, RecoveredProcess& process, std::int64_t& latest_ns) {
  set_clocks({&process});
  latest_ns = std::max(latest_ns, process.process.clock.end.realtime_ns);
  job.ranks++;
  job.alive += process.alive;
  if (process.process.mpi.present) job.job_ranks = std::max(job.job_ranks, process.process.mpi.size);
  if (job.program.empty() || process.process.mpi.rank == 0) job.program = process.program.name;
}

} // namespace

std::vector<FoundJob> found_jobs(const std::vector<std::string>& places) {
  std::vector<FoundJob> jobs;
  for (const std::string& directory : job_directories(places)) {
    FoundJob job;
    job.directory = directory;
    std::int64_t latest_ns = 0;
    for (const ArenaLook& arena : look_at(directory)) {
      struct stat status;
      if (stat(arena.path.c_str(), &status) == 0) job.bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
      try {
        add(job, *load_process(arena.path), latest_ns);
      } catch (const RefusedArena&) {
        job.unreadable++;
      }
    }
    if (latest_ns > 0) job.last_change = iso_time(latest_ns);
    if (job.ranks + job.unreadable > 0) jobs.push_back(std::move(job));
  }
  return jobs;
}

} // namespace andes
