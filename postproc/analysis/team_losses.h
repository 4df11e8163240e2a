// Team losses: the losses of the threads of a hybrid program (hybrid.h), each as a share of all their time, with
// the call path to look at. Docs/metrics.md, "Hybrid efficiency".
//
// Invariant: these losses and the loss to MPI add up to 1 - parallel efficiency.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/hybrid.h"
#include "postproc/analysis/paths.h"

namespace andes::postproc {

/// A call path; of a loss that which has most of what it is told by.
struct LossPlace {
  std::vector<std::string> path;
  std::string file;
  int line = 0;
};

enum class TeamFactor { serial_regions, load_balance, barriers, scheduling, mpi_in_regions };
/// As in JSON documents: `serial_regions`.
const char* key_of(TeamFactor factor);

struct TeamLoss {
  TeamFactor factor = TeamFactor::serial_regions;
  double percent = 0; // of threads x T
  std::optional<LossPlace> place;
  bool has_tasks = false; // of balance and barriers: what is late there are tasks, not iterations of a loop
};

/// At one number of ranks and threads.
struct TeamLosses {
  int ranks = 0, threads = 1;
  std::vector<TeamLoss> losses; // the largest first
};

/// Of the program at one size, the largest first. `rows` are its call paths, by which places are told: of serial
/// regions the one outside of parallel regions that computes most itself; of balance and barriers the one whose threads
/// wait most at barriers, of scheduling those that wait most to enter; of MPI in regions the call.
std::vector<TeamLoss> team_losses(const Hybrid& hybrid, const std::vector<PathRow>& rows);

} // namespace andes::postproc
