// What a rank did before a call that came late, from its log and its call tree; all numbers by hand.
#include "monitor/finish/wait_origins.h"

#include <array>
#include <numeric>

#include "monitor/clock/clock.h"
#include "monitor/exchange/thread_ranks.h"
#include "tests/monitor/fake_ranks.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

enum Path { root_path, main_path, step_path, compute_path, write_path, exchange_path, receive_path, send_path };

/// What each call path is, and computes with its callees.
void set_work(Profile& profile, const std::vector<std::pair<const char*, double>>& works) {
  for (std::size_t i = 0; i < works.size(); ++i) {
    profile.regions[static_cast<std::size_t>(profile.paths[i].region)].kind = works[i].first;
    profile.paths[i].values[run_file::computation_ns] = {works[i].second};
  }
}

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
  set_work(profile, {{"root", 250 + compute_ns},
                     {"function", 150 + compute_ns},
                     {"function", 60 + compute_ns},
                     {"function", compute_ns},
                     {"io", 0},
                     {"function", 10},
                     {"receive", 0},
                     {"send", 0}});
  for (const Path path : {root_path, main_path, step_path, write_path})
    column_of(profile.paths[path].values, run_file::io_ns) = {write_ns};
  return profile;
}

/// A rank's log of these calls, by the numbers of their call paths.
struct MadeLog {
  MadeLog(std::vector<EventRecord>& calls, const Profile& profile, std::int64_t begin_ns) {
    events.records = calls.data();
    events.count = static_cast<std::uint32_t>(calls.size());
    std::vector<std::int32_t> paths(profile.paths.size());
    std::iota(paths.begin(), paths.end(), 0);
    log.begin_ns = begin_ns;
    log.locations = {{&events, paths}};
  }
  MadeLog(const MadeLog&) = delete; // `log` points to `events`
  MadeLog& operator=(const MadeLog&) = delete;

  EventLog events;
  RankLog log;
};

/// Of a rank that made these calls, by the numbers of their call paths, and was waited for in `late_path`.
std::vector<WaitOrigin> origins_of(const Profile& profile, std::vector<EventRecord> calls, std::size_t late_path,
                                   double wait_ns, std::size_t waits_count = 1, std::uint32_t level = 0) {
  const MadeLog made(calls, profile, 0);
  Wait wait{};
  wait.origin_rank = 0;
  wait.origin_path = profile.paths[late_path].hash;
  wait.wait_ns = wait_ns;
  Waits waits;
  wait.level = level;
  waits.all.assign(waits_count, wait);
  waits.levels = {level, 0};
  AllToAll alone(nullptr, 0);
  return wait_origins(waits, made.log, profile, alone);
}

EventRecord call_in(std::uint32_t path, std::uint64_t enter_ticks, float duration_ticks) {
  EventRecord call{};
  call.enter_ticks = enter_ticks;
  call.duration_ticks = duration_ticks;
  call.node = path;
  return call;
}

WaitOrigin origin_of(const Profile& profile, std::uint64_t send_enter_ns) {
  const std::vector<WaitOrigin> origins =
      origins_of(profile, {call_in(receive_path, 100, 50), call_in(send_path, send_enter_ns, 50)}, send_path, 300, 2,
                 1); // each wait stands for two
  REQUIRE(origins.size() == 1);
  CHECK(origins[0].path == profile.paths[send_path].hash);
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
  set_work(profile, {{"root", 1950}, {"function", 1950}, {"function", 400}, {"send", 0}, {"function", 1500}});
  const std::vector<WaitOrigin> origins = origins_of(profile, {call_in(3, 420, 50)}, 3, 300);
  REQUIRE(origins.size() == 1);
  CHECK(origins[0].doing_ns == 420);
  CHECK(origins[0].doing_path == profile.paths[2].hash);
}

