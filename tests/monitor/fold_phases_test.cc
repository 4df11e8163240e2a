// Steps of phases: folded on each rank, kept apart beside that; all numbers by hand.
#include "monitor/finish/fold_phases.h"
#include "tests/monitor/fake_ranks.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

Profile rank_with_steps(std::int32_t rank, double first_ns, double second_ns) {
  const double all_ns = first_ns + second_ns;
  return profile_of(rank, {{{"(program)"}, 1, 100, 100 - all_ns - 5},
                           {{"(program)", "phase"}, 2, all_ns + 5, 5},
                           {{"(program)", "phase", "step 1"}, 1, first_ns, first_ns - 3},
                           {{"(program)", "phase", "step 1", "work"}, 4, 3, 3},
                           {{"(program)", "phase", "step 2"}, 1, second_ns, second_ns - 7},
                           {{"(program)", "phase", "step 2", "work"}, 6, 7, 7}});
}

double exclusive_of_whole(const Reduction& reduction) {
  double sum = 0;
  for (std::size_t i = 0; i < reduction.paths.size(); ++i)
    if (reduction.paths[i].folded < 0) {
      const std::int32_t at = find_statistic(reduction, static_cast<std::int32_t>(i), run_file::exclusive_ns);
      if (at >= 0) sum += reduction.statistics[static_cast<std::size_t>(at)].statistic.sum;
    }
  return sum;
}

} // namespace

TEST_CASE("steps are folded on each rank, so that least and largest are of the ranks' sums") {
  Bounds bounds;
  bounds.job_ranks = 2;
  Reduction both = reduce(rank_with_steps(0, 10, 40), bounds);
  merge(both, reduce(rank_with_steps(1, 30, 10), bounds), bounds);
  const Statistic work = statistic(both, "phase/work", run_file::inclusive_ns);
  CHECK(work.sum == 20);
  CHECK((work.min == 10 && work.max == 10));
  CHECK(statistic(both, "phase/work", run_file::visits).sum == 20);
  // What the steps do themselves is the phase's own.
  CHECK(statistic(both, "phase", run_file::exclusive_ns).sum == 2 * 5 + 40 + 30);
  CHECK(statistic(both, "phase", run_file::visits).sum == 4);
  CHECK(statistic(both, "phase", run_file::inclusive_ns).sum == 100);
  CHECK(exclusive_of_whole(both) == 200);
  const Statistic first = statistic(both, "phase/step 1", run_file::inclusive_ns);
  CHECK((first.sum == 40 && first.min == 10 && first.max == 30 && first.max_rank == 1));
  CHECK(statistic(both, "phase/step 2/work", run_file::visits).sum == 12);
  CHECK(both.paths[static_cast<std::size_t>(path_named(both, "phase/step 1"))].folded == path_named(both, "phase"));

  SECTION("and have no values of single ranks") {
    for (const Column& column : columns_of(both))
      CHECK(both.paths[static_cast<std::size_t>(column.callpath)].folded < 0);
  }
  SECTION("they stand behind all others in the end") {
    put_steps_last(both);
    bool behind = false;
    for (std::size_t i = 0; i < both.paths.size(); ++i) {
      const ReducedPath& path = both.paths[i];
      CHECK(path.parent < static_cast<std::int32_t>(i));
      if (path.folded >= 0) behind = true;
      else CHECK_FALSE(behind);
    }
    CHECK(statistic(both, "phase/step 1/work", run_file::visits).sum == 8);
    CHECK(both.paths[static_cast<std::size_t>(path_named(both, "phase/step 2/work"))].folded ==
          path_named(both, "phase/work"));
  }
  SECTION("they travel") {
    std::vector<std::string> pieces = pieces_of(both);
    std::size_t next = 0;
    const auto read = read_message([&](std::string& piece) {
      if (next == pieces.size()) return false;
      piece = pieces[next++];
      return true;
    });
    REQUIRE(read);
    CHECK(read->paths[static_cast<std::size_t>(path_named(*read, "phase/step 2/work"))].folded ==
          path_named(*read, "phase/work"));
  }
}

TEST_CASE("where there are too many call paths, steps go first and without a trace") {
  Bounds bounds;
  bounds.job_ranks = 1;
  bounds.paths = 5; // (program), phase, phase/work and the two sums
  const Reduction few = reduce(rank_with_steps(0, 10, 40), bounds);
  CHECK(path_named(few, "phase/work") >= 0);
  CHECK(path_named(few, "phase/step 1") < 0);
  CHECK(path_named(few, "phase/step 2/work") < 0);
  CHECK(few.dropped_paths == 0);
  CHECK(exclusive_of_whole(few) == 100);
  CHECK(statistic(few, "phase/work", run_file::inclusive_ns).sum == 10);
}

TEST_CASE("nested phases are folded as a whole") {
  Profile profile = profile_of(0, {{{"(program)"}, 1, 100, 40},
                                   {{"(program)", "outer"}, 1, 60, 0},
                                   {{"(program)", "outer", "step 1"}, 1, 60, 10},
                                   {{"(program)", "outer", "step 1", "inner"}, 2, 50, 5},
                                   {{"(program)", "outer", "step 1", "inner", "step 7"}, 2, 45, 15},
                                   {{"(program)", "outer", "step 1", "inner", "step 7", "work"}, 2, 30, 30}});
  const Reduction reduction = reduce(std::move(profile), Bounds());
  CHECK(statistic(reduction, "outer", run_file::exclusive_ns).sum == 10);
  CHECK(statistic(reduction, "outer/inner", run_file::exclusive_ns).sum == 20);
  CHECK(statistic(reduction, "outer/inner", run_file::inclusive_ns).sum == 50);
  CHECK(statistic(reduction, "outer/inner/work", run_file::visits).sum == 2);
  CHECK(exclusive_of_whole(reduction) == 100);
}
