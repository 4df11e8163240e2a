// Ledgers of lost time by hand: terms that add up to the loss of each size and repeat, where idle time began, and the
// same by call path.
#include "postproc/analysis/ledger.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "postproc/analysis/report.h"
#include "postproc/view/advice_first.h"
#include "postproc/view/first_screen.h"
#include "postproc/view/ledger_text.h"
#include "postproc/view/views.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::TemporaryDirectory;

namespace {

struct Files {
  TemporaryDirectory directory;
  std::vector<std::string> names;
  void add(const Run& run) {
    names.push_back(directory / fmt::format("{}.andes", names.size()));
    test::write(run, names.back());
  }
  Report report(bool weak = false) const {
    Series series = read_series(names, false, [](const Refusal&) { FAIL("a run was skipped"); });
    series.builds.back().weak = weak;
    return report_of(series, nullptr, false);
  }
};

double seconds_of(const Ledger& ledger, const std::string& name) {
  for (const LedgerTerm& term : ledger.terms)
    if (term.name == name) return term.seconds;
  return 0;
}

/// The terms, their sum over each repeat, and the origins add up.
void check_sums(const Ledger& ledger) {
  double sum = 0, percents = 0, origins = 0;
  std::vector<double> repeats(ledger.lost_repeats.size());
  for (const LedgerTerm& term : ledger.terms) {
    INFO(term.name);
    sum += term.seconds;
    percents += term.percent;
    REQUIRE(term.repeats.size() == repeats.size());
    for (std::size_t i = 0; i < repeats.size(); ++i) repeats[i] += term.repeats[i];
  }
  CHECK(sum == Approx(ledger.lost_s).margin(1e-9));
  CHECK(percents == Approx(ledger.percent).margin(1e-9));
  for (std::size_t i = 0; i < repeats.size(); ++i) CHECK(repeats[i] == Approx(ledger.lost_repeats[i]).margin(1e-9));
  for (const LedgerOrigin& origin : ledger.origins) origins += origin.seconds;
  CHECK(origins == Approx(ledger.idle_s).margin(1e-9));
}

/// Rank 0 computes 1 s in setup while rank 1 waits 0.9 s of it in a broadcast of 1 s; then 9 s on both together.
Run waiting(double scale = 1, const test::Program& program = {}) {
  Run run = test::run_of(program, 2, scale);
  test::measure_waits(run);
  test::add_waits(
      run,
      {"late_broadcast", test::path_broadcast, {0, 0.9 * scale}, test::path_broadcast, 0, test::path_broadcast, 0});
  run.origins.push_back({0, test::path_broadcast, test::path_setup, 1e9 * scale, 0.9e9 * scale, 1});
  return run;
}

Run base_run(double scale = 1) {
  Run run = test::run_of({}, 1, scale);
  test::measure_waits(run);
  return run;
}

} // namespace

