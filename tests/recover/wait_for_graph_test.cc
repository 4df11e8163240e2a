// Who waits for whom, on states made by hand: what makes a deadlock certain, and what does not.
#include <catch2/catch.hpp>

#include "monitor/recover/wait_for_graph.h"

using namespace andes;
using namespace andes::monitor;

namespace {

using Kind = HangFinding::Kind;
using What = HangState::What;

constexpr std::uint64_t world = 1;

ThreadActivity computes() {
  ThreadActivity thread;
  thread.path = "main/f";
  return thread;
}

ThreadActivity waits(const char* function, std::vector<WaitedOperation> operations, double since_s = 5) {
  ThreadActivity thread;
  thread.what = What::waits;
  thread.function = thread.call = function;
  thread.operations = std::move(operations);
  thread.since_s = since_s;
  return thread;
}

WaitedOperation operation(WaitedOperation::Kind kind, int peer, int tag, std::uint32_t number = 0,
                          std::uint32_t size = 4) {
  WaitedOperation one;
  one.kind = kind;
  one.comm = world;
  one.members.size = size;
  one.peer = peer;
  one.tag = tag;
  one.number = number;
  return one;
}
WaitedOperation receive(int peer, int tag, std::uint32_t number = 0) {
  return operation(WaitedOperation::Kind::receive, peer, tag, number);
}
WaitedOperation send(int peer, int tag, std::uint32_t number = 0) {
  return operation(WaitedOperation::Kind::send, peer, tag, number);
}
WaitedOperation barrier(std::uint32_t number = 0, std::uint32_t size = 4) {
  WaitedOperation one = operation(WaitedOperation::Kind::collective, -1, 0, number, size);
  one.event = EventKind::barrier;
  return one;
}

RankState rank(int number, std::vector<ThreadActivity> threads, int size = 4) {
  RankState state;
  state.rank = number;
  state.size = size;
  state.threads = std::move(threads);
  return state;
}

std::vector<RankState> facing_receives(double since_s = 5) {
  return {rank(0, {waits("MPI_Recv", {receive(1, 7)}, since_s)}, 2),
          rank(1, {waits("MPI_Recv", {receive(0, 7)}, since_s)}, 2)};
}

} // namespace

TEST_CASE("two receives that face each other are a deadlock once they have lasted") {
  const Hang hang = find_hang(facing_receives());
  REQUIRE(hang.findings.size() == 1);
  CHECK(hang.findings[0].kind == Kind::deadlock);
  CHECK(is_certain(hang.findings[0]));
  CHECK(hang.findings[0].ranks == std::vector<int>{0, 1});
  CHECK(hang_lines(hang) == std::vector<std::string>{"Deadlock of ranks 0-1: they wait for each other",
                                                     "  rank 0 waits for rank 1 since 5.0 s in MPI_Recv",
                                                     "  rank 1 waits for rank 0 since 5.0 s in MPI_Recv"});
  CHECK(find_hang(facing_receives(0.5)).findings.empty());
}

TEST_CASE("a message that has been sent and not received ends a wait; one that has been received does not") {
  std::vector<RankState> ranks = facing_receives();
  ranks[1].sends[{world, 0, 7}] = {1, false};
  const Hang sent = find_hang(ranks);
  REQUIRE(sent.findings.size() == 1); // rank 1 still waits: rank 0 is about to go on
  CHECK(sent.findings[0].kind == Kind::waits);
  CHECK(sent.findings[0].ranks == std::vector<int>{1});
  ranks[0].receives[{world, 1, 7}] = {1, false};
  ranks[0].threads[0].operations[0].number = 1;
  REQUIRE(find_hang(ranks).findings.size() == 1);
  CHECK(find_hang(ranks).findings[0].kind == Kind::deadlock);
  ranks[0].receives[{world, 1, 7}].unordered = true; // its numbers are not reliable
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
}

TEST_CASE("a send that the receiver is just receiving goes on") {
  std::vector<RankState> ranks = facing_receives();
  ranks[1].threads = {waits("MPI_Send", {send(0, 7)})};
  CHECK(find_hang(ranks).findings.empty());
  ranks[1].threads = {waits("MPI_Send", {send(0, 8)})}; // another tag
  REQUIRE(find_hang(ranks).findings.size() == 1);
  CHECK(find_hang(ranks).findings[0].kind == Kind::deadlock);
}

