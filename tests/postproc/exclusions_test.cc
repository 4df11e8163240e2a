// Which functions of a run `andes filter` leaves out, and what closed ones may cost: on a made-up run of main over setup
// and MPI_Bcast, and work over sweep (run_maker.h). tests/command/test_filter.py has the command.
#include <catch2/catch.hpp>

#include "postproc/analysis/closed_visits.h"
#include "postproc/analysis/exclusions.h"
#include "postproc/analysis/warnings.h"
#include "postproc/model/read_run.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using namespace andes::test;

namespace {

/// Four ranks, T = 3.25 s; a pair of probes takes 20 ns.
Run hot_run() {
  Run run = run_of({}, 4);
  run.facts.named("probe_ns") = 20.0;
  run.facts.named("sampled_probe_ns") = 2.0;
  return run;
}

/// So many visits in each rank, of so many ns.
void set_visits(Run& run, int callpath, double visits, double visit_ns) {
  set_values(run, callpath, run_file::visits, std::vector<double>(4, visits));
  set_values(run, callpath, run_file::inclusive_ns, std::vector<double>(4, visits * visit_ns));
}

/// All but `timed` of them in each rank were made while the function was closed.
void set_closed(Run& run, int callpath, double visits, double timed) {
  set_values(run, callpath, run_file::sampled_visits, std::vector<double>(4, visits));
  set_values(run, callpath, run_file::timed_visits, std::vector<double>(4, timed));
  set_values(run, callpath, run_file::visits_above2, std::vector<double>(4, 100));
}

Profile written(const Run& run) {
  const TemporaryDirectory directory;
  test::write(run, directory / "a.andes");
  return read_run(directory / "a.andes", Detail::tree);
}

} // namespace

TEST_CASE("functions above MPI are left out as others, those that call it are not") {
  // main > setup > work > sweep, a call of MPI: visits of 5 ns in both.
  Run run = hot_run();
  run.callpaths[path_work].parent = path_setup;
  run.regions[std::size_t(run.callpaths[path_sweep].region)].kind = "send";
  for (const int callpath : {path_setup, path_work}) set_visits(run, callpath, 1e6, 5);
  const Exclusions exclusions = exclusions_of({written(run)}, 100);
  REQUIRE(exclusions.functions.size() == 1);
  CHECK(exclusions.functions[0].name == "setup");
}

TEST_CASE("closed functions come by their visits, and cost what those took that were timed") {
  Run run = hot_run();
  set_visits(run, path_setup, 1e6, 5);
  set_closed(run, path_setup, 1e6, 10'000);
  set_visits(run, path_sweep, 2e6, 5);
  set_closed(run, path_sweep, 2e6, 1000);
  const Exclusions exclusions = exclusions_of({written(run)}, 100);
  REQUIRE(exclusions.functions.size() == 2);
  CHECK(exclusions.functions[0].name == "sweep");
  CHECK(exclusions.functions[1].closed);
  // 4 x 10,000 x 20 ns of 13 s.
  CHECK(exclusions.functions[1].saved_percent == Approx(100 * 4e4 * 20e-9 / 13));
}

TEST_CASE("visits of closed functions are told where what their probes prevent may matter") {
  Run run = hot_run();
  set_visits(run, path_setup, 1e8, 2);
  set_visits(run, path_sweep, 2e8, 2);
  CHECK(closed_visits(written(run)).visits == 0); // none is closed
  set_closed(run, path_setup, 1e8, 1000);
  set_closed(run, path_sweep, 2e8, 1000);
  const ClosedVisits closed = closed_visits(written(run));
  CHECK(closed.visits == Approx(1.2e9));
  CHECK(closed.percent == Approx(100 * 1.2e9 * 0.7e-9 / 13));
  CHECK(closed.functions == std::vector<std::string>{"sweep", "setup"});
  std::vector<Warning> warnings;
  add_closed_warning(closed, 4, Axis::ranks, warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].text.starts_with(
      "functions were entered 1200 million times while their probes were out of use at 4 "
      "ranks (sweep, setup): what these keep the compiler from may take some 6 % of p x T"));
  add_closed_warning({.visits = 1e8, .percent = 1.9, .functions = {"sweep"}}, 4, Axis::ranks, warnings);
  CHECK(warnings.size() == 1);
}
