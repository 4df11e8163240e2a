// From logs to waits, all numbers by hand: times in nanoseconds, one clock.
#include "monitor/core/partitioned_tag.h"
#include "tests/exchange/fake_job.h"

using namespace andes;
using namespace andes::test;

namespace {

void check_one(const FakeJob& job, const Waits& waits, const std::string& cause, double wait_ns,
               const std::string& path, int peer, const std::string& peer_path) {
  REQUIRE(waits.missing.empty());
  REQUIRE(waits.all.size() == 1);
  const Wait& wait = waits.all[0];
  CHECK(job.cause(wait) == cause);
  CHECK(wait.wait_ns == wait_ns);
  CHECK(wait.path == hash_of(path));
  CHECK(wait.peer_rank == peer);
  CHECK(wait.peer_path == hash_of(peer_path));
}

} // namespace

TEST_CASE("a receive that is called before the send waits for a late sender") {
  FakeJob job(2);
  job.send(0, 1, 5, {1000, 1100, "main/produce/MPI_Send"});
  job.receive(1, 0, 5, {300, 1150, "main/MPI_Recv"});
  job.send(0, 1, 5, {2000, 2040, "main/produce/MPI_Send"});
  job.receive(1, 0, 5, {2050, 2150, "main/MPI_Recv"}); // the sender was first: no wait
  const auto waits = job.find();
  CHECK(waits[0].all.empty());
  check_one(job, waits[1], "late_sender", 700, "main/MPI_Recv", 0, "main/produce/MPI_Send");
  CHECK(waits[1].matched == 2);
  CHECK(waits[0].unmatched + waits[1].unmatched == 0);
  CHECK(waits[1].all[0].thread == 0);
  CHECK(waits[1].all[0].origin_rank == 0); // the sender itself
}

TEST_CASE("the wait for a non-blocking receive lies where it is completed") {
  FakeJob job(2);
  job.irecv(1, 0, 5, {100, 110, "main/MPI_Irecv"}, {600, 1200, "main/MPI_Wait"}, 2);
  job.isend(0, 1, 5, {1000, 1010, "main/MPI_Isend"}, {1020, 1030, "main/MPI_Wait"});
  const auto waits = job.find();
  check_one(job, waits[1], "late_sender", 400, "main/MPI_Wait", 0, "main/MPI_Isend");
  CHECK(waits[1].all[0].thread == 2); // the thread that waited, not the one that posted
}

TEST_CASE("the wait for a message that a probe found lies in the probe, the posting in the receive") {
  FakeJob job(2);
  const auto probed = [&job](int tag, const At& probe) {
    const std::uint32_t c = job.destination_channel(1, 0, tag);
    job[1].record(EventKind::probe, 0, c, job[1].channels[c].next, probe);
  };
  probed(5, {300, 1010, "main/MPI_Mprobe"});
  job.receive(1, 0, 5, {1020, 1030, "main/MPI_Mrecv"});
  job.send(0, 1, 5, {1000, 1005, "main/MPI_Send"});
  probed(5, {2000, 2600, "main/MPI_Mprobe"}); // and the receive's own end is not a wait
  job.irecv(1, 0, 5, {2610, 2620, "main/MPI_Imrecv"}, {2630, 2900, "main/MPI_Wait"});
  job.isend(0, 1, 5, {2500, 2505, "main/MPI_Isend"}, {2506, 2510, "main/MPI_Wait"});
  probed(6, {3000, 3010, "main/MPI_Mprobe"}); // never received
  job.send(0, 1, 7, {3400, 4050, "main/MPI_Ssend"}); // blocks until the receive, not until the probe
  probed(7, {3500, 3510, "main/MPI_Mprobe"});
  job.receive(1, 0, 7, {4000, 4050, "main/MPI_Mrecv"});
  const auto waits = job.find();
  REQUIRE(waits[1].all.size() == 2);
  for (const Wait& wait : waits[1].all) {
    CHECK(job.cause(wait) == "late_sender");
    CHECK(wait.path == hash_of("main/MPI_Mprobe"));
  }
  CHECK(waits[1].all[0].wait_ns == 700);
  CHECK(waits[1].all[1].wait_ns == 500);
  check_one(job, waits[0], "late_receiver", 600, "main/MPI_Ssend", 1, "main/MPI_Mrecv");
  CHECK(waits[1].matched == 3);
  // Of the transfer of the second 10 ns between MPI_Imrecv and MPI_Wait may have been hidden.
  for (const SiteOverlap& one : waits[1].overlaps) CHECK(one.overlap.high_ns <= 10);
}

TEST_CASE("waits for parts of a message lie in the loops that asked for them, the rest in the call that ends it") {
  FakeJob job(2);
  const auto parts = [&job](std::uint32_t number, std::initializer_list<At> loops) {
    const std::uint32_t c = job.destination_channel(1, 0, partitioned_tag(5, 0));
    for (const At& loop : loops) job[1].record(EventKind::probe, 0, c, number, loop);
  };
  // The last part is sent at 1000.
  job.irecv(1, 0, partitioned_tag(5, 0), {100, 110, "main/MPI_Start"}, {950, 1020, "main/MPI_Wait"});
  parts(0, {{200, 500, "main/MPI_Parrived"}, {510, 900, "main/MPI_Parrived"}});
  job.isend(0, 1, partitioned_tag(5, 0), {1000, 1010, "main/MPI_Pready"}, {1015, 1020, "main/MPI_Wait"});
  // At 3000, and the loop ends with all of it; the call behind it does not wait.
  job.irecv(1, 0, partitioned_tag(5, 0), {2100, 2110, "main/MPI_Start"}, {3100, 3110, "main/MPI_Wait"});
  parts(1, {{2200, 3020, "main/MPI_Parrived"}});
  job.isend(0, 1, partitioned_tag(5, 0), {3000, 3010, "main/MPI_Pready"}, {3015, 3020, "main/MPI_Wait"});
  const auto waits = job.find();
  CHECK(waits[0].all.empty());
  REQUIRE(waits[1].all.size() == 4);
  double in_loops_ns = 0, in_wait_ns = 0;
  for (const Wait& wait : waits[1].all) {
    CHECK(job.cause(wait) == "late_sender");
    CHECK(wait.peer_path == hash_of("main/MPI_Pready"));
    (wait.path == hash_of("main/MPI_Parrived") ? in_loops_ns : in_wait_ns) += wait.wait_ns;
  }
  CHECK(in_loops_ns == (500 - 200) + (900 - 510) + (3000 - 2200));
  CHECK(in_wait_ns == 1000 - 950);
  CHECK(waits[1].matched == 2);
  CHECK(waits[1].violations == 0);
  CHECK(waits[0].unmatched + waits[1].unmatched == 0);
}

