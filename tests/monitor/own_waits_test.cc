// What the exchange finds, in the profile of a rank and merged over ranks; all numbers by hand.
#include <memory>

#include "monitor/finish/own_waits.h"
#include "tests/monitor/fake_ranks.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

/// A rank in main, and there in MPI_Recv for 300 and in MPI_Barrier for 100 of 1000 ns.
Profile profile_with_mpi(std::int32_t rank) {
  Profile profile = profile_of(rank,
                               {{{"(program)"}, 1, 1000, 100},
                                {{"(program)", "main"}, 1, 900, 500},
                                {{"(program)", "main", "MPI_Recv"}, 3, 300, 300},
                                {{"(program)", "main", "MPI_Barrier"}, 1, 100, 100}},
                               600);
  const double communication_ns[] = {400, 400, 300, 100};
  for (std::size_t i = 0; i < 4; ++i) profile.paths[i].values[run_file::communication_ns] = {communication_ns[i]};
  profile.locations[0].wall_ns = 1000;
  profile.locations[0].communication_ns = 400;
  return profile;
}

Wait wait_of(const Profile& profile, std::size_t path, std::uint32_t cause, double wait_ns, int peer,
             std::uint64_t peer_path, std::int64_t instance_ns) {
  Wait wait{};
  wait.path = profile.paths[path].hash;
  wait.peer_path = peer_path;
  wait.cause = cause;
  wait.wait_ns = wait_ns;
  wait.rank = profile.locations[0].rank;
  wait.peer_rank = peer;
  wait.origin_rank = -1;
  wait.instance_ns = instance_ns;
  return wait;
}

double value(const Profile& profile, std::size_t path, std::int32_t metric) {
  const Values& values = profile.paths[path].values;
  const auto number = static_cast<std::size_t>(metric);
  return number < values.size() && !values[number].empty() ? values[number][0] : 0;
}

WaitSum sum_of(std::uint64_t peer_path, double wait_ns, std::int32_t peer_rank = 1) {
  WaitSum sum;
  sum.path = 10;
  sum.peer_path = peer_path;
  sum.peer_rank = peer_rank;
  sum.peer_ns = sum.wait_ns = wait_ns;
  sum.origin_ns = wait_ns;
  sum.events = 1;
  return sum;
}

double total(const WaitSums& sums) {
  double wait_ns = 0;
  for (const WaitSum& sum : sums.sums) wait_ns += sum.wait_ns;
  return wait_ns;
}

} // namespace

TEST_CASE("waiting is taken out of communication, and the four kinds of time make the wall time") {
  Profile profile = profile_with_mpi(2);
  Waits waits;
  waits.all = {wait_of(profile, 2, 0, 80, 0, 7, 100), wait_of(profile, 2, 0, 40, 1, 7, 200),
               wait_of(profile, 3, 1, 60, 1, 8, 300)};
  put_waits(profile, waits, 2);
  const LocationRow& row = profile.locations[0];
  CHECK(row.idle_ns == 180);
  CHECK(row.communication_ns == 220);
  CHECK(row.compute_ns + row.communication_ns + *row.idle_ns + row.tool_ns == row.wall_ns);
  const double idle_ns[] = {180, 180, 120, 60}, communication_ns[] = {220, 220, 180, 40};
  for (std::size_t i = 0; i < 4; ++i) { // inclusive, both of them
    CHECK(value(profile, i, idle_metric) == idle_ns[i]);
    CHECK(value(profile, i, run_file::communication_ns) == communication_ns[i]);
  }
  CHECK(value(profile, 2, first_cause_metric) == 120);
  CHECK(value(profile, 3, first_cause_metric + 1) == 60);
  CHECK(value(profile, 1, first_cause_metric) == 0); // of the MPI call alone
  CHECK(profile.metrics == first_cause_metric + 2);

  REQUIRE(profile.waits.sums.size() == 2);
  const WaitSum& late = profile.waits.sums[0];
  CHECK(late.path == profile.paths[2].hash);
  CHECK(late.wait_ns == 120);
  CHECK(late.events == 2);
  CHECK(late.peer_rank == 0); // 80 of 120
  CHECK(late.peer_ns == 80);
  CHECK(late.origin_rank == -1);
  CHECK(late.variance_ns2 == 0);

  REQUIRE(profile.wait_pairs.size() == 2); // whatever the cause and the call path
  CHECK(profile.wait_pairs[0].rank == 2);
  CHECK(profile.wait_pairs[0].peer_rank == 0);
  CHECK(profile.wait_pairs[0].wait_ns == 80);
  CHECK(profile.wait_pairs[1].peer_rank == 1);
  CHECK(profile.wait_pairs[1].wait_ns == 40 + 60);
}

