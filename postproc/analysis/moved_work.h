// Moved work: a program may reach a function on one way at the base and on another with more ranks: `main > solve` on
// one rank, `main > worker > solve` on several. To what the function computes at a size belongs what it computes at
// the base, on whichever way; else all of it would be new work at the size, and serial (decision 325).
//
// Invariants:
//  - a call path that both runs have keeps its own work; work moves between call paths of one function alone, from
//    those that the base alone has to those that the run alone has;
//  - nothing is lost and nothing is counted twice: the shares of a call path that moves add up to one.
#pragma once
#include <optional>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// A call path of two runs of a program, by numbers that both have in common. Parents stand before their children.
struct WorkPlace {
  int parent = -1, region = -1;
  std::optional<double> at_base, in_run; // what it computes, in any unit; absent: that run has not got it
};

/// A part of the work of one call path of the base, and the call path that has it in the run.
struct MovedWork {
  int from = 0, to = 0;
  double share = 1;
};

std::vector<MovedWork> moved_work(const std::vector<WorkPlace>& places);

/// A call path of the base, and which part of its work.
struct BasePath {
  int callpath = 0;
  double share = 1;
};

/// By call path of `run`: those of `base` with whose work its own is compared. Runs of the same build.
std::vector<std::vector<BasePath>> base_paths(const Profile& run, const Profile& base);

} // namespace andes::postproc