TEST_CASE("a thread waits for a part while another one is in the call that ends the message") {
  FakeJob job(2);
  job.irecv(1, 0, partitioned_tag(5, 0), {100, 110, "main/MPI_Start"}, {950, 1020, "main/MPI_Wait"});
  const std::uint32_t c = job.destination_channel(1, 0, partitioned_tag(5, 0));
  job[1].record(EventKind::probe, 0, c, 0, {960, 1015, "main/MPI_Parrived"}, 8, 1);
  job.isend(0, 1, partitioned_tag(5, 0), {1000, 1010, "main/MPI_Pready"}, {1015, 1020, "main/MPI_Wait"});
  const auto waits = job.find();
  REQUIRE(waits[1].all.size() == 2);
  for (const Wait& wait : waits[1].all) {
    CHECK(job.cause(wait) == "late_sender");
    CHECK(wait.wait_ns == (wait.thread == 0 ? 1000 - 950 : 1000 - 960));
    CHECK(wait.path == hash_of(wait.thread == 0 ? "main/MPI_Wait" : "main/MPI_Parrived"));
  }
  CHECK(waits[1].all[0].thread != waits[1].all[1].thread);
  CHECK(waits[1].matched == 1);
}

TEST_CASE("a send that blocks until the receive is posted waits for a late receiver") {
  FakeJob job(2);
  job.send(0, 1, 5, {100, 950, "main/MPI_Ssend"});
  job.receive(1, 0, 5, {900, 960, "main/consume/MPI_Recv"});
  job.send(0, 1, 6, {1000, 1010, "main/MPI_Send"}); // into a buffer: does not wait
  job.receive(1, 0, 6, {1500, 1510, "main/consume/MPI_Recv"});
  const auto waits = job.find();
  CHECK(waits[1].all.empty());
  check_one(job, waits[0], "late_receiver", 800, "main/MPI_Ssend", 1, "main/consume/MPI_Recv");
  CHECK(waits[0].all[0].rank == 0);
}

TEST_CASE("a send whose receive was posted waits for the receiver's next call, where its own call ends nothing else") {
  FakeJob job(2);
  const auto posted = [&job](int tag, std::uint64_t begin, const At& wait) {
    job.irecv(1, 0, tag, {begin, begin + 10, "main/MPI_Irecv"}, wait);
  };
  posted(5, 100, {900, 960, "main/consume/MPI_Wait"});
  job.send(0, 1, 5, {300, 950, "main/MPI_Send"});
  posted(6, 1000, {1900, 1910, "main/MPI_Wait"});
  job.send(0, 1, 6, {1300, 1310, "main/MPI_Send"}); // into a buffer
  posted(7, 2000, {2900, 2960, "main/MPI_Wait"});
  job.isend(0, 1, 7, {2100, 2110, "main/MPI_Isend"}, {2300, 2950, "main/MPI_Waitall"}); // maybe for something else
  posted(8, 3000, {3200, 3960, "main/consume/MPI_Waitall"}); // the receiver waits first
  job.isend(0, 1, 8, {3100, 3110, "main/MPI_Isend"}, {3300, 3950, "main/MPI_Wait"});
  const auto waits = job.find();
  CHECK(waits[1].all.empty());
  check_one(job, waits[0], "late_progress", 600, "main/MPI_Send", 1, "main/consume/MPI_Wait");
}

TEST_CASE("a receive of a message that was sent in time waits for the sender's next call") {
  FakeJob job(2);
  const auto sent = [&job](int tag, std::uint64_t begin, const At& wait, std::uint64_t library = 0) {
    job.isend(0, 1, tag, {begin, begin + 10, "main/MPI_Isend"}, wait, 100000, library);
  };
  sent(1, 100, {900, 950, "main/produce/MPI_Wait"});
  job.receive(1, 0, 1, {300, 960, "main/MPI_Recv"});
  const auto first = job.find();
  CHECK(first[0].all.empty());
  check_one(job, first[1], "late_progress", 600, "main/MPI_Recv", 0, "main/produce/MPI_Wait");
  CHECK(first[1].all[0].origin_rank == 0);

  SECTION("from the begin of the send on, without what the sender was in MPI for something else") {
    sent(2, 1400, {1900, 1950, "main/produce/MPI_Wait"}, 50);
    job.receive(1, 0, 2, {1350, 1960, "main/MPI_Recv"});
    const auto waits = job.find();
    REQUIRE(waits[1].all.size() == 2);
    CHECK(waits[1].all[1].wait_ns == 1900 - 1410 - 50);
  }
  SECTION("not if the transfer was long, so that it may have gone on by itself until then") {
    sent(2, 1100, {1500, 1950, "main/MPI_Wait"});
    job.receive(1, 0, 2, {1200, 1960, "main/MPI_Recv"});
    sent(3, 3100, {3900, 4100, "main/MPI_Wait"}); // 210 behind 600
    job.receive(1, 0, 3, {3300, 4110, "main/MPI_Recv"});
    CHECK(job.find()[1].all.size() == 1);
  }
  SECTION("not if messages of this size have mostly come while the sender computed") {
    for (int tag = 2; tag < 4; ++tag) {
      const auto begin = static_cast<std::uint64_t>(tag) * 1000;
      sent(tag, begin + 100, {begin + 900, begin + 910, "main/MPI_Wait"});
      job.receive(1, 0, tag, {begin + 300, begin + 320, "main/MPI_Recv"});
    }
    CHECK(job.find()[1].all.empty());
  }
  SECTION("of a call that completes several messages only if others of the size have shown it") {
    const At wait = {5300, 5960, "main/MPI_Waitall"};
    job.irecv(1, 0, 9, {5000, 5010, "main/MPI_Irecv"}, wait);
    sent(9, 5100, {5900, 5950, "main/MPI_Waitall"});
    CHECK(job.find()[1].all.size() == 1);
    sent(10, 6100, {6900, 6950, "main/MPI_Wait"});
    job.receive(1, 0, 10, {6300, 6960, "main/MPI_Recv"});
    const auto waits = job.find();
    REQUIRE(waits[1].all.size() == 3);
    for (const Wait& one : waits[1].all) CHECK((job.cause(one) == "late_progress" && one.wait_ns == 600));
  }
}