TEST_CASE("waits where both sides are at the same call path stay apart by call path") {
  Profile profile = profile_with_mpi(0);
  Waits waits;
  for (const std::size_t path : {std::size_t{2}, std::size_t{3}})
    waits.all.push_back(wait_of(profile, path, 0, path == 2 ? 80 : 60, 1, profile.paths[path].hash,
                                static_cast<std::int64_t>(100 * path)));
  put_waits(profile, waits, 1);
  CHECK(value(profile, 2, first_cause_metric) == 80);
  CHECK(value(profile, 3, first_cause_metric) == 60);
  CHECK(profile.waits.sums.size() == 2);
}

TEST_CASE("a sample stands for all operations, with its error, and for no more than the call's time") {
  Profile profile = profile_with_mpi(0);
  Waits waits;
  waits.all = {wait_of(profile, 2, 0, 50, 1, 7, 100), wait_of(profile, 2, 0, 30, 1, 7, 200),
               wait_of(profile, 3, 0, 80, 1, 8, 300)};
  for (Wait& wait : waits.all) wait.level = 1; // one in two
  put_waits(profile, waits, 1);
  CHECK(value(profile, 2, first_cause_metric) == 160);
  CHECK(value(profile, 3, first_cause_metric) == 100); // not 160: the call took 100
  CHECK(profile.locations[0].idle_ns == 260);
  REQUIRE(profile.wait_pairs.size() == 1);
  CHECK(profile.wait_pairs[0].wait_ns == 260);
  for (const WaitSum& sum : profile.waits.sums) {
    const bool receive = sum.path == profile.paths[2].hash;
    CHECK(sum.events == (receive ? 4 : 2));
    // sum w^2 (1 - p) / p^2 with p = 1/2: 2 (50^2 + 30^2); and 2 80^2, scaled by 100/160.
    CHECK(sum.variance_ns2 == Approx(receive ? 6800 : 2 * 50 * 50));
  }
}

TEST_CASE("waits in collectives that were all kept stand for themselves beside sampled ones of messages") {
  Profile profile = profile_with_mpi(0);
  Waits waits;
  waits.levels = {1, 0};
  waits.all = {wait_of(profile, 2, 0, 30, 1, 7, 100), wait_of(profile, 3, 0, 60, 1, 8, 300)};
  waits.all[0].level = 1;
  put_waits(profile, waits, 1);
  CHECK(value(profile, 2, first_cause_metric) == 60);
  CHECK(value(profile, 3, first_cause_metric) == 60);
  REQUIRE(profile.waits.sums.size() == 2);
  for (const WaitSum& sum : profile.waits.sums) {
    const bool sampled = sum.path == profile.paths[2].hash;
    CHECK(sum.events == (sampled ? 2 : 1));
    CHECK(sum.variance_ns2 == Approx(sampled ? 2 * 30 * 30 : 0)); // w^2 (1 - p) / p^2
  }
}

TEST_CASE("waiting in a function of the program is taken out of its computation, and is no sample") {
  Profile profile = profile_with_mpi(0);
  for (const std::size_t path : {std::size_t{0}, std::size_t{1}})
    profile.paths[path].values[run_file::computation_ns] = {path == 0 ? 600.0 : 500.0};
  Waits waits;
  waits.all = {wait_of(profile, 1, 0, 200, -1, 0, 100), wait_of(profile, 2, 1, 50, 1, 7, 200)};
  for (Wait& wait : waits.all) wait.level = 1; // one operation in two
  put_waits(profile, waits, 2);
  CHECK(value(profile, 1, first_cause_metric) == 200);
  CHECK(value(profile, 1, run_file::computation_ns) == 300);
  CHECK(value(profile, 0, run_file::computation_ns) == 400);
  CHECK(value(profile, 2, first_cause_metric + 1) == 100);
  CHECK(value(profile, 0, idle_metric) == 300);
  const LocationRow& row = profile.locations[0];
  CHECK(row.idle_ns == 300);
  CHECK(row.compute_ns == 400);
  CHECK(row.communication_ns == 300);
  CHECK(row.compute_ns + row.communication_ns + *row.idle_ns + row.tool_ns == row.wall_ns);
}

