// The shipped causes, each with waits whose length can be computed by hand. Nothing else may be
// seen.
#include <catch2/catch.hpp>

#include <set>

#include "tests/rules/events.h"

using namespace andes::monitor;
using namespace andes::monitor::rules;
using Lines = std::vector<std::string>;

namespace {

Trial shipped() { return trial(shipped_rules()); }

/// A message to rank 2 from rank 3, blocking on both sides unless said otherwise; more parameters
/// after.
void message(Trial& t, int send, int send_end, int receive, int receive_end, std::vector<Given> more = {}) {
  std::vector<Given> all = {{"rank", 2},
                            {"receive_rank", 2},
                            {"send_rank", 3},
                            {"source", 3},
                            {"dest", 2},
                            {"thread", 1},
                            {"receive_thread", 1},
                            {"send_thread", 4},
                            {"call_stack", 20},
                            {"receive_call_stack", 20},
                            {"receive_wait_call_stack", 21},
                            {"peer_rank", 3},
                            {"peer_call_stack", 30},
                            {"send_call_stack", 30},
                            {"send_wait_call_stack", 31},
                            {"send_start_time", send},
                            {"send_finish_time", send_end},
                            {"send_wait_start_time", send},
                            {"send_wait_finish_time", send_end},
                            {"receive_start_time", receive},
                            {"receive_finish_time", receive_end},
                            {"receive_wait_start_time", receive},
                            {"receive_wait_finish_time", receive_end},
                            {"start_time", receive},
                            {"finish_time", receive_end},
                            {"origin_rank", -1},
                            {"overtaking_source", -1}};
  all.insert(all.end(), more.begin(), more.end());
  add(t, "point_to_point_operation_group", all);
}

/// Rank 2's part in a collective operation from `begin` to `end`; rank 7 comes last, rank 5 is
/// root.
void collective(Trial& t, const char* operation, int begin, int end, int latest, std::vector<Given> more = {}) {
  std::vector<Given> all = {{"operation", operation},
                            {"rank", 2},
                            {"thread", 0},
                            {"call_stack", 20},
                            {"start_time", begin},
                            {"finish_time", end},
                            {"latest_start_time", latest},
                            {"latest_rank", 7},
                            {"latest_call_stack", 70},
                            {"root", 5},
                            {"root_call_stack", 50},
                            {"latest_other_start_time", 0},
                            {"latest_other_rank", -1}};
  all.insert(all.end(), more.begin(), more.end());
  add(t, "collective_operation_group", all);
}

Lines seen(Trial& t) {
  run(t);
  return seen_lines(t);
}

} // namespace

TEST_CASE("These causes are shipped, each with its texts") {
  const Trial t = shipped();
  std::set<std::string> identifiers;
  for (const Cause& cause : t.program.causes) {
    identifiers.insert(cause.identifier);
    CHECK(cause.name != "");
    CHECK(cause.description.size() > 40);
    CHECK(cause.advice.find("MPI_") != std::string::npos);
  }
  CHECK(identifiers == std::set<std::string>{"late_sender", "late_receiver", "wrong_order", "early_reduce",
                                             "late_broadcast", "wait_at_nxn", "wait_at_barrier", "data_dependency",
                                             "wait_at_window_create", "wait_at_communicator_create",
                                             "wait_at_collective_io", "lock_contention", "late_post", "late_progress",
                                             "early_wait"});
  CHECK_FALSE(t.program.joins);
}

TEST_CASE("Late sender") {
  Trial t = shipped();
  message(t, 500, 510, 200, 520);
  CHECK(seen(t) == Lines{"late_sender 300 at rank 2 for rank 3"});
  const Observation& o = t.seen[0];
  CHECK(o.thread == 1);
  CHECK(o.call_stack == 21);
  CHECK(o.peer_call_stack == 30);
  CHECK(o.instance_ns == 200);
  CHECK(o.origin_rank == -1);
}