TEST_CASE("a send waits for progress without what the receiver was in MPI for something else, and soon ends then") {
  FakeJob job(2);
  job.irecv(1, 0, 1, {100, 110, "main/MPI_Irecv"}, {900, 960, "main/MPI_Wait"}, 0, 150);
  job.send(0, 1, 1, {300, 950, "main/MPI_Send"}, 100000);
  job.irecv(1, 0, 2, {1100, 1110, "main/MPI_Irecv"}, {1900, 2160, "main/MPI_Wait"});
  job.send(0, 1, 2, {1300, 2150, "main/MPI_Send"}, 100000); // 250 behind 600: it may have gone on by itself
  const auto waits = job.find();
  REQUIRE(waits[0].all.size() == 1);
  CHECK((job.cause(waits[0].all[0]) == "late_progress" && waits[0].all[0].wait_ns == 450));
}

TEST_CASE("what is sent at once waits for no other rank's next call") {
  FakeJob job(2);
  job.isend(0, 1, 1, {100, 110, "main/MPI_Isend"}, {900, 950, "main/MPI_Wait"}, 4000);
  job.receive(1, 0, 1, {300, 960, "main/MPI_Recv"}); // its rank had lost its core
  CHECK(job.find()[1].all.size() == 1);
  job.irecv(1, 0, 2, {1100, 1110, "main/MPI_Irecv"}, {1900, 1960, "main/MPI_Wait"});
  job.send(0, 1, 2, {1300, 1950, "main/MPI_Send"}); // the same of the sender
  CHECK(job.find()[0].all.size() == 1);
  job.eager_bytes = 4096;
  for (const auto& waits : job.find()) CHECK(waits.all.empty());
}

TEST_CASE("a send in a call that completes several waits for the receiver's next call if others have shown it") {
  FakeJob job(2);
  const auto message = [&job](int tag, std::uint64_t begin, const std::string& function) {
    job.irecv(1, 0, tag, {begin, begin + 10, "main/MPI_Irecv"}, {begin + 900, begin + 960, "main/MPI_Wait"});
    job.isend(0, 1, tag, {begin + 100, begin + 110, "main/MPI_Isend"}, {begin + 300, begin + 950, "main/" + function});
  };
  message(1, 0, "MPI_Waitall");
  message(2, 1000, "MPI_Wait");
  CHECK(job.find()[0].all.size() == 1);
  message(3, 2000, "MPI_Wait");
  const auto waits = job.find();
  REQUIRE(waits[0].all.size() == 3);
  for (const Wait& one : waits[0].all) CHECK((job.cause(one) == "late_progress" && one.wait_ns == 600));
}

TEST_CASE("of all waits of one call only the largest counts") {
  FakeJob job(3);
  const At wait = {500, 2100, "main/MPI_Waitall"};
  job.irecv(2, 0, 1, {100, 110, "main/MPI_Irecv"}, wait);
  job.irecv(2, 1, 1, {120, 130, "main/MPI_Irecv"}, wait);
  job.send(0, 2, 1, {1000, 1010, "main/MPI_Send"});
  job.send(1, 2, 1, {2000, 2010, "main/MPI_Send"});
  const auto waits = job.find();
  check_one(job, waits[2], "late_sender", 1500, "main/MPI_Waitall", 1, "main/MPI_Send");
  CHECK(waits[2].matched == 2);
}

TEST_CASE("of waits of one call within 5 % of the largest the cause that the rules name first counts") {
  // Rank 1 waits for a message sent at 1000 and for its own send, received at 1020 or at 1040.
  for (const auto& [posted, cause, wait_ns] :
       {std::tuple{1020u, "late_sender", 500.0}, std::tuple{1040u, "late_receiver", 540.0}}) {
    FakeJob job(2);
    const At wait = {500, 2000, "main/MPI_Waitall"};
    job.irecv(1, 0, 1, {100, 110, "main/MPI_Irecv"}, wait);
    job.isend(1, 0, 1, {120, 130, "main/MPI_Isend"}, wait);
    job.send(0, 1, 1, {1000, 1010, "main/MPI_Send"});
    job.receive(0, 1, 1, {posted, posted + 5u, "main/MPI_Recv"});
    const auto waits = job.find();
    REQUIRE(waits[1].all.size() == 1);
    CHECK(job.cause(waits[1].all[0]) == cause);
    CHECK(waits[1].all[0].wait_ns == wait_ns);
  }
}

TEST_CASE("all but the last wait at a barrier for the last") {
  FakeJob job(4);
  const std::uint64_t enters[] = {100, 400, 250, 300};
  for (int rank = 0; rank < 4; ++rank)
    job.collective(rank, EventKind::barrier,
                   {enters[rank], 410 + static_cast<std::uint64_t>(rank), "main/MPI_Barrier"});
  const auto waits = job.find();
  check_one(job, waits[0], "wait_at_barrier", 300, "main/MPI_Barrier", 1, "main/MPI_Barrier");
  CHECK(waits[1].all.empty());
  check_one(job, waits[2], "wait_at_barrier", 150, "main/MPI_Barrier", 1, "main/MPI_Barrier");
  check_one(job, waits[3], "wait_at_barrier", 100, "main/MPI_Barrier", 1, "main/MPI_Barrier");
}

