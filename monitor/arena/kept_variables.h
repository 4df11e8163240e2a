// The environment variables that shape a parallel run (MPI libraries, OpenMP, batch systems, loader, andes) and are
// recorded with it. Others are not recorded: environments hold passwords, and run files are passed on to others.
#pragma once

namespace andes::monitor {

inline constexpr const char* kept_variables[] = { // beginnings of names
    "OMP_", "GOMP_", "KMP_",   "MPI",  "OMPI_MCA_", "MPICH_", "I_MPI_",  "HYDRA_",     "UCX_",
    "FI_",  "PSM",   "SLURM_", "PBS_", "LSB_",      "ANDES_", "MALLOC_", "LD_PRELOAD", "LD_LIBRARY_PATH"};

} // namespace andes::monitor
