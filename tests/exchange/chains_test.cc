// Chains of waits through all kinds of calls: where they begin, by hand. Times in nanoseconds, one clock.
#include "tests/exchange/fake_job.h"

using namespace andes;
using namespace andes::test;

namespace {

/// All waits of the job, whoever waits.
std::vector<Wait> all_waits(const std::vector<Waits>& of_ranks) {
  std::vector<Wait> all;
  for (const Waits& waits : of_ranks) {
    REQUIRE(waits.missing.empty());
    all.insert(all.end(), waits.all.begin(), waits.all.end());
  }
  return all;
}

void check_origin(const std::vector<Wait>& waits, std::size_t count, int rank, const std::string& path) {
  CHECK(waits.size() == count);
  for (const Wait& wait : waits) {
    CAPTURE(wait.rank, wait.instance_ns);
    CHECK(wait.origin_rank == rank);
    CHECK(wait.origin_path == hash_of(path));
  }
}

} // namespace

TEST_CASE("a receive delays a barrier: all wait for the late sender") {
  FakeJob job(4);
  job.send(0, 1, 0, {1000, 1010, "main/late/MPI_Send"});
  job.receive(1, 0, 0, {100, 1020, "main/MPI_Recv"});
  const std::uint64_t enters[] = {1020, 1030, 150, 200};
  for (int rank = 0; rank < 4; ++rank)
    job.collective(rank, EventKind::barrier, {enters[rank], 1040, "main/MPI_Barrier"});
  // Rank 0 waits 10 for rank 1, which came out of its receive as rank 0 entered the barrier: no chain.
  std::vector<Wait> waits = all_waits(job.find());
  std::erase_if(waits, [](const Wait& wait) { return wait.rank == 0; });
  check_origin(waits, 3, 0, "main/late/MPI_Send");
  for (const Wait& wait : waits)
    if (wait.rank > 1) CHECK(wait.peer_rank == 1);
}

TEST_CASE("a chain from a receive through an all-reduction to another receive") {
  FakeJob job(4);
  job.send(0, 1, 0, {1000, 1010, "main/late/MPI_Send"});
  job.receive(1, 0, 0, {100, 1020, "main/MPI_Recv"});
  const std::uint64_t enters[] = {1025, 1030, 150, 200};
  for (int rank = 1; rank < 4; ++rank)
    job.collective(rank, EventKind::n_to_n, {enters[rank], 1040, "main/MPI_Allreduce"}, 0,
                   rank == 1 ? job.communicator(77, {1, 2, 3}) : 1); // rank 0 has no part in it
  job.send(3, 0, 9, {1060, 1070, "main/MPI_Send"});
  job.receive(0, 3, 9, {1010, 1080, "main/MPI_Recv"}); // rank 3 had waited for 30 of these 50
  check_origin(all_waits(job.find()), 4, 0, "main/late/MPI_Send");
}

TEST_CASE("a chain from a blocked send through a broadcast to a receive") {
  FakeJob job(4);
  job.receive(0, 1, 0, {1000, 1010, "main/late/MPI_Recv"});
  job.send(1, 0, 0, {100, 1010, "main/MPI_Ssend"});
  const std::uint32_t later = job.communicator(77, {1, 2, 3});
  job.collective(1, EventKind::one_to_n, {1020, 1025, "main/MPI_Bcast"}, event_root, later);
  for (const int rank : {2, 3}) job.collective(rank, EventKind::one_to_n, {120, 1030, "main/MPI_Bcast"}, 0, later);
  job.send(2, 3, 5, {1100, 1110, "main/MPI_Send"});
  job.receive(3, 2, 5, {1040, 1120, "main/MPI_Recv"}); // rank 2 computed after the broadcast: a chain of its own
  const std::vector<Wait> waits = all_waits(job.find());
  REQUIRE(waits.size() == 4);
  for (const Wait& wait : waits) {
    const bool last = wait.path == hash_of("main/MPI_Recv");
    CHECK(wait.origin_rank == (last ? 2 : 0));
    CHECK(wait.origin_path == hash_of(last ? "main/MPI_Send" : "main/late/MPI_Recv"));
  }
}

