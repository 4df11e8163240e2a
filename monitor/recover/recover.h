// Recover: makes a run file from the arenas that the processes of a job have left, or are still writing, by
// the same steps as at the end of a run.
//
// Invariants:
//  - missing data is reported, in the run file and as text: ranks without an arena, data that did not fit;
//  - no run file is overwritten, and nothing of a living process is removed;
//  - damaged arenas, and those of another build, are skipped, with one line each; the rest is recovered.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/refusal.h"

namespace andes::monitor {

/// When a process was seen to have died: the two clocks that a process of this host may have.
struct Death {
  std::uint64_t ticks;
  std::int64_t monotonic_ns;
};

/// Now. Signal handlers may call it.
Death death_now();

/// The whole job was stopped, as `andes run` was told by a signal.
struct Stop {
  int signal;
  Death at;
};

struct RecoverRequest {
  std::vector<std::string> directories; // directories of one job; several if they were copied from several hosts
  std::string out;       // the run file's name; empty: by the job's setting `out`
  bool keep = false;     // do not remove the arenas
  bool keep_parts = false; // do not remove arenas of jobs that have left more on other hosts, or may have: of MPI
                           // sessions no process knows the hosts
  std::string mark;      // inserted into the name before its extension: ".s1"
  std::string libraries; // directory of libandes-symbols.so; empty: addresses have no names
  std::map<std::string, Death> deaths; // by arena; for processes that left no record of their end
  std::optional<Stop> stop; // before the job ended
  std::function<double()> ended_s; // how many seconds ago the job has ended; may be empty: not known
  std::function<void(const std::string&)> tell; // called with a message before long steps; may be empty
};

/// A run file that was made.
struct RecoveredFile {
  std::string path;
  int ranks = 0, job_ranks = 0; // ranks in the file; ranks of the job
  int hosts = 1, job_hosts = 1; // hosts in the file; hosts of the job: more if ranks of other hosts are known to be
                                // missing
  bool spawned = false;         // started by processes of another world
  bool sessions = false;        // of MPI sessions alone: no other run file is made
  bool live = false;            // processes are still running: this is a snapshot
  bool complete = false;        // all ranks reached their end, and nothing is missing
  int signal = 0;               // that ended the first rank to fail, or all that failed; 0: none, or not recorded
  std::vector<std::string> hang;  // who waited for whom, if ranks waited for long; docs/live.md
  std::vector<std::string> lines; // how the ranks ended, and what is missing
};

struct Recovery {
  std::vector<RecoveredFile> files;  // one for each MPI_COMM_WORLD, or for a program without MPI
  std::vector<Refusal> troubles; // for skipped arenas, and for:
  int unwritten = 0; // run files that could not be written; their arenas stay
};

/// Throws Refusal: there is nothing to make a run file from, or none can be written.
Recovery recover(const RecoverRequest& request);

} // namespace andes::monitor
