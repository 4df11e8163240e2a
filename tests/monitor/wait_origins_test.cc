// What a rank did before a call that came late, from its log and its call tree; all numbers by hand.
#include "monitor/finish/wait_origins.h"
#include "tests/monitor/fake_ranks.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

enum Path { root_path, main_path, step_path, compute_path, write_path, exchange_path, receive_path, send_path };

/// A rank whose steps compute, write a file, and exchange messages.
Profile profile_with_work(double compute_ns, double write_ns) {
  Profile profile = profile_of(0,
                               {{{"(program)"}, 1, 2000, 100},
                                {{"(program)", "main"}, 1, 1900, 100},
                                {{"(program)", "main", "step"}, 1, 1800, 50},
                                {{"(program)", "main", "step", "compute"}, 1, compute_ns, compute_ns},
                                {{"(program)", "main", "step", "MPI_File_write"}, 1, write_ns, write_ns},
                                {{"(program)", "main", "step", "exchange"}, 1, 210, 10},
                                {{"(program)", "main", "step", "exchange", "MPI_Recv"}, 1, 100, 100},
                                {{"(program)", "main", "step", "exchange", "MPI_Send"}, 1, 100, 100}},
                               1500);
  const char* kinds[] = {"root", "function", "function", "function", "io", "function", "receive", "send"};
  const double work_ns[] = {250 + compute_ns, 150 + compute_ns, 60 + compute_ns, compute_ns, 0, 10, 0, 0};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    profile.regions[static_cast<std::size_t>(profile.paths[i].region)].kind = kinds[i];
    profile.paths[i].values[run_file::computation_ns] = {work_ns[i]};
    if (i < compute_path || i == write_path) column_of(profile.paths[i].values, run_file::io_ns) = {write_ns};
  }
  return profile;
}

WaitOrigin origin_of(const Profile& profile, std::uint64_t send_enter_ns) {
  std::vector<EventRecord> records(2);
  for (std::size_t i = 0; i < 2; ++i) {
    records[i].enter_ticks = i == 0 ? 100 : send_enter_ns;
    records[i].duration_ticks = 50;
    records[i].node = i == 0 ? receive_path : send_path;
  }
  EventLog events;
  events.records = records.data();
  events.count = 2;
  RankLog log;
  log.begin_ns = 0;
  log.locations = {{&events, {0, 1, 2, 3, 4, 5, 6, 7}}};
  Waits waits;
  Wait wait{};
  wait.origin_rank = 0;
  wait.origin_path = profile.paths[send_path].hash;
  wait.wait_ns = 300;
  waits.all = {wait, wait};
  waits.level = 1; // each stands for two
  AllToAll alone(nullptr, 0);
  const std::vector<WaitOrigin> origins = wait_origins(waits, log, profile, alone);
  REQUIRE(origins.size() == 1);
  CHECK(origins[0].path == wait.origin_path);
  CHECK(origins[0].rank == 0);
  CHECK(origins[0].wait_ns == 1200);
  CHECK(origins[0].events == 4);
  CHECK(origins[0].doing_ns == static_cast<double>(send_enter_ns - 150));
  return origins[0];
}

} // namespace

TEST_CASE("a rank computed where the call tree leads from the call before to the late one") {
  const Profile profile = profile_with_work(1000, 300);
  CHECK(origin_of(profile, 165).doing_path == profile.paths[exchange_path].hash); // 15, of which exchange did 10
  CHECK(origin_of(profile, 1150).doing_path == profile.paths[compute_path].hash); // 1000: a step in between
}

TEST_CASE("input and output count as what a rank did") {
  const Profile profile = profile_with_work(200, 900);
  CHECK(origin_of(profile, 1150).doing_path == profile.paths[write_path].hash);
}

