// Annotate: adds facts to a run file that only the starter of the run knows.
//
// The monitor writes the file at the end of the program; the command line, the exit status, the
// repeat and so on are known outside. A new file is written beside it, synced and renamed over it:
// the one rewrite of a run file there is, by the command that has just made it. A run that died
// before it could write anything gets a file with these facts alone (complete = 0, no call paths).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "monitor/finish/run.h"

namespace andes::postproc {

/// What the sweep needs to know of a run that the monitor has written.
struct Written {
  std::int64_t ranks = 0;
  std::int64_t busy_threads = 0; // of all ranks, that computed at the same time
  std::optional<std::int64_t> usable_cores;
  std::optional<std::int64_t> wall_ns; // T
  bool spawned = false; // of a world that another one's ranks began
};

/// Reads what stands above. Throws Refusal if the file is not a run.
Written read_written(const std::string& path);

/// Adds `facts` to the run file, replacing those of the same name. Throws Refusal on any failure;
/// the file is then as it was.
void annotate(const std::string& path, const Facts& facts);

/// Writes a run file of facts alone. Throws Refusal on any failure.
void write_minimal(const std::string& path, const Facts& facts);

} // namespace andes::postproc
