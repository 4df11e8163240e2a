// Merging what ranks have measured: statistics, bounds, and what is dropped; all numbers by hand.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "monitor/finish/message_sizes.h"
#include "monitor/sites/registry.h"
#include "tests/monitor/fake_ranks.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

Bounds bounds_for(std::int64_t ranks) {
  Bounds bounds;
  bounds.job_ranks = ranks;
  return bounds;
}

/// Reductions merged as the binomial tree does it: neighbours, then pairs of them, and so on.
Reduction merged(std::vector<Reduction> groups, const Bounds& bounds) {
  for (std::size_t step = 1; step < groups.size(); step *= 2)
    for (std::size_t i = 0; i + step < groups.size(); i += 2 * step) merge(groups[i], groups[i + step], bounds);
  return std::move(groups[0]);
}

std::vector<double> column(const Reduction& reduction, const std::string& name, run_file::MetricId metric) {
  for (const Column& c : columns_of(reduction))
    if (c.callpath == path_named(reduction, name) && c.metric == metric) return c.values;
  return {};
}

/// Three ranks: all in main and work; rank 1 alone in extra; rank 2 in MPI_Barrier.
std::vector<Profile> three_ranks() {
  return {profile_of(0, {{{"(program)"}, 1, 100, 0},
                         {{"(program)", "main"}, 1, 100, 40},
                         {{"(program)", "main", "work"}, 5, 60, 60}}),
          profile_of(1, {{{"(program)"}, 1, 100, 0},
                         {{"(program)", "main"}, 1, 100, 10},
                         {{"(program)", "main", "extra"}, 7, 60, 60},
                         {{"(program)", "main", "work"}, 2, 30, 30}}),
          profile_of(2, {{{"(program)"}, 1, 100, 0},
                         {{"(program)", "main"}, 1, 100, 70},
                         {{"(program)", "main", "MPI_Barrier"}, 1, 30, 30}})};
}

std::vector<Reduction> reduced(std::vector<Profile> profiles, const Bounds& bounds) {
  std::vector<Reduction> groups;
  for (Profile& profile : profiles) groups.push_back(reduce(std::move(profile), bounds));
  return groups;
}

double total(const Reduction& reduction, run_file::MetricId metric) {
  double sum = 0;
  for (std::size_t i = 0; i < reduction.paths.size(); ++i) {
    const std::int32_t at = find_statistic(reduction, static_cast<std::int32_t>(i), metric);
    if (at >= 0) sum += reduction.statistics[static_cast<std::size_t>(at)].statistic.sum;
  }
  return sum;
}

void check_equal(const Statistic& a, const Statistic& b) {
  CHECK(a.sum == b.sum);
  CHECK(a.min == b.min);
  CHECK(a.max == b.max);
  CHECK(a.min_rank == b.min_rank);
  CHECK(a.max_rank == b.max_rank);
  CHECK(a.squares == Approx(b.squares).margin(1e-9));
}

/// Sixteen ranks in main; rank r alone in own<r>, and there in MPI_Send.
std::vector<Profile> ranks_with_own_paths() {
  std::vector<Profile> profiles;
  for (std::int32_t rank = 0; rank < 16; ++rank) {
    const std::string own = "own" + std::to_string(rank);
    profiles.push_back(profile_of(rank, {{{"(program)"}, 1, 1000, 100},
                                         {{"(program)", "main"}, 1, 900, 600},
                                         {{"(program)", "main", own}, 3, 300, 200.0 + rank},
                                         {{"(program)", "main", own, "MPI_Send"}, 2, 100.0 - rank, 100.0 - rank}}));
  }
  return profiles;
}

} // namespace

