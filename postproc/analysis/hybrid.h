// Hybrid: parallel efficiency of a program of processes with teams of threads, as the product of the part of
// MPI and the part of the threads, each in factors (docs/metrics.md, "Hybrid efficiency", has the formulas and
// a worked example; after the hybrid metrics of the POP Centre of Excellence). The threads' losses are subtracted one
// after the other, so each factor is a quotient of two successive values and at most one. POP's own quotients can
// exceed one and do not name serial regions; its additive parts do not multiply with those of MPI.
//
// Invariants:
//  - parallel = mpi.parallel x team.parallel; mpi.parallel = load_balance x communication, communication =
//    serialisation x transfer where these are known; team.parallel is the product of its factors. All exactly;
//  - every factor is computed from the table of locations; waiting to enter and MPI inside parallel regions
//    from the values of call paths, where there is any;
//  - threads outside all teams (for example of pthreads) are counted separately and enter no factor;
//  - with one thread in each process the part of MPI is that of efficiency.h.
#pragma once
#include <optional>
#include <string>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Losses of the main threads to MPI outside parallel regions.
struct MpiPart {
  double parallel = 0, load_balance = 0, communication = 0;
  std::optional<double> serialisation, transfer; // absent: waits were not measured, or MPI-IO is not known
};

/// Losses of the threads of a process while its main thread is outside MPI, in the order of the factors.
struct TeamPart {
  double parallel = 0;
  double serial_regions = 0; // only the main thread computes
  double barriers = 0;       // imbalance that alternates, forks, joins and barriers themselves
  double load_balance = 0;   // one thread has the most work over the whole run
  double scheduling = 0;     // waiting to enter: critical, ordered, locks
  double mpi_in_regions = 0; // MPI called by threads of a team
};

struct Hybrid {
  int threads_min = 0, threads_max = 0; // in teams, of a process, its main thread included
  double threads = 0;                   // sum over the processes
  double useful_s = 0;                  // compute time of all of them
  double serial_s = 0;                  // main threads outside MPI and parallel regions, sum over processes
  double parallel = 0;                  // sum of useful / (sum of threads x T)
  bool has_mpi = true; // false: what the part of MPI takes is the time of andes itself in the main thread
  MpiPart mpi;
  TeamPart team;
  int threads_apart = 0; // threads outside all teams
  double apart_compute_s = 0;
};

struct HybridResult {
  std::optional<Hybrid> hybrid; // absent for programs without teams of several threads
  std::string why_not;          // there are teams, but the parts cannot be told: a reason
};

/// Of a run read with any detail.
HybridResult hybrid_of(const Profile& profile);

/// Threads of the largest team-taking process, its main thread included; 1 without teams.
int team_size(const Profile& profile);

/// The definition in words, for people: it is one of several in use. `has_mpi`: Hybrid::has_mpi.
std::string hybrid_definition(bool has_mpi = true);

} // namespace andes::postproc