TEST_CASE("Late sender of a non-blocking receive: from the enter of MPI_Wait") {
  Trial t = shipped();
  message(t, 500, 510, 200, 210, {{"receive_wait_start_time", 450}, {"receive_wait_finish_time", 530}});
  CHECK(seen(t) == Lines{"late_sender 50 at rank 2 for rank 3"});
  CHECK(t.seen[0].instance_ns == 450);
}

TEST_CASE("A wait ends with its call, whatever the clocks say") {
  Trial t = shipped();
  message(t, 500, 510, 200, 480);
  CHECK(seen(t) == Lines{"late_sender 280 at rank 2 for rank 3"});
}

TEST_CASE("A message that is there is nobody's wait") {
  Trial t = shipped();
  message(t, 100, 110, 200, 205);
  message(t, 200, 205, 200, 205);
  CHECK(seen(t).empty());
}

TEST_CASE("Data dependency") {
  Trial t = shipped();
  message(t, 500, 510, 200, 520, {{"sender_waiting", 1}, {"origin_rank", 9}, {"origin_call_stack", 90}});
  message(t, 100, 110, 200, 205, {{"sender_waiting", 1}}); // not waited for
  CHECK(seen(t) == Lines{"data_dependency 300 at rank 2 for rank 3"});
  CHECK(t.seen[0].origin_rank == 9);
  CHECK(t.seen[0].origin_call_stack == 90);
}

TEST_CASE("Wrong order") {
  Trial t = shipped();
  message(t, 500, 510, 200, 520, {{"overtaking_source", 3}}); // same source
  message(t, 900, 910, 800, 920, {{"overtaking_source", 6}}); // another source
  message(t, 100, 110, 200, 205, {{"overtaking_source", 6}}); // not waited for
  CHECK(seen(t) == Lines{"wrong_order 300 at rank 2 for rank 3", "wrong_order 100 at rank 2 for rank 3"});
}

TEST_CASE("A call that takes what comes first has no wrong order") {
  for (const char* function : {"MPI_Waitany", "MPI_Waitsome", "MPI_Testany", "MPI_Testsome", "MPI_Wait"}) {
    Trial t = shipped();
    message(t, 500, 510, 200, 520, {{"overtaking_source", 6}, {"receive_wait_function_name", function}});
    const bool takes_any = std::string(function) != "MPI_Wait";
    CHECK(seen(t) ==
          Lines{takes_any ? "late_sender 300 at rank 2 for rank 3" : "wrong_order 300 at rank 2 for rank 3"});
  }
}

TEST_CASE("A chain of waits explains more than the order of messages") {
  Trial t = shipped();
  message(t, 500, 510, 200, 520, {{"sender_waiting", 1}, {"overtaking_source", 6}});
  CHECK(seen(t) == Lines{"data_dependency 300 at rank 2 for rank 3"});
}

TEST_CASE("Late receiver") {
  Trial t = shipped();
  message(t, 200, 520, 500, 530);
  CHECK(seen(t) == Lines{"late_receiver 300 at rank 3 for rank 2"});
  const Observation& o = t.seen[0];
  CHECK(o.thread == 4);
  CHECK(o.call_stack == 31);
  CHECK(o.peer_call_stack == 20);
  CHECK(o.instance_ns == 200);
}

TEST_CASE("A send that ends before the receive is posted has not waited for it") {
  Trial t = shipped();
  message(t, 200, 499, 500, 530);
  CHECK(seen(t).empty());
}

TEST_CASE("Late receiver of a non-blocking send: in its MPI_Wait") {
  Trial t = shipped();
  message(t, 200, 210, 500, 530, {{"send_wait_start_time", 400}, {"send_wait_finish_time", 525}});
  message(t, 200, 210, 500, 530, {{"send_wait_start_time", 510}, {"send_wait_finish_time", 525}});
  CHECK(seen(t) == Lines{"late_receiver 100 at rank 3 for rank 2"});
}