TEST_CASE("statistics are over all ranks, also those that lack the call path") {
  const Reduction all = merged(reduced(three_ranks(), bounds_for(3)), bounds_for(3));
  CHECK(all.ranks == 3);
  CHECK(all.paths.size() == 5);
  const Statistic work = statistic(all, "main/work", run_file::inclusive_ns);
  CHECK(work.sum == 90);
  CHECK(work.min == 0);
  CHECK(work.min_rank == 2);
  CHECK(work.max == 60);
  CHECK(work.max_rank == 0);
  // 60, 30, 0 about 30: 900 + 0 + 900.
  CHECK(work.squares == Approx(1800));
  CHECK(deviation(work, 3) == Approx(std::sqrt(600)));
  const Statistic extra = statistic(all, "main/extra", run_file::visits);
  CHECK(extra.sum == 7);
  CHECK(extra.min == 0);
  CHECK(extra.min_rank == 0); // the lowest of those that have it
  CHECK(extra.max_rank == 1);
  // 0, 7, 0 about 7/3.
  CHECK(extra.squares == Approx(49 - 49.0 / 3));
  const Statistic barrier = statistic(all, "main/MPI_Barrier", run_file::inclusive_ns);
  CHECK(barrier.sum == 30);
  CHECK(barrier.min_rank == 0);
  CHECK(barrier.max_rank == 2);
  const Statistic whole = statistic(all, "(program)", run_file::inclusive_ns);
  CHECK(whole.squares == 0);
  CHECK(whole.min_rank == 0);
  CHECK(whole.max_rank == 0);
  CHECK(all.hosts.size() == 2);
  CHECK(all.locations[2].host == 1);
  CHECK(column(all, "main/work", run_file::inclusive_ns) == std::vector<double>{60, 30, 0});
  CHECK(column(all, "main/extra", run_file::visits) == std::vector<double>{0, 7, 0});
}

TEST_CASE("small differences between large values survive the merging") {
  // 1e9 + r for r = 0..7: sum of squares about the mean 3.5 is 42; squared values of 1e18 would
  // have lost it.
  std::vector<Profile> profiles;
  for (std::int32_t rank = 0; rank < 8; ++rank)
    profiles.push_back(profile_of(rank, {{{"(program)"}, 1, 1e9 + rank, 0}}));
  const Reduction all = merged(reduced(std::move(profiles), bounds_for(8)), bounds_for(8));
  CHECK(statistic(all, "(program)", run_file::inclusive_ns).squares == Approx(42));
}

TEST_CASE("the shape and the order of merging do not matter") {
  const Bounds bounds = bounds_for(3);
  const Reduction tree = merged(reduced(three_ranks(), bounds), bounds);
  std::vector<Reduction> line = reduced(three_ranks(), bounds);
  merge(line[1], line[2], bounds);
  merge(line[0], line[1], bounds);
  std::vector<Reduction> back = reduced(three_ranks(), bounds);
  merge(back[2], back[0], bounds);
  merge(back[2], back[1], bounds);
  for (const Reduction* other : {&line[0], &back[2]}) {
    CHECK(other->paths.size() == tree.paths.size());
    for (std::size_t i = 0; i < tree.paths.size(); ++i)
      for (const auto metric : {run_file::visits, run_file::inclusive_ns, run_file::exclusive_ns}) {
        INFO(name_of(tree, i));
        check_equal(statistic(tree, name_of(tree, i), metric), statistic(*other, name_of(tree, i), metric));
      }
  }
  CHECK(column(line[0], "main/work", run_file::visits) == std::vector<double>{5, 2, 0});
}

TEST_CASE("threads of a rank are added up in its statistic and stand apart in its values") {
  Profile profile = profile_of(0, {{{"(program)"}, 1, 100, 100}});
  LocationRow thread = profile.locations[0];
  thread.thread = 1;
  profile.locations.push_back(thread);
  profile.paths[0].values[run_file::visits].push_back(4);
  const Reduction one = reduce(std::move(profile), bounds_for(1));
  CHECK(one.ranks == 1);
  CHECK(statistic(one, "(program)", run_file::visits).max == 5);
  CHECK(column(one, "(program)", run_file::visits) == std::vector<double>{1, 4});
  CHECK(column(one, "(program)", run_file::inclusive_ns) == std::vector<double>{100, 0});
}

