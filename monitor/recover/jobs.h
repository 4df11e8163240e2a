// Jobs: the directories of arenas on this host, and the first bytes of each arena: which process, whether it is
// alive, how it ended. A look reads a few hundred bytes per process and does not disturb it, so that it can be
// taken every tenth of a second. A job is identified by its name: it has several directories of that name if the
// first place had no room for all of its processes.
//
// Nothing is trusted: entries of other users, entries that are no directory or no regular file, and
// short files are ignored; `same_build` is false for an arena of another build.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/arena/arena.h"
#include "monitor/arena/arena_place.h"
#include "monitor/recover/plain_file.h"

namespace andes::monitor {

/// The content of an arena's first bytes.
struct ArenaLook {
  std::string path, host;
  std::int32_t pid = 0;
  bool same_build = false; // false: only `path` is valid
  bool this_host = false;  // written since this host was started
  bool alive = false;      // the process exists; only known on this host
  Ending ending = {EndKind::running, 0, 0};
  std::uint32_t snapshots = 0; // number stamped so far
};

/// Whether the process that began at `start` (process_start.h) still exists.
bool is_alive(std::int32_t pid, std::uint64_t start);

/// The places where directories of jobs may lie, by setting `arena`: none for `none`; the newest arenas are
/// in the first.
std::vector<std::string> arena_places(const std::string& setting);

/// All places where they may lie: that of the environment (ANDES_ARENA) first, then the monitor's default places.
std::vector<std::string> known_places();

/// Name of the directory of the job `job` (ANDES_JOB).
std::string job_directory_name(const std::string& job);

/// Directories of one job, by their name.
std::vector<std::string> directories_of_job(const std::vector<std::string>& places, const std::string& name);

/// `directories`, followed by the other directories of the same jobs. A copy outside all `places` is taken alone.
std::vector<std::string> whole_jobs(const std::vector<std::string>& directories,
                                    const std::vector<std::string>& places);

/// Directories in `places` that look like jobs of this user, newest first, absolute.
std::vector<std::string> job_directories(const std::vector<std::string>& places);

/// A directory of the newest job with a living process, preferring the place of the environment's setting; empty:
/// none.
std::string newest_running_job();

/// Whether the directory belongs to this user alone and is not a link.
bool is_ours(const std::string& directory);

/// The notes that a job's processes share in the file `room_name` of their directory; zeros if it cannot be read.
ArenaRoom read_room(const PlainFile& file);

/// Whether a process of the job has already printed `reason` as the reason for its left arena.
bool is_said(const std::vector<std::string>& directories, const std::string& reason);

/// A look at every arena in `directory`, by path; empty if there is no such directory.
std::vector<ArenaLook> look_at(const std::string& directory);

/// Removes `arenas`, and the directory with its file `room` if nothing else is left in it.
void remove_arenas(const std::string& directory, const std::vector<ArenaLook>& arenas);

} // namespace andes::monitor
