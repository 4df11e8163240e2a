// Mains: a job may run several programs in one MPI_COMM_WORLD (MPMD: mpirun -n 1 ./ocean : -n 1 ./ice). Each has a
// `main`, and the call tree has one for each; what is below one has its name in its path. Its file tells which it is.
#pragma once
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Where there are several, `main` becomes "main (ocean.c)", with as many directories as it takes to tell them apart.
void tell_mains_apart(std::vector<Region>& regions);

} // namespace andes::postproc
