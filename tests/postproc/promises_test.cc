// Promises of made-up runs, whose answers follow from T(p) = serial + parallel / p (run_maker.h).
#include "postproc/analysis/promises.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "postproc/view/diff_view.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::Program;

namespace {

constexpr int ranks = 4;

/// Two builds on four ranks.
struct Builds {
  test::TemporaryDirectory directory;
  std::vector<std::string> before, after;
  std::vector<double> scales{1, 1.001, 1.002, 1.003, 1.004, 1.005}; // of the times of the runs of a side

  void add(std::vector<std::string>& side, const Program& program, const std::function<void(Run&)>& edit = {}) {
    add_made(side, [&](double scale) {
      Run run = test::run_of(program, ranks, scale);
      if (edit) edit(run);
      return run;
    });
  }
  void add_made(std::vector<std::string>& side, const std::function<Run(double)>& make) {
    for (const double scale : scales) {
      side.push_back(directory / fmt::format("{:03}.andes", before.size() + after.size()));
      test::write(make(scale), side.back());
    }
  }
  Promises promises(const std::vector<std::string>& asked = {}) const {
    const auto build = [](const std::vector<std::string>& files) {
      return read_series(files, false, [](const Refusal&) { FAIL("a run was skipped"); }).builds.back();
    };
    const Build old_build = build(before), new_build = build(after);
    return promises_of(old_build, new_build, *read_common_size(old_build, new_build, false), asked, false);
  }
};

const Promise& of(const Promises& promises, const std::string& change) {
  for (const Promise& promise : promises.all)
    if (promise.prediction.changes == std::vector<std::string>{change}) return promise;
  FAIL("no promise: " + change);
  return promises.all.front();
}

/// Call paths of programs of two ranks that wait, all below main.
enum WaitingPath { root, at_main, deliver, send, collect, receive, finish, wait, meet, barrier, end, last_barrier };

/// Waits of a rank in a call path, in seconds, and the late call where they began.
struct Waited {
  WaitingPath path;
  int rank = 0;
  double wait_s = 0;
  WaitingPath late;
};

/// Both ranks end at T. What they do not wait they compute, in main.
Run waiting_run(double time_s, const std::vector<Waited>& waits, double scale, const char* hash) {
  using namespace run_file;
  Run run;
  run.facts = {{"program", "waiting"},
               {"arguments", "[]"},
               {"ranks", std::int64_t{2}},
               {"ranks_started", std::int64_t{2}},
               {"executable_hash", hash},
               {"started", "2026-11-20T12:00:00Z"},
               {"wall_ns", std::llround(time_s * scale * 1e9)},
               {"complete", std::int64_t{1}},
               {"exit_status", std::int64_t{0}},
               {"usable_cores", std::int64_t{8}}};
  run.hosts = {{"node1", 8, "", 0}};
  run.regions = {{"(program)", "root", "", 0},      {"main", "function", "w.c", 1},
                 {"deliver", "function", "w.c", 2}, {"MPI_Send", "send", "", 0},
                 {"collect", "function", "w.c", 3}, {"MPI_Recv", "receive", "", 0},
                 {"finish", "function", "w.c", 4},  {"MPI_Wait", "receive", "", 0},
                 {"meet", "function", "w.c", 5},    {"MPI_Barrier", "synchronisation", "", 0},
                 {"end", "function", "w.c", 6}};
  run.callpaths = {{-1, 0},      {root, 1},   {at_main, 2}, {deliver, 3}, {at_main, 4},  {collect, 5},
                   {at_main, 6}, {finish, 7}, {at_main, 8}, {meet, 9},    {at_main, 10}, {end, 9}};
  std::vector<std::vector<double>> waited_ns(run.callpaths.size(), {0, 0}); // callees included
  for (const Waited& one : waits)
    for (int at = one.path; at >= 0; at = run.callpaths[static_cast<std::size_t>(at)].parent)
      waited_ns[static_cast<std::size_t>(at)][static_cast<std::size_t>(one.rank)] += one.wait_s * scale * 1e9;
  std::vector<double> wall_ns(2, time_s * scale * 1e9), compute_ns;
  for (std::size_t rank = 0; rank < 2; ++rank) {
    compute_ns.push_back(wall_ns[rank] - waited_ns[root][rank]);
    LocationRow l;
    l.rank = static_cast<std::int32_t>(rank);
    l.compute_ns = std::llround(compute_ns[rank]);
    l.communication_ns = std::llround(waited_ns[root][rank]);
    l.wall_ns = l.end_ns = std::llround(wall_ns[rank]);
    l.wait_at_end_ns = 0;
    run.locations.push_back(l);
  }
  for (int path = 0; path < static_cast<int>(run.callpaths.size()); ++path) {
    const auto& in_mpi_ns = waited_ns[static_cast<std::size_t>(path)];
    test::set_values(run, path, visits, {1, 1});
    test::set_values(run, path, inclusive_ns, path <= at_main ? wall_ns : in_mpi_ns);
    test::set_values(run, path, communication_ns, in_mpi_ns);
    if (path <= at_main) test::set_values(run, path, computation_ns, compute_ns);
    if (is_mpi_kind(run.regions[static_cast<std::size_t>(run.callpaths[static_cast<std::size_t>(path)].region)].kind))
      test::set_values(run, path, exclusive_ns, in_mpi_ns);
  }
  test::set_values(run, at_main, exclusive_ns, compute_ns);
  test::measure_waits(run);
  for (const Waited& one : waits) {
    std::vector<double> wait_s(2);
    wait_s[static_cast<std::size_t>(one.rank)] = one.wait_s * scale;
    const bool chain = one.path == barrier && one.late == send;
    test::add_waits(run, {.cause = one.path >= meet ? "wait_at_barrier" : "late_sender",
                          .callpath = one.path,
                          .wait_s = wait_s,
                          .peer_callpath = chain ? barrier : one.late,
                          .peer_rank = 1 - one.rank,
                          .origin_callpath = chain ? one.late : -1,
                          .origin_rank = chain ? one.rank : -1});
  }
  return run;
}

/// What `no-wait PLACE` realised, which was asked for.
Promise realised_without_waits(const std::string& place, double before_s, const std::vector<Waited>& before,
                               double after_s, const std::vector<Waited>& after) {
  Builds builds;
  builds.add_made(builds.before, [&](double scale) { return waiting_run(before_s, before, scale, "aa"); });
  builds.add_made(builds.after, [&](double scale) { return waiting_run(after_s, after, scale, "bb"); });
  return builds.promises({"no-wait " + place}).all.front();
}

Program changed(double serial_s, double parallel_s) {
  return {.serial_s = serial_s, .parallel_s = parallel_s, .hash = "bb", .started = "2026-11-21T12:00:00Z"};
}

} // namespace