TEST_CASE("of work in several gaps no function is named that may have worked in the others") {
  // Two phases with a fence of one call path behind each: by the tree either function may have been before the late one.
  // Between the two fences passes `gap_ns`.
  const auto doing = [](double sweep_ns, double solve_ns, std::uint64_t gap_ns) {
    Profile profile = profile_of(0,
                                 {{{"(program)"}, 1, 2000, 0},
                                  {{"(program)", "main"}, 1, 2000, 20},
                                  {{"(program)", "main", "phase"}, 2, 1000, 5},
                                  {{"(program)", "main", "phase", "sweep"}, 1, sweep_ns, sweep_ns},
                                  {{"(program)", "main", "phase", "solve"}, 1, solve_ns, solve_ns},
                                  {{"(program)", "main", "MPI_Win_fence"}, 2, 20, 20}},
                                 2000);
    set_work(profile, {{"root", 1000},
                       {"function", 1000},
                       {"function", 5 + sweep_ns + solve_ns},
                       {"function", sweep_ns},
                       {"function", solve_ns},
                       {"synchronisation", 0}});
    const std::vector<WaitOrigin> origins =
        origins_of(profile, {call_in(5, 10, 10), call_in(5, 20 + gap_ns, 10)}, 5, 100);
    REQUIRE(origins.size() == 1);
    for (std::size_t i = 0; i < profile.paths.size(); ++i)
      if (profile.paths[i].hash == origins[0].doing_path)
        return std::string(profile.regions[static_cast<std::size_t>(profile.paths[i].region)].name);
    return std::string();
  };
  // All work is 25 + sweep + solve.
  CHECK(doing(300, 290, 300) == "phase"); // sweep alone may have done nothing there: 300 - (315 of the others) < 75
  CHECK(doing(300, 290, 600) == "sweep"); // at least 600 - 315 of it
  CHECK(doing(300, 50, 300) == "sweep"); // 300 - 75
  CHECK(doing(300, 199, 300) == "sweep"); // 300 - 224, just above a quarter
  CHECK(doing(300, 201, 300) == "phase"); // 300 - 226
}

namespace {

enum class Kind { barrier, messages, other_path };

/// Two ranks in rounds, mostly four. In a round one waits 30 for the other, which has computed `late_gap_ns` before its call,
/// and has itself computed 10 before its own: at a barrier; or in a receive behind its send, the other rank's send being
/// late; or in a barrier of another call path. Who is late they take in turns, but with other_path. The time in
/// WaitOrigin::longer_ns of rank 1, which was waited for 60 in all, with other_path 120. `sent`: bytes that each rank sent.
double longer_ns(Kind kind, std::uint64_t late_gap_ns, std::uint32_t level, std::size_t rounds = 4,
                 std::array<std::uint64_t, 2>* sent = nullptr) {
  enum : std::uint32_t { main = 1, sync, other_sync, receive, post, before };
  const std::vector<FakePath> paths = {{{"(program)"}, 1, 9000, 0},
                                       {{"(program)", "main"}, 1, 9000, 9000},
                                       {{"(program)", "main", "MPI_Barrier"}, 4, 100, 100},
                                       {{"(program)", "main", "wait", "MPI_Barrier"}, 4, 100, 100},
                                       {{"(program)", "main", "MPI_Recv"}, 4, 100, 100},
                                       {{"(program)", "main", "MPI_Irecv"}, 4, 0, 0},
                                       {{"(program)", "main", "MPI_Allreduce"}, 4, 100, 100}};
  const Profile profile = profile_of(0, paths);
  const auto node_of = [&](std::uint32_t path) { // profile_of() has made a path for `wait`, too
    return path < other_sync ? path : path + 1;
  };
  std::vector<std::vector<EventRecord>> records(2);
  std::vector<Waits> waits(2);
  const auto call = [&](std::size_t rank, std::uint32_t path, std::uint64_t enter_ns, float duration_ns,
                        unsigned flags = 0) {
    EventRecord record{};
    record.enter_ticks = enter_ns;
    record.duration_ticks = duration_ns;
    record.node = node_of(path);
    record.flags = flags;
    records[rank].push_back(record);
  };
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::uint64_t begin_ns = 1000 * (round + 1);
    const std::size_t late = kind == Kind::other_path ? 1 : round % 2, early = 1 - late;
    const std::uint64_t waits_from_ns = begin_ns + (kind == Kind::messages ? 12 : 10);
    const std::uint64_t late_ns = waits_from_ns + 30;
    call(early, before, begin_ns - 20, 20);
    call(late, before, begin_ns - 20, static_cast<float>(late_ns - late_gap_ns - (begin_ns - 20)));
    if (kind == Kind::messages) { // the computation lies before and behind the posting of a receive
      call(early, post, begin_ns + 4, 0, event_pending);
      call(late, post, late_ns - late_gap_ns / 2, 0, event_pending);
      call(early, sync, begin_ns + 10, 2);
      call(early, receive, waits_from_ns, 31);
      call(late, sync, late_ns, 2);
      call(late, receive, late_ns + 2, 1);
    } else {
      call(early, kind == Kind::barrier ? sync : other_sync, waits_from_ns, 32);
      call(late, sync, late_ns, 2);
    }
    Wait wait{};
    wait.path = profile.paths[node_of(kind == Kind::messages  ? receive
                                      : kind == Kind::barrier ? sync
                                                              : other_sync)]
                    .hash;
    wait.origin_path = wait.peer_path = profile.paths[sync].hash;
    wait.instance_ns = static_cast<std::int64_t>(waits_from_ns);
    wait.wait_ns = 30;
    wait.rank = static_cast<std::int32_t>(early);
    wait.origin_rank = wait.peer_rank = static_cast<std::int32_t>(late);
    waits[early].all.push_back(wait);
  }
  double found = WaitOrigin::not_known;
  run_ranks(2, [&](const andes_transport& transport) {
    const auto rank = static_cast<std::size_t>(transport.rank);
    waits[rank].levels = {level, 0};
    const MadeLog made(records[rank], profile, 0);
    AllToAll ranks(&transport, monotonic_ns() + 20'000'000'000);
    for (const WaitOrigin& origin : wait_origins(waits[rank], made.log, profile, ranks))
      if (origin.rank == 1) found = origin.longer_ns;
    if (sent) (*sent)[rank] = ranks.bytes_sent();
  });
  return found;
}

} // namespace