TEST_CASE("beyond the room for values statistics are the same and the telling ranks have theirs") {
  // Rank r computes 10 (r xor 1): most rank 4, least rank 1; all else is equal, so rank 0 stands for
  // the rest.
  const auto ranks = [] {
    std::vector<Profile> profiles;
    for (std::int32_t rank = 0; rank < 6; ++rank)
      profiles.push_back(profile_of(rank, {{{"(program)"}, 1, 100.0 + rank, 7}}, 10 * (rank ^ 1)));
    return profiles;
  };
  Bounds bounds = bounds_for(6);
  const Reduction all = merged(reduced(ranks(), bounds), bounds);
  REQUIRE(all.all_values);
  CHECK(all.rows.size() == 6);
  bounds.column_bytes = 0;
  const Reduction telling = merged(reduced(ranks(), bounds), bounds);
  CHECK_FALSE(telling.all_values);
  std::vector<std::int32_t> kept;
  for (const ValueRow& row : telling.rows)
    kept.push_back(telling.locations[static_cast<std::size_t>(row.location)].rank);
  CHECK(kept == std::vector<std::int32_t>{0, 1, 4});
  CHECK(column(telling, "(program)", run_file::inclusive_ns) == std::vector<double>{100, 101, 104});
  CHECK(telling.locations.size() == 6);
  for (const auto metric : {run_file::visits, run_file::inclusive_ns, run_file::exclusive_ns})
    check_equal(statistic(all, "(program)", metric), statistic(telling, "(program)", metric));
}

TEST_CASE("values are kept up to the bound of the whole job, whichever group sees it first") {
  // Visits take 8 bytes, the two times 4 each: 16 bytes a rank and call path with all three. The
  // union has three such paths on three ranks: 3 x 3 x 16 bytes.
  const auto ranks = [] {
    std::vector<Profile> profiles;
    for (std::int32_t rank = 0; rank < 3; ++rank)
      profiles.push_back(profile_of(rank, {{{"(program)"}, 1, 3, 1}, {{"(program)", rank % 2 ? "g" : "f"}, 1, 2, 2}}));
    return profiles;
  };
  Bounds bounds = bounds_for(3);
  bounds.column_bytes = 3 * 3 * 16;
  CHECK(merged(reduced(ranks(), bounds), bounds).all_values);
  bounds.column_bytes = 3 * 3 * 16 - 1;
  CHECK_FALSE(merged(reduced(ranks(), bounds), bounds).all_values);
  // One rank by itself, two paths: it knows that 3 x 2 x 16 bytes will be needed at least.
  bounds.column_bytes = 3 * 2 * 16;
  CHECK(reduce(ranks()[0], bounds).all_values);
  bounds.column_bytes = 3 * 2 * 16 - 1;
  CHECK_FALSE(reduce(ranks()[0], bounds).all_values);
}

TEST_CASE("of many ranks an even sample is telling besides") {
  Bounds bounds = bounds_for(80);
  bounds.column_bytes = 0;
  std::vector<Profile> profiles;
  for (std::int32_t rank = 0; rank < 80; ++rank)
    profiles.push_back(profile_of(rank, {{{"(program)"}, 1, 1, 1}}, rank == 33 ? 5 : 1));
  const Reduction telling = merged(reduced(std::move(profiles), bounds), bounds);
  std::set<std::int32_t> kept;
  for (const ValueRow& row : telling.rows) kept.insert(telling.locations[static_cast<std::size_t>(row.location)].rank);
  CHECK(kept == std::set<std::int32_t>{0, 10, 20, 30, 33, 40, 50, 60, 70});
}