TEST_CASE("a change that was made realises what was promised, others nothing") {
  Builds builds;
  builds.add(builds.before, {});
  builds.add(builds.after, changed(1, 4.5), [](Run& run) { // twice as fast, and under another name
    for (auto& region : run.regions)
      if (region.name == "sweep") region.name = "sweep_all";
  });
  const Promises promises = builds.promises({"setup x4"});
  CHECK(promises.ranks == ranks);
  CHECK(promises.time_s == Approx(3.25).margin(0.02));
  const Promise& sweep = of(promises, "sweep x2");
  CHECK(sweep.prediction.low.gain_s == Approx(1.125).margin(0.01));
  CHECK(sweep.realised_s.median == Approx(1.125).margin(0.01));
  CHECK(sweep.kept == Kept::as_promised);
  CHECK_FALSE(sweep.asked);
  CHECK(promises.all.front().asked);
  CHECK(of(promises, "setup x4").kept == Kept::not_realised);
  const std::string text = promises_text({}, promises); // what its words mean stands below
  CHECK_THAT(text, Catch::Contains("sweep x2") && Catch::EndsWith("no-wait: no waits in its MPI calls\n"));
  CHECK_THAT(text, !Catch::Contains("annot be told"));
}

TEST_CASE("what a few runs, or scattered ones, cannot tell has a verdict of its own") {
  const auto sweep_of = [](std::vector<double> scales, double parallel_s) {
    Builds builds;
    builds.scales = std::move(scales);
    builds.add(builds.before, {});
    builds.add(builds.after, changed(1, parallel_s));
    return of(builds.promises({"sweep x2"}), "sweep x2");
  };
  // 2.25 s of each rank become 1.125 s, as promised. By chance all of n runs lie on one side of n others in
  // 2 (n!)^2 / (2 n)! of cases: 1 for one run, 0.1 for three, 0.03 for four.
  for (const std::vector<double>& scales : {std::vector{1.}, {1., 1.001, 1.002}}) {
    const Promise few = sweep_of(scales, 4.5);
    CHECK(few.realised_s.median == Approx(1.125).margin(0.01));
    CHECK(few.kept == Kept::cannot_be_told);
  }
  CHECK(sweep_of({1, 1.001, 1.002, 1.003}, 4.5).kept == Kept::as_promised);
  // Nothing was changed. Medians of six runs that scatter by a fifth lie anywhere between 1.8 and 2.7 s, so 0.11 s, a
  // tenth of what was promised, may be gained; those of 0.5 % differ by 0.01 s at most.
  const Promise scattered = sweep_of({0.8, 0.9, 1, 1, 1.1, 1.2}, 9);
  CHECK(scattered.realised_s.median == Approx(0).margin(0.01));
  CHECK(*scattered.realised_s.high > 0.113);
  CHECK(scattered.kept == Kept::cannot_be_told);
  CHECK(sweep_of({1, 1.001, 1.002, 1.003, 1.004, 1.005}, 9).kept == Kept::not_realised);
  // All runs are slower, by 0.25 s of 2.25 s.
  CHECK(sweep_of({1, 1.001, 1.002, 1.003, 1.004, 1.005}, 10).kept == Kept::not_realised);
}

