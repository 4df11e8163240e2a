// Bytes that arrived, read where a status keeps them: as the library says, for messages that were sent
// and for statuses made up to and beyond 2 GiB, also where the place is not known. One rank.
#include <catch2/catch.hpp>

#include "monitor/mpi/status.h"
#include "tests/support/run_tests.h"

using namespace andes::monitor;
using namespace andes::monitor::mpi;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int failed = andes::test::run_tests(argc, argv);
  MPI_Finalize();
  return failed;
}

TEST_CASE("the place is found, and messages that were received have their bytes there") {
  find_count();
  REQUIRE(count_offset >= 0);
  static char out[100000], in[100000];
  for (const int bytes : {0, 1, 7, 4096, 100000}) {
    MPI_Status status;
    memset(&status, 0xff, sizeof status);
    MPI_Sendrecv(out, bytes, MPI_BYTE, 0, 0, in, sizeof in, MPI_BYTE, 0, 0, MPI_COMM_SELF, &status);
    std::uint64_t there;
    memcpy(&there, reinterpret_cast<char*>(&status) + count_offset, sizeof there);
    CHECK(there == static_cast<std::uint64_t>(bytes));
    CHECK(arrived_bytes(&status) == bytes);
  }
}

TEST_CASE("beyond 2 GiB and without a known place the library is asked") {
  for (const bool known : {true, false}) {
    if (known) find_count();
    else count_offset = -1;
    for (const MPI_Count bytes :
         {MPI_Count{5}, MPI_Count{INT32_MAX}, MPI_Count{1} << 31, (MPI_Count{1} << 32) + 5, MPI_Count{1} << 40}) {
      MPI_Status status;
      memset(&status, 0, sizeof status);
      MPI_Status_set_elements_x(&status, MPI_BYTE, bytes);
      MPI_Status_set_cancelled(&status, 0);
      CHECK(arrived_bytes(&status) == bytes);
    }
  }
}
