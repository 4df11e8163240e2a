// Small messages of trees made by hand. Two ranks, T = 10 s; rank 0 sends to rank 1 alone. Communication, sums over ranks:
//
//   (program) 10
//     main 10             2 visits
//       send_cells 8      10 visits
//         MPI_Send 8      12,000 messages of 8 bytes, all of them of rank 0
//       receive_cells 1
//         MPI_Recv 1      12,000 messages
//       MPI_Bcast 1
#include "postproc/analysis/small_messages.h"

#include <catch2/catch.hpp>

#include "postproc/view/small_messages_text.h"

using namespace andes;
using namespace andes::postproc;

namespace {

enum Path { root, main_path, send_cells, send, receive_cells, receive, bcast };

struct Made {
  Profile profile;

  Statistic& at(Path path, int metric) {
    return profile.statistics[static_cast<std::size_t>(path) * profile.metrics() + static_cast<std::size_t>(metric)];
  }
  void add(int parent, const char* name, const char* kind, int line, double visits, double inclusive_s,
           double communication_s, double most_s) {
    const auto path = static_cast<Path>(profile.callpaths.size());
    profile.regions.push_back({name, kind, line > 0 ? "cells.c" : "", line});
    profile.callpaths.push_back({parent, path});
    profile.statistics.resize(profile.callpaths.size() * profile.metrics());
    at(path, run_file::visits).sum = visits;
    at(path, run_file::inclusive_ns).sum = inclusive_s * 1e9;
    at(path, run_file::inclusive_ns).max = most_s * 1e9;
    at(path, run_file::communication_ns).sum = communication_s * 1e9;
    at(path, run_file::communication_ns).max = most_s * 1e9;
  }

  Made() {
    profile.ranks = 2;
    profile.wall_s = 10;
    profile.destinations = 1;
    profile.facts["wait_states"] = "measured";
    profile.locations.resize(2);
    profile.locations[1].rank = 1;
    for (Location& location : profile.locations) location.wall_ns = 10e9;
    add(-1, "(program)", "root", 0, 2, 20, 10, 5);
    add(root, "main", "function", 1, 2, 20, 10, 5);
    add(main_path, "send_cells", "function", 41, 10, 9, 8, 8);
    add(send_cells, "MPI_Send", "send", 0, 12000, 8, 8, 8);
    add(main_path, "receive_cells", "function", 51, 10, 8, 1, 1);
    add(receive_cells, "MPI_Recv", "receive", 0, 12000, 8, 1, 1);
    add(main_path, "MPI_Bcast", "source", 0, 2, 1, 1, 0.5);
    at(send, run_file::messages_sent).sum = 12000;
    at(receive, run_file::messages_received).sum = 12000;
    profile.message_sizes = {{send, 1, 64, 12000}, {receive, 1, 64, 12000}, {bcast, 1024, 2048, 2}};
  }
  std::vector<SmallMessages> found() const { return small_messages(profile, tree_of(profile, profile.statistics)); }
};

} // namespace

TEST_CASE("many small messages are named, with what they cost at most", "[small_messages]") {
  const std::vector<SmallMessages> found = Made().found();
  REQUIRE(found.size() == 1);
  const SmallMessages& one = found.front();
  CHECK(one.path == std::vector<std::string>{"main", "send_cells"});
  CHECK(one.place.line == 41);
  CHECK(one.messages == 12000);
  CHECK(one.below == 64);
  CHECK(one.per_destination == 1200);
  CHECK(one.percent == Approx(45)); // sending 8 s and receiving 1 s of 20 s
  CHECK(one.communication_percent == Approx(90));
  CHECK(one.gain.low_s == 0); // nobody waits here: sending 8 s and receiving 1 s
  CHECK(one.gain.high_s == Approx(9 * (1 - 1 / 1200.0)));
  CHECK(small_messages_sentence(one) ==
        "12000 messages of less than 64 B in main > send_cells (cells.c:41): 90 % of the communication, 1200 to each "
        "destination in a visit. Gather those that are known at the same time into one: T shrinks by 8.99 s at most.");
}

TEST_CASE("one message in a visit cannot be gathered", "[small_messages]") {
  Made made;
  made.at(send_cells, run_file::visits).sum = 12000;
  CHECK(made.found().empty());
  made.at(send_cells, run_file::visits).sum = 3000; // four in a visit
  CHECK(made.found().size() == 1);
  made.profile.destinations = 4; // one to each destination
  CHECK(made.found().empty());
}

TEST_CASE("large messages are not small", "[small_messages]") {
  Made made;
  made.profile.message_sizes = {{send, 1, 64, 6000}, {send, 1 << 20, 1 << 21, 6000}, {receive, 1, 64, 12000}};
  CHECK(made.found().empty());
}

TEST_CASE("messages between which the program computes are no matter of their size", "[small_messages]") {
  Made made;
  made.at(send_cells, run_file::inclusive_ns).sum = 17e9;
  CHECK(made.found().empty());
}

TEST_CASE("messages that take no time are not named", "[small_messages]") {
  Made made;
  for (const Path path : {send, receive, receive_cells, send_cells})
    for (double Statistic::* of : {&Statistic::sum, &Statistic::max})
      made.at(path, run_file::communication_ns).*of *= 0.01;
  made.at(send_cells, run_file::inclusive_ns).sum = 0.1e9;
  CHECK(made.found().empty());
}

TEST_CASE("waiting is no cost of messages", "[small_messages]") {
  Made made; // a slow rank 1: MPI_Send of rank 0 takes 0.2 s and waits 7.8 s, MPI_Recv of rank 1 takes 0.1 s of 8
  const auto set = [&](Path path, double communication_s) {
    for (double Statistic::* of : {&Statistic::sum, &Statistic::max})
      made.at(path, run_file::communication_ns).*of = communication_s * 1e9;
    made.at(path, path_idle_ns).sum = made.at(path, run_file::inclusive_ns).sum - communication_s * 1e9;
  };
  set(send_cells, 0.2);
  set(send, 0.2);
  set(receive_cells, 0.1);
  set(receive, 0.1);
  std::vector<SmallMessages> found = made.found();
  REQUIRE(found.size() == 1);
  CHECK(found.front().percent == Approx(1.5)); // 0.3 s of 20 s
  CHECK(found.front().gain.high_s == Approx(0.3 * (1 - 1 / 1200.0)));
  // All of a thousand ranks send as much: along a chain of them what they spend may add up to 300 s, but no rank saves
  // more than all of its time in these calls, 8 s of sending and 1 s of receiving.
  made.profile.ranks = 1000;
  made.profile.destinations = 2;
  for (const Path path : {send, receive, send_cells}) made.at(path, run_file::communication_ns).sum *= 1000;
  made.at(send_cells, run_file::inclusive_ns).sum *= 1000;
  made.at(send_cells, path_idle_ns).sum *= 1000;
  found = made.found();
  REQUIRE(found.size() == 1);
  CHECK(found.front().gain.high_s == Approx(9 * (1 - 1 / 600.0)));
  made.profile.facts["wait_states"] = "not measured"; // what waits and what costs is not known
  CHECK(made.found().empty());
}

TEST_CASE("files of before do not say how large messages are", "[small_messages]") {
  Made made;
  made.profile.message_sizes.clear();
  CHECK(made.found().empty());
}
