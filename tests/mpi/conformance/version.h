/* Read by CMakeLists.txt: the last number of what the preprocessor makes of this. */
#include <mpi.h>
MPI_VERSION
