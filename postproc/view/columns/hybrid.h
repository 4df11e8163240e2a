// The parts and factors of a hybrid program's efficiency: `hybrid_efficiency` in JSON, of a run or of a size
// (points.h), and columns of the sizes in CSV. People see two tables of sizes, the part of MPI and that of the threads.
#pragma once
#include "postproc/analysis/hybrid.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// An object of its own in JSON.
List<Hybrid> hybrid();

/// A size of a report for people. One with one thread in each process has no teams: of it only the part of MPI is
/// known, which is the whole.
struct HybridSize {
  int ranks = 0, threads = 1;
  double time_s = 0;
  Hybrid hybrid;
  bool has_teams = true;
};

/// For people: the part of MPI, and that of the threads next to it. `has_mpi`: else it has no factors, and is called
/// the program's.
List<HybridSize> mpi_parts(bool has_mpi);

/// For people: the part of the threads, of sizes with teams. `mpi_in_regions`: with that factor.
List<HybridSize> team_parts(bool mpi_in_regions);

} // namespace andes::postproc::columns
