// Which call paths are the serial fraction, on T(p) = 1 + 9/p seconds: setup takes 1 s of rank 0 while the others wait.
#include "postproc/analysis/serial_routines.h"

#include <catch2/catch.hpp>

#include "postproc/model/read_run.h"
#include "postproc/view/columns/serial_routines.h"
#include "postproc/view/what_if_text.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::postproc;

namespace {

using Path = std::vector<std::string>;

/// Of four ranks; `waits`: they were measured, with their origin.
monitor::Run run_of_four(bool waits, double parallel_s = 9) {
  test::Program program;
  program.parallel_s = parallel_s;
  monitor::Run run = test::run_of(program, 4);
  if (!waits) return run;
  test::measure_waits(run);
  test::add_waits(run, {"late_broadcast", test::path_broadcast, {0, 1, 1, 1}, test::path_broadcast, 0});
  run.origins = {{0, test::path_broadcast, test::path_setup, 1e9, 3e9, 3}};
  return run;
}

SerialRoutines serial_of(const monitor::Run& base, const monitor::Run& point) {
  test::TemporaryDirectory folder;
  test::write(base, folder / "base.andes");
  test::write(point, folder / "point.andes");
  return serial_routines_of(read_run(folder / "base.andes", Detail::tree),
                            read_run(folder / "point.andes", Detail::tree));
}

} // namespace

TEST_CASE("the serial routine has the whole serial fraction, and is named alone") {
  for (const bool waits : {true, false}) {
    const SerialRoutines serial = serial_of(test::run_of({}, 1), run_of_four(waits));
    CHECK(serial.why_not.empty());
    CHECK(serial.waits_measured == waits);
    CHECK(serial.fraction == Approx(0.1));
    // Without measured waits the rank that is longest in a routine counts, and MPI does not.
    REQUIRE_FALSE(serial.routines.empty());
    const SerialRoutine& first = serial.routines.front();
    CHECK(first.path == Path{"main", "setup"});
    CHECK(first.fraction == Approx(0.1)); // (1/4 + 3/4 - 1/4) / (10 x 3/4)
    CHECK(first.more_work == Approx(0).margin(1e-9));
    CHECK(first.waiting == Approx(0.1));
    CHECK(*first.work_factor == Approx(1));
    CHECK(*first.limit_speedup == Approx(10));
    CHECK(first.is_limit);
    CHECK(serial.routines.size() == 1);
    CHECK(serial.rest == Approx(0).margin(1e-9));
  }
}

TEST_CASE("waits follow from the routine that made the rank late, not from the caller that the run names") {
  monitor::Run point = run_of_four(true);
  // main calls setup and work, and the broadcast behind each of them: main lies between all calls of the broadcast
  point.origins = {{0, test::path_broadcast, test::path_main, 1e9, 3e9, 3}};
  const SerialRoutines serial = serial_of(test::run_of({}, 1), point);
  REQUIRE(serial.routines.size() == 1);
  CHECK(serial.routines[0].path == Path{"main", "setup"});
  CHECK(serial.routines[0].waiting == Approx(0.1));
}

TEST_CASE("work that the base does by another way is not serial") {
  const SerialRoutines serial = serial_of(test::by_another_way(test::run_of({}, 1)), run_of_four(true, 10.8));
  REQUIRE(serial.routines.size() == 2);
  CHECK(serial.routines[0].path == Path{"main", "setup"});
  CHECK(serial.routines[0].fraction == Approx(0.1));
  CHECK(serial.routines[1].path == Path{"main", "work", "sweep"});
  CHECK(serial.routines[1].more_work == Approx(0.06));
  CHECK(*serial.routines[1].work_factor == Approx(1.2));
  CHECK(serial.rest == Approx(0).margin(1e-9));
}

TEST_CASE("of a function that the base does not call it is said that it computes nothing there") {
  monitor::Run base = test::run_of({}, 1);
  for (auto& region : base.regions)
    if (region.name == "sweep") region.name = "sweep_alone";
  const SerialRoutines serial = serial_of(base, run_of_four(true));
  REQUIRE_FALSE(serial.routines.empty());
  CHECK(serial.routines[0].path == Path{"main", "work", "sweep"});
  CHECK_FALSE(serial.routines[0].work_factor);
  CHECK_THAT(serial_routines_text(Terminal{}, serial),
             Catch::Matchers::Contains("of the serial fraction: it computes nothing at 1 rank."));
}