TEST_CASE("waiting in a polling loop is taken from its other polls, its local calls, then the function around it") {
  // main: 500 itself, 200 in MPI_Test, of which the loop that ends there has waited for 600, 120 in MPI_Iprobe of
  // the same loop, 80 in MPI_Wtime.
  Profile profile = profile_of(0,
                               {{{"(program)"}, 1, 1000, 100},
                                {{"(program)", "main"}, 1, 900, 500},
                                {{"(program)", "main", "MPI_Test"}, 3, 200, 200},
                                {{"(program)", "main", "MPI_Iprobe"}, 3, 120, 120},
                                {{"(program)", "main", "MPI_Wtime"}, 3, 80, 80}},
                               600);
  profile.regions[static_cast<std::size_t>(profile.paths[4].region)].kind = "local";
  profile.paths[2].is_polled = profile.paths[3].is_polled = true;
  const double communication_ns[] = {320, 320, 200, 120, 0}, computation_ns[] = {680, 580, 0, 0, 80};
  for (std::size_t i = 0; i < 5; ++i) {
    profile.paths[i].values[run_file::communication_ns] = {communication_ns[i]};
    profile.paths[i].values[run_file::computation_ns] = {computation_ns[i]};
  }
  LocationRow& row = profile.locations[0];
  row.wall_ns = 1000;
  row.communication_ns = 320;
  row.compute_ns = 680;
  Waits waits;
  waits.all = {wait_of(profile, 2, 0, 600, 1, 7, 100)};
  put_waits(profile, waits, 1);
  // 120 of MPI_Iprobe, 80 of MPI_Wtime and 200 of main are missing to 600.
  CHECK(row.idle_ns == 600);
  CHECK(row.communication_ns == 0);
  CHECK(row.compute_ns == 400);
  const double inclusive_ns[] = {1000, 900, 600, 0, 0}, own_ns[] = {100, 300, 600, 0, 0};
  const double left_ns[] = {400, 300, 0, 0, 0}; // computation
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(value(profile, i, run_file::inclusive_ns) == inclusive_ns[i]);
    CHECK(value(profile, i, run_file::exclusive_ns) == own_ns[i]);
    CHECK(value(profile, i, run_file::computation_ns) == left_ns[i]);
    CHECK(value(profile, i, run_file::communication_ns) == 0);
  }
}

TEST_CASE("waits of call paths that this rank does not have are passed over") {
  Profile profile = profile_with_mpi(0);
  Waits waits;
  waits.all = {wait_of(profile, 2, 0, 50, 1, 7, 100)};
  waits.all[0].path = 12345;
  put_waits(profile, waits, 1);
  CHECK(profile.locations[0].idle_ns == 0);
  CHECK(profile.waits.sums.empty());
}