TEST_CASE("Late progress of a send whose receive was posted before") {
  Trial t = shipped();
  const auto posted = [&](int send_end, int receive, int waited) {
    message(t, 200, send_end, receive, receive + 5,
            {{"receive_wait_start_time", 500}, {"receive_wait_finish_time", 570}, {"send_progress_wait", waited}});
  };
  posted(560, 100, 300);
  posted(560, 100, 0); // its call may have lasted for another operation
  posted(560, 350, 0); // it waited for the posting
  CHECK(seen(t) == Lines{"late_receiver 150 at rank 3 for rank 2", "late_progress 300 at rank 3 for rank 2"});
  const Observation& o = t.seen[1];
  CHECK(o.thread == 4);
  CHECK(o.call_stack == 31);
  CHECK(o.peer_call_stack == 21);
  CHECK(o.instance_ns == 200);
}

TEST_CASE("Late progress of a receive whose message was sent before") {
  Trial t = shipped();
  message(t, 100, 110, 200, 570,
          {{"send_wait_start_time", 500}, {"send_wait_finish_time", 560}, {"receive_progress_wait", 300}});
  CHECK(seen(t) == Lines{"late_progress 300 at rank 2 for rank 3"});
  const Observation& o = t.seen[0];
  CHECK(o.thread == 1);
  CHECK(o.call_stack == 20);
  CHECK(o.peer_call_stack == 31);
  CHECK(o.instance_ns == 200);
}

TEST_CASE("Wait at barrier, and at fence") {
  Trial t = shipped();
  collective(t, "BARRIER", 100, 450, 440);
  collective(t, "FENCE", 1000, 1450, 1470); // clipped to the call
  collective(t, "BARRIER", 2000, 2010, 2000);
  collective(t, "BARRIER", 3000, 3500, 3400, {{"empty", 1}}); // barriers carry no data
  CHECK(seen(t) == Lines{"wait_at_barrier 340 at rank 2 for rank 7", "wait_at_barrier 450 at rank 2 for rank 7",
                         "wait_at_barrier 400 at rank 2 for rank 7"});
  CHECK(t.seen[0].call_stack == 20);
  CHECK(t.seen[0].peer_call_stack == 70);
  CHECK(t.seen[0].instance_ns == 100);
}

TEST_CASE("Wait at all-to-all communication, and at scans") {
  Trial t = shipped();
  collective(t, "N_TO_N", 100, 450, 440);
  collective(t, "N_TO_N", 600, 950, 940, {{"empty", 1}});
  collective(t, "SCAN", 1000, 1450, 1440,
             {{"latest_other_start_time", 1200}, {"latest_other_rank", 1}, {"latest_other_call_stack", 10}});
  collective(t, "SCAN", 2000, 2010, 2440); // the first rank waits for nobody
  collective(t, "NEIGHBOUR", 3000, 3450, 3440); // nobody sends to this rank
  collective(t, "NEIGHBOUR", 4000, 4450, 4440, {{"latest_other_start_time", 4150}, {"latest_other_rank", 1}});
  CHECK(seen(t) == Lines{"wait_at_nxn 340 at rank 2 for rank 7", "wait_at_nxn 200 at rank 2 for rank 1",
                         "wait_at_nxn 150 at rank 2 for rank 1"});
  CHECK(t.seen[1].peer_call_stack == 10);
}

TEST_CASE("Early reduce waits for the latest of the others") {
  Trial t = shipped();
  const std::vector<Given> root = {{"is_root", 1},
                                   {"earliest_start_time", 100},
                                   {"latest_other_start_time", 400},
                                   {"latest_other_rank", 6},
                                   {"latest_other_call_stack", 60}};
  collective(t, "N_TO_ONE", 100, 450, 400, root);
  collective(t, "N_TO_ONE", 150, 160, 400, {{"is_root", 0}, {"latest_other_start_time", 400}});
  CHECK(seen(t) == Lines{"early_reduce 300 at rank 2 for rank 6"});
  CHECK(t.seen[0].peer_call_stack == 60);
}

