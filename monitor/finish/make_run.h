// Makes the run that is written from the reduction of all ranks. Used at the end of a run and in
// recovery (monitor/recover).
#pragma once
#include "monitor/finish/host.h"
#include "monitor/finish/read_stamp.h"
#include "monitor/finish/run_waits.h"

namespace andes::monitor {

/// The origin of a run: facts of rank 0's process.
struct RunOrigin {
  Program program;
  std::map<std::string, std::string> environment; // telling_environment()
  std::vector<LeftOutNote> notes;                 // notes_in() its modules
  BuildStamp stamp;                               // stamp_in() the same
};

/// `process`: rank 0's. `complete` false: something is missing, such as a rank.
Run make_run(const Process& process, const Reduction& reduction, const RunOrigin& origin, const OwnWaits& waits,
             bool complete);

/// UTC, ISO 8601, with milliseconds.
std::string iso_time(std::int64_t realtime_ns);

/// wanted_path: the path of the run file by setting `out`, for a spawned world with run_file::spawned_mark. The other:
/// that path if it is free, else one with a number before its extension.
std::string wanted_path(const Process& process, const Program& program);
std::string free_name(const std::string& wanted);
/// `path` with `mark` before its extension.
std::string marked_name(const std::string& path, const std::string& mark);

/// Makes the directories above `path`; if that fails, write_run() reports the error.
void make_directories(const std::string& path);

/// The limits that a process's settings give for a job of so many ranks.
Bounds bounds_of(const Process& process, int ranks);

} // namespace andes::monitor
