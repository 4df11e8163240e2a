// From what the ranks have measured together to the run that is written down. Used where a run ends
// and where one is recovered (monitor/recover).
#pragma once
#include "monitor/finish/host.h"
#include "monitor/finish/run_waits.h"

namespace andes {

/// What a run is of, as rank 0's process knows it.
struct RunOrigin {
  Program program;
  std::map<std::string, std::string> environment; // telling_environment()
};

/// `process`: rank 0's. `complete` false: something is missing, such as a rank.
Run make_run(const Process& process, const Reduction& reduction, const RunOrigin& origin,
             const OwnWaits& waits, bool complete);

/// UTC, ISO 8601, with milliseconds.
std::string iso_time(std::int64_t realtime_ns);

/// Where setting `out` wants the run file, that of a spawned world with run_file::spawned_mark, and a name there that is
/// free: that one, or with a number before its extension.
std::string wanted_path(const Process& process, const Program& program);
std::string free_name(const std::string& wanted);
/// `path` with `mark` before its extension.
std::string marked_name(const std::string& path, const std::string& mark);

/// Makes the directories above `path`; write_run() says what is wrong where they cannot be made.
void make_directories(const std::string& path);

/// What the settings of a process allow in a job of so many ranks.
Bounds bounds_of(const Process& process, int ranks);

} // namespace andes