TEST_CASE("where one of several ranks is enough, all of them must be stuck") {
  std::vector<RankState> ranks = facing_receives();
  for (RankState& state : ranks) state.size = 3;
  ranks[0].threads = {waits("MPI_Recv", {operation(WaitedOperation::Kind::receive, -1, 7, 0, 3)})};
  ranks.push_back(rank(2, {computes()}, 3));
  const Hang open = find_hang(ranks);
  REQUIRE(open.findings.size() == 1);
  CHECK(open.findings[0].kind == Kind::waits);
  CHECK(open.findings[0].states[0].any);
  ranks[2].threads = {waits("MPI_Recv", {receive(0, 7)})};
  CHECK(find_hang(ranks).findings[0].ranks == std::vector<int>{0, 1, 2});
  ranks.pop_back(); // on another host: nothing is known of it
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
}

TEST_CASE("requests that are not known may complete: they matter only where one of all is enough") {
  std::vector<RankState> ranks = facing_receives();
  ranks[0].threads = {waits("MPI_Waitall", {receive(1, 7), WaitedOperation()})};
  CHECK(find_hang(ranks).findings[0].kind == Kind::deadlock);
  ranks[0].threads[0].any = true;
  REQUIRE(find_hang(ranks).findings.size() == 1);
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
}

TEST_CASE("a collective waits for those that have not reached it, wherever they are") {
  std::vector<RankState> ranks;
  for (int i = 0; i < 3; ++i) ranks.push_back(rank(i, {waits("MPI_Barrier", {barrier(2)})}));
  for (RankState& state : ranks) state.collectives[{world, 0}] = {2, false};
  ranks.push_back(rank(3, {computes()}));
  ranks[3].collectives[{world, 0}] = {2, false};
  const Hang late = find_hang(ranks);
  CHECK(hang_lines(late) == std::vector<std::string>{"Long waits, which other ranks may end",
                                                     "  ranks 0-2 wait for rank 3 since 5.0 s in MPI_Barrier",
                                                     "  rank 3 computes in main/f"});
  ranks[3].threads = {waits("MPI_Recv", {receive(1, 7)})};
  const Hang stuck = find_hang(ranks);
  REQUIRE(stuck.findings.size() == 1);
  CHECK(stuck.findings[0].ranks == std::vector<int>{1, 3});
  CHECK(stuck.findings[0].behind == std::vector<int>{0, 2});
  ranks[3].collectives[{world, 0}] = {3, false}; // it has been there already
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
  ranks[3].collectives[{world, 0}] = {2, false};
  WaitedOperation other = barrier(2);
  other.event = EventKind::n_to_n;
  ranks[3].threads = {waits("MPI_Allreduce", {other})};
  const Hang order = find_hang(ranks);
  REQUIRE(order.findings.size() == 1);
  CHECK(order.findings[0].kind == Kind::order);
  CHECK(order.findings[0].reason == "MPI_Allreduce in rank 3, MPI_Barrier in rank 0");
}

TEST_CASE("a rank that has left another collective in the place of the one that is waited for is in different order") {
  WaitedOperation all = operation(WaitedOperation::Kind::collective, -1, 0, 5, 2);
  all.event = EventKind::n_to_n;
  std::vector<RankState> ranks = {rank(0, {waits("MPI_Barrier", {barrier(6, 2)})}, 2),
                                  rank(1, {waits("MPI_Allreduce", {all})}, 2)};
  ranks[0].collectives[{world, 0}].begun = 6;
  ranks[1].collectives[{world, 0}].begun = 5;
  CHECK(find_hang(ranks).findings.at(0).kind == Kind::waits); // it is not known what rank 0 called as number 5
  ranks[0].called[{world, 0, 5}] = "MPI_Bcast";
  const Hang order = find_hang(ranks);
  REQUIRE(order.findings.size() == 1);
  CHECK(order.findings[0].kind == Kind::order);
  CHECK(order.findings[0].reason == "MPI_Bcast in rank 0, MPI_Allreduce in rank 1");
  ranks[0].called[{world, 0, 5}] = "MPI_Allreduce_c"; // the same function: what rank 1 needs is on its way
  CHECK(find_hang(ranks).findings.at(0).kind == Kind::waits);
}

