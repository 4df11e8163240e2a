#include "monitor/mpi/known_types.h"

#include <mpi.h>

#include "monitor/mpi/communicators.h"
#include "monitor/mpi/intents.h"

namespace andes::monitor::mpi {

void note_known_types() {
  if (!events) return;
  const MPI_Datatype types[] = {MPI_BYTE,
                                MPI_CHAR,
                                MPI_SIGNED_CHAR,
                                MPI_UNSIGNED_CHAR,
                                MPI_PACKED,
                                MPI_SHORT,
                                MPI_INT,
                                MPI_LONG,
                                MPI_LONG_LONG,
                                MPI_UNSIGNED_SHORT,
                                MPI_UNSIGNED,
                                MPI_UNSIGNED_LONG,
                                MPI_UNSIGNED_LONG_LONG,
                                MPI_FLOAT,
                                MPI_DOUBLE,
                                MPI_LONG_DOUBLE,
                                MPI_INT8_T,
                                MPI_INT16_T,
                                MPI_INT32_T,
                                MPI_INT64_T,
                                MPI_UINT8_T,
                                MPI_UINT16_T,
                                MPI_UINT32_T,
                                MPI_UINT64_T,
                                MPI_C_BOOL,
                                MPI_C_FLOAT_COMPLEX,
                                MPI_C_DOUBLE_COMPLEX,
                                MPI_2INT,
                                MPI_DOUBLE_INT,
                                MPI_AINT,
                                MPI_OFFSET,
                                MPI_COUNT,
                                MPI_CHARACTER,
                                MPI_LOGICAL,
                                MPI_INTEGER,
                                MPI_REAL,
                                MPI_DOUBLE_PRECISION,
                                MPI_COMPLEX,
                                MPI_DOUBLE_COMPLEX,
                                MPI_INTEGER4,
                                MPI_INTEGER8,
                                MPI_REAL4,
                                MPI_REAL8,
                                MPI_2INTEGER,
                                MPI_2DOUBLE_PRECISION};
  static_assert(sizeof types / sizeof *types <= most_known_types);
  MpiConstants& constants = events->constants;
  for (const MPI_Datatype type : types) {
    int bytes = 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &bytes) != MPI_SUCCESS || bytes <= 0) continue;
    constants.types[constants.type_count++] = {handle_bits(type), static_cast<std::uint32_t>(bytes)};
  }
}

} // namespace andes::monitor::mpi