TEST_CASE("a ledger: p T(p) - p0 T(p0) as communication and idle by cause, which began in a serial part") {
  Files files;
  files.add(base_run());
  files.add(waiting());
  const Report report = files.report();
  REQUIRE(report.ledgers.size() == 1);
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.ranks == 2);
  CHECK(ledger.cores == 2);
  CHECK(ledger.lost_s == Approx(2 * 5.5 - 10)); // T(2) = 1 + 9/2
  CHECK(ledger.percent == Approx(100 / 11.0));
  REQUIRE(ledger.terms.size() == 2);
  CHECK(ledger.terms[0].name == "idle_late_broadcast");
  CHECK(ledger.terms[0].seconds == Approx(0.9));
  CHECK(ledger.terms[0].title == "idle: Title of late_broadcast");
  CHECK(ledger.terms[1].name == "communication_source");
  CHECK(ledger.terms[1].seconds == Approx(0.1));
  CHECK(ledger.idle_s == Approx(0.9));
  REQUIRE(ledger.origins.size() == 1);
  CHECK(ledger.origins[0].kind == OriginKind::serial);
  CHECK(ledger.origins[0].path == std::vector<std::string>{"main", "setup"});
  CHECK(ledger.origins[0].ranks == std::vector<int>{0});
  // The finding began with the same.
  REQUIRE(report.findings.front().begin);
  CHECK(report.findings.front().begin->kind == OriginKind::serial);
  CHECK(report.findings.front().begin->path == std::vector<std::string>{"main", "setup"});
  CHECK(report.findings.front().begin->ranks == std::vector<int>{0});
  CHECK_THAT(advice_first(report),
             Catch::StartsWith("Title of late_broadcast in main > MPI_Bcast (jacobi.c:10), for rank 0, which alone "
                               "computes in main > setup (jacobi.c:3): without this wait T would shrink by "));
  // By call path: the broadcast is main's; all else takes as long as before.
  REQUIRE(ledger.paths.size() == 1);
  CHECK(ledger.paths[0].path == std::vector<std::string>{"main"});
  CHECK(ledger.paths[0].lost_s == Approx(1));
  CHECK(ledger.paths[0].idle_s == Approx(0.9));
  CHECK(ledger.paths[0].communication_s == Approx(0.1));
  CHECK(ledger.paths[0].computation_s == Approx(0).margin(1e-9));

  const auto json = nlohmann::json::parse(report_json(report));
  CHECK(json["ledger"][0]["ranks"] == 2);
  CHECK(json["ledger"][0]["lost_s"].get<double>() == Approx(1));
  CHECK(json["ledger"][0]["terms"][0]["name"] == "idle_late_broadcast");
  CHECK(json["ledger"][0]["terms"][0]["seconds"].get<double>() == Approx(0.9));
  CHECK(json["ledger"][0]["terms"][0]["repeats"][0].get<double>() == Approx(0.9));
  CHECK(json["ledger_origins"][0]["origins"][0]["kind"] == "serial");
  CHECK(json["ledger_paths"][0]["paths"][0]["path"][0] == "main");
  const std::string text = report_text({}, report, true);
  CHECK(text.find("Title of late_broadcast") != text.npos);
  CHECK(loss_answer(report).starts_with("at 2 ranks 9 % of p x T: idle: Title of late_broadcast (8 %)"));
  Report little = report;
  little.ledgers.front().percent = 0.4; // terms that are more were won elsewhere
  CHECK(loss_answer(little).starts_with("next to nothing in sum at 2 ranks: idle: Title of late_broadcast (8 %)"));
  for (LedgerTerm& term : little.ledgers.front().terms) term.percent = std::min(term.percent, 2.0);
  CHECK(loss_answer(little) == "next to nothing at 2 ranks");
  Report none = report;
  none.ledgers.front().terms.clear();
  none.ledgers.front().lost_s = none.ledgers.front().percent = -1;
  CHECK(loss_answer(none) == "nothing at 2 ranks");
  none.ledgers.front().other_threads_s = 1; // threads of the program's own
  CHECK(loss_answer(none).starts_with("not known at 2 ranks: where the program's own threads wait"));
}

/// Waits for a core, by location in seconds.
Run waiting_for_cores(Run run, const std::vector<double>& waits_s) {
  for (std::size_t i = 0; i < waits_s.size(); ++i) run.locations[i].core_wait_ns = std::llround(waits_s[i] * 1e9);
  return run;
}

TEST_CASE("waits for a core are a term of their own, and in no other") {
  Files files;
  files.add(waiting_for_cores(base_run(), {0.5}));
  // Rank 0 computes all the time. Rank 1 is in MPI for 1 s: of its waits 0.4 to 1.4 s lie in computation, so 0.9 s,
  // and half of its time in MPI is without a core.
  files.add(waiting_for_cores(waiting(), {2, 1.4}));
  const Report report = files.report();
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.lost_s == Approx(1));
  CHECK(ledger.terms[0].name == "core_wait");
  CHECK(ledger.terms[0].title == "waiting for a core");
  CHECK(seconds_of(ledger, "core_wait") == Approx(2 + 1.4 - 0.5));
  CHECK(seconds_of(ledger, "computation") == Approx((10 - 2 - 0.9) - (10 - 0.5)));
  CHECK(seconds_of(ledger, "idle_late_broadcast") == Approx(0.45));
  CHECK(seconds_of(ledger, "communication_source") == Approx(0.05));
  REQUIRE(ledger.core_wait_error_s);
  CHECK(*ledger.core_wait_error_s == Approx(0.5));
  REQUIRE(ledger.origins.size() == 1);
  CHECK(ledger.origins[0].seconds == Approx(0.45));
  const auto json = nlohmann::json::parse(report_json(report));
  CHECK(json["ledger"][0]["terms"][0]["name"] == "core_wait");
  CHECK(json["ledger"][0]["core_wait_error_s"].get<double>() == Approx(0.5));
  CHECK_THAT(report_text({}, report, true), Catch::Contains("to +-0.5 s."));
  CHECK_THAT(report_text({}, report, true), Catch::Contains("; waiting for a core is"));
}

