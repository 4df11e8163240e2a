// Changes between two builds, from run files: T(p) = serial + parallel/p (run_maker.h), so that all answers can be
// computed by hand. Repeats differ by a tenth of a per cent each, unless told.
#include "postproc/analysis/changes.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

#include "postproc/view/diff_summary.h"
#include "postproc/view/diff_view.h"
#include "tests/postproc/diff_trials.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::Program;
using test::TemporaryDirectory;

namespace {

using Edit = std::function<void(Run&)>;

/// Two builds; `runs` of each size.
struct Builds {
  TemporaryDirectory directory;
  std::vector<std::string> before, after;
  std::vector<double> scales{1, 1.001, 1.002, 1.003, 1.004, 1.005};

  void add(std::vector<std::string>& side, const Program& program, int ranks, const Edit& edit = {}) {
    for (const double scale : scales) {
      Run run = test::run_of(program, ranks, scale);
      if (edit) edit(run);
      side.push_back(directory / fmt::format("{:03}.andes", before.size() + after.size()));
      test::write(run, side.back());
    }
  }
  Build build(const std::vector<std::string>& files, unsigned stream) const {
    return read_series(files, false, [](const Refusal&) { FAIL("a run was skipped"); }, stream).builds.back();
  }
  Changes changes(double margin = 3) const { return changes_of(build(before, 0), build(after, 1), margin); }
  Diff diff() const {
    const Build old_build = build(before, 0), new_build = build(after, 1);
    const auto size = read_common_size(old_build, new_build, false);
    return {compare(old_build, new_build, *size, nullptr, false), changes_of(old_build, new_build, 3, &*size), false};
  }
};

Program other(double serial_s) {
  Program program;
  program.hash = "bb";
  program.started = "2026-11-21T12:00:00Z";
  program.serial_s = serial_s;
  return program;
}

const PathChange* path(const SizeChanges& size, const std::string& name) {
  for (const PathChange& p : size.paths)
    if (p.path.back() == name) return &p;
  return nullptr;
}

const TermChange* term(const std::vector<TermChange>& terms, const std::string& name) {
  for (const TermChange& t : terms)
    if (t.name == name) return &t;
  return nullptr;
}

constexpr double middle = 1.0025; // scale of the middle runs

/// Three threads in no team that compute all the time.
void with_threads(Run& run) {
  LocationRow thread = run.locations.back();
  thread.compute_ns = thread.wall_ns;
  thread.communication_ns = 0;
  for (thread.thread = 1; thread.thread <= 3; ++thread.thread) {
    run.locations.push_back(thread);
    for (Column& column : run.columns) column.values.push_back(0);
  }
}

} // namespace

TEST_CASE("what another build does to T, to its terms and to call paths, at every size of both") {
  Builds builds;
  for (const int ranks : {1, 4}) {
    builds.add(builds.before, {}, ranks);
    builds.add(builds.after, other(0.5), ranks);
  }
  builds.add(builds.after, other(0.5), 8);
  const Changes changes = builds.changes();
  REQUIRE(changes.sizes.size() == 2);
  CHECK(changes.callpaths == 6);
  CHECK(changes.matched == 6);
  CHECK(changes.unlike.empty());
  const SizeChanges& size = changes.sizes[1];
  CHECK(size.ranks == 4);
  CHECK(size.time.verdict == ChangeVerdict::faster);
  CHECK(size.time.change_s.median == Approx(-0.5 * middle));
  // Of each of four cores: 1/4 of what setup computes less on one, 3/4 of the others' waits for it.
  REQUIRE(size.terms.size() == 2);
  CHECK(size.terms[0].name == "communication_source");
  CHECK(size.terms[0].change_s == Approx(-0.375 * middle));
  CHECK(size.terms[0].changed);
  CHECK(size.terms[1].name == "computation");
  CHECK(size.terms[1].change_s == Approx(-0.125 * middle));
  CHECK(size.terms[0].change_s + size.terms[1].change_s == Approx(size.time.change_s.median));
  // main is charged with its MPI_Bcast; work, which only calls, is not tested.
  REQUIRE(size.paths.size() == 3);
  CHECK(size.paths[0].path.back() == "main");
  CHECK(size.paths[0].figures.verdict == ChangeVerdict::faster);
  CHECK(size.paths[0].figures.change_s.median == Approx(-0.375 * middle));
  CHECK(size.paths[1].path.back() == "setup");
  CHECK(size.paths[1].figures.verdict == ChangeVerdict::faster);
  REQUIRE(term(size.paths[1].terms, "computation"));
  CHECK(term(size.paths[1].terms, "computation")->changed);
  CHECK(size.paths[2].path.back() == "sweep");
  CHECK(size.paths[2].figures.verdict == ChangeVerdict::equal);
  CHECK(changes.tested == 5); // at one rank nobody waits
}