TEST_CASE("call paths beyond the bound are summed, and the sums over the tree stay") {
  Bounds wide = bounds_for(16), narrow = bounds_for(16);
  narrow.paths = 8;
  const Reduction all = merged(reduced(ranks_with_own_paths(), wide), wide);
  const Reduction few = merged(reduced(ranks_with_own_paths(), narrow), narrow);
  CHECK(all.paths.size() == 2 + 32);
  CHECK(few.paths.size() == 8);
  CHECK(few.dropped_paths > 0);
  CHECK(all.dropped_paths == 0);
  for (const auto metric : {run_file::visits, run_file::exclusive_ns}) CHECK(total(few, metric) == total(all, metric));
  for (const char* name : {"(program)", "main"})
    for (const auto metric : {run_file::visits, run_file::inclusive_ns, run_file::exclusive_ns})
      check_equal(statistic(few, name, metric), statistic(all, name, metric));
  // What does not stand in the paths that stay is here.
  double own = 0, mpi = 0;
  for (std::int32_t rank = 0; rank < 16; ++rank) {
    const std::string name = "main/own" + std::to_string(rank);
    if (path_named(few, name) < 0) own += 200.0 + rank;
    if (path_named(few, name + "/MPI_Send") < 0) mpi += 100.0 - rank;
  }
  CHECK(statistic(few, more_paths, run_file::exclusive_ns).sum == own);
  CHECK(statistic(few, more_paths, run_file::inclusive_ns).sum == own);
  CHECK(statistic(few, more_paths, run_file::computation_ns).sum == own);
  CHECK(statistic(few, more_mpi, run_file::exclusive_ns).sum == mpi);
  CHECK(statistic(few, more_mpi, run_file::communication_ns).sum == mpi);
  CHECK(statistic(few, more_mpi, run_file::computation_ns).sum == 0);
  // No path lacks more ranks than it says: main is on all of them, and had all.
  CHECK(few.dropped_ranks >= 1);
  for (std::size_t i = 0; i < few.paths.size(); ++i) {
    const std::int32_t same = path_named(all, name_of(few, i));
    if (same < 0) continue;
    CHECK(all.paths[static_cast<std::size_t>(same)].ranks - few.paths[i].ranks <= few.dropped_ranks);
  }
  // Values of single ranks follow: each rank's exclusive times still add up to what it had.
  std::vector<double> of_rank(16);
  for (const Column& c : columns_of(few))
    if (c.metric == run_file::exclusive_ns)
      for (std::size_t rank = 0; rank < 16; ++rank) of_rank[rank] += c.values[rank];
  CHECK(of_rank == std::vector<double>(16, 100 + 600 + 200 + 100));
}

TEST_CASE("message sizes add up over ranks, and in the sums of call paths beyond the bound") {
  const auto counted = [](std::size_t most_paths) {
    Bounds bounds = bounds_for(16);
    bounds.paths = most_paths;
    std::vector<Profile> profiles = ranks_with_own_paths();
    for (std::size_t rank = 0; rank < 16; ++rank)
      profiles[rank].paths.back().sizes = {0, rank + 1.0, 0, 2}; // of its MPI_Send
    return merged(reduced(std::move(profiles), bounds), bounds);
  };
  const auto class_metric = [](int number) { return static_cast<run_file::MetricId>(first_size_metric + number); };
  for (const std::size_t most_paths : {64, 8}) {
    const Reduction reduction = counted(most_paths);
    CHECK(total(reduction, class_metric(1)) == 16 * 17 / 2);
    CHECK(total(reduction, class_metric(3)) == 2 * 16);
    CHECK(total(reduction, class_metric(2)) == 0);
    for (const Column& c : columns_of(reduction)) CHECK(!is_size(c.metric)); // of single ranks they are not kept
  }
}

TEST_CASE("call paths that most ranks have stay, whatever single ranks bring") {
  Bounds bounds = bounds_for(4);
  bounds.paths = 7; // (program), a, a/b, the two sums, of which one stays empty, and two more
  std::vector<Profile> profiles;
  for (std::int32_t rank = 0; rank < 4; ++rank) {
    std::vector<FakePath> paths = {{{"(program)"}, 1, 10, 1}};
    for (int i = 0; i < 4; ++i) paths.push_back({{"(program)", "own" + std::to_string(4 * rank + i)}, 1, 1, 1});
    paths.push_back({{"(program)", "a"}, 1, 5, 1});
    paths.push_back({{"(program)", "a", "b"}, 1, 4, 4});
    if (rank == 0) paths.resize(1); // the rank with few paths leaves room for those of the others
    if (rank == 0) paths.push_back({{"(program)", "a"}, 1, 5, 5});
    profiles.push_back(profile_of(rank, paths));
  }
  Bounds wide = bounds;
  wide.paths = 100;
  // With room in each rank, and none for the union: only what is rare goes.
  std::vector<Reduction> groups = reduced(profiles, wide);
  for (int i = 1; i < 4; ++i) merge(groups[0], groups[static_cast<std::size_t>(i)], wide);
  limit_paths(groups[0], bounds);
  CHECK(groups[0].paths.size() == 6);
  CHECK(statistic(groups[0], "a", run_file::visits).sum == 4);
  CHECK(statistic(groups[0], "a/b", run_file::visits).sum == 3);
  CHECK(groups[0].dropped_ranks == 1);
  CHECK(groups[0].dropped_paths == 12 - 2);
  CHECK(statistic(groups[0], more_paths, run_file::visits).sum == 12 - 2);
}