TEST_CASE("waits of ranks are merged, and travel") {
  Bounds bounds;
  bounds.job_ranks = 2;
  std::vector<Reduction> groups;
  for (std::int32_t rank = 0; rank < 2; ++rank) {
    Profile profile = profile_with_mpi(rank);
    Waits waits;
    waits.matched = 5;
    waits.unclassified_ns = 1.5;
    waits.clock_error_ns = 10 + rank;
    waits.all = {wait_of(profile, 2, 0, rank == 0 ? 100 : 30, rank == 0 ? 3 : 4, 7, 100)};
    if (rank == 1) waits.all.push_back(wait_of(profile, 2, 0, 90, 4, 7, 200));
    put_waits(profile, waits, 1);
    groups.push_back(reduce(std::move(profile), bounds));
  }
  merge(groups[0], groups[1], bounds);
  const std::optional<Reduction> back = from_pieces(pieces_of(groups[0]));
  REQUIRE(back);
  for (const Reduction* all : std::initializer_list<const Reduction*>{&groups[0], &*back}) {
    REQUIRE(all->waits.sums.size() == 1);
    CHECK(all->waits.sums[0].wait_ns == 220);
    CHECK(all->waits.sums[0].events == 3);
    CHECK(all->waits.sums[0].peer_rank == 4); // 120 of 220
    CHECK(all->waits.matched == 10);
    CHECK(all->waits.unclassified_ns == 3);
    CHECK(all->waits.clock_error_ns == 11);
    CHECK(all->metrics == first_cause_metric + 1);
    const std::int32_t at = find_statistic(*all, path_named(*all, "main"), idle_metric);
    REQUIRE(at >= 0);
    CHECK(all->statistics[static_cast<std::size_t>(at)].statistic.sum == 220);
    CHECK(all->locations[1].idle_ns == 120);
    REQUIRE(all->wait_pairs.size() == 2);
    CHECK(all->wait_pairs[0].wait_ns == 100);
    CHECK(all->wait_pairs[1].rank == 1);
    CHECK(all->wait_pairs[1].peer_rank == 4);
    CHECK(all->wait_pairs[1].wait_ns == 120);
  }
  Reduction broken = groups[0];
  broken.waits.sums[0].cause = 1; // there is one cause only
  CHECK_FALSE(from_pieces(pieces_of(broken)));
}

TEST_CASE("idle time follows call paths that are dropped: what is left adds up to the same") {
  Bounds bounds;
  bounds.paths = 3; // (program) and the two sums
  Profile profile = profile_with_mpi(0);
  Waits waits;
  waits.all = {wait_of(profile, 2, 0, 80, 1, 7, 100), wait_of(profile, 3, 1, 60, 1, 8, 300)};
  put_waits(profile, waits, 2);
  const Reduction few = reduce(std::move(profile), bounds);
  REQUIRE(path_named(few, "main/MPI_Recv") == -1);
  const auto sum = [&](std::int32_t metric) {
    const std::int32_t at = find_statistic(few, path_named(few, more_mpi), metric);
    return at < 0 ? 0 : few.statistics[static_cast<std::size_t>(at)].statistic.sum;
  };
  CHECK(sum(run_file::exclusive_ns) == 400);
  CHECK(sum(idle_metric) == 140);
  CHECK(sum(run_file::communication_ns) == 260);
  CHECK(sum(first_cause_metric) == 80);
  CHECK(sum(first_cause_metric + 1) == 60);
}

TEST_CASE("beyond the bound the smallest waits lose their peers, and none is lost") {
  std::vector<WaitSum> many;
  for (std::size_t i = 0; i < most_wait_sums + 3; ++i) many.push_back(sum_of(100 + i, 1000 + static_cast<double>(i)));
  WaitSums sums;
  add_wait_sums(sums, many);
  CHECK(sums.sums.size() == most_wait_sums + 1);
  CHECK(sums.sums[0].peer_path == 0);
  CHECK(sums.sums[0].wait_ns == 1000 + 1001 + 1002);
  CHECK(sums.sums[0].peer_rank == -1);
  double all_ns = 0;
  for (const WaitSum& sum : many) all_ns += sum.wait_ns;
  CHECK(total(sums) == all_ns);
}

TEST_CASE("a run without MPI, and one without a log, has no idle time") {
  Profile profile = profile_with_mpi(0);
  Bounds bounds;
  const Reduction reduction = reduce(std::move(profile), bounds);
  CHECK_FALSE(reduction.locations[0].idle_ns);
  CHECK(reduction.locations[0].communication_ns == 400);
}

TEST_CASE("rules that cannot be read are said to be, and the others are used alone") {
  const std::size_t shipped = rules::shipped_rules().size();
  for (const char* path : {"/", "/no/such/file"}) {
    const auto process = std::make_unique<Process>();
    process->settings.rules = path;
    AllToAll alone(nullptr, 0);
    const RunRules rules = run_rules(*process, alone);
    CHECK(rules.files.size() == shipped);
    CHECK(rules.trouble == path + std::string(": cannot be read; the rules that come with andes are used alone"));
  }
}