TEST_CASE("what another build computes longer without a core is no computation of it") {
  const auto wait = [](double seconds) {
    return [seconds](Run& run) { run.locations[0].core_wait_ns = std::llround(seconds * 1e9); };
  };
  Builds builds;
  builds.add(builds.before, {}, 1, wait(0));
  builds.add(builds.after, other(3), 1, wait(2)); // 12 s in place of 10 s
  const SizeChanges apart = builds.changes().sizes.at(0);
  REQUIRE(term(apart.terms, "core_wait"));
  CHECK(term(apart.terms, "core_wait")->change_s == Approx(2));
  REQUIRE(term(apart.terms, "computation"));
  CHECK(term(apart.terms, "computation")->change_s == Approx(2 * middle - 2));
  Builds of_before; // whose waits are not known
  of_before.add(of_before.before, {}, 1);
  of_before.add(of_before.after, other(3), 1, wait(2));
  const SizeChanges together = of_before.changes().sizes.at(0);
  CHECK_FALSE(term(together.terms, "core_wait"));
  REQUIRE(term(together.terms, "computation"));
  CHECK(term(together.terms, "computation")->change_s == Approx(2 * middle));
}

TEST_CASE("threads in no team share the seconds of a change") {
  // Beside two ranks with T = 5.5 s, then 5 s, three threads that compute as long: five threads of 0.5 s less.
  Builds builds;
  builds.add(builds.before, {}, 2, with_threads);
  builds.add(builds.after, other(0.5), 2, with_threads);
  const SizeChanges size = builds.changes().sizes.front();
  CHECK(size.time.change_s.median == Approx(-0.5 * middle));
  CHECK(size.cores == 2);
  CHECK(size.other_threads_s == Approx(3 * 5 * middle));
  REQUIRE(size.terms.size() == 2);
  CHECK(size.terms[0].name == "computation");
  CHECK(size.terms[0].change_s == Approx(-0.4 * middle)); // of setup and of the three, 2 s over five
  CHECK(size.terms[1].name == "communication_source");
  CHECK(size.terms[1].change_s == Approx(-0.1 * middle));
  CHECK(path(size, "setup")->figures.change_s.median == Approx(-0.1 * middle));
  CHECK_THAT(diff_text({}, builds.diff()), Catch::Contains("Seconds of each thread at 2 ranks: computation -0.4"));
  CHECK(nlohmann::json::parse(diff_json(builds.diff()))["sizes"][0]["other_threads_s"].get<double>() ==
        Approx(3 * 5 * middle));
}

TEST_CASE("threads of one build alone do not change the seconds of call paths") {
  Builds builds;
  builds.add(builds.before, {}, 2);
  builds.add(builds.after, {}, 2, with_threads);
  const SizeChanges size = builds.changes().sizes.front();
  for (const char* name : {"setup", "sweep"}) {
    REQUIRE(path(size, name));
    CHECK(path(size, name)->figures.verdict == ChangeVerdict::equal);
    CHECK(path(size, name)->figures.change_s.median == Approx(0).margin(1e-9));
  }
  const TermChange* const computation = term(size.terms, "computation");
  REQUIRE(computation);
  CHECK(computation->after_s - computation->before_s == Approx(computation->change_s)); // of the three, shared by five
}

TEST_CASE("the same build, or one that does the same, is equal within the margin") {
  for (const std::string hash : {"00000000000000aa", "bb"}) {
    Builds builds;
    Program after;
    after.hash = hash;
    builds.add(builds.before, {}, 4);
    builds.add(builds.after, after, 4);
    const SizeChanges size = builds.changes().sizes.front();
    CHECK(size.time.verdict == ChangeVerdict::equal);
    for (const PathChange& p : size.paths) CHECK(p.figures.verdict == ChangeVerdict::equal);
    const std::string text = diff_text({}, builds.diff());
    CHECK(text.starts_with("Equal within 3 % at 4 ranks"));
  }
}