TEST_CASE("who takes part in an exchange of all without data neither waits nor is waited for") {
  FakeJob job(4);
  const std::uint64_t enters[] = {100, 400, 250, 900};
  for (int rank = 0; rank < 4; ++rank)
    job.collective(rank, EventKind::n_to_n, {enters[rank], 1000, "main/MPI_Allgatherv"},
                   rank == 3 || rank == 2 ? event_empty : 0);
  const auto waits = job.find();
  check_one(job, waits[0], "wait_at_nxn", 300, "main/MPI_Allgatherv", 1, "main/MPI_Allgatherv");
  for (const int rank : {1, 2, 3}) CHECK(waits[static_cast<std::size_t>(rank)].all.empty());
}

TEST_CASE("a non-blocking collective is waited for where it is completed, for who starts it last") {
  FakeJob job(2);
  job.icollective(0, EventKind::n_to_n, {100, 110, "main/MPI_Iallreduce"}, {500, 930, "main/MPI_Wait"});
  job.icollective(1, EventKind::n_to_n, {900, 910, "main/MPI_Iallreduce"}, {920, 930, "main/MPI_Wait"});
  const auto waits = job.find();
  check_one(job, waits[0], "wait_at_nxn", 400, "main/MPI_Wait", 1, "main/MPI_Iallreduce");
  CHECK(waits[1].all.empty());
}

TEST_CASE("an early reduce waits for the latest, not for the earliest") {
  FakeJob job(5);
  const std::uint64_t enters[] = {100, 200, 200, 700, 210};
  for (int rank = 0; rank < 5; ++rank)
    job.collective(rank, EventKind::n_to_one, {enters[rank], rank == 0 ? 720u : enters[rank] + 5, "main/MPI_Reduce"},
                   rank == 0 ? event_root : 0);
  const auto waits = job.find();
  check_one(job, waits[0], "early_reduce", 600, "main/MPI_Reduce", 3, "main/MPI_Reduce");
  for (std::size_t rank = 1; rank < 5; ++rank) CHECK(waits[rank].all.empty());
}

TEST_CASE("a late root keeps all others waiting in a broadcast") {
  FakeJob job(3);
  job.collective(0, EventKind::one_to_n, {100, 510, "main/MPI_Bcast"});
  job.collective(1, EventKind::one_to_n, {500, 505, "main/read/MPI_Bcast"}, event_root);
  job.collective(2, EventKind::one_to_n, {600, 605, "main/MPI_Bcast"});
  const auto waits = job.find();
  check_one(job, waits[0], "late_broadcast", 400, "main/MPI_Bcast", 1, "main/read/MPI_Bcast");
  CHECK(waits[1].all.empty());
  CHECK(waits[2].all.empty());
}

TEST_CASE("in a scan a rank waits for those before it alone") {
  FakeJob job(3);
  const std::uint64_t enters[] = {400, 100, 900};
  for (int rank = 0; rank < 3; ++rank)
    job.collective(rank, EventKind::scan, {enters[rank], enters[rank] + 310, "main/MPI_Scan"});
  const auto waits = job.find();
  CHECK(waits[0].all.empty());
  check_one(job, waits[1], "wait_at_nxn", 300, "main/MPI_Scan", 0, "main/MPI_Scan");
  CHECK(waits[2].all.empty());
}

TEST_CASE("in a neighbourhood collective a rank waits for those that send to it alone") {
  FakeJob job(5);
  const std::vector<std::int32_t> members = {4, 3, 2, 1, 0}; // member i is rank 4 - i
  const std::uint32_t line = job.communicator(77, members);
  // Member i gets from i - 1 and i + 1; member 4 has no data.
  const std::vector<std::vector<std::int32_t>> sources = {{1}, {0, 2}, {1, 3, 9}, {2, 4}, {3}};
  const std::uint64_t enters[] = {100, 200, 700, 300, 900};
  for (std::size_t member = 0; member < 5; ++member) {
    const int rank = members[member];
    Communicator& communicator = job[rank].communicators[line];
    communicator.sources = sources[member].data();
    communicator.source_count = static_cast<std::uint32_t>(sources[member].size());
    job.collective(rank, EventKind::neighbour, {enters[member], 1000, "main/MPI_Neighbor_alltoall"},
                   member == 4 ? event_empty : 0, line);
  }
  const auto waits = job.find();
  const auto check = [&](int rank, double wait_ns, int peer) {
    check_one(job, waits[static_cast<std::size_t>(rank)], "wait_at_nxn", wait_ns, "main/MPI_Neighbor_alltoall", peer,
              "main/MPI_Neighbor_alltoall");
  };
  check(4, 100, 3);
  check(3, 500, 2);
  check(1, 400, 2);
  CHECK(waits[2].all.empty());
  CHECK(waits[0].all.empty());
}

TEST_CASE("a chain of three names the rank where it began") {
  // Rank 0 is late; 1 waits for it, then sends to 2, which waits for 1, and so on to 3.
  FakeJob job(4);
  job.send(0, 1, 0, {1000, 1010, "main/late/MPI_Send"});
  for (int rank = 1; rank < 4; ++rank) {
    const auto r = static_cast<std::uint64_t>(rank);
    job.receive(rank, rank - 1, 0, {100 * r, 900 + 100 * r + 15, "main/MPI_Recv"});
    if (rank < 3) job.send(rank, rank + 1, 0, {1000 + 100 * r, 1010 + 100 * r, "main/MPI_Send"});
  }
  const auto waits = job.find();
  check_one(job, waits[1], "late_sender", 900, "main/MPI_Recv", 0, "main/late/MPI_Send");
  check_one(job, waits[2], "data_dependency", 900, "main/MPI_Recv", 1, "main/MPI_Send");
  check_one(job, waits[3], "data_dependency", 900, "main/MPI_Recv", 2, "main/MPI_Send");
  for (const std::size_t rank : {2u, 3u}) {
    CHECK(waits[rank].all[0].origin_rank == 0);
    CHECK(waits[rank].all[0].origin_path == hash_of("main/late/MPI_Send"));
  }
  CHECK(waits[1].all[0].origin_rank == 0);
  CHECK(waits[1].all[0].origin_path == hash_of("main/late/MPI_Send"));
}

