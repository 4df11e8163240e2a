// Live: the state of a running job at one moment, seen from outside, as plain data. Made by read_live
// from the arenas of its processes, or by a test; analysis/live compares two of them.
//
// Invariants:
//  - times are nanoseconds since the measured interval began, open visits counted up to the reading;
//  - a rank's times are its main thread's (as everywhere in andes), those of call paths are sums over
//    its threads;
//  - idle time is absent: it is found when the ranks compare their logs, at the end;
//  - steps of phases are together in the call paths, as in reports; where a rank is says which step that is.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "monitor/interface/hang.h"

namespace andes::postproc {

/// A call path by its names, root first, without the root itself where it is the program.
struct LivePath {
  std::vector<std::string> names;
  bool mpi = false; // a call of MPI
};

struct LiveRank {
  int rank = 0;
  std::int64_t process = 0; // its id on `host`
  std::string host;
  enum class Status {
    starting, // before the return of MPI_Init
    running,
    off,        // switched off by MPI_Pcontrol
    finalizing, // in MPI_Finalize
    ended
  } status = Status::running;
  std::string ending; // how, when and where it ended, in words
  std::int64_t at_ns = 0; // CLOCK_MONOTONIC of the rank's own reading, as ranks are read in turn; 0: it has ended

  double wall_ns = 0, compute_ns = 0, communication_ns = 0, io_ns = 0, tool_ns = 0;
  std::unordered_map<std::uint64_t, double> exclusive_ns; // by number of a path
  std::optional<LivePath> now;  // innermost open call path of the main thread, steps in the place of their phases
  std::optional<double> now_ns; // for how long it has been open; absent: that visit is not timed
};

struct LiveJob {
  std::string name, program; // of the job; of the program with its arguments
  int size = 0;              // ranks of MPI_COMM_WORLD; 0: not known yet
  std::int64_t at_ns = 0;    // CLOCK_MONOTONIC of the reading
  double elapsed_ns = 0;     // since the first of the ranks began to be measured
  std::map<std::uint64_t, LivePath> paths; // by a hash of the chain of regions
  std::vector<LiveRank> ranks;             // of this host, by rank
  Hang hang;                               // who waits for whom for long
  std::vector<std::string> unreadable;     // arenas that could not be read, and why
};

} // namespace andes::postproc