TEST_CASE("what noise hides cannot be told, and how many runs would") {
  Builds builds;
  builds.scales = {0.8, 0.9, 1, 1.1, 1.2, 1.3};
  builds.add(builds.before, {}, 4);
  builds.add(builds.after, other(1.05), 4);
  const SizeChanges size = builds.changes().sizes.front();
  CHECK(size.time.verdict == ChangeVerdict::undecided);
  REQUIRE(size.time.more_runs);
  // T is 3.25 s x scale, of spread 0.608 s and 0.617 s; the difference 0.0525 s is nearer to the margin, 0.1024 s, than
  // to zero: 2 (0.6126 x 2.487 / 0.0499)^2 or 2 (0.6126 x 2.802 / 0.0525)^2 runs.
  CHECK(*size.time.more_runs > 1800);
  CHECK(*size.time.more_runs < 2200);
  CHECK(path(size, "sweep")->figures.verdict == ChangeVerdict::undecided);
  CHECK(path(size, "setup")->figures.verdict == ChangeVerdict::equal); // 0.26 s, whose noise is below the margin
  Builds single;
  single.scales = {1};
  single.add(single.before, {}, 4);
  single.add(single.after, other(2), 4);
  const SizeChanges one = single.changes().sizes.front();
  CHECK(one.time.verdict == ChangeVerdict::undecided);
  CHECK_FALSE(one.time.more_runs);
  CHECK(diff_text({}, single.diff()).find("single runs") != std::string::npos);
}

TEST_CASE("sizes with more ranks than cores are marked, and one run is no runs") {
  Builds builds;
  builds.scales = {0.99, 1.01};
  for (const int ranks : {2, 4}) {
    const auto on_two_cores = [ranks](Run& run) { run.facts["oversubscribed"] = std::int64_t{ranks > 2}; };
    builds.add(builds.before, {}, ranks, on_two_cores);
    builds.add(builds.after, other(0.5), ranks, on_two_cores);
  }
  const Changes changes = builds.changes();
  CHECK_FALSE(changes.sizes[0].oversubscribed);
  CHECK(changes.sizes[1].oversubscribed);
  const std::string text = diff_text({}, builds.diff());
  CHECK(text.find("\n     4* ") != std::string::npos);
  CHECK_THAT(text, Catch::Contains("  ranks  time    "));
  CHECK_THAT(text, Catch::Contains("  5.500 -> 5.000 s  "));
  CHECK(text.find("\n  *: more ranks than cores") != std::string::npos);
  ChangeFigures figures;
  figures.more_runs = 1;
  CHECK(verdict_text(figures, 3) == "cannot be told: about 1 more run");
  figures.more_runs = 1.6;
  CHECK(verdict_text(figures, 3) == "cannot be told: about 2 more runs");
}

TEST_CASE("different MPI libraries of the two builds are told, at the sizes of both") {
  Builds builds;
  builds.add(builds.before, {}, 2);
  builds.add(builds.after, other(0.5), 2);
  CHECK(builds.diff().comparison.notes.empty());
  CHECK_FALSE(nlohmann::json::parse(diff_json(builds.diff())).contains("notes"));
  Builds mpich;
  mpich.add(mpich.before, {}, 2);
  mpich.add(mpich.after, other(0.5), 2, [](Run& run) { run.facts["mpi_library"] = std::string("MPICH 4.0.2"); });
  const std::string note = "the builds ran with different MPI libraries (Open MPI v4.1.4 before, MPICH 4.0.2 after), "
                           "whose effect is counted as a change of the build";
  CHECK(mpich.diff().comparison.notes == std::vector<std::string>{note});
  CHECK(nlohmann::json::parse(diff_json(mpich.diff()))["notes"][0] == note);
  CHECK(diff_text({}, mpich.diff()).find("\n  Beware: the builds ran with different MPI") != std::string::npos);
  builds.add(builds.after, other(0.5), 4, [](Run& run) { run.facts["mpi_library"] = std::string("MPICH 4.0.2"); });
  CHECK(builds.diff().comparison.notes.empty());
}

TEST_CASE("different processors of the two builds are told, at the sizes of both") {
  const auto on = [](const char* cpu) { return [cpu](Run& run) { run.hosts.front().cpu = cpu; }; };
  Builds builds;
  builds.add(builds.before, {}, 2);
  builds.add(builds.after, other(0.5), 2, on("another one"));
  const std::string note = "the builds ran on different processors (a processor before, another one after), whose "
                           "effect is counted as a change of the build";
  CHECK(builds.diff().comparison.notes == std::vector<std::string>{note});
  CHECK(nlohmann::json::parse(diff_json(builds.diff()))["notes"][0] == note);
  CHECK(diff_text({}, builds.diff()).find("\n  Beware: the builds ran on different processors") != std::string::npos);
  Builds unknown;
  unknown.add(unknown.before, {}, 2);
  unknown.add(unknown.after, other(0.5), 2, on(""));
  unknown.add(unknown.after, other(0.5), 4, on("another one")); // a size that the older build does not have
  CHECK(unknown.diff().comparison.notes.empty());
}