TEST_CASE("computation for which ranks wait for a core is not more of it") {
  const test::Program even{.serial_s = 0, .parallel_s = 10};
  const auto report_of_waits = [&](const std::vector<double>& base_s, const std::vector<double>& waits_s) {
    Files files;
    files.add(waiting_for_cores(test::run_of(even, 1), base_s));
    files.add(waiting_for_cores(test::run_of(even, 2, 2), waits_s)); // each rank computes 10 s in place of 5 s
    return files.report();
  };
  const Report busy = report_of_waits({0}, {5, 5});
  check_sums(busy.ledgers[0]);
  CHECK(seconds_of(busy.ledgers[0], "core_wait") == Approx(10));
  CHECK(seconds_of(busy.ledgers[0], "computation") == Approx(0).margin(1e-9));
  CHECK(loss_answer(busy) == "at 2 ranks 50 % of p x T: waiting for a core (50 %)");
  CHECK_THAT(advice_first(busy), Catch::StartsWith("Measure again with a core for each rank: they waited 50 %"));
  const std::string text = report_text({}, busy, true);
  CHECK_THAT(text, Catch::Contains("taken out of the other terms.\n")); // all of it is certain
  // Less than one per cent of p x T stays where it fell, and so does what is not known of all runs.
  for (const Report& report :
       {report_of_waits({0}, {0.09, 0.1}), report_of_waits({}, {5, 5}), report_of_waits({0}, {5})}) {
    check_sums(report.ledgers[0]);
    CHECK(seconds_of(report.ledgers[0], "computation") == Approx(10));
    CHECK_FALSE(report.ledgers[0].core_wait_error_s);
    CHECK(report.ledgers[0].terms.size() == 1);
    CHECK(report_json(report).find("core_wait_error_s") == std::string::npos);
    CHECK(loss_answer(report) == "at 2 ranks 50 % of p x T: more computation (50 %)");
  }
}

TEST_CASE("what all ranks compute alike makes none of them late, unless they have it by turns") {
  // The run names sweep, of which both ranks have 4.5 s.
  const auto origin_of = [](double wait_s, std::optional<double> longer_ns = {}) {
    Files files;
    files.add(base_run());
    Run run = waiting();
    run.origins = {{0, test::path_broadcast, test::path_sweep, 1000000000, wait_s * 1e9, 1, longer_ns}};
    files.add(run);
    const Report report = files.report();
    const LedgerOrigin origin = report.ledgers.front().origins.front();
    CHECK(report.findings.front().begin->kind == origin.kind);
    CHECK(report.findings.front().begin->path == origin.path);
    return origin;
  };
  CHECK(origin_of(0.9).kind == OriginKind::serial); // of setup rank 0 has 1 s more than rank 1
  CHECK(origin_of(0.9).path == std::vector<std::string>{"main", "setup"});
  CHECK(origin_of(0.9, 0.9e9).path.back() == "setup"); // whatever was longer before the calls
  // Were 2.1 s waited for it, that would explain less than half.
  CHECK(origin_of(2.1).kind == OriginKind::late_messages);
  CHECK(origin_of(2.1).path.back() == "MPI_Bcast");
  CHECK(origin_of(2.1, 1.1e9).kind == OriginKind::imbalance); // before the late calls more than half of 2.1 s
  CHECK(origin_of(2.1, 1.1e9).path.back() == "sweep");
  CHECK(origin_of(2.1, 1.0e9).kind == OriginKind::late_messages);
}