TEST_CASE("the same call paths are dropped whichever group is merged into which") {
  Bounds bounds = bounds_for(16);
  bounds.paths = 8;
  std::vector<Reduction> there = reduced(ranks_with_own_paths(), bounds_for(16));
  std::vector<Reduction> back = reduced(ranks_with_own_paths(), bounds_for(16));
  for (std::size_t i = 1; i < 16; ++i) merge(there[0], there[i], bounds_for(16));
  for (std::size_t i = 15; i-- > 0;) merge(back[15], back[i], bounds_for(16));
  limit_paths(there[0], bounds);
  limit_paths(back[15], bounds);
  std::set<std::string> names, others;
  for (std::size_t i = 0; i < there[0].paths.size(); ++i) names.insert(name_of(there[0], i));
  for (std::size_t i = 0; i < back[15].paths.size(); ++i) others.insert(name_of(back[15], i));
  CHECK(names == others);
  CHECK(names.count("main") == 1);
}

TEST_CASE("the sums have the names that the core gives its own") {
  Registry registry = {};
  REQUIRE(registry_start(registry));
  CHECK(std::string(registry.regions[region_more].name) == more_paths);
  CHECK(std::string(registry.regions[region_more_mpi].name) == more_mpi);
}

TEST_CASE("a rank hands on the largest entries of its row of the matrix, and the sum of the rest") {
  Bounds bounds = bounds_for(1 << 20); // eight entries a rank
  REQUIRE(rows_per_rank(bounds) == 8);
  REQUIRE(rows_per_rank(bounds_for(512)) == 512); // whole rows up to here
  Profile profile = profile_of(3, {{{"(program)"}, 1, 1, 1}});
  for (int to = 0; to < 20; ++to) profile.messages.push_back({3, to, 2, 100 * ((to * 7) % 20)});
  const Reduction one = reduce(std::move(profile), bounds);
  REQUIRE(one.messages.size() == 9);
  std::int64_t bytes = 0, messages = 0;
  CHECK(one.messages[0].destination == -1);
  for (std::size_t i = 1; i <= 8; ++i) {
    CHECK(one.messages[i].bytes >= 1200); // 1200 to 1900 are the eight largest
    CHECK(one.messages[i].destination > one.messages[i - 1].destination);
  }
  for (const MessageRow& row : one.messages) bytes += row.bytes, messages += row.messages;
  CHECK(bytes == 100 * 190);
  CHECK(messages == 40);
}

TEST_CASE("a rank hands on its longest waits by peer; the others, and those without a known peer, are summed") {
  const Bounds bounds = bounds_for(1 << 20);
  REQUIRE(wait_pairs_per_rank(bounds) == 8);
  REQUIRE(wait_pairs_per_rank(bounds_for(128)) == 128); // whole rows up to here
  Profile profile = profile_of(3, {{{"(program)"}, 1, 1, 1}});
  profile.wait_pairs.push_back({3, -1, 5000});
  for (int peer = 0; peer < 10; ++peer) profile.wait_pairs.push_back({3, peer, 100 * (peer + 1)});
  Reduction group = reduce(std::move(profile), bounds);
  REQUIRE(group.wait_pairs.size() == 9);
  CHECK(group.wait_pairs[0].peer_rank == -1);
  CHECK(group.wait_pairs[0].wait_ns == 5000 + 100 + 200);
  for (int i = 1; i <= 8; ++i) {
    CHECK(group.wait_pairs[static_cast<std::size_t>(i)].peer_rank == i + 1);
    CHECK(group.wait_pairs[static_cast<std::size_t>(i)].wait_ns == 100 * (i + 2));
  }

  Profile other = profile_of(4, {{{"(program)"}, 1, 1, 1}});
  other.wait_pairs = {{4, 3, 70}};
  merge(group, reduce(std::move(other), bounds), bounds);
  REQUIRE(group.wait_pairs.size() == 10);
  CHECK(group.wait_pairs[9].rank == 4);
  CHECK(group.wait_pairs[9].wait_ns == 70);
}