TEST_CASE("a long chain back and forth comes to its origin") {
  // Eight ranks in a ring, four rounds: 31 waits hang on one late send.
  FakeJob job(8);
  for (int hop = 0; hop < 32; ++hop) {
    const int from = hop % 8, to = (hop + 1) % 8;
    const auto time = 10000 + 100 * static_cast<std::uint64_t>(hop);
    job.send(from, to, 0, {time, time + 5, hop == 0 ? "main/late/MPI_Send" : "main/MPI_Send"});
    // In the ring since its own last message (the first time: since 50).
    const std::uint64_t begin = hop < 8 ? 50 + static_cast<std::uint64_t>(hop) : time + 100 - 690;
    job.receive(to, from, 0, {begin, time + 10, "main/MPI_Recv"});
  }
  const auto waits = job.find();
  std::size_t chained = 0;
  for (const Waits& of_rank : waits)
    for (const Wait& wait : of_rank.all) {
      if (job.cause(wait) != "data_dependency") continue;
      ++chained;
      CHECK(wait.origin_rank == 0);
      CHECK(wait.origin_path == hash_of("main/late/MPI_Send"));
    }
  CHECK(chained == 31);
}

TEST_CASE("a sender that had stopped waiting before the receiver began is no chain") {
  FakeJob job(3);
  job.send(0, 1, 0, {500, 510, "main/MPI_Send"});
  job.receive(1, 0, 0, {100, 520, "main/MPI_Recv"});
  job.send(1, 2, 0, {1000, 1010, "main/MPI_Send"});
  job.receive(2, 1, 0, {530, 1020, "main/MPI_Recv"});
  const auto waits = job.find();
  check_one(job, waits[2], "late_sender", 470, "main/MPI_Recv", 1, "main/MPI_Send");
}

TEST_CASE("a sender that stopped waiting in the first tenth of the wait is no chain either") {
  for (const std::uint64_t begin : {500u, 400u}) { // the sender waited on for 20 of 500, 120 of 600
    FakeJob job(3);
    job.send(0, 1, 0, {500, 510, "main/MPI_Send"});
    job.receive(1, 0, 0, {100, 520, "main/MPI_Recv"});
    job.send(1, 2, 0, {1000, 1010, "main/MPI_Send"});
    job.receive(2, 1, 0, {begin, 1020, "main/MPI_Recv"});
    const auto waits = job.find();
    check_one(job, waits[2], begin == 500 ? "late_sender" : "data_dependency", 1000 - static_cast<double>(begin),
              "main/MPI_Recv", 1, "main/MPI_Send");
  }
}

TEST_CASE("a receive that waits while another message lies ready is in the wrong order") {
  FakeJob job(2);
  job.send(0, 1, 1, {200, 210, "main/MPI_Send"});
  job.send(0, 1, 2, {900, 910, "main/MPI_Send"});
  job.receive(1, 0, 2, {100, 920, "main/MPI_Recv"});
  job.receive(1, 0, 1, {930, 940, "main/MPI_Recv"});
  const auto waits = job.find();
  check_one(job, waits[1], "wrong_order", 800, "main/MPI_Recv", 0, "main/MPI_Send");
}

TEST_CASE("a sub-communicator's ranks wait for its own last rank") {
  FakeJob job(4);
  const std::uint32_t odd = job.communicator(77, {3, 1}), even = job.communicator(78, {0, 2});
  job.collective(1, EventKind::barrier, {100, 310, "main/MPI_Barrier"}, 0, odd);
  job.collective(3, EventKind::barrier, {300, 310, "main/other/MPI_Barrier"}, 0, odd);
  job.collective(0, EventKind::barrier, {5000, 5010, "main/MPI_Barrier"}, 0, even);
  job.collective(2, EventKind::barrier, {4000, 5010, "main/MPI_Barrier"}, 0, even);
  const auto waits = job.find();
  check_one(job, waits[1], "wait_at_barrier", 200, "main/MPI_Barrier", 3, "main/other/MPI_Barrier");
  check_one(job, waits[2], "wait_at_barrier", 1000, "main/MPI_Barrier", 0, "main/MPI_Barrier");
  CHECK(waits[0].all.empty());
  CHECK(waits[3].all.empty());
}

TEST_CASE("who asks for a lock waits for the one that holds it") {
  FakeJob job(3);
  const std::uint32_t window = job.communicator(500, {0, 1, 2});
  // Ranks 1 and 2 lock the window of rank 0.
  const auto lock = [&](int origin, const At& lock_at, const At& unlock_at, unsigned flags) {
    FakeLog& log = job[origin];
    const std::uint32_t c = log.channel(FakeJob::key(500, origin, 0, 0), window, 0, 0, ChannelEnd::origin);
    const std::uint32_t number = log.channels[c].next++;
    log.record(EventKind::lock, flags, c, number, lock_at);
    log.record(EventKind::unlock, 0, c, number, unlock_at);
  };
  lock(1, {100, 110, "main/MPI_Win_lock"}, {590, 600, "main/hold/MPI_Win_unlock"}, event_exclusive);
  lock(2, {200, 605, "main/MPI_Win_lock"}, {620, 630, "main/MPI_Win_unlock"}, event_exclusive);
  // Both only share it: nobody waits.
  lock(1, {1000, 1010, "main/MPI_Win_lock"}, {1500, 1510, "main/MPI_Win_unlock"}, 0);
  lock(2, {1100, 1200, "main/MPI_Win_lock"}, {1250, 1260, "main/MPI_Win_unlock"}, 0);
  const auto waits = job.find();
  CHECK(waits[0].all.empty());
  CHECK(waits[1].all.empty());
  check_one(job, waits[2], "lock_contention", 400, "main/MPI_Win_lock", 1, "main/hold/MPI_Win_unlock");
}