TEST_CASE("A root that comes last waits for nobody") {
  Trial t = shipped();
  collective(t, "N_TO_ONE", 500, 510, 500, {{"is_root", 1}, {"latest_other_start_time", 400}});
  collective(t, "N_TO_ONE", 100, 450, 400, {{"is_root", 1}, {"empty", 1}, {"latest_other_start_time", 400}});
  CHECK(seen(t).empty());
}

TEST_CASE("Late broadcast") {
  Trial t = shipped();
  collective(t, "ONE_TO_N", 100, 450, 440, {{"root_start_time", 390}});
  collective(t, "ONE_TO_N", 1000, 1300, 1390, {{"root_start_time", 1390}}); // left before: clipped
  collective(t, "ONE_TO_N", 2000, 2010, 2400, {{"root_start_time", 1900}});
  collective(t, "ONE_TO_N", 3000, 3450, 3440, {{"is_root", 1}, {"root_start_time", 3000}});
  CHECK(seen(t) == Lines{"late_broadcast 290 at rank 2 for rank 5", "late_broadcast 300 at rank 2 for rank 5"});
  CHECK(t.seen[0].peer_call_stack == 50);
}

TEST_CASE("Wait at making and freeing windows") {
  Trial t = shipped();
  collective(t, "WINDOW_CREATE", 100, 450, 440);
  collective(t, "WINDOW_FREE", 1000, 1450, 1250);
  CHECK(seen(t) ==
        Lines{"wait_at_window_create 340 at rank 2 for rank 7", "wait_at_window_create 250 at rank 2 for rank 7"});
}

TEST_CASE("Wait at making communicators") {
  Trial t = shipped();
  collective(t, "COMMUNICATOR_CREATE", 100, 450, 440);
  CHECK(seen(t) == Lines{"wait_at_communicator_create 340 at rank 2 for rank 7"});
}

TEST_CASE("Wait at collective input and output") {
  Trial t = shipped();
  collective(t, "FILE", 100, 900, 440);
  collective(t, "FILE", 1000, 1450, 1550); // left before, within the error of the clocks: clipped
  collective(t, "FILE", 2000, 2900, 2000); // the last one
  CHECK(seen(t) ==
        Lines{"wait_at_collective_io 340 at rank 2 for rank 7", "wait_at_collective_io 450 at rank 2 for rank 7"});
}

TEST_CASE("Lock contention") {
  Trial t = shipped();
  const auto lock = [&](int begin, int end, int held_until, int holder) {
    add(t, "lock_operation_group",
        {{"rank", 2},
         {"thread", 0},
         {"call_stack", 20},
         {"start_time", begin},
         {"blocked_start_time", begin},
         {"blocked_finish_time", end},
         {"held_until_time", held_until},
         {"holder_rank", holder},
         {"holder_call_stack", 80}});
  };
  lock(100, 450, 440, 8);
  lock(1000, 1450, 1470, 8); // clipped
  lock(2000, 2450, 1990, 8); // was free
  lock(3000, 3450, 0, -1);
  CHECK(seen(t) == Lines{"lock_contention 340 at rank 2 for rank 8", "lock_contention 450 at rank 2 for rank 8"});
  CHECK(t.seen[0].peer_call_stack == 80);
}

TEST_CASE("Late progress of a window's owner") {
  Trial t = shipped();
  add(t, "window_progress_group",
      {{"rank", 2},
       {"thread", 0},
       {"call_stack", 20},
       {"start_time", 100},
       {"finish_time", 450},
       {"target_rank", 8},
       {"target_start_time", 440},
       {"target_call_stack", 80},
       {"progress_wait", 330}});
  CHECK(seen(t) == Lines{"late_progress 330 at rank 2 for rank 8"});
  CHECK(t.seen[0].peer_call_stack == 80);
}

