// Instructions and cycles by hand: factors of the program and of call paths over sizes, bounds, and what is said
// where they were not counted.
#include "postproc/analysis/processor.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "postproc/analysis/report.h"
#include "postproc/view/views.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::TemporaryDirectory;

namespace {

/// Inclusive counts of an event in the run of `ranks`: setup's on rank 0, the broadcast's on each other one, the
/// sweep's on every rank.
void count(Run& run, const std::string& event, double setup, double broadcast, double sweep) {
  const int metric = test::metric_of(run, event, "");
  const std::size_t ranks = run.locations.size();
  std::vector<double> all(ranks), in_setup(ranks), in_broadcast(ranks, broadcast), in_sweep(ranks, sweep);
  in_setup[0] = setup;
  in_broadcast[0] = 0;
  for (std::size_t i = 0; i < ranks; ++i) all[i] = in_setup[i] + in_broadcast[i] + in_sweep[i];
  test::set_values(run, test::path_root, metric, all);
  test::set_values(run, test::path_main, metric, all);
  test::set_values(run, test::path_setup, metric, in_setup);
  test::set_values(run, test::path_broadcast, metric, in_broadcast);
  test::set_values(run, test::path_work, metric, in_sweep);
  test::set_values(run, test::path_sweep, metric, in_sweep);
}

/// Serial 1 s, parallel 9 s. At one rank 1 s x 2 GHz with 2 instructions a cycle in setup, 9 s x 2 GHz with 1 in
/// sweep; at two ranks sweep has 25 % more instructions, runs at 1.5 GHz, and has 5/6 instructions a cycle.
struct Files {
  TemporaryDirectory directory;
  std::vector<std::string> names;
  void add(int ranks, const std::function<void(Run&)>& change) {
    Run run = test::run_of({}, ranks);
    change(run);
    names.push_back(directory / fmt::format("{}.andes", names.size()));
    test::write(run, names.back());
  }
  Report report() const {
    return report_of(read_series(names, false, [](const Refusal&) { FAIL("a run was skipped"); }), nullptr, false);
  }
};

void add_counted(Files& files) {
  files.add(1, [](Run& run) {
    run.facts["counters"] = std::string(R"(["PAPI_TOT_INS", "PAPI_TOT_CYC"])");
    count(run, "PAPI_TOT_INS", 4e9, 0, 18e9);
    count(run, "PAPI_TOT_CYC", 2e9, 0, 18e9);
  });
  files.add(2, [](Run& run) { // 4.5 s of sweep on each; what the broadcast spins is left out
    run.facts["counters"] = std::string(R"(["PAPI_TOT_INS", "PAPI_TOT_CYC"])");
    count(run, "PAPI_TOT_INS", 4e9, 77e9, 5.625e9);
    count(run, "PAPI_TOT_CYC", 2e9, 99e9, 6.75e9);
  });
}

} // namespace

TEST_CASE("computation scalability is the product of instructions, IPC and frequency, in useful work alone") {
  Files files;
  add_counted(files);
  const Report report = files.report();
  const Processor& p = report.processor;
  CHECK(p.why_not.empty());
  REQUIRE(p.points.size() == 2);
  CHECK(p.points[0].work.per_cycle() == Approx(22.0 / 20));
  CHECK(p.points[0].work.frequency_hz() == Approx(2e9));
  CHECK(p.points[0].scaling.computation == Approx(1));
  const ProcessorPoint& two = p.points[1];
  CHECK(two.work.useful_s == Approx(10));
  CHECK(two.work.instructions == Approx(4e9 + 2 * 5.625e9));
  CHECK(two.work.cycles == Approx(2e9 + 2 * 6.75e9));
  CHECK(two.scaling.computation == Approx(1));
  CHECK(two.scaling.instructions == Approx(22 / 15.25));
  CHECK(two.scaling.per_cycle == Approx(15.25 / 15.5 / 1.1));
  CHECK(two.scaling.frequency == Approx(1.55e9 / 2e9));
  CHECK(two.scaling.computation == Approx(two.scaling.instructions * two.scaling.per_cycle * two.scaling.frequency));
  REQUIRE(p.paths.size() == 2); // work and main have no work of their own
  CHECK(p.paths[0].path.back() == "sweep");
  CHECK(p.paths[0].percent == Approx(90));
  CHECK(p.paths[0].scaling->instructions == Approx(18 / 11.25));
  CHECK(p.paths[0].scaling->per_cycle == Approx(5 / 6.0));
  CHECK(p.paths[0].scaling->frequency == Approx(0.75));
  CHECK(p.paths[0].bound == Bound::unknown);
  CHECK(p.paths[1].scaling->per_cycle == Approx(1));
  const auto json = nlohmann::json::parse(report_json(report));
  CHECK(json["processor"]["callpaths"][0]["scaling"]["frequency"].get<double>() == Approx(0.75));
  CHECK(report_text({}, report, true).find("Computation scalability") != std::string::npos);
  const std::string csv = report_csv(report);
  CHECK(csv.find("\n\nranks,useful_s,instructions,cycles,") != std::string::npos);
  CHECK(csv.find("\n\npath,kind,file,line,percent,useful_s,") != std::string::npos);
  CHECK(csv.find("\nmain/work/sweep,") != std::string::npos);
  CHECK(csv.find(",1,1.6,") != std::string::npos); // scaling of sweep: computation, instructions
}