TEST_CASE("computing makes nobody wait for longer than it takes") {
  // The run names setup, of which rank 0 alone has 1 s.
  const auto begin_of = [](double wait_s) {
    Files files;
    files.add(base_run());
    Run run = waiting();
    run.origins = {{0, test::path_broadcast, test::path_setup, 1000000000, wait_s * 1e9, 1}};
    files.add(run);
    return *files.report().findings.front().begin;
  };
  CHECK(begin_of(1.9).kind == OriginKind::serial);
  CHECK(begin_of(2.1).kind == OriginKind::late_messages); // of a chain of waits most is not due to setup
  CHECK(begin_of(2.1).path.back() == "MPI_Bcast");
}

TEST_CASE("a rank is late by what it has more of than others, be there more of something else before its late call") {
  // 0.9 s are waited for rank 0, which has 1 s of setup; the run names something else.
  const auto origin_with = [](std::int32_t named, std::vector<double> own_ns) {
    Files files;
    files.add(base_run());
    Run run = waiting();
    test::set_values(run, named, run_file::exclusive_ns, std::move(own_ns));
    run.origins = {{0, test::path_broadcast, named, 2e9, 0.9e9, 1}};
    files.add(run);
    return files.report().findings.front().begin->path.back();
  };
  CHECK(origin_with(test::path_sweep, {2e9, 1.7e9}) == "setup"); // uneven, but by 0.3 s
  CHECK(origin_with(test::path_sweep, {2e9, 1.5e9}) == "sweep"); // by 0.5 s, though setup is by 1 s
  CHECK(origin_with(test::path_sweep, {1.5e9, 2e9}) == "setup"); // the other rank has more of it
  CHECK(origin_with(test::path_main, {0.1e9, 0.05e9}) == "setup"); // main stands for what it calls
  // Late to a barrier of work after sweep: setup, outside of work, made the rank late for something else.
  Files files;
  files.add(base_run());
  Run run = waiting();
  run.regions.push_back({"MPI_Barrier", "synchronisation", "", 0});
  run.callpaths.push_back({test::path_work, static_cast<std::int32_t>(run.regions.size()) - 1});
  test::set_values(run, test::path_sweep, run_file::exclusive_ns, {2.5e9, 2.1e9});
  run.waits[0].origin_callpath = static_cast<std::int32_t>(run.callpaths.size()) - 1;
  run.origins = {{0, run.waits[0].origin_callpath, test::path_sweep, 2e9, 0.9e9, 1}};
  files.add(run);
  CHECK(files.report().findings.front().begin->path.back() == "sweep");
}

TEST_CASE("two ranks that have as much more of the named work than the others are both late because of it") {
  Files files;
  files.add(base_run());
  Run run = test::run_of({}, 4);
  test::measure_waits(run);
  test::set_values(run, test::path_sweep, run_file::exclusive_ns, {2e9, 2.0001e9, 1.4e9, 1.4e9});
  test::add_waits(
      run,
      {"late_broadcast", test::path_broadcast, {0, 0, 0.6, 0.6}, test::path_broadcast, 0, test::path_broadcast, 0});
  // Of setup rank 0 alone has 1 s, 3 s more than the others together; of sweep 1.2 s, as much as they wait.
  run.origins = {{0, test::path_broadcast, test::path_sweep, 2000000000, 1200000000, 1}};
  files.add(run);
  CHECK(files.report().findings.front().begin->path.back() == "sweep");
}