TEST_CASE("Late post and early wait") {
  Trial t = shipped();
  struct Epoch {
    int post, start, start_end, complete, complete_end, wait, wait_end, latest;
  };
  const auto epoch = [&](const Epoch& e, int latest_rank = 6) {
    add(t, "access_epoch_group",
        {{"rank", 2},
         {"target_rank", 2},
         {"accessing_rank", 6},
         {"accessing_thread", 3},
         {"call_stack", 23},
         {"post_call_stack", 20},
         {"start_call_stack", 60},
         {"complete_call_stack", 61},
         {"wait_call_stack", 23},
         {"post_start_time", e.post},
         {"start_start_time", e.start},
         {"start_finish_time", e.start_end},
         {"complete_start_time", e.complete},
         {"complete_finish_time", e.complete_end},
         {"wait_start_time", e.wait},
         {"wait_finish_time", e.wait_end},
         {"start_time", e.wait},
         {"latest_complete_start_time", e.latest},
         {"latest_complete_rank", latest_rank}});
  };
  SECTION("in MPI_Win_start") {
    epoch({400, 100, 410, 450, 460, 470, 480, 450});
    CHECK(seen(t) == Lines{"late_post 300 at rank 6 for rank 2"});
    CHECK(t.seen[0].thread == 3);
    CHECK(t.seen[0].call_stack == 60);
    CHECK(t.seen[0].peer_call_stack == 20);
    CHECK(t.seen[0].instance_ns == 100);
  }
  SECTION("in MPI_Win_complete, where MPI_Win_start returns at once") {
    epoch({400, 100, 110, 150, 410, 420, 430, 150});
    CHECK(seen(t) == Lines{"late_post 250 at rank 6 for rank 2"});
    CHECK(t.seen[0].call_stack == 61);
    CHECK(t.seen[0].instance_ns == 150);
  }
  SECTION("posted between start and complete") {
    epoch({400, 100, 110, 450, 460, 470, 480, 450});
    CHECK(seen(t).empty());
  }
  SECTION("late progress of the owner, which computes from its post to its wait") {
    epoch({100, 110, 120, 150, 610, 600, 620, 150});
    CHECK(seen(t) == Lines{"late_progress 450 at rank 6 for rank 2"});
    CHECK(t.seen[0].call_stack == 61);
    CHECK(t.seen[0].peer_call_stack == 23);
    CHECK(t.seen[0].instance_ns == 150);
  }
  SECTION("MPI_Win_complete that has ended before the owner's wait") {
    epoch({100, 110, 120, 150, 590, 600, 620, 150});
    CHECK(seen(t).empty());
  }
  SECTION("early wait") {
    epoch({100, 110, 120, 700, 710, 200, 720, 700});
    CHECK(seen(t) == Lines{"early_wait 500 at rank 2 for rank 6"});
    CHECK(t.seen[0].call_stack == 23);
    CHECK(t.seen[0].peer_call_stack == 61);
    CHECK(t.seen[0].instance_ns == 200);
  }
  SECTION("early wait is seen with the last of the accessing ranks alone") {
    epoch({100, 110, 120, 600, 610, 200, 720, 700}, 8);
    CHECK(seen(t).empty());
  }
}

TEST_CASE("A rule file of one's own goes on where the shipped ones end") {
  std::vector<Source> sources = shipped_rules();
  sources.push_back({"mine.rules", "rule event e type late_send where e.wait > 1000\n"
                                   "create performance observation name = \"Very late\" impact = e.wait;"});
  Trial t = trial(sources);
  message(t, 5000, 5010, 200, 5020);
  message(t, 500, 510, 200, 520);
  CHECK(seen(t) == Lines{"late_sender 4800 at rank 2 for rank 3", "late_sender 300 at rank 2 for rank 3",
                         "very_late 4800 at rank 2 for rank 3"});
}
