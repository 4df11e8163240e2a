// What is left over at the end, by hand: messages with one side, open requests, collectives without agreement.
#include "tests/exchange/fake_job.h"

using namespace andes;
using namespace andes::test;

namespace {

std::vector<LeftOver> all_of(const std::vector<Waits>& waits) {
  std::vector<LeftOver> all;
  for (const Waits& of_rank : waits) add_left_overs(all, of_rank.left_overs);
  return all;
}

std::vector<LeftOver> left_of(FakeJob& job) { return all_of(job.find()); }

void check(const LeftOver& one, LeftKind kind, const std::string& path, int rank, int peer_rank, int tag,
           double events) {
  CHECK(one.kind == kind);
  CHECK(one.path == hash_of(path));
  CHECK(one.rank == rank);
  CHECK(one.peer_rank == peer_rank);
  CHECK(one.tag == tag);
  CHECK(one.events == events);
}

void check_one(FakeJob& job, LeftKind kind, const std::string& path, int rank, int peer_rank, int tag,
               double events = 1) {
  const std::vector<LeftOver> all = left_of(job);
  REQUIRE(all.size() == 1);
  check(all[0], kind, path, rank, peer_rank, tag, events);
}

/// A receive that is posted and never completed.
std::uint32_t post(FakeJob& job, int to, int from, int tag, const At& at) {
  const std::uint32_t c = job.destination_channel(to, from, tag), n = job[to].channels[c].next++;
  job[to].record(EventKind::receive, event_pending, c, n, at);
  return n;
}

} // namespace

TEST_CASE("sends that no receive took are named with both ranks and the tag") {
  FakeJob job(3);
  job.send(0, 1, 5, {100, 110, "main/MPI_Send"});
  job.receive(1, 0, 5, {150, 160, "main/MPI_Recv"});
  job.send(0, 1, 5, {200, 210, "main/MPI_Send"});
  job.send(0, 1, 6, {300, 310, "main/MPI_Send"});
  job.send(2, 1, 5, {400, 410, "main/MPI_Send"});
  check_one(job, LeftKind::send, "main/MPI_Send", 0, 1, 5, 3);
}

TEST_CASE("a receive that no send met is named once, not as an open request as well") {
  FakeJob job(2);
  const std::uint32_t n = post(job, 1, 0, 7, {100, 110, "main/MPI_Irecv"});
  job[1].record(EventKind::left_open, 0, job.destination_channel(1, 0, 7), n, {900, 900, "main/MPI_Irecv"});
  check_one(job, LeftKind::receive, "main/MPI_Irecv", 1, 0, 7);
}

TEST_CASE("a side that was counted and not recorded is not missing") {
  FakeJob job(2);
  job.send(0, 1, 5, {100, 110, "main/MPI_Send"}); // its receive was not measured
  job[1].channels[job.destination_channel(1, 0, 5)].next = 1;
  job.receive(1, 0, 6, {150, 160, "main/MPI_Recv"}); // its send was not measured
  job[0].channels[job.source_channel(0, 1, 6)].next = 1;
  const auto waits = job.find();
  CHECK(waits[1].unmatched == 2);
  CHECK(all_of(waits).empty());
}

TEST_CASE("requests that no call completed are named by the call that started them") {
  FakeJob job(2);
  const std::uint32_t n = post(job, 1, 0, 5, {100, 110, "main/MPI_Irecv"});
  job.send(0, 1, 5, {50, 60, "main/MPI_Send"});
  job[1].record(EventKind::left_open, 0, job.destination_channel(1, 0, 5), n, {900, 900, "main/MPI_Irecv"});
  check_one(job, LeftKind::request, "main/MPI_Irecv", 1, 0, 5);
}

TEST_CASE("while a receive from any rank is open no send is missed, since it may have taken it") {
  FakeJob job(2);
  job.send(0, 1, 5, {50, 60, "main/MPI_Send"});
  FakeLog& log = job[1];
  const std::uint32_t c = log.channel(77, 0, -1, -1, ChannelEnd::destination);
  log.record(EventKind::left_open, event_pending, c, log.channels[c].next++, {100, 110, "main/MPI_Irecv"});
  check_one(job, LeftKind::request, "main/MPI_Irecv", 1, -1, -1);
}

TEST_CASE("a collective that a rank did not call is named with that rank") {
  FakeJob job(3);
  for (const int rank : {0, 1, 2}) job.collective(rank, EventKind::barrier, {100, 200, "main/MPI_Barrier"});
  job.collective(0, EventKind::barrier, {1000, 1010, "main/MPI_Ibarrier"});
  job.collective(2, EventKind::barrier, {1200, 1210, "main/MPI_Ibarrier"});
  check_one(job, LeftKind::missing, "main/MPI_Ibarrier", 0, 1, -1);
}