TEST_CASE("ranks that have ended or are in MPI_Finalize release nobody") {
  std::vector<RankState> ranks = facing_receives();
  ranks[1].threads.clear();
  ranks[1].finalizes = true;
  const Hang hang = find_hang(ranks);
  REQUIRE(hang.findings.size() == 1);
  CHECK(hang.findings[0].kind == Kind::ended);
  CHECK(state_text(hang.findings[0].states[1]) == "rank 1 is in MPI_Finalize");
  ranks[1].sends[{world, 0, 7}] = {1, false}; // it has sent before
  CHECK(find_hang(ranks).findings.empty());
}

TEST_CASE("a thread that may act releases its rank; threads that are idle wait for it") {
  std::vector<RankState> ranks = facing_receives();
  ranks[1].threads.push_back(computes());
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
  ranks[1].threads[1].idle = true; // of a team of OpenMP, at its barrier
  CHECK(find_hang(ranks).findings[0].kind == Kind::deadlock);
  ranks[1].more_threads = true;
  CHECK(find_hang(ranks).findings[0].kind == Kind::deadlock);
  CHECK(!is_certain(find_hang(ranks).findings[0]));
}

TEST_CASE("of ranks that were killed without notice only waits count that a call of another rank must end") {
  CHECK(find_hang(facing_receives(-1)).findings[0].kind == Kind::deadlock);
  CHECK(state_text(find_hang(facing_receives(-1)).findings[0].states[0]) == "rank 0 waits for rank 1 in MPI_Recv");
  std::vector<RankState> ranks = facing_receives(-1);
  for (RankState& state : ranks) state.threads = {waits("MPI_Send", {send(1 - state.rank, 7)}, -1)};
  CHECK(find_hang(ranks).findings.empty()); // perhaps the messages were small
}

TEST_CASE("what a library need not wait for makes no certain deadlock") {
  std::vector<RankState> ranks = facing_receives();
  WaitedOperation reduce = barrier(0, 2);
  reduce.event = EventKind::n_to_one;
  reduce.peer = 1;
  ranks[0].threads = {waits("MPI_Reduce", {reduce})}; // not the root: its data may be on their way
  REQUIRE(find_hang(ranks).findings.size() == 1);
  CHECK(find_hang(ranks).findings[0].early == "MPI_Reduce");
  CHECK(!is_certain(find_hang(ranks).findings[0]));
  ranks[0].threads[0].operations[0].peer = 0; // the root
  CHECK(is_certain(find_hang(ranks).findings[0]));
  ranks[0].threads = {waits("MPI_Win_flush", {operation(WaitedOperation::Kind::flush, -1, -1, 0, 2)})};
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
  WaitedOperation file = barrier(0, 2);
  file.event = EventKind::file;
  ranks[0].threads = {waits("MPI_File_write_all", {file})}; // perhaps it writes by itself
  CHECK(!is_certain(find_hang(ranks).findings[0]));
  ranks[0].threads = {waits("MPI_File_close", {file})};
  CHECK(is_certain(find_hang(ranks).findings[0]));
  ranks = facing_receives();
  ranks[1].lossy = true; // it may have sent or received messages that have no number
  CHECK(find_hang(ranks).findings.empty());
}

TEST_CASE("ranks with nothing to send may be passed over") {
  std::vector<RankState> ranks = facing_receives();
  for (RankState& state : ranks) state.size = 3;
  WaitedOperation all = barrier(0, 3);
  all.event = EventKind::n_to_n;
  ranks[0].threads = {waits("MPI_Alltoallv", {all})};
  ranks.push_back(rank(2, {computes()}, 3)); // perhaps only its data are needed
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
  ranks[0].threads = {waits("MPI_Alltoall", {all})};
  CHECK(find_hang(ranks).findings[0].kind == Kind::deadlock);
}

TEST_CASE("MPI_Win_wait waits for the origins that have not completed their access") {
  std::vector<RankState> ranks = facing_receives();
  ranks[0].threads = {waits("MPI_Win_wait", {operation(WaitedOperation::Kind::complete, -1, -1, 0, 2)})};
  ranks[0].posts[{world, 1, 0}] = {2, false};
  ranks[1].completes[{world, 0, 0}] = {1, false};
  CHECK(find_hang(ranks).findings[0].kind == Kind::deadlock);
  ranks[1].completes[{world, 0, 0}] = {2, false};
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
}

