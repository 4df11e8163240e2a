// Gates of made-up runs: pairs, verdicts, the call path that became longer, and what makes a verdict doubtful.
#include "postproc/analysis/gate.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "postproc/view/gate_view.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::TemporaryDirectory;

namespace {

/// Pairs of runs on two ranks: T = serial + parallel / 2, the core time twice that.
struct Pairs {
  TemporaryDirectory directory;
  std::vector<std::string> base, newer;

  /// `change` alters the facts of a run before it is written.
  void add(const test::Program& program, bool is_newer, int repeat, double scale,
           const std::function<void(Run&)>& change = nullptr) {
    Run run = test::run_of(program, 2, scale);
    run.facts["repeat"] = std::int64_t{repeat};
    run.facts["started"] = fmt::format("2026-11-20T12:00:{:02}Z", repeat);
    if (change) change(run);
    const std::string file = directory / fmt::format("{}-{:03}.andes", is_newer ? "new" : "base", repeat);
    test::write(run, file);
    (is_newer ? newer : base).push_back(file);
  }

  Gate gate(const GateOptions& options = {}) const {
    const auto read = [](const std::vector<std::string>& files) {
      return read_series(files, false, [](const Refusal&) { FAIL("a run was skipped"); });
    };
    const Series before = read(base), after = read(newer);
    return gate_of(before.builds.back(), after.builds.back(), options);
  }
};

const test::Program as_it_was{.serial_s = 1, .parallel_s = 9};

/// T grows from 5.5 to 5.86 s, by 6.55 %, and the core time of sweep from 9 to 9.72 s, of 11 in all.
const test::Program slower_sweep{.serial_s = 1, .parallel_s = 9.72, .hash = "00000000000000bb"};

/// Noise of a pair, on one side.
double jitter(int repeat) { return 1 + 0.0005 * (repeat % 3 - 1); }

void add_pairs(Pairs& pairs, int count, const test::Program& newer,
               const std::function<void(Run&)>& change_newer = nullptr) {
  for (int repeat = 1; repeat <= count; ++repeat) {
    pairs.add(as_it_was, false, repeat, jitter(repeat));
    pairs.add(newer, true, repeat, jitter(repeat + 1), change_newer);
  }
}

/// `wall_s`: of the command; 0: as long as its run.
void disturb(Run& run, double others_s, double wall_s = 0) {
  run.facts["command_wall_ns"] = run.facts["wall_ns"];
  if (wall_s > 0) run.facts["command_wall_ns"] = static_cast<std::int64_t>(wall_s * 1e9);
  run.facts["others_ns"] = static_cast<std::int64_t>(others_s * 1e9);
}

} // namespace

TEST_CASE("a gate finds a regression, its call path and its term") {
  Pairs pairs;
  add_pairs(pairs, 8, slower_sweep);
  const Gate gate = pairs.gate();
  CHECK(gate.verdict == GateVerdict::regression);
  REQUIRE(gate.sizes.size() == 1);
  const GatedSize& size = gate.sizes.front();
  CHECK(size.ranks == 2);
  CHECK(size.pairs.size() == 8);
  CHECK(size.doubts.empty());
  CHECK(percent_of_log(size.judgement.log_change.middle) == Approx(100 * (5.86 / 5.5 - 1)).margin(0.1));
  CHECK(size.base_s.median == Approx(5.5).margin(0.01));
  REQUIRE(!size.changes.paths.empty());
  const ChangedPath& first = size.changes.paths.front();
  CHECK(first.path == std::vector<std::string>{"main", "work", "sweep"});
  CHECK(first.is_longer);
  CHECK(first.most.name == "computation");
  CHECK(first.whole.seconds == Approx(0.72).margin(0.02));
  CHECK(first.whole.percent.middle == Approx(100 * 0.72 / 11).margin(0.1));
  // The terms are those of the ledger; computation takes all of it.
  REQUIRE(!size.changes.terms.empty());
  CHECK(size.changes.terms.front().name == "computation");
  CHECK(size.changes.terms.front().seconds == Approx(0.72).margin(0.02));
  CHECK_THAT(cause_sentence(size), Catch::Contains("main > work > sweep") && Catch::Contains("computation"));
}