TEST_CASE("a lock may be granted before the unlock of its holder returns") {
  FakeJob job(3);
  const std::uint32_t window = job.communicator(500, {0, 1, 2});
  const auto lock = [&](int origin, const At& lock_at, const At& unlock_at) {
    FakeLog& log = job[origin];
    const std::uint32_t c = log.channel(FakeJob::key(500, origin, 0, 0), window, 0, 0, ChannelEnd::origin);
    const std::uint32_t number = log.channels[c].next++;
    log.record(EventKind::lock, event_exclusive, c, number, lock_at);
    log.record(EventKind::unlock, 0, c, number, unlock_at);
  };
  SECTION("MPI_Win_lock waits") {
    // The holder's unlock is its longest call, and ends after all of the other epoch.
    lock(1, {100, 110, "main/MPI_Win_lock"}, {590, 650, "main/hold/MPI_Win_unlock"});
    lock(2, {200, 600, "main/MPI_Win_lock"}, {610, 620, "main/MPI_Win_unlock"});
    const auto waits = job.find();
    CHECK(waits[1].all.empty());
    check_one(job, waits[2], "lock_contention", 400, "main/MPI_Win_lock", 1, "main/hold/MPI_Win_unlock");
  }
  SECTION("MPI_Win_unlock waits, as the epochs that overlap tell") {
    lock(1, {100, 110, "main/MPI_Win_lock"}, {590, 600, "main/hold/MPI_Win_unlock"});
    lock(2, {200, 205, "main/MPI_Win_lock"}, {300, 620, "main/MPI_Win_unlock"});
    const auto waits = job.find();
    CHECK(waits[1].all.empty());
    check_one(job, waits[2], "lock_contention", 300, "main/MPI_Win_unlock", 1, "main/hold/MPI_Win_unlock");
  }
}

TEST_CASE("MPI_Win_lock_all waits for the lock of a window that it does not access, and holds it") {
  FakeJob job(4);
  const std::uint32_t window = job.communicator(500, {0, 1, 2, 3});
  // Of a target; -1: of all.
  const auto epoch = [&](int origin, int target, EventKind kind, unsigned flags, const At& at) {
    FakeLog& log = job[origin];
    const std::uint32_t c = log.channel(FakeJob::key(500, origin, target, 0), window, target,
                                        target < 0 ? tag_lock_all : tag_lock, ChannelEnd::origin);
    const std::uint32_t number = kind == EventKind::unlock ? log.channels[c].next++ : log.channels[c].next;
    log.record(kind, flags, c, number, at);
  };
  const At lock_all = {200, 605, "main/MPI_Win_lock_all"}, unlock_all = {700, 710, "main/MPI_Win_unlock_all"};
  epoch(1, 0, EventKind::lock, event_exclusive, {100, 110, "main/MPI_Win_lock"});
  epoch(1, 0, EventKind::unlock, 0, {590, 600, "main/MPI_Win_unlock"});
  epoch(3, 0, EventKind::lock, event_exclusive, {300, 715, "main/MPI_Win_lock"});
  epoch(3, 0, EventKind::unlock, 0, {720, 730, "main/MPI_Win_unlock"});
  SECTION("it accesses nothing") {
    epoch(2, -1, EventKind::lock, 0, lock_all);
    epoch(2, -1, EventKind::unlock, 0, unlock_all);
  }
  const auto accesses = [&](int target) {
    epoch(2, -1, EventKind::lock, 0, lock_all);
    epoch(2, target, EventKind::lock, 0, lock_all);
    epoch(2, target, EventKind::access, 0, {610, 611, "main/MPI_Put"});
    epoch(2, target, EventKind::unlock, 0, unlock_all);
    epoch(2, -1, EventKind::unlock, 0, unlock_all);
  };
  SECTION("it accesses another rank") { accesses(1); }
  SECTION("it accesses that rank") { accesses(0); }
  const auto waits = job.find();
  CHECK(waits[0].all.empty());
  CHECK(waits[1].all.empty());
  check_one(job, waits[2], "lock_contention", 400, "main/MPI_Win_lock_all", 1, "main/MPI_Win_unlock");
  check_one(job, waits[3], "lock_contention", 410, "main/MPI_Win_lock", 2, "main/MPI_Win_unlock_all");
}

TEST_CASE("MPI_Win_lock_all of a library that locks at the first access waits for nobody, and nobody for it") {
  FakeJob job(4);
  const std::uint32_t window = job.communicator(500, {0, 1, 2, 3});
  const auto epoch = [&](int origin, int target, unsigned flags, const At& lock, const At& unlock) {
    FakeLog& log = job[origin];
    const std::uint32_t c = log.channel(FakeJob::key(500, origin, target, 0), window, target,
                                        target < 0 ? tag_lock_all : tag_lock, ChannelEnd::origin);
    const std::uint32_t number = log.channels[c].next++;
    log.record(EventKind::lock, flags, c, number, lock);
    log.record(EventKind::unlock, 0, c, number, unlock);
  };
  // Rank 2 has locked all since 50, and yet rank 1 gets the lock, for which rank 3 waits.
  epoch(2, -1, 0, {50, 55, "main/MPI_Win_lock_all"}, {900, 990, "main/MPI_Win_unlock_all"});
  epoch(1, 0, event_exclusive, {100, 110, "main/MPI_Win_lock"}, {590, 600, "main/MPI_Win_unlock"});
  epoch(3, 0, event_exclusive, {300, 605, "main/MPI_Win_lock"}, {620, 630, "main/MPI_Win_unlock"});
  const auto waits = job.find();
  CHECK(waits[1].all.empty());
  CHECK(waits[2].all.empty());
  check_one(job, waits[3], "lock_contention", 300, "main/MPI_Win_lock", 1, "main/MPI_Win_unlock");
}

TEST_CASE("late post and early wait of an exposed window") {
  FakeJob job(3);
  const std::uint32_t window = job.communicator(500, {0, 1, 2});
  for (const int origin : {1, 2}) {
    const std::uint64_t complete = origin == 1 ? 600 : 900;
    job.epoch(origin, 0, window, {100, 405, "main/MPI_Win_start"}, {complete, complete + 10, "main/MPI_Win_complete"},
              {400, 403, "main/MPI_Win_post"}, {500, 920, "main/MPI_Win_wait"});
  }
  const auto waits = job.find();
  check_one(job, waits[0], "early_wait", 400, "main/MPI_Win_wait", 2, "main/MPI_Win_complete");
  for (const std::size_t origin : {1u, 2u})
    check_one(job, waits[origin], "late_post", 300, "main/MPI_Win_start", 0, "main/MPI_Win_post");
}