TEST_CASE("a finding says what most of its waits began with, of whom, and nothing where nothing has half of them") {
  const auto begin_of = [](std::vector<OriginRow> origins) {
    Files files;
    files.add(base_run());
    Run run = waiting();
    run.origins = std::move(origins);
    files.add(run);
    return files.report().findings.front().begin;
  };
  const OriginRow of_setup{0, test::path_broadcast, test::path_setup, 1000000000, 900000000, 1};
  // The broadcast was late on two ranks: 0.9 s of waits behind 0.9 s and 0.4 s, so setup has 9/13 of them.
  const OriginRow unknown{1, test::path_broadcast, -1, 0, 400000000, 1};
  CHECK(begin_of({of_setup, unknown})->ranks == std::vector<int>{0});
  const OriginRow also_setup{1, test::path_broadcast, test::path_setup, 1000000000, 600000000, 1};
  CHECK(begin_of({of_setup, also_setup})->ranks == std::vector<int>{0, 1});
  const OriginRow a_little{1, test::path_broadcast, test::path_setup, 1000000000, 50000000, 1};
  CHECK(begin_of({of_setup, a_little})->ranks == std::vector<int>{0}); // less than a tenth
  const OriginRow late{1, test::path_broadcast, -1, 0, 1000000000, 1};
  CHECK(begin_of({of_setup, late})->kind == OriginKind::late_messages);
  CHECK(begin_of({of_setup, late})->path.back() == "MPI_Bcast");
  CHECK_FALSE(begin_of({}));
}

TEST_CASE("a size stands for its middle run, or for the mean of the two in the middle, and so does the base") {
  Files files;
  for (const double scale : {1.5, 1.0, 1.02}) files.add(base_run(scale)); // the middle one takes 10.2 s
  for (const double scale : {1.1, 1.0}) files.add(waiting(scale));
  const Report report = files.report();
  REQUIRE(report.ledgers.size() == 1);
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.lost_s == Approx(11 * 1.05 - 10.2));
  REQUIRE(ledger.lost_repeats.size() == 2);
  CHECK(ledger.lost_repeats[0] + ledger.lost_repeats[1] == Approx(11 * 2.1 - 2 * 10.2));
  CHECK(std::abs(ledger.lost_repeats[0] - ledger.lost_repeats[1]) == Approx(1.1));
  CHECK(seconds_of(ledger, "idle_late_broadcast") == Approx(0.9 * 1.05));
  CHECK(seconds_of(ledger, "computation") == Approx(10 * 1.05 - 10.2));
}

TEST_CASE("a ledger of a weak sweep: p T(p) - p T(p0)") {
  Files files;
  files.add(base_run());                        // T(1) = 10
  test::Program twice;                          // the work
  twice.parallel_s = 18;
  files.add(waiting(1.1, twice)); // T(2) = 1.1 (1 + 18 / 2) = 11
  const Report report = files.report(true);
  REQUIRE(report.ledgers.size() == 1);
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.lost_s == Approx(2 * 11 - 2 * 10));
  CHECK(ledger.percent == Approx(100 * 2 / 22.0));
  CHECK(seconds_of(ledger, "computation") == Approx(1.1 * (1 + 18) - 2 * 10));
  CHECK(seconds_of(ledger, "idle_late_broadcast") == Approx(1.1 * 0.9));
  CHECK(seconds_of(ledger, "communication_source") == Approx(1.1 * 0.1));
  CHECK_THAT(report_text({}, report, true), Catch::Contains("what a size takes more than if T were"));
}

TEST_CASE("a function that is called otherwise in the sequential program is one call path, and a guess") {
  Files sequential, files;
  Run before = test::run_of({.hash = "bb"}, 1);
  test::measure_waits(before);
  for (auto& region : before.regions)
    if (region.name == "sweep") region.name = "sweep_all";
  sequential.add(before);
  files.add(waiting(1.5));
  const auto skipped = [](const Refusal&) { FAIL("a run was skipped"); };
  const Series base = read_series(sequential.names, false, skipped);
  const Report report = report_of(read_series(files.names, false, skipped), &base, false);
  REQUIRE(report.ledgers.size() == 1);
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.lost_s == Approx(1.5 * 11 - 10));
  std::size_t sweeps = 0;
  for (const LedgerPath& path : ledger.paths) {
    if (!path.path.back().starts_with("sweep")) continue;
    ++sweeps;
    CHECK(path.path.back() == "sweep");
    CHECK(path.was == std::vector<std::string>{"main", "work", "sweep_all"});
    CHECK(path.guess.by == Likeness::renamed);
    CHECK(path.computation_s == Approx(0.5 * 9)); // half as much again
  }
  CHECK(sweeps == 1);
}