TEST_CASE("a regression in which ranks waited for a core has that as its term") {
  const auto wait = [](double seconds) {
    return [seconds](Run& run) {
      for (LocationRow& location : run.locations) location.core_wait_ns = std::llround(seconds * 1e9);
    };
  };
  Pairs pairs;
  for (int repeat = 1; repeat <= 8; ++repeat) {
    pairs.add(as_it_was, false, repeat, jitter(repeat), wait(0));
    pairs.add(slower_sweep, true, repeat, jitter(repeat + 1), wait(0.36)); // all that its T is longer
  }
  const Gate gate = pairs.gate();
  CHECK(gate.verdict == GateVerdict::regression);
  const std::vector<ChangedTerm>& terms = gate.sizes.front().changes.terms;
  REQUIRE(!terms.empty());
  CHECK(terms.front().name == "core_wait");
  CHECK(terms.front().seconds == Approx(0.72).margin(0.02));
}

TEST_CASE("a gate follows a function to another file and to another name") {
  const auto with = [](const std::string& name, const std::string& file) {
    Pairs pairs;
    add_pairs(pairs, 8, slower_sweep, [&](Run& run) {
      for (auto& region : run.regions)
        if (region.name == "sweep") region.name = name, region.file = file;
    });
    return pairs.gate();
  };
  const std::vector<std::string> was{"main", "work", "sweep"};
  const Gate moved = with("sweep", "sweeps.c");
  const ChangedPath& in_other_file = moved.sizes.front().changes.paths.front();
  CHECK(in_other_file.path == was);
  CHECK(in_other_file.was.empty());
  CHECK(in_other_file.file == "sweeps.c");
  CHECK(in_other_file.guess.by == Likeness::file);
  CHECK(in_other_file.whole.seconds == Approx(0.72).margin(0.02));
  const Gate renamed = with("sweep_all", "jacobi.c");
  const GatedSize& size = renamed.sizes.front();
  const ChangedPath& first = size.changes.paths.front();
  CHECK(first.path == std::vector<std::string>{"main", "work", "sweep_all"});
  CHECK(first.was == was);
  CHECK(first.guess.by == Likeness::renamed);
  CHECK(first.whole.seconds == Approx(0.72).margin(0.02));
  CHECK_THAT(cause_sentence(size), Catch::Contains("main > work > sweep_all") && Catch::Contains(", a guess: "));
  CHECK_THAT(gate_text(Terminal{}, renamed),
             Catch::Contains("Guess: main > work > sweep_all was main > work > sweep:"));
  const auto json = nlohmann::json::parse(gate_json(renamed));
  CHECK(json["points"][0]["callpaths"][0]["guessed"] == "renamed");
  CHECK(json["points"][0]["callpaths"][0]["was"] == nlohmann::json(was));
}

TEST_CASE("a gate of the same build twice shows that there is no regression") {
  Pairs pairs;
  add_pairs(pairs, 8, as_it_was);
  const Gate gate = pairs.gate();
  CHECK(gate.verdict == GateVerdict::no_regression);
  CHECK(cause_sentence(gate.sizes.front()).empty());
  for (const ChangedPath& path : gate.sizes.front().changes.paths) CHECK_FALSE(path.is_longer);
}

TEST_CASE("a gate with few pairs, or none, does not decide") {
  Pairs few;
  add_pairs(few, 5, slower_sweep);
  CHECK(few.gate().verdict == GateVerdict::undecided);
  Pairs none;
  none.add(as_it_was, false, 1, 1);
  none.add(slower_sweep, true, 2, 1);
  CHECK_THROWS_WITH(none.gate(), Catch::Contains("no run of the one build has a run of the other"));
  Pairs twice;
  add_pairs(twice, 2, slower_sweep);
  twice.base.push_back(twice.directory / "copy.andes");
  Run copy = test::run_of(as_it_was, 2, 1);
  copy.facts["repeat"] = std::int64_t{2};
  test::write(copy, twice.base.back());
  CHECK_THROWS_WITH(twice.gate(), Catch::Contains("which runs are pairs?"));
}

TEST_CASE("an undecided gate promises a verdict by more pairs only where the noise allows for one") {
  const auto remedy_of = [](double noise) { // alternates from pair to pair
    Pairs pairs;
    for (int repeat = 1; repeat <= 10; ++repeat) {
      pairs.add(as_it_was, false, repeat, 1);
      pairs.add(as_it_was, true, repeat, repeat % 2 ? 1 + noise : 1 / (1 + noise));
    }
    const Gate gate = pairs.gate();
    REQUIRE(gate.verdict == GateVerdict::undecided);
    return verdict_sentence(gate, gate.sizes.front()) + ". " + remarks(gate, gate.sizes.front()).front();
  };
  CHECK_THAT(remedy_of(0.03), Catch::Contains("more pairs would decide a change of 0 or of 6 %"));
  CHECK_THAT(remedy_of(0.5), Catch::Contains("10 pairs of at least 400 that the noise asks for") &&
                                 Catch::Contains("The machine is too noisy for this tolerance"));
}