TEST_CASE("collectives in different order, by kind or by function") {
  for (const bool same_kind : {false, true}) {
    FakeJob job(2);
    job.collective(0, same_kind ? EventKind::n_to_n : EventKind::one_to_n, {100, 110, "main/MPI_Allgather"});
    job.collective(1, EventKind::n_to_n, {100, 110, "main/MPI_Allreduce"});
    const std::vector<LeftOver> all = left_of(job);
    REQUIRE(all.size() == 1);
    check(all[0], LeftKind::order, "main/MPI_Allgather", 0, 1, -1, 1);
    CHECK(all[0].peer_path == hash_of("main/MPI_Allreduce"));
  }
  FakeJob job(2); // the same but for the type of counts, and for the place of the call
  job.collective(0, EventKind::n_to_n, {100, 110, "main/MPI_Allreduce_c"});
  job.collective(1, EventKind::n_to_n, {100, 110, "main/MPI_Allreduce x.c:12"});
  CHECK(left_of(job).empty());
  FakeJob full(2); // the call tree of one rank: which function it has called is not known
  full.collective(0, EventKind::n_to_n, {100, 110, "(more MPI calls)"});
  full.collective(1, EventKind::n_to_n, {100, 110, "main/MPI_Allreduce"});
  CHECK(left_of(full).empty());
}

TEST_CASE("collectives with two roots, and with none") {
  for (const unsigned flags : {unsigned{event_root}, 0u}) {
    FakeJob job(2);
    job.collective(0, EventKind::one_to_n, {100, 110, "main/a/MPI_Bcast"}, flags);
    job.collective(1, EventKind::one_to_n, {100, 110, "main/b/MPI_Bcast"}, flags);
    const std::vector<LeftOver> all = left_of(job);
    REQUIRE(all.size() == 1);
    check(all[0], LeftKind::root, "main/a/MPI_Bcast", 0, 1, -1, 1);
    CHECK(all[0].peer_path == hash_of("main/b/MPI_Bcast"));
    CHECK(all[0].root == -1);
    CHECK(all[0].peer_root == -1);
  }
}

TEST_CASE("different roots are named, where the ranks have logged them") {
  FakeJob job(3);
  const std::uint32_t reversed = job.communicator(600, {2, 1, 0});
  for (const int rank : {0, 1, 2}) {
    job.collective(rank, EventKind::one_to_n, {100, 110, "main/MPI_Bcast"}, rank == 2 ? event_root : 0);
    job.root(rank, 2, 100);
    // The root is as before for ranks 0 and 1.
    job.collective(rank, EventKind::one_to_n, {200, 210, rank == 2 ? "main/b/MPI_Bcast" : "main/a/MPI_Bcast"});
    if (rank == 2) job.root(rank, 1, 200);
    // Member 0 is rank 2. Only one rank is the root, as far as it knows.
    job.collective(rank, EventKind::n_to_one, {300, 310, "main/MPI_Reduce"}, rank == 2 ? event_root : 0, reversed);
    job.root(rank, rank == 1 ? 2 : 0, 300, reversed);
    job.collective(rank, EventKind::n_to_one, {400, 410, "main/MPI_Gather"}, rank == 1 ? event_root : 0, reversed);
    job.root(rank, 1, 400, reversed);
  }
  const std::vector<LeftOver> all = left_of(job);
  REQUIRE(all.size() == 2);
  const auto of_reduce = all[0].path == hash_of("main/MPI_Reduce") ? 0u : 1u;
  check(all[of_reduce], LeftKind::root, "main/MPI_Reduce", 2, 1, -1, 1); // in the order of the members
  CHECK(all[of_reduce].root == 2);
  CHECK(all[of_reduce].peer_root == 0);
  const LeftOver& of_broadcast = all[1 - of_reduce];
  check(of_broadcast, LeftKind::root, "main/a/MPI_Bcast", 0, 2, -1, 1);
  CHECK(of_broadcast.peer_path == hash_of("main/b/MPI_Bcast"));
  CHECK(of_broadcast.root == 2);
  CHECK(of_broadcast.peer_root == 1);
}

TEST_CASE("too many left-overs lose the rarest") {
  std::vector<LeftOver> all;
  for (std::uint64_t i = 1; i <= 2 * most_left_overs; ++i)
    add_left_overs(all, {{i, 0, i > most_left_overs ? 2.0 : 1.0, LeftKind::send, 0, 1, 2}});
  CHECK(all.size() == most_left_overs);
  for (const LeftOver& one : all) CHECK(one.path > most_left_overs);
}