TEST_CASE("bounds are told by stalls, else by misses, else not at all") {
  const auto bound = [](double instructions, std::optional<double> stalls, std::optional<double> misses) {
    return bound_of({1, instructions, 1e9, stalls, misses});
  };
  CHECK(bound(2e9, 0.5e9, {}) == Bound::memory);
  CHECK(bound(2e9, 0.2e9, {}) == Bound::compute);
  CHECK(bound(2e9, 0.3e9, {}) == Bound::mixed);
  CHECK(bound(1e9, 0.1e9, 50e6) == Bound::compute); // stalls say more than misses
  CHECK(bound(1e9, {}, 10e6) == Bound::memory);     // 10 in a thousand
  CHECK(bound(1e9, {}, 1e6) == Bound::compute);
  CHECK(bound(1e9, {}, 5e6) == Bound::mixed);
  CHECK(bound(0.4e9, {}, 0.1e6) == Bound::low_ipc);
  CHECK(bound(0.4e9, {}, {}) == Bound::low_ipc);
  CHECK(bound(2e9, {}, {}) == Bound::unknown);
  CHECK(bound_of({}) == Bound::unknown);
}

TEST_CASE("events that tell of memory are found by their names") {
  Files files;
  files.add(1, [](Run& run) {
    run.facts["counters"] = std::string(R"(["perf::INSTRUCTIONS:u", "perf::CYCLES:u", "perf::LLC-LOAD-MISSES:u"])");
    count(run, "perf::INSTRUCTIONS:u", 1e9, 0, 10e9);
    count(run, "perf::CYCLES:u", 1e9, 0, 10e9);
    count(run, "perf::LLC-LOAD-MISSES:u", 0.1e6, 0, 200e6);
  });
  const Report report = files.report();
  REQUIRE(report.processor.paths.size() == 2);
  CHECK(report.processor.paths[0].bound == Bound::memory);
  CHECK(report.processor.paths[1].bound == Bound::compute);
  CHECK(report.processor.rule.find("last-level cache misses") != std::string::npos);
  CHECK(report_text({}, report, true).find("memory-bound") != std::string::npos);
}

TEST_CASE("without counters the report says in a line what it cannot tell") {
  Files files;
  files.add(1, [](Run&) {});
  files.add(2, [](Run&) {});
  const Report report = files.report();
  CHECK(report.processor.points.empty());
  CHECK(report.processor.why_not.find("counters=PAPI_TOT_INS,PAPI_TOT_CYC") != std::string::npos);
  CHECK(report_text({400, false, false}, report, true).find("are unknown: the runs have not counted") !=
        std::string::npos);
  CHECK(nlohmann::json::parse(report_json(report))["processor"]["counted"] == false);
  Files refused;
  refused.add(1, [](Run& run) {
    run.facts["counters"] = std::string("[]");
    run.facts["counters_missing"] = std::string(R"([{"event": "PAPI_TOT_INS", "reason": "no such event here"}])");
  });
  CHECK(refused.report().processor.why_not == "PAPI_TOT_INS: no such event here");
}