TEST_CASE("runs without a run of the other build are counted and not used") {
  Pairs pairs;
  add_pairs(pairs, 8, slower_sweep);
  pairs.add(as_it_was, false, 40, 1);
  const Gate gate = pairs.gate();
  CHECK(gate.sizes.front().unpaired == 1);
  CHECK(gate.sizes.front().pairs.size() == 8);
  CHECK(gate.verdict == GateVerdict::regression);
}

TEST_CASE("a gate is undecided where the same build differs from itself by more than the tolerance") {
  Pairs pairs;
  // Every run is 4 % slower than the one before it, in the order base new, new base: pairs say +10.9 % and +2.5 %.
  double scale = 1;
  for (int repeat = 1; repeat <= 24; ++repeat)
    for (const bool is_newer : {repeat % 2 == 0, repeat % 2 == 1}) {
      pairs.add(is_newer ? slower_sweep : as_it_was, is_newer, repeat, scale);
      scale *= 1.04;
    }
  const Gate gate = pairs.gate();
  const GatedSize& size = gate.sizes.front();
  REQUIRE(size.controls.size() == 1);
  CHECK(size.controls.front().pairs == 23);
  CHECK(percent_of_log(size.controls.front().log_change.middle) == Approx(4).margin(0.01));
  CHECK(size.judgement.verdict == GateVerdict::regression); // (10.9 + 2.5) / 2 = 6.6, without the spread
  CHECK(gate.verdict == GateVerdict::undecided);
  REQUIRE(size.doubts.size() == 1);
  CHECK_THAT(size.doubts.front(), Catch::Contains("the same build, twice in a row"));
  CHECK_THAT(size.notes.front(), Catch::Contains("in the course of the gate"));
}

TEST_CASE("a gate of one command is undecided where the programs had other arguments") {
  Pairs pairs;
  add_pairs(pairs, 8, slower_sweep, [](Run& run) { run.facts["arguments"] = R"(["4096"])"; });
  CHECK(pairs.gate().verdict == GateVerdict::regression); // they may be what was changed
  GateOptions options;
  options.only_exe = "./jacobi";
  const Gate other = pairs.gate(options);
  CHECK(other.verdict == GateVerdict::undecided);
  REQUIRE(other.sizes.front().doubts.size() == 1);
  CHECK(other.sizes.front().doubts.front() == R"(the older runs had the arguments ["2048"], the new ones ["4096"])");
  Pairs same;
  add_pairs(same, 8, slower_sweep);
  CHECK(same.gate(options).verdict == GateVerdict::regression);
}

TEST_CASE("a gate is undecided where one build was disturbed more than the other") {
  const auto gate_with = [](double others_s, int count = 12) {
    Pairs pairs;
    for (int repeat = 1; repeat <= count; ++repeat) {
      pairs.add(as_it_was, false, repeat, jitter(repeat), [](Run& run) { disturb(run, 0.05); });
      pairs.add(slower_sweep, true, repeat, jitter(repeat + 1), [&](Run& run) { disturb(run, others_s); });
    }
    return pairs.gate();
  };
  const Gate disturbed = gate_with(1); // 1 / 5.86 cores against 0.05 / 5.5: 0.16 more, which may explain 6.5 %
  CHECK(disturbed.verdict == GateVerdict::undecided);
  CHECK_THAT(disturbed.sizes.front().doubts.front(), Catch::Contains("other processes took 0.16 cores more"));
  CHECK(gate_with(0.15).verdict == GateVerdict::regression); // 0.017 cores explain less than half of it
  // Eight pairs, too few for an interval of 99.8 %: all of them were disturbed more.
  CHECK(gate_with(1, 8).verdict == GateVerdict::undecided);
  CHECK(gate_with(0.15, 8).verdict == GateVerdict::regression);
}

TEST_CASE("a gate does not take the steps in which a kernel counts for a disturbance") {
  const auto gate_with = [](double others_s, double wall_s) { // in the newer build's runs alone
    Pairs pairs;
    for (int repeat = 1; repeat <= 12; ++repeat) {
      pairs.add(as_it_was, false, repeat, jitter(repeat), [&](Run& run) { disturb(run, 0, wall_s); });
      pairs.add(slower_sweep, true, repeat, jitter(repeat + 1), [&](Run& run) { disturb(run, others_s, wall_s); });
    }
    return pairs.gate().verdict;
  };
  CHECK(gate_with(0.04, 1) == GateVerdict::regression); // two steps on each of two cores
  CHECK(gate_with(0.06, 1) == GateVerdict::undecided);
  CHECK(gate_with(0.2, 0.4) == GateVerdict::regression); // too short to tell
}