TEST_CASE("what only one side has is counted, and guessed nowhere") {
  FakeJob job(3);
  job.send(0, 1, 5, {100, 110, "main/MPI_Send"});
  job.send(0, 1, 5, {200, 210, "main/MPI_Send"});
  job.receive(1, 0, 5, {150, 160, "main/MPI_Recv"});
  job.receive(2, 1, 5, {150, 160, "main/MPI_Recv"}); // its send is not logged
  job.collective(0, EventKind::barrier, {1000, 1010, "main/MPI_Barrier"});
  job.collective(1, EventKind::barrier, {1200, 1210, "main/MPI_Barrier"});
  const auto waits = job.find();
  CHECK(waits[1].matched == 1);
  CHECK(waits[0].unmatched + waits[1].unmatched + waits[2].unmatched == 1 + 1 + 2);
  for (const Waits& of_rank : waits) CHECK(of_rank.all.empty());
}

TEST_CASE("a channel whose order one side does not know is left out on both") {
  for (const bool at_source : {true, false}) {
    FakeJob job(2);
    job.send(0, 1, 5, {1000, 1010, "main/MPI_Send"});
    job.receive(1, 0, 5, {100, 1020, "main/MPI_Recv"});
    if (at_source) job[0].channels[0].unordered = 1;
    else job[1].channels[0].unordered = 1;
    const auto waits = job.find();
    CHECK(waits[1].all.empty());
    CHECK(waits[1].matched == 0);
    CHECK(waits[1].unmatched == 0);
    // Both operations are counted, each where it is known that they cannot be compared.
    CHECK(waits[0].unordered == (at_source ? 1 : 0));
    CHECK(waits[1].unordered == (at_source ? 1 : 2));
  }
}

TEST_CASE("numbers that have wrapped meet in the order of time") {
  FakeJob job(2);
  const std::uint32_t s = job.source_channel(0, 1, 5), d = job.destination_channel(1, 0, 5);
  for (const std::uint64_t round : {0u, 1u}) {
    job[0].record(EventKind::send, 0, s, 7, {1000 + 5000 * round, 1010 + 5000 * round, "main/MPI_Send"});
    job[1].record(EventKind::receive, 0, d, 7, {800 + 5100 * round, 1050 + 5000 * round, "main/MPI_Recv"});
  }
  const auto waits = job.find();
  REQUIRE(waits[1].all.size() == 2);
  CHECK(waits[1].all[0].wait_ns == 200);
  CHECK(waits[1].all[1].wait_ns == 100);
}

TEST_CASE("times on two nodes: violations are counted, small differences are no finding") {
  FakeJob job(2);
  job[1].time.node = 1;
  job[1].time.error_ns = 100; // twice that is the limit
  job.send(0, 1, 5, {1000, 1010, "main/MPI_Send"});
  job.receive(1, 0, 5, {850, 1020, "main/MPI_Recv"}); // 150: not sure
  job.send(0, 1, 5, {2000, 2010, "main/MPI_Send"});
  job.receive(1, 0, 5, {1500, 2020, "main/MPI_Recv"}); // 500: sure
  job.send(0, 1, 5, {3000, 3010, "main/MPI_Send"});
  job.receive(1, 0, 5, {2800, 2900, "main/MPI_Recv"}); // complete 100 before it was sent: may be
  job.send(0, 1, 5, {4000, 4010, "main/MPI_Send"});
  job.receive(1, 0, 5, {3600, 3700, "main/MPI_Recv"}); // 300 before: the clocks are wrong
  const auto waits = job.find();
  CHECK(waits[1].violations == 1);
  CHECK(waits[1].clock_error_ns == 100);
  check_one(job, waits[1], "late_sender", 500, "main/MPI_Recv", 0, "main/MPI_Send");
  CHECK(waits[1].unclassified_ns == 150 + 100 + 100); // clipped to the time in the call
}

TEST_CASE("both sides keep the same operations, and their sum scaled is that of all within its error") {
  // 20,000 messages on 40 channels; every receive waits 1,000 ns.
  FakeJob job(2);
  constexpr std::uint64_t messages = 20000;
  for (std::uint64_t i = 0; i < messages; ++i) {
    const int tag = static_cast<int>(i % 40);
    job.send(0, 1, tag, {1000 + 5000 * i, 1010 + 5000 * i, "main/MPI_Send"});
    job.receive(1, 0, tag, {5000 * i, 1020 + 5000 * i, "main/MPI_Recv"});
  }
  job[0].tables.levels = {3, 0}; // the other rank has room for all and follows
  const auto waits = job.find();
  CHECK(waits[1].levels.messages == 3);
  CHECK(waits[0].unmatched + waits[1].unmatched == 0);
  CHECK(waits[1].matched == waits[1].all.size());
  const double kept = static_cast<double>(waits[1].all.size()), p = 1.0 / 8;
  // Each message is kept or not, independently: sd of the number is sqrt(n p (1 - p)).
  CHECK(std::abs(kept - messages * p) < 4 * std::sqrt(messages * p * (1 - p)));
  for (const Wait& wait : waits[1].all) CHECK((wait.wait_ns == 1000 && wait.level == 3));
}

TEST_CASE("collectives are kept apart from messages, and their waits stand for themselves") {
  FakeJob job(2);
  constexpr std::uint64_t rounds = 1000;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const std::uint64_t begin = 10'000 * i;
    job.send(0, 1, 1, {begin + 1000, begin + 1010, "main/MPI_Send"});
    job.receive(1, 0, 1, {begin, begin + 1020, "main/MPI_Recv"});
    job.collective(0, EventKind::barrier, {begin + 5000, begin + 5010, "main/MPI_Barrier"});
    job.collective(1, EventKind::barrier, {begin + 2000, begin + 5010, "main/MPI_Barrier"});
  }
  const auto count = [](const std::vector<Wait>& waits, double wait_ns, std::uint32_t level) {
    return static_cast<std::uint64_t>(std::count_if(
        waits.begin(), waits.end(), [&](const Wait& wait) { return wait.wait_ns == wait_ns && wait.level == level; }));
  };
  SECTION("all collectives") {
    job[0].tables.levels = {3, 0};
    const auto waits = job.find();
    CHECK(count(waits[1].all, 3000, 0) == rounds);
    const std::uint64_t messages = count(waits[1].all, 1000, 3);
    CHECK(waits[1].all.size() == rounds + messages);
    CHECK(messages < rounds / 4);
  }
  SECTION("all messages") {
    job[1].tables.levels = {0, 3};
    const auto waits = job.find();
    CHECK(count(waits[1].all, 1000, 0) == rounds);
    CHECK(count(waits[1].all, 3000, 3) == waits[1].all.size() - rounds);
    CHECK(waits[1].all.size() < 2 * rounds - rounds / 2);
  }
}