TEST_CASE("chains from a rank that computes while others need it for their data") {
  for (const std::string last : {"MPI_Wait", "MPI_Win_wait", "MPI_Waitall"}) {
    FakeJob job(4);
    const std::uint32_t window = job.communicator(500, {0, 1});
    if (last == "MPI_Waitall") {
      job.isend(0, 1, 0, {20, 30, "main/MPI_Isend"}, {1000, 1015, "main/late/MPI_Waitall"});
      job.receive(1, 0, 0, {100, 1010, "main/MPI_Recv"});
    } else if (last == "MPI_Win_wait") {
      job.epoch(1, 0, window, {50, 60, "main/MPI_Win_start"}, {100, 1010, "main/MPI_Win_complete"},
                {20, 30, "main/MPI_Win_post"}, {1000, 1015, "main/late/MPI_Win_wait"});
    } else {
      job.irecv(0, 1, 0, {20, 30, "main/MPI_Irecv"}, {1000, 1015, "main/late/MPI_Wait"});
      job.send(1, 0, 0, {100, 1010, "main/MPI_Send"});
    }
    const std::uint64_t enters[] = {1020, 1030, 150, 200};
    for (int rank = 0; rank < 4; ++rank)
      job.collective(rank, EventKind::barrier, {enters[rank], 1040, "main/MPI_Barrier"});
    std::vector<Wait> waits = all_waits(job.find());
    std::erase_if(waits, [](const Wait& wait) { return wait.rank == 0; }); // 10 at the barrier
    check_origin(waits, 3, 0, "main/late/" + last);
    for (const Wait& wait : waits)
      if (wait.rank == 1) CHECK((job.cause(wait) == "late_progress" && wait.wait_ns == 900));
      else CHECK((wait.peer_rank == 1 && job.cause(wait) == "wait_at_barrier"));
  }
}

TEST_CASE("who waits for the data of a message delays the ranks behind it as one who waits for a late one does") {
  FakeJob job(3);
  job.isend(0, 1, 0, {20, 30, "main/MPI_Isend"}, {1000, 1015, "main/late/MPI_Wait"});
  job.receive(1, 0, 0, {100, 1010, "main/MPI_Recv"});
  job.send(1, 2, 0, {1020, 1025, "main/MPI_Send"});
  job.receive(2, 1, 0, {50, 1030, "main/MPI_Recv"});
  const std::vector<Wait> waits = all_waits(job.find());
  check_origin(waits, 2, 0, "main/late/MPI_Wait");
  for (const Wait& wait : waits) CHECK(job.cause(wait) == (wait.rank == 1 ? "late_progress" : "data_dependency"));
}

TEST_CASE("eight ranks in a chain of messages, blocked sends and barriers of pairs") {
  FakeJob job(8);
  std::vector<std::uint32_t> pair(8);
  for (std::int32_t rank : {2, 5}) {
    const std::uint32_t index = job.communicator(70 + static_cast<std::uint64_t>(rank), {rank, rank + 1});
    pair[static_cast<std::size_t>(rank)] = pair[static_cast<std::size_t>(rank) + 1] = index;
  }
  // Rank r passes the delay on at 1000 + 10 r.
  for (int rank = 0; rank < 7; ++rank) {
    const auto r = static_cast<std::uint64_t>(rank);
    const std::uint64_t enter = 1000 + 10 * r;
    const std::string where = rank == 0 ? "main/late/MPI_Call" : "main/MPI_Call";
    const At late = {enter, enter + 5, where}, waits = {100 + r, enter + 6, "main/MPI_Call"};
    switch (rank % 3) {
    case 0: job.send(rank, rank + 1, 0, late), job.receive(rank + 1, rank, 0, waits); break;
    case 1: job.receive(rank, rank + 1, 0, late), job.send(rank + 1, rank, 0, waits); break;
    case 2:
      job.collective(rank, EventKind::barrier, late, 0, pair[static_cast<std::size_t>(rank)]);
      job.collective(rank + 1, EventKind::barrier, waits, 0, pair[static_cast<std::size_t>(rank)]);
      break;
    }
  }
  check_origin(all_waits(job.find()), 7, 0, "main/late/MPI_Call");
}