TEST_CASE("a function to which the base comes by another way is no loss there and no gain here") {
  Files files;
  files.add(test::by_another_way(base_run()));
  files.add(waiting(1.5));
  const Report report = files.report();
  REQUIRE(report.ledgers.size() == 1);
  check_sums(report.ledgers.front());
  double sweeps_s = 0;
  for (const LedgerPath& path : report.ledgers.front().paths) {
    if (path.path.back() != "sweep") continue;
    CHECK(path.path == std::vector<std::string>{"main", "work", "sweep"});
    sweeps_s += path.computation_s;
  }
  CHECK(sweeps_s == Approx(0.5 * 9)); // half as much again
}

TEST_CASE(
    "so it is where the sequential program, with its functions in another file, calls it otherwise than all sizes") {
  Files sequential, files;
  Run before = test::run_of({.hash = "bb"}, 1);
  test::measure_waits(before);
  for (auto& region : before.regions)
    if (!region.file.empty()) region.file = "alone.c";
  before.callpaths[test::path_sweep].parent = test::path_main;
  sequential.add(before);
  files.add(test::by_another_way(base_run()));
  files.add(waiting(1.5));
  const auto skipped = [](const Refusal&) { FAIL("a run was skipped"); };
  const Series base = read_series(sequential.names, false, skipped);
  const Report report = report_of(read_series(files.names, false, skipped), &base, false);
  REQUIRE(report.ledgers.size() == 2);
  double sweeps_s = 0;
  for (const LedgerPath& path : report.ledgers.back().paths)
    if (path.path.back() == "sweep") {
      CHECK(path.path == std::vector<std::string>{"main", "work", "sweep"});
      sweeps_s += path.computation_s;
    }
  CHECK(sweeps_s == Approx(0.5 * 9));
}

TEST_CASE("without measured waits all time in MPI is communication, and nothing has an origin") {
  Files files;
  files.add(test::run_of({}, 1));
  files.add(test::run_of({}, 2));
  const Report report = files.report();
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(seconds_of(ledger, "communication_source") == Approx(1));
  CHECK(ledger.idle_s == 0);
  CHECK(ledger.origins.empty());
}

TEST_CASE("threads of teams are cores: their idle time is that of serial parts, of MPI, of barriers and of entries") {
  Files files; // the second run is the example of docs/metrics.md, "Hybrid efficiency"
  files.add(test::team_run({{17, 0, 0, {{0, 0, 0, 0, 0}}}}, 17));
  files.add(test::team_run(
      {{2, 2, 0, {{6, 0, 0, 0, 0}, {3, 2, 1, 0, 0}}}, {1, 5, 0, {{3, 1, 0, 0, 0}, {2, 2, 0, 0, 0}}}}, 10));
  const Report report = files.report();
  REQUIRE(report.ledgers.size() == 1);
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.cores == 4);
  CHECK(ledger.lost_s == Approx(4 * 10 - 17));
  CHECK(seconds_of(ledger, "computation") == Approx(0).margin(1e-9));
  CHECK(seconds_of(ledger, "communication_exchange") == Approx(7));
  CHECK(seconds_of(ledger, "threads_serial") == Approx(2 + 1));
  CHECK(seconds_of(ledger, "threads_mpi") == Approx(2 + 5));
  CHECK(seconds_of(ledger, "threads_barrier") == Approx(5));
  CHECK(seconds_of(ledger, "threads_lock") == Approx(1));
}

TEST_CASE("waits of a team's threads for a core are in computation, or in waits for other threads") {
  Files files;
  files.add(waiting_for_cores(test::team_run({{12, 0, 0, {{0, 0, 0, 0, 0}}}}, 12), {0}));
  // The first thread computes all the time, for 3 s without a core; the second computes 4 s, is at the barrier for 4 s
  // and apart for 2 s: of its 2 s without a core 0 to 2 s lie in computation, so 1 s, and 1 s in the other 6 s.
  files.add(waiting_for_cores(test::team_run({{2, 0, 0, {{8, 0, 0, 0, 0}, {4, 4, 0, 0, 0}}}}, 10), {3, 2}));
  const Report report = files.report();
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.lost_s == Approx(2 * 10 - 12));
  CHECK(seconds_of(ledger, "core_wait") == Approx(5));
  CHECK(seconds_of(ledger, "computation") == Approx((14 - 4) - 12));
  CHECK(seconds_of(ledger, "threads_barrier") == Approx(4 - 4.0 / 6));
  CHECK(seconds_of(ledger, "threads_serial") == Approx(2 - 2.0 / 6));
  CHECK(*ledger.core_wait_error_s == Approx(1));
}

