#include "monitor/recover/found_jobs.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "monitor/finish/make_run.h"
#include "monitor/recover/jobs.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recovered_clock.h"

namespace andes::monitor {
namespace {

struct Looked {
  FoundJob job;
  std::int64_t latest_ns = 0;
};

void add(Looked& looked, RecoveredProcess& process) {
  FoundJob& job = looked.job;
  set_clocks({&process});
  looked.latest_ns = std::max(looked.latest_ns, process.process.clock.end.realtime_ns);
  job.ranks++;
  job.alive += process.alive;
  if (process.process.mpi.present) job.job_ranks = std::max(job.job_ranks, process.process.mpi.size);
  if (job.program.empty() || process.process.mpi.rank == 0) job.program = process.program.name;
}

void look_into(const std::string& directory, Looked& looked) {
  const std::vector<ArenaLook> arenas = look_at(directory);
  if (!arenas.empty()) looked.job.directories.push_back(directory);
  for (const ArenaLook& arena : arenas) {
    struct stat status;
    if (stat(arena.path.c_str(), &status) == 0) looked.job.bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
    try {
      add(looked, *load_process(arena.path));
    } catch (const Refusal&) {
      looked.job.unreadable++;
    }
  }
}

} // namespace

std::vector<FoundJob> found_jobs(const std::vector<std::string>& places) {
  std::vector<Looked> found;
  std::map<std::string, std::size_t> known; // by the name of the directories
  for (const std::string& directory : job_directories(places)) {
    const auto [at, fresh] = known.emplace(directory.substr(directory.rfind('/') + 1), found.size());
    if (fresh) found.emplace_back();
    look_into(directory, found[at->second]);
  }
  std::vector<FoundJob> jobs;
  for (Looked& looked : found) {
    if (looked.latest_ns > 0) looked.job.last_change = iso_time(looked.latest_ns);
    if (!looked.job.directories.empty()) jobs.push_back(std::move(looked.job));
  }
  return jobs;
}

} // namespace andes::monitor
