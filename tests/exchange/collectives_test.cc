// Operations on files, and those that make communicators: ranks wait in them only as far as the library makes them.
// Numbers by hand, in nanoseconds.
#include "tests/exchange/fake_job.h"

using namespace andes;
using namespace andes::test;

namespace {

/// Three ranks call `function` on the file, or communicator, of `communicator`: rank r from enters[r] to exits[r].
void call(FakeJob& job, const std::string& function, const std::vector<std::uint64_t>& enters,
          const std::vector<std::uint64_t>& exits, std::uint32_t communicator = 0, EventKind kind = EventKind::file) {
  for (int rank = 0; rank < 3; ++rank) {
    const auto i = static_cast<std::size_t>(rank);
    job.collective(rank, kind, {enters[i], exits[i], "main/" + function}, 0, communicator);
  }
}

/// Each rank's waits: function and duration.
std::vector<std::string> waits_of(FakeJob& job) {
  std::vector<std::string> lines;
  const auto found = job.find();
  for (int rank = 0; rank < job.size(); ++rank)
    for (const Wait& wait : found[static_cast<std::size_t>(rank)].all) {
      const auto& sites = job[rank].sites;
      const auto site =
          std::find_if(sites.begin(), sites.end(), [&](const CallSite& s) { return s.path == wait.path; });
      lines.push_back(std::to_string(rank) + " " + job.cause(wait) + " " + site->function + " " +
                      std::to_string(static_cast<int>(wait.wait_ns)) + " for " + std::to_string(wait.peer_rank));
    }
  return lines;
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("in a call on a file that no rank leaves before the last has come all wait for that one") {
  FakeJob job(3);
  call(job, "MPI_File_write_all", {1000, 4000, 2500}, {9000, 4700, 5000});
  CHECK(waits_of(job) == Lines{"0 wait_at_collective_io MPI_File_write_all 3000 for 1",
                               "2 wait_at_collective_io MPI_File_write_all 1500 for 1"});
}

TEST_CASE("a function in which a rank left before the last had come makes nobody wait, in no call of it") {
  FakeJob job(3);
  call(job, "MPI_File_write_all", {1000, 4000, 2500}, {3000, 4700, 5000}); // rank 0 has left, rank 2 just worked
  call(job, "MPI_File_close", {6000, 6500, 7000}, {7100, 7100, 7100});
  call(job, "MPI_File_write_all", {11000, 14000, 12500}, {19000, 14700, 15000});
  CHECK(waits_of(job) ==
        Lines{"0 wait_at_collective_io MPI_File_close 1000 for 2", "1 wait_at_collective_io MPI_File_close 500 for 2"});
}

TEST_CASE("ranks that make a communicator wait for the last one, unless the function lets one go before") {
  FakeJob job(3);
  call(job, "MPI_Comm_split", {1000, 4000, 2500}, {4500, 4700, 5000}, 0, EventKind::communicator_create);
  call(job, "MPI_Comm_dup", {6000, 6500, 7000}, {6100, 7100, 7100}, 0, EventKind::communicator_create);
  CHECK(waits_of(job) == Lines{"0 wait_at_communicator_create MPI_Comm_split 3000 for 1",
                               "2 wait_at_communicator_create MPI_Comm_split 1500 for 1"});
}

TEST_CASE("what one file shows of a function holds for its calls on other files, and for large counts") {
  FakeJob job(3);
  const std::uint32_t other = job.communicator(77, {0, 1, 2});
  call(job, "MPI_File_read_all_c", {1000, 4000, 2500}, {3000, 4700, 5000});
  call(job, "MPI_File_read_all", {11000, 14000, 12500}, {19000, 14700, 15000}, other);
  CHECK(waits_of(job).empty());
}

TEST_CASE("within the error of the clocks a rank may seem to leave early") {
  FakeJob job(3);
  for (int rank = 0; rank < 3; ++rank) {
    job[rank].time.node = static_cast<std::uint32_t>(rank);
    job[rank].time.error_ns = 100; // 200 of each other, twice that is the limit
  }
  call(job, "MPI_File_open", {1000, 4000, 1000}, {3700, 4700, 5000});
  CHECK(waits_of(job) ==
        Lines{"0 wait_at_collective_io MPI_File_open 2700 for 1", "2 wait_at_collective_io MPI_File_open 3000 for 1"});
  call(job, "MPI_File_open", {11000, 14000, 11000}, {13500, 14700, 15000});
  CHECK(waits_of(job).empty());
}

TEST_CASE("a started operation on a file is waited for where it is completed") {
  FakeJob job(3);
  for (int rank = 0; rank < 3; ++rank) {
    const std::uint64_t late = rank == 2 ? 5000 : 0;
    job.icollective(rank, EventKind::file, {1000 + late, 1100 + late, "main/MPI_File_iwrite_all"},
                    {2000 + late, 7500, "main/MPI_Wait"});
  }
  CHECK(waits_of(job) ==
        Lines{"0 wait_at_collective_io MPI_Wait 4000 for 2", "1 wait_at_collective_io MPI_Wait 4000 for 2"});
}