namespace {

ThreadActivity polls(const char* function, std::vector<WaitedOperation> operations, double since_s = 5) {
  ThreadActivity thread = waits(function, std::move(operations), since_s);
  thread.what = What::polls;
  return thread;
}

} // namespace

TEST_CASE("ranks that poll for each other are a deadlock that a loop may end by itself") {
  std::vector<RankState> ranks = facing_receives();
  for (const int one : {0, 1})
    ranks[static_cast<std::size_t>(one)].threads = {polls("MPI_Test", {receive(1 - one, 7)})};
  const Hang hang = find_hang(ranks);
  REQUIRE(hang.findings.size() == 1);
  CHECK(hang.findings[0].kind == Kind::deadlock);
  CHECK(hang.findings[0].polls);
  CHECK_FALSE(is_certain(hang.findings[0]));
  CHECK(hang_lines(hang) == std::vector<std::string>{
                                "Deadlock of ranks 0-1, unless a polling loop ends by itself: they wait for each other",
                                "  rank 0 polls for rank 1 since 5.0 s in MPI_Test",
                                "  rank 1 polls for rank 0 since 5.0 s in MPI_Test"});
  ranks[0].threads[0].since_s = 0.5; // not for long
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
}

TEST_CASE("a rank that has got something after polls of that length before is no part of a deadlock") {
  std::vector<RankState> ranks = facing_receives();
  ranks[0].threads = {polls("MPI_Iprobe", {operation(WaitedOperation::Kind::probe, -1, 7, 0, 2)})};
  CHECK(find_hang(ranks).findings[0].kind == Kind::deadlock);
  ranks[0].threads[0].usual = true;
  REQUIRE(find_hang(ranks).findings.size() == 1);
  CHECK(find_hang(ranks).findings[0].kind == Kind::waits);
}

TEST_CASE("a rank that computes between polls is said to poll in vain") {
  std::vector<RankState> ranks = facing_receives();
  ThreadActivity busy = computes();
  busy.call = "MPI_Iprobe(message from rank 1, tag 7)";
  busy.since_s = 12.34;
  ranks[0].threads = {busy};
  const Hang hang = find_hang(ranks);
  REQUIRE(hang.findings.size() == 1);
  CHECK(hang.findings[0].kind == Kind::waits);
  CHECK(hang_lines(hang).at(2) ==
        "  rank 0 computes, and polls in vain since 12.3 s in MPI_Iprobe(message from rank 1, tag 7): main/f");
}

TEST_CASE("a call that the library may end without the missing ranks is in a deadlock with a condition") {
  WaitedOperation write = operation(WaitedOperation::Kind::collective, -1, 0, 0, 2);
  write.comm = 9;
  write.event = EventKind::file;
  std::vector<RankState> ranks = {rank(0, {waits("MPI_File_write_all", {write})}, 2),
                                  rank(1, {waits("MPI_Barrier", {barrier(0, 2)})}, 2)};
  const Hang hang = find_hang(ranks);
  REQUIRE(hang.findings.size() == 1);
  CHECK(hang.findings[0].kind == Kind::deadlock);
  CHECK(!is_certain(hang.findings[0]));
  CHECK(hang_lines(hang)[0] == "Deadlock of ranks 0-1, unless MPI_File_write_all returns before the other ranks have "
                               "called it: they wait for each other");
  ranks[0].more_threads = ranks[1].more_threads = true;
  CHECK(hang_lines(find_hang(ranks))[0] ==
        "ranks 0-1 wait for each other, which only a thread that has not called MPI yet "
        "could end, unless MPI_File_write_all returns before the other ranks have called it");
  ranks[0].threads[0].what = What::polls;
  CHECK(hang_lines(find_hang(ranks))[0] ==
        "ranks 0-1 wait for each other, which only a thread that has not called MPI yet could end, unless "
        "MPI_File_write_all returns before the other ranks have called it or a polling loop ends by itself");
  ranks[1].threads = {computes()};
  CHECK(find_hang(ranks).findings.at(0).kind == Kind::waits);
}