/// A thread of rank 1, the last one, in no team, which computes for `seconds`.
void add_helper(Run& run, std::int32_t thread, int seconds) {
  LocationRow helper;
  helper.rank = 1;
  helper.thread = thread;
  helper.end_ns = helper.wall_ns = helper.compute_ns = seconds * 1'000'000'000LL;
  run.locations.push_back(helper);
  for (Column& column : run.columns) column.values.push_back(0);
}

TEST_CASE("threads in no team are no cores: their time is added") {
  Files files;
  files.add(test::run_of({}, 1));
  Run run = test::run_of({}, 2);
  add_helper(run, 1, 2);
  files.add(run);
  const Report report = files.report();
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.cores == 2);
  CHECK(ledger.other_threads_s == Approx(2));
  CHECK(ledger.lost_s == Approx(11 + 2 - 10));
  CHECK(ledger.percent == Approx(100 * 3 / 13.0));
  CHECK(seconds_of(ledger, "computation") == Approx(2));
  CHECK(seconds_of(ledger, "communication_source") == Approx(1));
}

TEST_CASE("shares of lost time are of the time of all threads: they do not exceed 100 % where these are in no team") {
  Files files;
  files.add(test::run_of({}, 1)); // 10 s
  Run run = test::run_of({}, 2); // T = 5.5 s
  for (std::int32_t thread = 1; thread <= 6; ++thread) add_helper(run, thread, 5);
  files.add(run);
  const Report report = files.report();
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(ledger.cores == 2);
  CHECK(ledger.other_threads_s == Approx(6 * 5));
  CHECK(ledger.whole_s == Approx(2 * 5.5 + 6 * 5));
  CHECK(ledger.lost_s == Approx(41 - 10)); // 2.8 times p x T
  CHECK(ledger.percent == Approx(100 * 31 / 41.0));
  REQUIRE(ledger.terms.size() == 2);
  CHECK(ledger.terms[0].name == "computation");
  CHECK(ledger.terms[0].percent == Approx(100 * 30 / 41.0));
  CHECK(ledger.terms[1].percent == Approx(100 * 1 / 41.0));
  CHECK(loss_answer(report) == "at 2 ranks 76 % of the time of all threads: more computation (73 %) and MPI: "
                               "collective, one to all (2 %)");
  CHECK_THAT(ledger_text({}, report, false), Catch::Contains("(p x T and the wall times of the other threads)."));
  const auto json = nlohmann::json::parse(report_json(report));
  CHECK(json["ledger"][0]["other_threads_s"].get<double>() == Approx(30));
  CHECK(json["ledger"][0]["percent"].get<double>() == Approx(100 * 31 / 41.0));

  Files without;
  without.add(test::run_of({}, 1));
  without.add(test::run_of({}, 2));
  const Report of_mains = without.report();
  CHECK(loss_answer(of_mains) == "at 2 ranks 9 % of p x T: MPI: collective, one to all (9 %)"); // 1 s of 11
  CHECK_FALSE(nlohmann::json::parse(report_json(of_mains))["ledger"][0].contains("other_threads_s"));
}

TEST_CASE("what ranks start late, end early, or are switched off for longer than others, are terms") {
  Files files;
  files.add(test::run_of({}, 1));
  Run run = test::run_of({}, 2); // T leaves out the 5 s for which both are switched off
  run.locations[0].off_ns = 5'000'000'000;
  run.locations[1].off_ns = 5'100'000'000;
  run.locations[1].wall_ns -= 600'000'000;
  run.locations[1].compute_ns -= 600'000'000;
  run.locations[1].wait_at_end_ns = 200'000'000;
  files.add(run);
  const Report report = files.report();
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(seconds_of(ledger, "computation") == Approx(-0.6));
  CHECK(seconds_of(ledger, "switched_off") == Approx(0.1));
  CHECK(seconds_of(ledger, "idle_wait_at_end") == Approx(0.2));
  CHECK(seconds_of(ledger, "late_start") == Approx(0.3));
  REQUIRE(ledger.origins.size() == 1);
  CHECK(ledger.origins[0].kind == OriginKind::end);
}

