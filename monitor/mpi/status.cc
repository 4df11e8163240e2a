// See status.h.
#include "monitor/mpi/status.h"

#include <initializer_list>

namespace andes::monitor::mpi {

int count_offset = -1;

namespace {

// Whether the 64 bits at `offset` hold the byte count of a status, whatever its other fields are.
bool is_count(int offset) {
  for (const int bytes : {0, 1, 8, 0x12345678, INT32_MAX})
    for (const int others : {0, 0x55, 0xff}) {
      MPI_Status status;
      memset(&status, others, sizeof status);
      // Some libraries keep the flag of cancelled messages next to the count.
      if (PMPI_Status_set_elements(&status, MPI_BYTE, bytes) != MPI_SUCCESS ||
          PMPI_Status_set_cancelled(&status, 0) != MPI_SUCCESS)
        return false;
      std::uint64_t found;
      memcpy(&found, reinterpret_cast<char*>(&status) + offset, sizeof found);
      if (found != static_cast<std::uint64_t>(bytes)) return false;
    }
  return true;
}

} // namespace

void find_count() {
  count_offset = -1;
  const int last = static_cast<int>(sizeof(MPI_Status) - sizeof(std::uint64_t));
  for (int offset = 0; offset <= last; offset += 4)
    if (is_count(offset)) {
      if (count_offset >= 0) { // two candidates: neither is trusted
        count_offset = -1;
        return;
      }
      count_offset = offset;
    }
}

std::int64_t asked_bytes(const MPI_Status* status) {
  int count = 0;
  if (PMPI_Get_count(status, MPI_BYTE, &count) != MPI_SUCCESS) return -1;
  if (count >= 0) return count;
#if MPI_VERSION >= 3
  MPI_Count large = 0; // 2 GiB and more
  if (PMPI_Get_elements_x(status, MPI_BYTE, &large) == MPI_SUCCESS && large > 0) return large;
#endif
  return 0;
}

} // namespace andes::monitor::mpi
