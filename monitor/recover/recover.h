// Recover: from the arenas that the processes of a job have left, or are still writing, to a run file of what
// is there, by the same steps as at the end of a run.
//
// Invariants:
//  - what is missing is said, in the run file and in words: ranks without an arena, what did not fit;
//  - no run file is overwritten, and nothing of a living process is removed;
//  - damaged arenas, and those of another build, are passed over, with one line each; the rest is recovered.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "common/refusal.h"

namespace andes {

struct RecoverRequest {
  std::vector<std::string> directories; // of one job; several: copied from several hosts
  std::string out;       // the run file's name; empty: as setting `out` of the job says
  bool keep = false;     // the arenas
  bool keep_parts = false; // those of jobs of which other hosts have left more
  std::string mark;      // put into the name before its extension: ".s1"
  std::string libraries; // directory of libandes-symbols.so; empty: addresses have no names
  std::function<void(const std::string&)> tell; // is told what takes long, before it does; may be empty
};

/// A run file that was made.
struct RecoveredFile {
  std::string path;
  int ranks = 0, job_ranks = 0; // that are in it; that the job had
  int hosts = 1, job_hosts = 1; // likewise; the job has more where ranks are missing that were on others
  bool spawned = false;         // by processes of another world
  bool live = false;            // processes go on: a snapshot
  bool complete = false;        // all ranks came to their end, and nothing is missing
  std::vector<std::string> lines; // how they ended, and what is missing
};

struct Recovery {
  std::vector<RecoveredFile> files;  // one for each MPI_COMM_WORLD; or of a program without MPI
  std::vector<Refusal> troubles; // of arenas that were passed over, and of:
  int unwritten = 0; // run files that found no place; what they would be made of stays
};

/// Throws Refusal: there is nothing to make a run file of, or none can be written.
Recovery recover(const RecoverRequest& request);

} // namespace andes