TEST_CASE("where they were counted, instructions, instructions per cycle and frequency add up to the computation") {
  Files files;
  const auto add = [&files](int ranks, double instructions, double cycles) { // all of them in sweep
    Run run = test::run_of({}, ranks);
    run.facts["counters"] = std::string(R"(["PAPI_TOT_INS", "PAPI_TOT_CYC"])");
    for (const auto& [event, count] : {std::pair("PAPI_TOT_INS", instructions), std::pair("PAPI_TOT_CYC", cycles)})
      for (const int path : {test::path_root, test::path_main, test::path_work, test::path_sweep})
        test::set_values(run, path, test::metric_of(run, event, ""),
                         std::vector<double>(static_cast<std::size_t>(ranks), count / ranks));
    files.add(run);
  };
  add(1, 20e9, 20e9);
  add(2, 30e9, 40e9);
  const Report report = files.report();
  const Ledger& ledger = report.ledgers.front();
  check_sums(ledger);
  CHECK(seconds_of(ledger, "computation") == 0); // 10 s before and after: the mean is 10 s
  CHECK(seconds_of(ledger, "instructions") == Approx(10 * std::log(1.5)));
  CHECK(seconds_of(ledger, "instructions_per_cycle") == Approx(10 * std::log(4.0 / 3)));
  CHECK(seconds_of(ledger, "frequency") == Approx(10 * std::log(0.5)));
}

TEST_CASE("one size has no ledger") {
  Files files;
  files.add(base_run());
  CHECK(files.report().ledgers.empty());
}

TEST_CASE("no line of the ledger is blank beside a large one") {
  Report report;
  report.scaling.points.resize(1);
  report.routine_size = 4;
  Ledger ledger;
  ledger.ranks = ledger.size = 4;
  ledger.cores = 4;
  ledger.time_s = 21.5;
  ledger.whole_s = 4 * 21.5;
  ledger.terms = {{"idle_late_sender", "idle: Late sender", 56.5, 65.7, {}}, {"tool", "tool", 0.43, 0.5, {}}};
  ledger.lost_s = 56.93;
  ledger.percent = 66.2;
  report.ledgers = {ledger};
  const std::string text = ledger_text({}, report, false);
  CHECK(text.find("+56.5") != text.npos);
  CHECK(text.find("+0.4") != text.npos);
}

TEST_CASE("a term that is large at another size than the shown one has a line of its own") {
  const auto ledger_of = [](int ranks, std::vector<LedgerTerm> terms) {
    Ledger ledger;
    ledger.ranks = ledger.size = ledger.cores = ranks;
    ledger.whole_s = 100;
    ledger.terms = std::move(terms);
    for (const LedgerTerm& term : ledger.terms) ledger.lost_s += term.seconds;
    ledger.percent = ledger.lost_s;
    return ledger;
  };
  Report report;
  report.scaling.points.resize(1);
  report.routine_size = 2;
  report.ledgers = {ledger_of(2, {{"computation", "more computation", 40, 40, {}}, {"tool", "tool", 0.1, 0.1, {}}}),
                    ledger_of(4, {{"computation", "more computation", 36, 36, {}},
                                  {"idle_late_broadcast", "idle: Late broadcast", 31.5, 31.5, {}},
                                  {"tool", "tool", 0.2, 0.2, {}}})};
  const std::string text = ledger_text({}, report, false);
  CHECK_THAT(text, Catch::Contains("idle: Late broadcast"));
  CHECK_THAT(text, Catch::Contains("+32"));
  CHECK(text.find("tool") == text.npos);
  CHECK_THAT(text, Catch::Contains("the rest"));
}