TEST_CASE("more computation in sum is told apart from waiting") {
  // 10.8 s in sum on four ranks in the place of 9: T = 1 + 2.7, f = (0.37 - 0.25) / 0.75 = 0.16, of it 0.1 setup.
  const SerialRoutines serial = serial_of(test::run_of({}, 1), run_of_four(true, 10.8));
  CHECK(serial.fraction == Approx(0.16));
  REQUIRE(serial.routines.size() == 2);
  const SerialRoutine& sweep = serial.routines[1];
  CHECK(sweep.path == Path{"main", "work", "sweep"});
  CHECK(sweep.fraction == Approx(0.06));
  CHECK(sweep.more_work == Approx(0.06));
  CHECK(*sweep.work_factor == Approx(1.2));
  CHECK(sweep.is_limit);
}

TEST_CASE("figures of a call path whose time is estimated are marked") {
  using namespace run_file;
  monitor::Run point = run_of_four(true, 10.8);
  test::set_values(point, test::path_sweep, sampled_visits, {90, 90, 90, 90});
  test::set_values(point, test::path_sweep, timed_visits, {30, 30, 30, 30});
  test::set_values(point, test::path_sweep, below_ns2, {3.6e15, 6.4e15, 0, 0}); // 0.1 s in sum
  test::set_values(point, test::path_sweep, above_ns2, {9e16, 1.6e17, 0, 0}); // 0.5 s
  const SerialRoutines serial = serial_of(test::run_of({}, 1), point);
  REQUIRE(serial.routines.size() == 2);
  CHECK_FALSE(serial.routines[0].more_work_error.estimated);
  const SamplingError& error = serial.routines[1].more_work_error;
  CHECK(error.estimated);
  CHECK(error.reliable);
  CHECK(serial.routines[1].is_limit);
  CHECK(error.below == Approx(0.1 / 4 / 7.5));
  CHECK(error.above == Approx(0.5 / 4 / 7.5));
  const Table table = columns::text_table(columns::serial_routines(), serial.routines);
  REQUIRE(table.rows.size() == 2);
  const auto texts = [&](std::size_t row) {
    std::string line;
    for (std::size_t cell = 2; cell < table.rows[row].size(); ++cell) line += table.rows[row][cell].text + ' ';
    return line;
  };
  CHECK(texts(0) == "0.100 0.000 0.100 1.00 10.0 ");
  CHECK(texts(1) == "~0.060 ~0.060 ~0.000 ~1.20 ~16.7 ");
  const Json rows = columns::json_rows(columns::serial_routines(), serial.routines);
  CHECK_FALSE(rows[0].contains("estimated"));
  CHECK(rows[1]["estimated"] == true);
  CHECK(rows[1]["reliable"] == true);
}

TEST_CASE("what may be serial by chance of sampling alone is not named") {
  using namespace run_file;
  monitor::Run point = run_of_four(true, 10.8);
  test::set_values(point, test::path_sweep, sampled_visits, {90, 90, 90, 90});
  test::set_values(point, test::path_sweep, timed_visits, {30, 30, 30, 30});
  test::set_values(point, test::path_sweep, below_ns2, {3.24e18, 0, 0, 0}); // 1.8 s, which is all of it
  test::set_values(point, test::path_sweep, above_ns2, {3.24e18, 0, 0, 0});
  const SerialRoutines serial = serial_of(test::run_of({}, 1), point);
  REQUIRE(serial.routines.size() == 2);
  CHECK(serial.routines[0].is_limit);
  CHECK(serial.routines[1].fraction == Approx(0.06));
  CHECK_FALSE(serial.routines[1].is_limit);
}

TEST_CASE("from a base of two ranks fractions are those of the program") {
  monitor::Run base = test::run_of({}, 2);
  test::measure_waits(base);
  test::add_waits(base, {"late_broadcast", test::path_broadcast, {0, 1}, test::path_broadcast, 0});
  base.origins = {{0, test::path_broadcast, test::path_setup, 1e9, 1e9, 1}};
  const SerialRoutines serial = serial_of(base, run_of_four(true));
  CHECK(serial.fraction == Approx(0.1));
  REQUIRE(serial.routines.size() == 1);
  CHECK(serial.routines[0].fraction == Approx(0.1));
}

TEST_CASE("one number of ranks has no serial fractions") {
  CHECK(serial_of(run_of_four(true), run_of_four(true)).why_not == "it takes runs with several numbers of ranks");
}