TEST_CASE("a chain through MPI_Waitall goes on with the last message that it waited for") {
  FakeJob job(4);
  const At wait = {200, 1010, "main/MPI_Waitall"};
  job.irecv(2, 0, 1, {100, 110, "main/MPI_Irecv"}, wait);
  job.irecv(2, 1, 1, {120, 130, "main/MPI_Irecv"}, wait);
  job.send(1, 2, 1, {500, 510, "main/MPI_Send"});
  job.send(0, 2, 1, {1000, 1010, "main/late/MPI_Send"});
  job.send(2, 3, 1, {1020, 1030, "main/MPI_Send"});
  job.receive(3, 2, 1, {150, 1040, "main/MPI_Recv"});
  check_origin(all_waits(job.find()), 2, 0, "main/late/MPI_Send");
}

TEST_CASE("a rank that computes for more than half of the time for which it is waited for is the origin itself") {
  FakeJob job(3);
  job.send(0, 1, 0, {500, 510, "main/MPI_Send"});
  job.receive(1, 0, 0, {100, 520, "main/MPI_Recv"});
  job.send(1, 2, 0, {1000, 1010, "main/compute/MPI_Send"});
  job.receive(2, 1, 0, {100, 1020, "main/MPI_Recv"}); // rank 1 waited for 420 of 900
  const auto waits = job.find();
  REQUIRE(waits[2].all.size() == 1);
  CHECK(job.cause(waits[2].all[0]) == "data_dependency"); // for the rule a tenth is enough
  CHECK(waits[2].all[0].origin_rank == 1);
  CHECK(waits[2].all[0].origin_path == hash_of("main/compute/MPI_Send"));
}

TEST_CASE("several waits together are a chain, the longest of them the link") {
  FakeJob job(4);
  job.send(0, 2, 0, {400, 410, "main/short/MPI_Send"});
  job.receive(2, 0, 0, {150, 420, "main/MPI_Recv"});
  job.send(1, 2, 0, {900, 910, "main/long/MPI_Send"});
  job.receive(2, 1, 0, {580, 915, "main/MPI_Recv"});
  job.send(2, 3, 0, {1000, 1010, "main/MPI_Send"});
  job.receive(3, 2, 0, {100, 1020, "main/MPI_Recv"}); // rank 2 waited for 270 and 335 of 900
  const auto waits = job.find();
  REQUIRE(waits[3].all.size() == 1);
  CHECK(waits[3].all[0].origin_rank == 1);
  CHECK(waits[3].all[0].origin_path == hash_of("main/long/MPI_Send"));
}

TEST_CASE(
    "of waits that last nearly as long the latest is the link: without the one before it would have lasted longer") {
  // Rank 2 takes the messages of ranks 0 and 1 as they come, and is late at 1000 for rank 3.
  const auto origin_of = [](std::uint64_t first_ns, std::uint64_t second_ns) {
    FakeJob job(4);
    job.send(0, 2, 0, {100 + first_ns, 100 + first_ns, "main/MPI_Send"});
    job.receive(2, 0, 0, {100, 100 + first_ns, "main/MPI_Recv"});
    job.send(1, 2, 0, {950, 950, "main/MPI_Send"});
    job.receive(2, 1, 0, {950 - second_ns, 950, "main/MPI_Recv"});
    job.send(2, 3, 0, {1000, 1010, "main/MPI_Send"});
    job.receive(3, 2, 0, {100, 1020, "main/MPI_Recv"});
    const auto waits = job.find();
    REQUIRE(waits[3].all.size() == 1);
    return waits[3].all[0].origin_rank;
  };
  CHECK(origin_of(310, 300) == 1);
  CHECK(origin_of(390, 300) == 1);
  CHECK(origin_of(410, 300) == 0); // longer by more than a third
  CHECK(origin_of(300, 310) == 1);
}