TEST_CASE("a rule of the user's own sees single calls, and joins them by their request") {
  FakeJob job(2);
  job.irecv(1, 0, 5, {100, 110, "main/MPI_Irecv"}, {150, 400, "main/MPI_Wait"});
  job.irecv(1, 0, 5, {200, 210, "main/MPI_Irecv"}, {500, 600, "main/late/MPI_Wait"});
  job.irecv(1, 0, 6, {220, 230, "main/MPI_Start"}, {700, 710, "main/MPI_Wait"});
  job.isend(0, 1, 5, {50, 60, "main/MPI_Isend"}, {61, 65, "main/MPI_Wait"});
  job.isend(0, 1, 5, {70, 80, "main/MPI_Isend"}, {81, 85, "main/MPI_Wait"});
  job.send(0, 1, 6, {90, 95, "main/MPI_Send"});
  // How long each receive was open: from the exit of MPI_Irecv to the enter of its MPI_Wait.
  const auto waits = job.find(20, {}, {{"own.rules", R"(
    rule
        event e1 type function_call_non_blocking_receive_operation
        event e2 type function_call_request_handling
        where e1.request = e2.request and e2.@function_name eq "MPI_Wait" and e1.source = 0 and e1.tag = 5
        create performance observation
            cause = open_receive
            name = "Open receive"
            call_stack = e2.@call_stack
            instance = e2.@start_time
            impact = e2.start_time - e1.finish_time;)"}});
  CHECK(waits[0].all.empty());
  REQUIRE(waits[1].all.size() == 2);
  CHECK(waits[1].all[0].wait_ns == 150 - 110);
  CHECK(waits[1].all[1].wait_ns == 500 - 210);
  CHECK(waits[1].all[1].path == hash_of("main/late/MPI_Wait"));
}

TEST_CASE("a rule joins the making of a persistent request with each of its starts") {
  FakeJob job(2);
  const std::uint32_t c = job.destination_channel(1, 0, 6);
  job[1].tables.requests = 1;
  job[1].record(EventKind::request_init, 0, c, 1, {10, 20, "main/MPI_Recv_init"});
  for (const std::uint64_t at : {100u, 300u}) {
    const At start = {at, at + 10 + at / 100, "main/MPI_Start"};
    job[1].record(EventKind::request, 0, c, job[1].channels[c].next, start, 1);
    job.irecv(1, 0, 6, start, {at + 50, at + 60, "main/MPI_Wait"});
    job.send(0, 1, 6, {at - 50, at - 40, "main/MPI_Send"});
  }
  job.irecv(1, 0, 7, {500, 510, "main/MPI_Irecv"}, {520, 530, "main/MPI_Wait"}); // another request
  job.send(0, 1, 7, {490, 495, "main/MPI_Send"});
  const auto waits = job.find(20, {}, {{"own.rules", R"(
    rule
        event e1 type function_call_non_blocking_receive_operation
        event e2 type function_call_request_handling
        where
            e1.@function_name eq "MPI_Recv_init" and
            e2.@function_name eq "MPI_Start" and
            e1.rank = e2.rank and
            e1.request = e2.request
        compose event of type point_to_point_operation
            type = RECEIVE_OPERATION
            function_name = e1.function_name
            call_stack = e2.@call_stack
            start_time = e2.start_time
            finish_time = e2.finish_time
            rank = e2.rank
            source = e1.source
            dest = e1.dest
            tag = e1.tag
            comm = e1.comm
        delete e2;
    rule
        event e type point_to_point_operation
        where e.type eq RECEIVE_OPERATION and e.source = 0 and e.dest = 1 and e.tag = 6
        create performance observation
            name = "Start"
            impact = e.finish_time - e.start_time;)"}});
  REQUIRE(waits[1].all.size() == 2);
  CHECK(waits[1].all[0].wait_ns == 11);
  CHECK(waits[1].all[1].wait_ns == 13);
  CHECK(waits[1].all[1].path == hash_of("main/MPI_Start"));
}

TEST_CASE("a rank without a log leaves all ranks without wait states, said by all") {
  FakeJob job(2);
  job.send(0, 1, 5, {1000, 1010, "main/MPI_Send"});
  job.receive(1, 0, 5, {100, 1020, "main/MPI_Recv"});
  const rules::Compiled compiled = rules::compile(rules::shipped_rules());
  std::vector<Waits> waits(2);
  run_ranks(2, [&](const andes_transport& transport) {
    RankLog log = job.rank_log(transport.rank);
    if (transport.rank == 0) log.tables = nullptr;
    AllToAll ranks(&transport, in_seconds(20));
    waits[static_cast<std::size_t>(transport.rank)] =
        find_waits(log, compiled.program, ranks, [](std::int64_t) { return ""; });
  });
  for (const Waits& of_rank : waits) CHECK(of_rank.missing == "there is no log (setting log_mb)");
}

TEST_CASE("a rank that never answers: the others give up in time and say so") {
  FakeJob job(3);
  for (int rank = 0; rank < 3; ++rank) job.collective(rank, EventKind::barrier, {100, 410, "main/MPI_Barrier"});
  const std::int64_t begin_ns = monotonic_ns();
  const auto waits = job.find(0.3, {2});
  CHECK(monotonic_ns() - begin_ns > 200'000'000);
  for (const std::size_t rank : {0u, 1u})
    CHECK(waits[rank].missing == "the other ranks did not take part in the exchange in time");
}
