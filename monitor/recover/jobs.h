// Jobs: the directories of arenas on this host, and the first bytes of each arena: who, alive or not, how it
// ended. A look costs a few hundred bytes per process and asks nothing of it, so that it can be taken
// every tenth of a second. A job is its name: it has several directories of that name where the first place had no
// room for all of its processes.
//
// Nothing is trusted: what is not ours, no directory, no file, or too short, is passed over; a file that
// is an arena of another build is told by `same_build`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/arena/arena.h"
#include "monitor/arena/arena_place.h"
#include "monitor/recover/plain_file.h"

namespace andes {

/// Of the first bytes of an arena.
struct ArenaLook {
  std::string path, host;
  std::int32_t pid = 0;
  bool same_build = false; // else only path is known
  bool this_host = false;  // written since this host was started
  bool alive = false;      // the process still is; only known on this host
  Ending ending = {EndKind::running, 0, 0};
  std::uint32_t snapshots = 0; // stamped so far
};

/// Whether the process that began at `start` (process_start.h) is still there.
bool is_alive(std::int32_t pid, std::uint64_t start);

/// Where directories of jobs may lie, by setting `arena`: none for `none`; the first has what is newest.
std::vector<std::string> arena_places(const std::string& setting);

/// Where they may lie with whatever setting: that of the environment (ANDES_ARENA) first, then what the monitor takes
/// without it.
std::vector<std::string> known_places();

/// Name of the directory of a job that is called `job` (ANDES_JOB).
std::string job_directory_name(const std::string& job);

/// Directories of one job, by their name.
std::vector<std::string> directories_of_job(const std::vector<std::string>& places, const std::string& name);

/// `directories`, and behind them the others of the same jobs. Copies, which lie in none of the `places`, stand for
/// themselves.
std::vector<std::string> whole_jobs(const std::vector<std::string>& directories,
                                    const std::vector<std::string>& places);

/// Directories in `places` that look like jobs of this user, newest first, absolute.
std::vector<std::string> job_directories(const std::vector<std::string>& places);

/// A directory of the newest job with a living process, those in the place of the environment's setting before all
/// others; empty: none.
std::string newest_running_job();

/// Whether the directory is ours alone, and no link.
bool is_ours(const std::string& directory);

/// What processes of a job have noted together in the file `room_name` of their directory; zeros where that cannot be
/// read.
ArenaRoom read_room(const PlainFile& file);

/// Whether a process of the job has already said `reason` why its arena is left.
bool is_said(const std::vector<std::string>& directories, const std::string& reason);

/// A look at every arena in `directory`, by path; empty if there is no such directory.
std::vector<ArenaLook> look_at(const std::string& directory);

/// Removes `arenas`, and the directory with the room in it if nothing else is left there.
void remove_arenas(const std::string& directory, const std::vector<ArenaLook>& arenas);

} // namespace andes