TEST_CASE("work that is first visited behind the late call is not what made it late") {
  // Before its first call of MPI the rank computes in setup, behind it, for longer, in sweep.
  Profile profile = profile_of(0,
                               {{{"(program)"}, 1, 2000, 0},
                                {{"(program)", "main"}, 1, 2000, 50},
                                {{"(program)", "main", "setup"}, 1, 400, 400},
                                {{"(program)", "main", "MPI_Send"}, 1, 50, 50},
                                {{"(program)", "main", "sweep"}, 1, 1500, 1500}},
                               2000);
  const char* kinds[] = {"root", "function", "function", "send", "function"};
  const double work_ns[] = {1950, 1950, 400, 0, 1500};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    profile.regions[static_cast<std::size_t>(profile.paths[i].region)].kind = kinds[i];
    profile.paths[i].values[run_file::computation_ns] = {work_ns[i]};
  }
  EventRecord record{};
  record.enter_ticks = 420;
  record.duration_ticks = 50;
  record.node = 3;
  EventLog events;
  events.records = &record;
  events.count = 1;
  RankLog log;
  log.begin_ns = 0;
  log.locations = {{&events, {0, 1, 2, 3, 4}}};
  Waits waits;
  Wait wait{};
  wait.origin_rank = 0;
  wait.origin_path = profile.paths[3].hash;
  wait.wait_ns = 300;
  waits.all = {wait};
  AllToAll alone(nullptr, 0);
  const std::vector<WaitOrigin> origins = wait_origins(waits, log, profile, alone);
  REQUIRE(origins.size() == 1);
  CHECK(origins[0].doing_ns == 420);
  CHECK(origins[0].doing_path == profile.paths[2].hash);
}

TEST_CASE("a rank that computed longer before its late calls than those who waited there") {
  const Profile profile = profile_of(0, {{{"(program)"}, 1, 200, 0},
                                         {{"(program)", "main"}, 1, 200, 100},
                                         {{"(program)", "main", "MPI_Barrier"}, 4, 100, 100}});
  // By turns it comes late at a barrier, having computed so long, and waits 30 for another one, having computed 10.
  const auto longer_ns = [&](std::uint64_t late_gap_ns, std::uint32_t level, bool alike) {
    std::vector<EventRecord> records(4);
    std::uint64_t now_ns = 0;
    Waits waits;
    waits.level = level;
    for (std::size_t i = 0; i < 4; ++i) {
      const bool is_late = i % 2 == 0;
      now_ns += is_late ? late_gap_ns : 10;
      records[i].enter_ticks = now_ns;
      records[i].duration_ticks = is_late ? 2 : 32;
      records[i].node = 2;
      if (!is_late) {
        Wait wait{};
        wait.path = wait.origin_path = wait.peer_path = profile.paths[2].hash;
        if (!alike) wait.path = profile.paths[1].hash;
        wait.instance_ns = static_cast<std::int64_t>(now_ns);
        wait.wait_ns = 30;
        waits.all.push_back(wait); // for rank 0: the other rank's waits for this one are as these
      }
      now_ns += records[i].duration_ticks;
    }
    EventLog events;
    events.records = records.data();
    events.count = 4;
    RankLog log;
    log.begin_ns = 0;
    log.locations = {{&events, {0, 1, 2}}};
    AllToAll alone(nullptr, 0);
    const std::vector<WaitOrigin> origins = wait_origins(waits, log, profile, alone);
    REQUIRE(origins.size() == 1);
    return origins[0].longer_ns;
  };
  CHECK(longer_ns(40, 0, true) == 60); // 30 each time: all of the waits
  CHECK(longer_ns(60, 0, true) == 60); // no more than the waits
  CHECK(longer_ns(16, 0, true) == 12);
  CHECK(longer_ns(10, 0, true) == 0); // as long as the other: something else made it late
  CHECK(longer_ns(5, 0, true) == 0);
  CHECK(longer_ns(40, 1, true) == WaitOrigin::not_known); // there were calls that the log does not have
  CHECK(longer_ns(40, 0, false) == WaitOrigin::not_known);
}