TEST_CASE("a gate is undecided where call paths changed that the change cannot have touched") {
  Pairs pairs;
  test::Program slower_setup = as_it_was;
  slower_setup.serial_s = 1.4; // T by 7.3 %
  slower_setup.hash = "00000000000000cc";
  add_pairs(pairs, 12, slower_setup);
  CHECK(pairs.gate().verdict == GateVerdict::regression);
  GateOptions options;
  options.untouched = {"setup"};
  const Gate gate = pairs.gate(options);
  CHECK(gate.verdict == GateVerdict::undecided);
  CHECK_THAT(gate.sizes.front().doubts.front(), Catch::Contains("cannot have touched: +40.0 %"));
  options.untouched = {"sweep"};
  CHECK(pairs.gate(options).verdict == GateVerdict::regression);
}

TEST_CASE("runs with more ranks than cores are judged only where that is accepted") {
  Pairs pairs;
  add_pairs(pairs, 8, slower_sweep, [](Run& run) { run.facts["oversubscribed"] = std::int64_t{1}; });
  CHECK(pairs.gate().verdict == GateVerdict::undecided);
  GateOptions options;
  options.oversubscribed_ok = true;
  CHECK(pairs.gate(options).verdict == GateVerdict::regression);
}

TEST_CASE("a gate notes that runs were not made in pairs") {
  Pairs pairs;
  add_pairs(pairs, 8, slower_sweep, [](Run& run) { run.facts["started"] = std::string("2026-11-21T12:00:00Z"); });
  const Gate gate = pairs.gate();
  CHECK(gate.verdict == GateVerdict::regression);
  REQUIRE(!gate.sizes.front().notes.empty());
  CHECK_THAT(gate.sizes.front().notes.front(), Catch::Contains("not made in pairs"));
}

TEST_CASE("a gate names three runs that stand out, and counts the others") {
  for (const auto& [slow, said] :
       {std::pair(4, "1 more run of this build stands out"), std::pair(5, "2 more runs of this build stand out")}) {
    Pairs pairs;
    for (int repeat = 1; repeat <= 40; ++repeat) {
      pairs.add(as_it_was, false, repeat, (repeat <= slow ? 2 : 1) * jitter(repeat));
      pairs.add(as_it_was, true, repeat, jitter(repeat + 1));
    }
    const std::vector<std::string> notes = pairs.gate().sizes.front().notes;
    CHECK(std::ranges::count_if(notes, [](const std::string& note) { return note.find(" s, else ") != note.npos; }) ==
          3);
    CHECK(std::ranges::find(notes, said) != notes.end());
  }
}

TEST_CASE("a gate is undecided where the builds ran on different processors") {
  Pairs pairs;
  add_pairs(pairs, 8, slower_sweep, [](Run& run) {
    for (auto& host : run.hosts) host.cpu = "another one";
  });
  const Gate gate = pairs.gate();
  CHECK(gate.verdict == GateVerdict::undecided);
  CHECK_THAT(gate.sizes.front().doubts.front(), Catch::Contains("different processors"));
}

TEST_CASE("the documents of a gate say the same") {
  Pairs pairs;
  test::Program odd = slower_sweep;
  add_pairs(pairs, 8, odd);
  Gate gate = pairs.gate();
  gate.program = "a<b&\"c\"";
  const auto json = nlohmann::json::parse(gate_json(gate));
  CHECK(json["verdict"] == "regression");
  CHECK(json["points"][0]["callpaths"][0]["path"] == nlohmann::json({"main", "work", "sweep"}));
  CHECK(json["points"][0]["callpaths"][0]["verdict"] == "longer");
  CHECK(json["points"][0]["pairs"].size() == 8);
  const std::string xml = gate_junit(gate);
  CHECK_THAT(xml, Catch::Contains("a&lt;b&amp;&quot;c&quot;") && Catch::Contains("<failure type=\"regression\"") &&
                      Catch::Contains("tests=\"1\" failures=\"1\" errors=\"0\""));
  CHECK_THAT(gate_markdown(gate), Catch::Contains("a\\<b&\"c\"") && Catch::Contains("| main \\> work \\> sweep |"));
  gate.trouble = "p = 2: the newer build could not be run";
  CHECK_THAT(gate_junit(gate),
             Catch::Contains("tests=\"2\" failures=\"1\" errors=\"1\"") && Catch::Contains("<error type=\"run\""));
}