TEST_CASE("new, vanished and renamed call paths") {
  Builds builds;
  builds.add(builds.before, {}, 4);
  builds.add(builds.after, other(1), 4, [](Run& run) {
    run.regions[test::path_sweep].name = "sweep_rows"; // as often from the same caller, a similar name
    run.regions[test::path_setup] = {"read_input", "function", "input.c", 3};
  });
  const Diff diff = builds.diff();
  const SizeChanges& size = diff.changes.sizes.front();
  const PathChange *sweep = path(size, "sweep_rows"), *setup = path(size, "setup"), *input = path(size, "read_input");
  REQUIRE(sweep);
  CHECK(sweep->was == std::vector<std::string>{"main", "work", "sweep"});
  CHECK(sweep->guess.by == Likeness::renamed);
  CHECK(sweep->figures.verdict == ChangeVerdict::equal);
  REQUIRE(setup);
  CHECK(setup->vanished);
  CHECK(setup->figures.verdict == ChangeVerdict::faster);
  CHECK(setup->figures.change_s.median == Approx(-0.25 * middle));
  REQUIRE(input);
  CHECK(input->is_new);
  CHECK(input->figures.verdict == ChangeVerdict::slower);
  CHECK(diff.changes.unlike.size() == 3);
  CHECK(diff.changes.matched == 5);
  const std::string text = diff_text({}, diff);
  CHECK(text.find("5 of 7 call paths are in both builds, 1 new, 1 vanished; 1 of them guessed (1 renamed") !=
        std::string::npos);
  const auto json = nlohmann::json::parse(diff_json(diff));
  CHECK(json["identity"]["unlike"][1]["path"] == nlohmann::json({"main", "work", "sweep_rows"}));
  CHECK(json["identity"]["unlike"][1]["guessed"] == "renamed");
  CHECK(json["identity"]["unlike"][2]["was"] == nlohmann::json({"main", "setup"}));
  CHECK(json["sizes"][0]["verdict"] == "equal");
  CHECK(json["callpaths"].is_array()); // of before
}

TEST_CASE("counters say why a call path computes more") {
  const auto counted = [](double instructions, double cycles) {
    return [=](Run& run) {
      run.facts["counters"] = std::string(R"(["PAPI_TOT_INS", "PAPI_TOT_CYC"])");
      for (const auto& [event, count] : {std::pair("PAPI_TOT_INS", instructions), std::pair("PAPI_TOT_CYC", cycles)}) {
        const int metric = test::metric_of(run, event, "");
        for (const int at : {test::path_root, test::path_main, test::path_work, test::path_sweep})
          test::set_values(run, at, metric, {count});
      }
    };
  };
  // 9 s become 18 s: twice the cycles, for twice the instructions.
  Builds builds;
  builds.add(builds.before, {}, 1, counted(9e9, 18e9));
  Program after = other(1);
  after.parallel_s = 18;
  builds.add(builds.after, after, 1, counted(18e9, 36e9));
  const SizeChanges size = builds.changes().sizes.front();
  const PathChange* sweep = path(size, "sweep");
  REQUIRE(sweep);
  CHECK(sweep->figures.verdict == ChangeVerdict::slower);
  REQUIRE(sweep->computation);
  CHECK(sweep->computation->instructions_s == Approx(9 * middle));
  CHECK(sweep->computation->per_cycle_s == Approx(0).margin(1e-9));
  CHECK(sweep->computation->frequency_s == Approx(0).margin(1e-9));
}

TEST_CASE("of hundreds of call paths that did not change none is claimed, and those that did are found") {
  const test::DiffTrials same = test::diff_trials({}, 2, 20261125); // the seed is fixed; ./setup diff-trials makes many
  CHECK(same.tested > 200);
  CHECK(same.claims == 0);
  const test::DiffTrials planted = test::diff_trials({.planted = 20}, 2, 20261125);
  CHECK(planted.false_rate < 0.15);
  CHECK(planted.found > 0.6 * static_cast<double>(planted.planted));
}