TEST_CASE("a deadlock has the conditions of ranks outside that could help") {
  // 1 and 2 wait for each other, or for 3 or 4 to send to 1; these wait for each other, too.
  std::vector<RankState> ranks = {
      rank(1, {waits("MPI_Recv", {operation(WaitedOperation::Kind::receive, -1, 7, 0, 5)})}, 5),
      rank(2, {waits("MPI_Recv", {receive(1, 7)})}, 5), rank(3, {waits("MPI_Recv", {receive(4, 7)})}, 5),
      rank(4, {waits("MPI_Recv", {receive(3, 7)})}, 5)};
  static const std::int32_t others[] = {2, 3, 4};
  ranks[0].threads[0].operations[0].members = {3, others};
  const auto finding_of_1_and_2 = [&] { return find_hang(ranks).findings.at(0); };
  REQUIRE(finding_of_1_and_2().ranks == std::vector<int>{1, 2});
  CHECK(is_certain(finding_of_1_and_2()));

  ranks[2].threads = {polls("MPI_Test", {receive(4, 7)})};
  REQUIRE(finding_of_1_and_2().ranks == std::vector<int>{1, 2});
  CHECK(finding_of_1_and_2().polls);
  CHECK_FALSE(is_certain(finding_of_1_and_2()));

  static const std::int32_t pair[] = {3, 4};
  WaitedOperation broadcast = operation(WaitedOperation::Kind::collective, 3, 0, 0, 2); // 3 is the root
  broadcast.comm = 9;
  broadcast.members.world = pair;
  broadcast.event = EventKind::one_to_n;
  ranks[2].threads = {waits("MPI_Bcast", {broadcast})};
  REQUIRE(finding_of_1_and_2().ranks == std::vector<int>{1, 2});
  CHECK(finding_of_1_and_2().early == "MPI_Bcast");
  CHECK_FALSE(finding_of_1_and_2().polls);
  CHECK_FALSE(is_certain(finding_of_1_and_2()));

  ranks[3].threads = {polls("MPI_Test", {receive(3, 7)})};
  CHECK(hang_lines(find_hang(ranks))[0] ==
        "Deadlock of ranks 1-2, unless MPI_Bcast returns before the other ranks have "
        "called it or a polling loop ends by itself: they wait for each other");
}

TEST_CASE("ranks that a deadlock waits for in vain anyway give it no condition") {
  std::vector<RankState> ranks = facing_receives();
  ranks[0].threads = {waits("MPI_Barrier", {barrier(0, 4)})};
  for (const int one : {2, 3}) ranks.push_back(rank(one, {polls("MPI_Test", {receive(5 - one, 7)})}));
  REQUIRE(find_hang(ranks).findings.size() == 2);
  CHECK(find_hang(ranks).findings[0].ranks == std::vector<int>{0, 1});
  CHECK(is_certain(find_hang(ranks).findings[0]));
  CHECK_FALSE(is_certain(find_hang(ranks).findings[1]));
}

TEST_CASE("a function that is not known may be any") {
  WaitedOperation all = barrier(0, 2);
  all.event = EventKind::n_to_n;
  std::vector<RankState> ranks = {rank(0, {waits("MPI_Allreduce", {all})}, 2),
                                  rank(1, {waits("MPI_Allreduce_c", {all})}, 2)};
  CHECK(find_hang(ranks).findings.empty());
  ranks[1].threads[0].function.clear(); // its call tree was full
  CHECK(find_hang(ranks).findings.empty());
  std::swap(ranks[0].threads, ranks[1].threads);
  CHECK(find_hang(ranks).findings.empty());
  ranks[0].threads[0].function = "MPI_Bcast";
  CHECK(find_hang(ranks).findings.at(0).kind == Kind::order);

  WaitedOperation write = barrier(0, 2);
  write.event = EventKind::file;
  ranks = facing_receives();
  ranks[0].threads = {waits("", {write})};
  CHECK(find_hang(ranks).findings.at(0).early == "a call of MPI");

  ranks = facing_receives(); // it is likely a send in a full tree that rank 0 gets
  ranks[1].threads = {waits("", {send(0, 7)})};
  CHECK(find_hang(ranks).findings.empty());
}