TEST_CASE("promises that cannot be told are counted, unless they were asked for") {
  Builds builds;
  builds.scales = {1, 1.001, 1.002};
  builds.add(builds.before, {});
  builds.add(builds.after, changed(1, 4.5));
  Promises promises = builds.promises({"sweep x2"});
  REQUIRE(promises.all.size() > 2);
  promises.all[1].kept = Kept::not_realised;
  const ShownPromises shown = shown_promises(promises);
  REQUIRE(shown.rows.size() == 1);
  CHECK(shown.rows.front().asked);
  CHECK(shown.more == fmt::format("Not realised: 1 more of its what-if; cannot be told with these runs: {} more",
                                  promises.all.size() - 2));
  CHECK_THAT(promises_text({}, promises), Catch::Contains("cannot be told\n"));
  CHECK(promises_json(promises, false)["changes"][0]["verdict"] == "cannot_be_told");
}

TEST_CASE("promises that cannot be told are shown where there is nothing else") {
  Builds builds;
  builds.scales = {1};
  builds.add(builds.before, {});
  builds.add(builds.after, changed(1, 4.5));
  Promises promises = builds.promises({});
  REQUIRE(promises.all.size() > 2);
  for (const Promise& promise : promises.all) CHECK(promise.kept == Kept::cannot_be_told);
  CHECK(shown_promises(promises).rows.size() == std::min<std::size_t>(promises.all.size(), 5));
  promises.all[1].kept = Kept::as_promised;
  const ShownPromises shown = shown_promises(promises);
  REQUIRE(shown.rows.size() == 1);
  CHECK(shown.rows.front().kept == Kept::as_promised);
  CHECK(shown.more == fmt::format("Cannot be told with these runs: {} more of its what-if", promises.all.size() - 1));
}

TEST_CASE("more or less than was promised, and several changes by T") {
  Builds builds;
  builds.add(builds.before, {});
  builds.add(builds.after, changed(0.9, 1));
  const Promises promises = builds.promises({"sweep x3", "setup x2"});
  // 2.25 s of each rank become 0.25 s, where x2 promised 1.125 s.
  CHECK(of(promises, "sweep x2").realised_s.median == Approx(2).margin(0.01));
  CHECK(of(promises, "sweep x2").kept == Kept::more);
  // T becomes 1.15 s of 3.25 s; the two promised 1.5 s of the sweep and 0.5 s of setup, which is nearly as much.
  CHECK(promises.all.front().prediction.high.gain_s == Approx(2).margin(0.01));
  CHECK(promises.all.front().realised_s.median == Approx(2.1).margin(0.01));
  CHECK(promises.all.front().kept == Kept::as_promised);
  Builds less;
  less.add(less.before, {});
  less.add(less.after, changed(1, 7));
  CHECK(of(less.promises(), "sweep x2").kept == Kept::less); // 0.5 s of 1.125 s
}