TEST_CASE("a delay goes from neighbour to neighbour, one step later each: the origin is the rank that began it") {
  // A ring, in which rank 3 computes 50 in each step and the others 20: rank 0 waits for it at 20, and comes with its next
  // message at 70, for which rank 1 waits from 40. Rank 0 has waited for 30 since its message at 20, 10 of them meanwhile.
  FakeJob job(4);
  std::uint64_t at[] = {0, 0, 0, 0};
  std::size_t count = 0;
  for (int step = 0; step < 5; ++step) {
    std::uint64_t enter[4];
    for (int rank = 0; rank < 4; ++rank) enter[rank] = at[rank] + (rank == 3 ? 50 : 20);
    for (int rank = 0; rank < 4; ++rank) {
      const int left = (rank + 3) % 4;
      at[rank] = std::max(enter[rank], enter[left]);
      count += enter[left] > enter[rank];
      const std::string path = rank == 3 ? "main/late/MPI_Sendrecv" : "main/MPI_Sendrecv";
      job.send(rank, (rank + 1) % 4, 0, {enter[rank], at[rank], path});
      job.receive(rank, left, 0, {enter[rank], at[rank], path});
    }
  }
  CHECK(count == 5 + 4 + 3);
  check_origin(all_waits(job.find()), count, 3, "main/late/MPI_Sendrecv");
}

TEST_CASE("whoever had waited as long as the late rank is no part of its chain: that one computed longer") {
  // Ranks 1 and 2 both wait for rank 0 until 100; then rank 1 computes 30 longer than rank 2.
  FakeJob job(3);
  for (const int rank : {1, 2}) {
    job.send(0, rank, 0, {static_cast<std::uint64_t>(99 + rank), 102, "main/MPI_Send"});
    job.receive(rank, 0, 0, {20, 102, "main/MPI_Recv"});
  }
  job.send(1, 2, 7, {5, 6, "main/MPI_Send"});
  job.receive(2, 1, 7, {10, 11, "main/MPI_Recv"}); // both are in step at 10
  job.send(1, 2, 8, {152, 153, "main/longer/MPI_Send"});
  job.receive(2, 1, 8, {122, 154, "main/MPI_Recv"});
  const auto waits = job.find();
  REQUIRE(waits[2].all.size() == 2);
  CHECK(waits[2].all[0].origin_rank == 0);
  CHECK(waits[2].all[1].origin_rank == 1);
  CHECK(waits[2].all[1].origin_path == hash_of("main/longer/MPI_Send"));
}

TEST_CASE("a rank that waited for a request is late with its answer by what it works for that") {
  // Rank 0 asks at 100, after computing for 100; rank 1 waits for that from 10 on, works for 40 and answers.
  FakeJob job(2);
  job.send(1, 0, 0, {5, 6, "main/MPI_Send"});
  job.receive(0, 1, 0, {5, 7, "main/MPI_Recv"});
  job.send(0, 1, 0, {100, 101, "main/MPI_Send"});
  job.receive(1, 0, 0, {10, 102, "main/MPI_Recv"});
  job.send(1, 0, 0, {142, 143, "main/serve/MPI_Send"});
  job.receive(0, 1, 0, {102, 144, "main/MPI_Recv"});
  const auto waits = job.find();
  REQUIRE(waits[0].all.size() == 1);
  CHECK(waits[0].all[0].origin_rank == 1);
  CHECK(waits[0].all[0].origin_path == hash_of("main/serve/MPI_Send"));
}