TEST_CASE("a rank that computed longer before its late calls than those who waited for it before theirs") {
  for (const Kind kind : {Kind::barrier, Kind::messages}) {
    CHECK(longer_ns(kind, 40, 0) == 60); // 30 each time: all of the waits
    CHECK(longer_ns(kind, 60, 0) == 60); // no more than the waits
    CHECK(longer_ns(kind, 16, 0) == 12);
    CHECK(longer_ns(kind, 10, 0) == 0); // as long as the other: something else made it late
    CHECK(longer_ns(kind, 6, 0) == 0);
    CHECK(longer_ns(kind, 40, 1) == WaitOrigin::not_known); // there were calls that the log does not have
  }
  CHECK(longer_ns(Kind::other_path, 40, 0) == WaitOrigin::not_known);
}

TEST_CASE("what a rank did is looked for before the calls that were late, not before all of their call path") {
  // Both ranks call a barrier twice. Before the first one rank 0 computes 200 in serial, for which rank 1 waits; before
  // the second one both compute 400 in parallel, and rank 1 waits for 5.
  Profile profile = profile_of(0,
                               {{{"(program)"}, 1, 640, 0},
                                {{"(program)", "main"}, 1, 640, 0},
                                {{"(program)", "main", "serial"}, 1, 200, 200},
                                {{"(program)", "main", "MPI_Barrier"}, 2, 40, 40},
                                {{"(program)", "main", "parallel"}, 1, 400, 400}},
                               640);
  set_work(profile, {{"root", 600}, {"function", 600}, {"function", 200}, {"synchronisation", 0}, {"function", 400}});
  std::vector<std::vector<EventRecord>> records = {{call_in(3, 1200, 20), call_in(3, 1620, 20)},
                                                   {call_in(3, 1000, 220), call_in(3, 1615, 25)}};
  run_ranks(2, [&](const andes_transport& transport) {
    const auto rank = static_cast<std::size_t>(transport.rank);
    const MadeLog made(records[rank], profile, 1000);
    Waits waits;
    if (rank == 1) {
      Wait wait{};
      wait.path = wait.origin_path = wait.peer_path = profile.paths[3].hash;
      wait.instance_ns = 1000;
      wait.wait_ns = 200;
      wait.rank = 1;
      waits.all = {wait, wait};
      waits.all[1].instance_ns = 1615;
      waits.all[1].wait_ns = 5;
    }
    AllToAll ranks(&transport, monotonic_ns() + 20'000'000'000);
    const std::vector<WaitOrigin> origins = wait_origins(waits, made.log, profile, ranks);
    if (rank != 0) return;
    REQUIRE(origins.size() == 1);
    CHECK(origins[0].rank == 0);
    CHECK(origins[0].doing_path == profile.paths[2].hash);
    CHECK(origins[0].doing_ns == 600);
  });
}

TEST_CASE("what a rank did before calls that only start operations made each of them late") {
  // In each of two steps a rank works for 400, starts a receive, and two sends of one call path, which are complete at
  // once; the rank that waits for these has called there before. 5 pass between the starts.
  enum { waitall = 3, work = 4, exchange = 5, irecv = 6, isend = 7 };
  Profile profile = profile_of(0,
                               {{{"(program)"}, 1, 1000, 0},
                                {{"(program)", "main"}, 1, 1000, 0},
                                {{"(program)", "main", "step"}, 2, 1000, 0},
                                {{"(program)", "main", "step", "MPI_Waitall"}, 3, 30, 30},
                                {{"(program)", "main", "step", "work"}, 2, 800, 800},
                                {{"(program)", "main", "step", "exchange"}, 2, 90, 30},
                                {{"(program)", "main", "step", "exchange", "MPI_Irecv"}, 2, 20, 20},
                                {{"(program)", "main", "step", "exchange", "MPI_Isend"}, 4, 40, 40}},
                               1000);
  set_work(profile, {{"root", 830},
                     {"function", 830},
                     {"function", 830},
                     {"receive", 0},
                     {"function", 800},
                     {"function", 30},
                     {"receive", 0},
                     {"send", 0}});
  const auto start_in = [](std::uint32_t path, std::uint64_t enter_ticks) {
    EventRecord call = call_in(path, enter_ticks, 10);
    if (path == irecv) call.flags = event_pending;
    return call;
  };
  std::vector<std::vector<EventRecord>> records(2);
  records[0].push_back(call_in(waitall, 0, 10));
  for (const std::uint64_t step : {0, 500})
    for (const EventRecord& call : {start_in(irecv, step + 410), start_in(isend, step + 425),
                                    start_in(isend, step + 440), call_in(waitall, step + 500, 10)})
      records[0].push_back(call);
  records[1] = {start_in(isend, 5), start_in(isend, 515)};
  for (const bool late_known : {true, false})
    run_ranks(2, [&](const andes_transport& transport) {
      const auto rank = static_cast<std::size_t>(transport.rank);
      const MadeLog made(records[rank], profile, 0);
      Waits waits;
      for (const std::int64_t late_ns : {425, 440, 925, 940}) {
        Wait wait{};
        wait.path = profile.paths[waitall].hash;
        wait.origin_path = wait.peer_path = profile.paths[isend].hash;
        wait.wait_ns = 395;
        wait.instance_ns = late_ns - 395;
        wait.rank = 1;
        if (rank == 1) waits.all.push_back(wait);
      }
      if (!late_known) waits.levels = {1, 0};
      AllToAll ranks(&transport, monotonic_ns() + 20'000'000'000);
      const std::vector<WaitOrigin> origins = wait_origins(waits, made.log, profile, ranks);
      if (rank != 0) return;
      REQUIRE(origins.size() == 1);
      CHECK(origins[0].doing_path == profile.paths[work].hash);
      CHECK(origins[0].doing_ns == 2 * (400 + 5 + 5)); // no gap twice
    });
}

TEST_CASE("what a rank did before it was waited for the last time does not make it late again") {
  // It sets up for 600, starts a send, and three more with 100 of work before each; it waits for none of them. By the
  // tree the 300 may have been in setup as in work, so main is named.
  constexpr std::uint32_t send = 3;
  Profile profile = profile_of(0,
                               {{{"(program)"}, 1, 930, 0},
                                {{"(program)", "main"}, 1, 930, 0},
                                {{"(program)", "main", "setup"}, 1, 600, 600},
                                {{"(program)", "main", "MPI_Isend"}, 4, 40, 40},
                                {{"(program)", "main", "work"}, 3, 300, 300}},
                               930);
  set_work(profile, {{"root", 900}, {"function", 900}, {"function", 600}, {"send", 0}, {"function", 300}});
  std::vector<std::vector<EventRecord>> records(2);
  for (const std::uint64_t enter : {600, 710, 820, 930}) records[0].push_back(call_in(send, enter, 10));
  for (EventRecord& call : records[0]) call.flags = event_pending;
  records[1] = {call_in(send, 5, 10)};
  run_ranks(2, [&](const andes_transport& transport) {
    const auto rank = static_cast<std::size_t>(transport.rank);
    const MadeLog made(records[rank], profile, 0);
    Waits waits;
    for (const std::int64_t late_ns : {710, 820, 930}) {
      Wait wait{};
      wait.path = wait.origin_path = wait.peer_path = profile.paths[send].hash;
      wait.wait_ns = 90;
      wait.instance_ns = late_ns - 90;
      wait.rank = 1;
      if (rank == 1) waits.all.push_back(wait);
    }
    AllToAll ranks(&transport, monotonic_ns() + 20'000'000'000);
    const std::vector<WaitOrigin> origins = wait_origins(waits, made.log, profile, ranks);
    if (rank != 0) return;
    REQUIRE(origins.size() == 1);
    CHECK(origins[0].doing_path == profile.paths[1].hash);
    CHECK(origins[0].doing_ns == 600 + 3 * 100);
  });
}

TEST_CASE("what a rank did before calls in which it did not wait made the one behind them late") {
  // In each of three steps rank 0 works for 400, calls an allreduce of other ranks, computes 50 in `panel`, and
  // broadcasts. Rank 1 has waited for it since 100 after the step's begin. `own_wait_ns`: what rank 0 waits in the
  // allreduce for a third rank.
  enum { bcast = 2, work = 3, allreduce = 4, panel = 5 };
  const auto doing_path = [](double own_wait_ns) {
    Profile profile = profile_of(0,
                                 {{{"(program)"}, 1, 2300, 0},
                                  {{"(program)", "main"}, 1, 2300, 0},
                                  {{"(program)", "main", "MPI_Bcast"}, 4, 40, 40},
                                  {{"(program)", "main", "work"}, 3, 1200, 1200},
                                  {{"(program)", "main", "MPI_Allreduce"}, 3, 900, 900},
                                  {{"(program)", "main", "panel"}, 3, 150, 150}},
                                 2300);
    set_work(
        profile,
        {{"root", 1350}, {"function", 1350}, {"source", 0}, {"function", 1200}, {"all_to_all", 0}, {"function", 150}});
    std::vector<std::vector<EventRecord>> records = {{call_in(bcast, 0, 10)}, {call_in(bcast, 0, 10)}};
    std::vector<Waits> waits(2);
    for (const std::uint64_t step : {10, 770, 1530}) {
      records[0].push_back(call_in(allreduce, step + 400, 300));
      records[0].push_back(call_in(bcast, step + 750, 10));
      records[1].push_back(call_in(bcast, step + 100, 660));
      Wait wait{};
      wait.path = wait.origin_path = wait.peer_path = profile.paths[bcast].hash;
      wait.instance_ns = static_cast<std::int64_t>(step) + 100;
      wait.wait_ns = 650;
      wait.rank = 1;
      waits[1].all.push_back(wait);
      if (own_wait_ns == 0) continue;
      wait.path = wait.origin_path = wait.peer_path = profile.paths[allreduce].hash;
      wait.instance_ns = static_cast<std::int64_t>(step) + 400;
      wait.wait_ns = own_wait_ns;
      wait.rank = 0;
      wait.origin_rank = wait.peer_rank = 1;
      waits[0].all.push_back(wait);
    }
    std::uint64_t path = 0;
    run_ranks(2, [&](const andes_transport& transport) {
      const auto rank = static_cast<std::size_t>(transport.rank);
      const MadeLog made(records[rank], profile, 0);
      AllToAll ranks(&transport, monotonic_ns() + 20'000'000'000);
      const std::vector<WaitOrigin> origins = wait_origins(waits[rank], made.log, profile, ranks);
      for (const WaitOrigin& origin : origins)
        if (rank == 0 && origin.rank == 0) path = origin.doing_path;
    });
    for (const std::size_t one : {std::size_t{work}, std::size_t{panel}})
      if (profile.paths[one].hash == path) return one;
    return std::size_t{0};
  };
  CHECK(doing_path(0) == work); // of its 400 rank 1 has waited for 300
  CHECK(doing_path(240) == work); // with 240 less to compute rank 0 would have waited for the third rank instead
  CHECK(doing_path(260) == panel); // 40 are left of 300
}

TEST_CASE("of very many late calls a part is told of") {
  std::array<std::uint64_t, 2> sent{};
  constexpr std::size_t waits = most_late_calls / 2 + 5000; // of each rank
  CHECK(longer_ns(Kind::barrier, 40, 0, 2 * waits, &sent) == 30.0 * waits);
  for (const std::uint64_t bytes : sent) {
    CHECK(bytes < most_late_calls / 2 * 24);
    CHECK(bytes > most_late_calls / 8 * 24); // about half of them
  }
}