TEST_CASE("of requests the function that has started them tells whether ranks may be passed over") {
  std::vector<RankState> ranks = facing_receives();
  for (RankState& state : ranks) state.size = 3;
  WaitedOperation all = barrier(0, 3);
  all.event = EventKind::n_to_n;
  ranks[0].collectives[{world, 0}] = {1, false};
  ranks.push_back(rank(2, {computes()}, 3)); // perhaps only its data are needed
  for (const char* function : {"MPI_Ireduce_scatter", "MPI_Ireduce_scatter_c", "MPI_Ialltoallw_c", ""}) {
    all.function = function;
    ranks[0].threads = {waits("MPI_Wait", {all})};
    INFO(function);
    CHECK(find_hang(ranks).findings.at(0).kind == Kind::waits);
  }
  for (const char* function : {"MPI_Ireduce_scatter_block", "MPI_Iallreduce"}) {
    all.function = function;
    ranks[0].threads = {waits("MPI_Wait", {all})};
    INFO(function);
    CHECK(find_hang(ranks).findings.at(0).kind == Kind::deadlock);
  }
}

TEST_CASE("a request whose kind is not known may complete without the others, of two ranks as well") {
  std::vector<RankState> ranks = facing_receives();
  WaitedOperation started = barrier(0, 2);
  started.event = EventKind::none;
  ranks[0].threads = {waits("MPI_Wait", {started})};
  ranks[0].collectives[{world, 0}] = {1, false};
  REQUIRE(find_hang(ranks).findings.size() == 1);
  CHECK_FALSE(is_certain(find_hang(ranks).findings[0]));
  CHECK(hang_lines(find_hang(ranks))[0] == "Deadlock of ranks 0-1, unless MPI_Wait returns before the other ranks have "
                                           "begun the operation: they wait for each other");
}

TEST_CASE("ranks that join two groups wait for their leader, leaders for the ranks of both that are missing") {
  constexpr std::uint64_t right = 12; // ranks 1 and 2, of which 1 is the leader; rank 0 is alone
  const auto of_right = [](WaitedOperation::Kind kind, int peer) {
    static const std::int32_t members[] = {1, 2};
    WaitedOperation one = operation(kind, peer, 0, 3, 2);
    one.comm = right;
    one.members.world = members;
    return one;
  };
  const auto creation = of_right(WaitedOperation::Kind::creation, -1);
  const auto other = [](int peer) { return operation(WaitedOperation::Kind::other_leader, peer, 5); };
  const char* const join = "MPI_Intercomm_create";
  std::vector<RankState> ranks = {
      rank(0, {waits(join, {other(1)})}, 3), rank(1, {waits(join, {creation, other(0)})}, 3),
      rank(2, {waits(join, {creation, of_right(WaitedOperation::Kind::own_leader, 1)})}, 3)};
  for (const int member : {1, 2}) ranks[static_cast<std::size_t>(member)].collectives[{right, 0}] = {3, false};
  for (const HangFinding& finding : find_hang(ranks).findings) CHECK(finding.kind == Kind::waits); // all have come
  std::vector<RankState> missing = ranks;
  missing[2].threads = {waits("MPI_Recv", {receive(0, 7)})};
  REQUIRE(find_hang(missing).findings.size() == 1);
  CHECK(find_hang(missing).findings[0].ranks == std::vector<int>{0, 2});
  CHECK(find_hang(missing).findings[0].behind == std::vector<int>{1});
  missing[2].collectives[{right, 0}] = {4, false}; // it has left the call
  for (const HangFinding& finding : find_hang(missing).findings) CHECK(finding.kind == Kind::waits);
  ranks[0].threads = {waits("MPI_Recv", {receive(1, 7)})};
  CHECK(find_hang(ranks).findings.at(0).ranks == std::vector<int>{0, 1});
  CHECK(find_hang(ranks).findings.at(0).behind == std::vector<int>{2});
  ranks[0].other_groups.push_back({2, creation.members.world}); // it has left the call, with both groups' communicator
  for (const HangFinding& finding : find_hang(ranks).findings) CHECK(finding.kind == Kind::waits);
  static const std::int32_t leader[] = {0};
  ranks[1].other_groups.push_back({1, leader}); // that was an earlier call, which both have left
  CHECK(find_hang(ranks).findings.at(0).ranks == std::vector<int>{0, 1});
}