TEST_CASE("without waits: what follows from them belongs to the gain") {
  // Rank 0 computes 2 s, sends, and computes 2 s; rank 1 receives and computes 4 s; rank 0 waits for it in the barrier. If
  // rank 0 sends first T is 4 s, of 6 s. Rank 1 alone waited for 2 s of its 6 s, 1 s of each rank.
  const Promise promise = realised_without_waits("collect", 6, {{receive, 1, 2, send}, {barrier, 0, 2, send}}, 4, {});
  CHECK(promise.prediction.low.gain_s == Approx(2).margin(0.02));
  CHECK(promise.prediction.high.gain_s == Approx(2).margin(0.02));
  CHECK(promise.realised_s.median == Approx(2).margin(0.01));
  CHECK(promise.kept == Kept::as_promised);
  // No link between the waits tells that: rank 1 computed in between.
  const Promise unlinked =
      realised_without_waits("collect", 6, {{receive, 1, 2, send}, {barrier, 0, 2, barrier}}, 4, {});
  CHECK(unlinked.realised_s.median == Approx(2).margin(0.01));
}

TEST_CASE("without waits: no more than all waits became shorter") {
  // Rank 1 waits for 2 s of work of rank 0, of which it takes a half: T is 5 s of 6 s.
  const Promise promise = realised_without_waits("meet", 6, {{barrier, 1, 2, barrier}}, 5, {});
  CHECK(promise.realised_s.median == Approx(1).margin(0.01));
}

TEST_CASE("without waits: half of them gone is less, with what follows from them") {
  const Promise promise = realised_without_waits("collect", 6, {{receive, 1, 2, send}, {barrier, 0, 2, send}}, 5,
                                                 {{receive, 1, 1, send}, {barrier, 0, 1, send}});
  CHECK(promise.realised_s.median == Approx(1).margin(0.01));
  CHECK(promise.kept == Kept::less);
}

TEST_CASE("without waits: those that go on elsewhere gain nothing") {
  // The receive is posted, and waited for in another function: T is as it was.
  const std::vector<Waited> before{{receive, 1, 2, send}, {barrier, 0, 2, send}};
  Promise promise = realised_without_waits("collect", 6, before, 6, {{wait, 1, 2, send}, {barrier, 0, 2, send}});
  CHECK(promise.realised_s.median == Approx(0).margin(0.01));
  CHECK(promise.kept == Kept::not_realised);
  // A barrier is taken out, and the ranks wait in the next one, which is another late call.
  promise = realised_without_waits("meet", 6, {{barrier, 1, 2, barrier}}, 6, {{last_barrier, 1, 2, last_barrier}});
  CHECK(promise.realised_s.median == Approx(0).margin(0.01));
  CHECK(promise.kept == Kept::not_realised);
}

TEST_CASE("without waits: where the own ones stay others are not counted") {
  // Rank 1 waits for messages that one call sends, in two functions, of which the second one is cured: T is 5 s of 6 s.
  const std::vector<Waited> before{{receive, 1, 1, send}, {wait, 1, 1, send}, {barrier, 0, 2, send}},
      after{{receive, 1, 1, send}, {barrier, 0, 1, send}};
  CHECK(realised_without_waits("collect", 6, before, 5, after).kept == Kept::not_realised);
  const Promise cured = realised_without_waits("finish", 6, before, 5, after);
  CHECK(cured.realised_s.median == Approx(1).margin(0.01));
  CHECK(cured.kept != Kept::not_realised);
}

TEST_CASE("without waits: a call of MPI may be named itself") {
  const Promise promise =
      realised_without_waits("collect>MPI_Recv", 6, {{receive, 1, 2, send}, {barrier, 0, 2, send}}, 4, {});
  CHECK(promise.realised_s.median == Approx(2).margin(0.01));
}

TEST_CASE("of a build and itself nothing was promised but what was asked for") {
  Builds builds;
  builds.add(builds.before, {});
  builds.add(builds.after, {.serial_s = 1, .parallel_s = 4.5}); // other settings: the sweep took half as long
  CHECK(builds.promises().all.empty());
  const Promises asked = builds.promises({"sweep x2"});
  REQUIRE(asked.all.size() == 1);
  CHECK(asked.all.front().realised_s.median == Approx(1.125).margin(0.01));
}

TEST_CASE("runs that did not come to their end promise nothing") {
  Builds builds;
  builds.add(builds.before, {}, [](Run& run) { run.facts["exit_status"] = std::int64_t{1}; });
  builds.add(builds.after, changed(1, 4.5));
  CHECK(builds.promises().all.empty());
}
