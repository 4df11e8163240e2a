// Gains of changes by hand, on T(p) = 1 + 9/p seconds: of four ranks rank 0 is in setup for 1 s while the others wait,
// then each is in sweep for 2.25 s; T = 3.25 s.
#include "postproc/analysis/what_if.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "common/refusal.h"
#include "postproc/analysis/report.h"
#include "postproc/view/what_if_text.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::postproc;
using Catch::Matchers::Contains;

namespace {

void no_skips(const Refusal&) { FAIL("a run was skipped"); }

monitor::Run measured(int ranks, bool origins = true) {
  monitor::Run run = test::run_of({}, ranks);
  test::measure_waits(run);
  if (ranks == 1) return run;
  std::vector<double> wait_s(static_cast<std::size_t>(ranks), 1);
  wait_s[0] = 0;
  test::add_waits(run, {"late_broadcast", test::path_broadcast, wait_s, test::path_broadcast, 0});
  if (origins) run.origins = {{0, test::path_broadcast, test::path_setup, 1e9, 1e9 * (ranks - 1), 1.0 * ranks - 1}};
  return run;
}

WhatIf with_changes(const std::vector<std::string>& changes, const std::vector<monitor::Run>& runs) {
  test::TemporaryDirectory folder;
  std::vector<std::string> names;
  for (const monitor::Run& run : runs) {
    names.push_back(folder / (std::to_string(names.size()) + ".andes"));
    test::write(run, names.back());
  }
  return report_of(read_series(names, false, no_skips), nullptr, false, changes).what_if;
}

WhatIf with_changes(const std::vector<std::string>& changes) {
  return with_changes(changes, {measured(1), measured(4)});
}

/// The rank computes so much less than the others, and waits for them at the end.
void end_early(monitor::Run& run, std::size_t rank, std::int64_t ns) {
  for (auto& location : run.locations) location.wait_at_end_ns = 0;
  run.locations[rank].wall_ns -= ns;
  run.locations[rank].compute_ns -= ns;
  run.locations[rank].end_ns -= ns;
  run.locations[rank].wait_at_end_ns = ns;
}

void check_gain(const WhatIf& what_if, double low_s, double high_s) {
  REQUIRE(what_if.asked);
  CHECK(what_if.asked->low.gain_s == Approx(low_s).margin(1e-9));
  CHECK(what_if.asked->high.gain_s == Approx(high_s).margin(1e-9));
}

std::string refusal_of(const std::string& change) {
  try {
    with_changes({change});
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "not refused";
}

} // namespace

TEST_CASE("a faster serial routine saves its time where all wait for it") {
  const WhatIf said = with_changes({"setup x2"});
  CHECK(said.ranks == 4);
  CHECK(said.time_s == Approx(3.25));
  check_gain(said, 0.5, 0.5); // rank 0: 1/2; others: of 1 s of waiting for it one half
  CHECK(said.asked->sizes.front().time_low_s == Approx(2.75));
  CHECK(*said.asked->sizes.front().speedup_low == Approx(10 / 2.75));
  check_gain(with_changes({"setup x4"}), 0.75, 0.75);
  // It is not known that the others wait for it: then they may save nothing.
  check_gain(with_changes({"setup x2"}, {measured(1, false), measured(4, false)}), 0, 0.5);
}

TEST_CASE("a faster parallel routine saves what each rank does in it, and less on more ranks") {
  const WhatIf said = with_changes({"sweep x2"});
  check_gain(said, 1.125, 1.125);
  REQUIRE(said.asked->sizes.size() > 1); // 9 s in sum: T(8) = 1 + 1.125
  const ChangedSize& eight = said.asked->sizes[1];
  CHECK(eight.size == 8);
  CHECK(eight.projected);
  CHECK(eight.time_low_s == Approx(1.5625));
  CHECK(eight.time_high_s == Approx(1.5625));
  CHECK(*eight.speedup_high == Approx(6.4));
}

TEST_CASE("a routine that the base calls by another way is projected as one that it calls by the same") {
  const std::vector<monitor::Run> runs{test::by_another_way(measured(1)), measured(4)};
  const WhatIf said = with_changes({"sweep x2"}, runs);
  check_gain(said, 1.125, 1.125);
  REQUIRE(said.asked->sizes.size() > 1);
  CHECK(said.asked->sizes[1].time_low_s == Approx(1.5625));
  CHECK(said.asked->sizes[1].time_high_s == Approx(1.5625));
}

TEST_CASE("a serial routine is balanced, or parallel, with the same gain") {
  for (const char* change : {"balance setup", "parallel setup"}) {
    const WhatIf said = with_changes({change}); // 1/4 s on each rank
    check_gain(said, 0.75, 0.75);
    // On eight ranks at least in proportion, at most what 1/8 s on each rank leaves of 1 s.
    CHECK(said.asked->sizes[1].time_high_s == Approx(2.125 - 0.375));
    CHECK(said.asked->sizes[1].time_low_s == Approx(2.125 - 0.875));
  }
}

TEST_CASE("a parallel routine does no more in sum than that of the base") {
  test::Program heavier;
  heavier.parallel_s = 10.8; // 2.7 s on each of four ranks, of which 0.45 s are more than 9 s in sum
  monitor::Run four = test::run_of(heavier, 4);
  const std::vector<monitor::Run> runs{test::run_of({}, 1), four};
  check_gain(with_changes({"parallel sweep"}, runs), 0.45, 0.45);
  check_gain(with_changes({"balance sweep"}, runs), 0, 0);
}

TEST_CASE("changes together save nothing twice") {
  check_gain(with_changes({"setup x2", "sweep x2"}), 1.625, 1.625);
  check_gain(with_changes({"main x2"}), 1.625, 1.625);
  check_gain(with_changes({"work x2", "main>work > sweep x2"}), 1.6875, 1.6875); // as x4: 3/4 of 2.25 s
  check_gain(with_changes({"setup x2", "parallel setup"}), 0.875, 0.875);        // 1/8 s on each rank
  CHECK(with_changes({"setup x2", "balance sweep"}).asked->changes ==
        std::vector<std::string>{"setup x2", "balance sweep"});
}

TEST_CASE("a change of what others hide may gain nothing") {
  // Rank 1 sweeps for half as long as the others and waits at the end.
  monitor::Run run = measured(4);
  for (const int path : {test::path_sweep, test::path_work})
    for (const int metric : {run_file::inclusive_ns, run_file::computation_ns})
      test::set_values(run, path, metric, {2.25e9, 1.125e9, 2.25e9, 2.25e9});
  test::set_values(run, test::path_sweep, run_file::exclusive_ns, {2.25e9, 1.125e9, 2.25e9, 2.25e9});
  end_early(run, 1, 1125000000);
  const std::vector<monitor::Run> runs{measured(1), run};
  // Balanced, each is in it for 1.96875 s: rank 0 saves 0.28125, rank 1 loses as much as it waits less.
  const WhatIf said = with_changes({"balance sweep"}, runs);
  REQUIRE(said.asked);
  CHECK(said.asked->high.gain_s == Approx(0.28125));
  CHECK(said.asked->high.rank == 0);
}

TEST_CASE("no more is saved than what is taken from the work of all ranks") {
  // Rank 0 is in setup for 0.6 s of the second for which the others wait, and ends a second before them.
  monitor::Run run = measured(4);
  test::set_values(run, test::path_setup, run_file::exclusive_ns, {0.6e9, 0, 0, 0});
  test::set_values(run, test::path_main, run_file::exclusive_ns, {0.4e9, 0, 0, 0});
  test::set_values(run, test::path_sweep, run_file::exclusive_ns, {1.25e9, 2.25e9, 2.25e9, 2.25e9});
  end_early(run, 0, 1000000000);
  const WhatIf said = with_changes({"setup x2"}, {measured(1), run});
  check_gain(said, 0.3, 0.3); // each rank waits for 1 s, but half of 0.6 s is all that is taken away
  CHECK(said.asked->high.from == GainBound::From::work);
}

TEST_CASE("where more waits seem to follow than can, the rank that saves most is sure") {
  monitor::Run run = measured(4); // as above, and rank 1 is in setup for 0.1 s of its sweep
  test::set_values(run, test::path_setup, run_file::exclusive_ns, {0.6e9, 0.1e9, 0, 0});
  test::set_values(run, test::path_main, run_file::exclusive_ns, {0.4e9, 0, 0, 0});
  test::set_values(run, test::path_sweep, run_file::exclusive_ns, {1.25e9, 2.15e9, 2.25e9, 2.25e9});
  end_early(run, 0, 1000000000);
  check_gain(with_changes({"setup x2"}, {measured(1), run}), 0.3, 0.35);
}

TEST_CASE("of ranks without values only the least time is known") {
  monitor::Run run = measured(4);
  test::keep_values_of(run, {0, 1});
  const WhatIf said = with_changes({"setup x2", "sweep x2"}, {measured(1), run});
  check_gain(said, 1.125, 1.625); // a rank may be in sweep alone
  CHECK(said.asked->low.from == GainBound::From::any);
}

TEST_CASE("candidates come with the largest gain first") {
  const WhatIf said = with_changes({});
  CHECK_FALSE(said.asked);
  std::vector<std::string> first;
  for (const Prediction& p : said.candidates) first.push_back(p.changes.front());
  CHECK(first == std::vector<std::string>{"sweep x2", "balance setup", "setup x2"});
}

TEST_CASE("of callers with the same waits the lowest is a candidate") {
  // All ranks wait in main > setup > MPI_Bcast for 1 s, and in main > MPI_Bcast for as long as each case says.
  const auto callers = [](double above_s) {
    monitor::Run run = test::run_of({}, 4);
    test::measure_waits(run);
    run.callpaths[test::path_broadcast].parent = test::path_setup;
    for (auto& location : run.locations) {
      const auto wait_ns = std::llround(1e9 * (1 + above_s));
      location.compute_ns += location.communication_ns - wait_ns;
      location.communication_ns = wait_ns;
    }
    test::add_waits(run, {"late_broadcast", test::path_broadcast, {1, 1, 1, 1}, test::path_broadcast, 0});
    run.callpaths.push_back({test::path_main, run.callpaths[test::path_broadcast].region});
    const int above = static_cast<int>(run.callpaths.size()) - 1;
    test::add_waits(run, {"late_other", above, {above_s, above_s, above_s, above_s}, test::path_broadcast, 0});
    std::vector<std::string> found;
    for (const Prediction& p : with_changes({}, {measured(1), run}).candidates)
      if (p.changes.front().starts_with("no-wait ")) found.push_back(p.changes.front());
    std::sort(found.begin(), found.end());
    return found;
  };
  CHECK(callers(0.001) == std::vector<std::string>{"no-wait main>setup"});
  CHECK(callers(0.1) == std::vector<std::string>{"no-wait main", "no-wait main>setup"});
}

TEST_CASE("bounds of a gain are equally exact, and a loss is said to be one") {
  const auto text_of = [](double low_s, double high_s) {
    WhatIf what_if;
    what_if.ranks = 4;
    what_if.time_s = 2;
    what_if.candidates.push_back({{"balance sweep"},
                                  {low_s, GainBound::From::rank, 1},
                                  {high_s, GainBound::From::rank, 0},
                                  {{4, false, 2 - high_s, 2 - low_s, 2.5, 4}}});
    return what_if_text({200, false, false}, what_if);
  };
  CHECK_THAT(text_of(-1e-5, 0.435), Contains(" 0..0.435 "));
  CHECK_THAT(text_of(-1e-5, 0.435), !Contains("below 0"));
  CHECK_THAT(text_of(0.00396, 0.00626), Contains(" 3.96..6.26 ms "));
  CHECK_THAT(text_of(-0.125, 0.775), Contains(" -0.125..0.775 "));
  CHECK_THAT(text_of(-0.125, 0.775), Contains("at least..at most, below 0: T may grow; xK"));
}

TEST_CASE("words that are no change are refused in one line") {
  CHECK(refusal_of("swep x2") == "--if 'swep x2': no call path ends with swep; did you mean 'sweep'?");
  CHECK_THAT(refusal_of("main>swep x2"), Contains("no call path ends with main>swep"));
  CHECK_THAT(refusal_of("MPI_Bcast x2"), Contains("nothing is computed there; give 'no-wait MPI_Bcast'"));
  for (const char* text : {"", "sweep", "sweep x1", "sweep x0.5", "sweep xx", "sweep x2y", "sweep xinf", "x2"})
    CHECK_THAT(refusal_of(text), Contains("it is no change of a routine; give 'NAME xK' with K above 1"));
  CHECK_THAT(refusal_of("balance"), Contains("it is no change"));
}

TEST_CASE(
    "in a parallel region a thread with more work may decide, and what one thread alone saves may be waited for") {
  // Two ranks, T = 1 s, 0.1 s of it serial. Rank 0: both threads compute for 0.3 s, then it waits in MPI for 0.6 s.
  // Rank 1: thread 0 computes for 0.3 s and waits for thread 1, which computes for 0.9 s. Twice as fast: T = 0.55 s.
  const auto bounds = [](const char* change, std::vector<test::TeamThread> team, double low_s, double high_s) {
    monitor::Run run = test::team_run({{0.1, 0.6, 0, {{0.3}, {0.3}}}, {0.1, 0, 0, std::move(team)}}, 1);
    test::measure_waits(run);
    test::add_waits(run, {"wait_at_nxn", test::team_allreduce, {0.6, 0, 0, 0}, test::team_allreduce, 1});
    run.origins = {{1, test::team_allreduce, test::team_step, 0.9e9, 0.6e9, 1}};
    check_gain(with_changes({change}, {run}), low_s, high_s);
  };
  bounds("step x2", {{0.3, 0.6}, {0.9}}, 0.15, 0.6); // rank 1: both threads together save 0.6 s
  bounds("step x2", {{0.9}, {0, 0.9}}, 0,
         0.45); // what thread 1 does elsewhere in the region is not known to be shorter
  // Balanced by threads, thread 0 saves nothing, and thread 1 computes 0.6 s on both ranks: T = 0.7 s.
  bounds("balance step", {{0.3, 0.6}, {0.9}}, 0, 0.6);
  // Thread 0 has 0.6 s then, and thread 1 what it had.
  bounds("balance step", {{0.9}, {0.9}}, 0.3, 0.3);
}
