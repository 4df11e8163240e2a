// From run files to the report: grouping, refusals, warnings, routines, comparison. The runs are
// those of run_maker.h: T(p) = serial + parallel/p.
#include "postproc/analysis/report.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <functional>
#include <regex>
#include <sstream>

#include "postproc/model/read_run.h"
#include "postproc/view/advice.h"
#include "postproc/view/views.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::Program;
using test::TemporaryDirectory;

namespace {

std::vector<std::string> skipped_messages;
void remember(const Refusal& trouble) { skipped_messages.push_back(trouble.what()); }

using Change = std::function<void(Run&)>;

/// Collects run files and reads them as a series.
struct Files {
  TemporaryDirectory directory;
  std::vector<std::string> names;
  void add(const Program& program, int ranks, const Change& change = {}, double scale = 1) {
    Run run = test::run_of(program, ranks, scale);
    if (change) change(run);
    names.push_back(directory / fmt::format("{:03}.andes", names.size()));
    test::write(run, names.back());
  }
  Series series(bool force = false) const {
    skipped_messages.clear();
    return read_series(names, force, remember);
  }
  Report report(bool oversubscribed_ok = false) const { return report_of(series(), nullptr, oversubscribed_ok); }
};

Comparison compared(const Build& before, const Build& after) {
  const auto size = read_common_size(before, after, true);
  REQUIRE(size);
  return compare(before, after, *size, nullptr, true);
}

const Warning* warning(const Report& report, const std::string& id) {
  for (const Warning& w : report.warnings)
    if (w.id == id) return &w;
  return nullptr;
}

const Routine* routine(const Report& report, const std::string& name) {
  for (const Routine& r : report.routines)
    if (r.path.back() == name) return &r;
  return nullptr;
}

} // namespace

TEST_CASE("balances and percentages of a point") {
  Files files;
  for (const int ranks : {1, 2, 4}) files.add({}, ranks);
  const Report r = files.report();
  // p = 4: 1 s on rank 0 while three wait, then 2.25 s each; T = 3.25 s.
  const PointShares& s = r.shares[2];
  CHECK(*s.load_balance == Approx(2.5 / 3.25));
  CHECK(*s.communication_balance == Approx(0.75));
  CHECK(*s.bytes_balance == Approx(1));
  CHECK(s.communication_percent == Approx(100 * 3 / 13.0));
  CHECK(s.synchronisation_percent == 0);
  CHECK_FALSE(s.idle_percent);                    // not measured
  CHECK_FALSE(r.shares[0].communication_balance); // no rank communicates: nothing to balance
}

TEST_CASE("routines carry inclusive shares of p x T and balances of their own") {
  Files files;
  for (const int ranks : {1, 4}) files.add({}, ranks);
  const Report r = files.report();
  CHECK(r.routine_ranks == 4);
  REQUIRE_FALSE(r.routines.empty());
  CHECK(r.routines.front().path == std::vector<std::string>{"main"});
  const Routine* sweep = routine(r, "sweep");
  REQUIRE(sweep);
  CHECK(sweep->path == std::vector<std::string>{"main", "work", "sweep"});
  CHECK(sweep->percent_of_total == Approx(100 * 9 / 13.0));
  CHECK(sweep->own_percent == Approx(100 * 9 / 13.0));
  CHECK(*sweep->load_balance == Approx(1));
  CHECK(sweep->line == 7);
  const Routine* setup = routine(r, "setup");
  REQUIRE(setup);
  CHECK(*setup->load_balance == Approx(0.25)); // over all four ranks, three of which have none
  CHECK(setup->non_communication_percent == Approx(100 / 13.0));
  const Routine* broadcast = routine(r, "MPI_Bcast");
  REQUIRE(broadcast);
  CHECK(broadcast->communication_percent == Approx(100 * 3 / 13.0));
  CHECK(broadcast->non_communication_percent == Approx(0).margin(1e-9));
  CHECK_FALSE(broadcast->load_balance);
  CHECK(*broadcast->communication_balance == Approx(0.75));
  const Routine* main = routine(r, "main");
  CHECK(main->communication_percent == Approx(100 * 3 / 13.0));
  CHECK(main->own_percent == Approx(100 * 3 / 13.0)); // its MPI calls count as its own
  CHECK(*main->load_balance == Approx(2.5 / 3.25));
  REQUIRE(r.rank_rows.size() == 4);
  CHECK(r.rank_rows[3].communication_s == Approx(1));
  CHECK(r.rank_rows[0].compute_s == Approx(3.25));
  CHECK(heaviest_own(r)->path.back() == "sweep");
}

TEST_CASE("computation that grows is named with the fraction it explains: the Gibbs case") {
  // Six per cent more work on four ranks, perfectly shared: f = 0.02 although nothing is serial.
  Files files;
  files.add({0, 10}, 1);
  files.add({0, 10}, 2);
  files.add({0, 10.6}, 4);
  const Report r = files.report();
  CHECK(r.scaling.points[2].serial_fraction->median == Approx(0.02));
  REQUIRE(warning(r, "computation_grows"));
  REQUIRE(r.growth);
  CHECK(r.growth->factor.median == Approx(1.06));
  CHECK(r.growth->explained == Approx(0.02));
  CHECK(warning(r, "computation_grows")->text.find("0.0200 (measured: 0.0200)") != std::string::npos);
  Files steady;
  for (const int ranks : {1, 2, 4}) steady.add({}, ranks);
  CHECK_FALSE(warning(steady.report(), "computation_grows"));
}

TEST_CASE("a program that is slower than its base has no serial fraction for people") {
  Files files; // T = 10 and 16.5 s; by the formula (1.65 - 1/2) / (1 - 1/2) = 2.3
  files.add({}, 1);
  files.add({}, 2, {}, 3);
  const Report r = files.report();
  CHECK(r.scaling.points[1].serial_fraction->median == Approx(2.3));
  const std::string text = report_text({}, r, true);
  CHECK(text.find("2.3000") == text.npos);
  CHECK(text.find("none: at 2 ranks the program takes 1.65 times as long as its base") != text.npos);
  CHECK(text.find("Trend") == text.npos);
  CHECK(text.find("serial fraction of") == text.npos);
  CHECK(r.serial_routines.why_not == "the program is no faster at 2 ranks than at 1");
  REQUIRE(warning(r, "computation_grows")); // by 3
  CHECK(warning(r, "computation_grows")->text == "total computation grows with the ranks, by a factor of 3 at 2 ranks");
}

TEST_CASE("warnings of the method") {
  Files files;
  files.add({}, 1);
  files.add({}, 8);
  const Report r = files.report();
  REQUIRE(warning(r, "not_linear"));
  CHECK(warning(r, "not_linear")->ranks == std::vector<int>{8});
  REQUIRE(warning(r, "too_few_points"));
  REQUIRE(warning(r, "too_few_repeats"));
  CHECK(warning(r, "too_few_repeats")->ranks == std::vector<int>{1, 8});
  const std::string single =
      "too few runs at 1, 8 ranks (1, but 6 are needed): no uncertainty is given; use --repeat 6";
  CHECK(warning(r, "too_few_repeats")->text == single);
  for (int repeat = 0; repeat < 2; ++repeat) files.add({}, 1);
  CHECK(warning(files.report(), "too_few_repeats")->text ==
        "too few runs at 1, 8 ranks (1 to 3, but 6 are needed): the range is given instead of a 95 % interval, and "
        "nothing of single runs; use --repeat 6");
  CHECK_FALSE(warning(r, "base_not_one"));
  CHECK_FALSE(warning(r, "rises_then_falls"));

  Files falling; // T = 10, 5.5, 6.25
  falling.add({}, 2);
  falling.add({}, 4);
  falling.add({4, 18}, 8);
  const Report f = falling.report();
  REQUIRE(warning(f, "rises_then_falls"));
  CHECK(warning(f, "rises_then_falls")->ranks == std::vector<int>{4, 8});
  CHECK(warning(f, "base_not_one"));

  Files fast; // T = 10, 4
  fast.add({}, 1);
  fast.add({0, 8}, 2);
  REQUIRE(warning(fast.report(), "superlinear"));

  Files six;
  for (const int ranks : {1, 2, 3, 4})
    for (int i = 0; i < 6; ++i) six.add({0.1, 9.9}, ranks, {}, 1 + 0.001 * i);
  CHECK(six.report().warnings.empty());
}

TEST_CASE("clocks, oversubscription and differing libraries are warned of") {
  Files files;
  files.add({}, 1, [](Run& run) { run.facts["clock_error_ppm"] = 80.0; });
  files.add({}, 2, [](Run& run) { run.facts["mpi_library"] = std::string("MPICH 4.0.2"); });
  files.add({}, 4, [](Run& run) { run.facts["usable_cores"] = std::int64_t{2}; });
  files.add({}, 8, [](Run& run) { run.facts["oversubscribed"] = std::int64_t{1}; });
  const Report r = files.report();
  REQUIRE(warning(r, "clock"));
  CHECK(warning(r, "clock")->ranks == std::vector<int>{1});
  CHECK(warning(r, "mixed_mpi"));
  REQUIRE(warning(r, "oversubscribed"));
  CHECK(warning(r, "oversubscribed")->ranks == std::vector<int>{4, 8});
  CHECK(r.routine_ranks == 2);
  CHECK(files.report(true).routine_ranks == 8);
}

TEST_CASE("failed and incomplete runs are left out, with the reason") {
  Files files;
  files.add({}, 1);
  files.add({}, 2, [](Run& run) { run.facts["exit_status"] = std::int64_t{3}; });
  files.add({}, 2, [](Run& run) {
    run.facts.erase("exit_status");
    run.facts["signal"] = std::int64_t{9};
  });
  files.add({}, 4, [](Run& run) { run.facts["complete"] = std::int64_t{0}; });
  files.add({}, 8, [](Run& run) { run.facts["ranks_started"] = std::int64_t{9}; });
  const Report r = files.report();
  REQUIRE(r.scaling.points.size() == 1);
  CHECK(r.runs[0].why_not.empty());
  CHECK(r.runs[1].why_not == "failed with exit status 3");
  CHECK(r.runs[2].why_not == "ended by signal 9");
  CHECK(r.runs[3].why_not == "incomplete: part of its data is missing");
  CHECK(r.runs[4].why_not == "incomplete: 8 of 9 ranks reported");
  REQUIRE(warning(r, "failed_run"));
  CHECK_THAT(warning(r, "failed_run")->text,
             Catch::StartsWith("a run at 2 ranks that failed with exit status 3: left out ("));
  REQUIRE(warning(r, "incomplete_run"));
  CHECK_THAT(warning(r, "incomplete_run")->text,
             Catch::StartsWith("a run at 4 ranks that is incomplete: part of its data is missing: left out ("));
  CHECK_THAT(advice_where(r), Catch::StartsWith("Only runs at 1 rank ended well, those at 2, 4, 8 ranks failed: "));
}

TEST_CASE("a single size is said to be one only if no other was run") {
  Files files;
  files.add({}, 2);
  CHECK_THAT(advice_where(files.report()), Catch::StartsWith("Only one number of ranks was measured: "));
  const auto fails = [](Run& run) { run.facts["exit_status"] = std::int64_t{3}; };
  files.add({}, 2, fails);
  CHECK_THAT(advice_where(files.report()), Catch::StartsWith("Only one number of ranks was measured: "));
  files.add({}, 1, fails);
  CHECK_THAT(advice_where(files.report()),
             Catch::StartsWith("Only runs at 2 ranks ended well, those at 1 rank failed: "));
}

TEST_CASE("of runs of which none came to its end the newest is shown, and nothing fitted") {
  Files files;
  for (const int ranks : {1, 2, 4})
    files.add({}, ranks, [&](Run& run) {
      run.facts["complete"] = std::int64_t{0};
      run.facts["started"] = fmt::format("2026-01-0{}T00:00:00.000Z", ranks == 2 ? 9 : ranks);
    });
  const Report r = files.report();
  CHECK(r.unfinished == "incomplete: part of its data is missing");
  CHECK(r.shown == files.names[1]);
  REQUIRE(r.scaling.points.size() == 1);
  CHECK(r.routine_ranks == 2);
  CHECK(r.rank_rows.size() == 2);
  CHECK(r.warnings.size() == 2); // the other two are left out
  CHECK(warning(r, "incomplete_run"));
  const std::string text = report_text({}, r, true);
  CHECK(text.find("none of 3 runs finished") != std::string::npos);
  CHECK(text.find("speedup, ideal") == std::string::npos);
  CHECK(text.find("Serial") == std::string::npos);
  CHECK(report_json(r).find("\"speedup\"") == std::string::npos);
  CHECK(report_json(r).find("\"base\"") == std::string::npos);
  const Series series = files.series();
  CHECK_THROWS_WITH(report_of(series, &series, false),
                    files.names[1] +
                        ": incomplete: part of its data is missing; give --sequential a run that finished");
}

TEST_CASE("snapshots are left out of a series with one line, and compared where nothing else is") {
  Files files;
  files.add({}, 2);
  for (int i = 1; i <= 3; ++i) files.add({}, 2, [&](Run& run) { run.facts["snapshot"] = std::int64_t{i}; }, 0.1 * i);
  const Report r = files.report();
  REQUIRE(warning(r, "snapshots"));
  CHECK(warning(r, "snapshots")->text == "3 snapshots of runs that had not ended: left out");
  CHECK_FALSE(warning(r, "incomplete_run"));
  const Series first = read_series({files.names[1]}, false, remember);
  const Series last = read_series({files.names[3]}, false, remember, 1);
  const Comparison comparison = compared(first.builds.back(), last.builds.back());
  CHECK_FALSE(comparison.before.unfinished.empty());
  CHECK(comparison.points[0].change == andes::postproc::Change::undecided);
  CHECK_FALSE(comparison.points[0].speedup_before);
  const std::string text = comparison_text({}, comparison);
  CHECK(text.find("Cannot be decided") != std::string::npos);
  CHECK(text.find("speedup") == std::string::npos);
}

TEST_CASE("different programs or arguments are refused, unless forced") {
  Files files;
  files.add({}, 1);
  Program other;
  other.arguments = R"(["4096"])";
  files.add(other, 2);
  CHECK_THROWS_WITH(files.series(), files.names[1] + ": ran 'jacobi 4096', but " + files.names[0] +
                                        " ran 'jacobi 2048'; give runs of one program with the same arguments, or "
                                        "mix them with --force");
  const Series series = files.series(true);
  CHECK(warning(report_of(series, nullptr, false), "mixed_programs"));
}

TEST_CASE("the newest build is reported and compared with the one before") {
  Files files;
  Program before, after;
  after.hash = "bb";
  after.started = "2026-11-21T12:00:00Z";
  after.serial_s = 0.5;
  for (const int ranks : {1, 2, 4})
    for (int i = 0; i < 4; ++i) {
      files.add(after, ranks, {}, 1 + 0.001 * i);
      files.add(before, ranks, {}, 1 + 0.001 * i);
    }
  const Report r = files.report();
  CHECK(r.build == "bb");
  CHECK(r.scaling.base_time_s.median == Approx(9.5 * 1.0015));
  CHECK(r.runs[1].why_not == "from the previous build: compared in step 4");
  REQUIRE(r.comparison);
  REQUIRE(r.comparison->points.size() == 3);
  const ComparedPoint& p = r.comparison->points[2];
  CHECK(p.ranks == 4);
  CHECK(p.change == andes::postproc::Change::faster);
  CHECK(p.change_percent.median == Approx(100 * (2.75 / 3.25 - 1)));
  CHECK(p.change_percent.kind == Estimate::Kind::range);
  CHECK(p.fraction_before->median == Approx(0.1));
  CHECK(p.fraction_after->median == Approx(0.5 / 9.5));
  REQUIRE(r.comparison->paths.size() == 2);                 // the sweep did not change
  CHECK(r.comparison->paths[0].path.back() == "MPI_Bcast"); // 0.75 -> 0.375 s, mean of 4 ranks
  CHECK(r.comparison->paths[0].change_s.median == Approx(-0.375 * 1.0015));
  CHECK(r.comparison->paths[1].path.back() == "setup");
}

TEST_CASE("two builds are not told apart by two runs of each, nor is a build from itself") {
  const auto verdict = [](int repeats, const std::string& hash) {
    Files files;
    Program before, after;
    after.hash = hash;
    after.serial_s = 0.5;
    for (const int ranks : {1, 2, 4})
      for (int i = 0; i < repeats; ++i) {
        files.add(before, ranks, {}, 1 + 0.001 * i);
        files.add(after, ranks, {}, 1 + 0.001 * i);
      }
    const auto half = [&](std::size_t first) {
      std::vector<std::string> names;
      for (std::size_t i = first; i < files.names.size(); i += 2) names.push_back(files.names[i]);
      return read_series(names, false, remember).builds.back();
    };
    const Comparison comparison = compared(half(0), half(1));
    std::string text = comparison_text({}, comparison);
    text = std::regex_replace(text.substr(text.rfind("->")), std::regex("\\s+"), " ");
    return std::pair(comparison.points[2].change, text);
  };
  const auto [two, two_text] = verdict(2, "bb");
  CHECK(two == andes::postproc::Change::undecided);
  CHECK(two_text.find("2 and 2 runs of the same program differ this much by chance in 33 of 100 cases") !=
        std::string::npos);
  CHECK(two_text.find("2 more runs of each can decide") != std::string::npos);
  const auto [four, four_text] = verdict(4, "bb");
  CHECK(four == andes::postproc::Change::faster);
  CHECK(four_text.find("Yes: -15.4 %") != std::string::npos);
  const auto [same, same_text] = verdict(4, Program().hash);
  CHECK(same_text.find("Both sides are the same build") != std::string::npos);
}

TEST_CASE("builds without a number of ranks in common are not compared") {
  Files files;
  Program after;
  after.hash = "bb";
  after.started = "2026-11-21T12:00:00Z";
  files.add({}, 1);
  files.add(after, 2);
  const Report r = files.report();
  CHECK(r.builds == 2);
  CHECK_FALSE(r.comparison);
}

TEST_CASE("a series does not depend on the order of its files; a report is always the same") {
  Files files;
  for (const int ranks : {1, 2, 4})
    for (int i = 0; i < 6; ++i) files.add({}, ranks, {}, 1 + 0.003 * ((i * 5) % 6));
  const std::string once = report_json(files.report());
  CHECK(once == report_json(files.report()));
  std::vector<std::string> reversed(files.names.rbegin(), files.names.rend());
  const Report other = report_of(read_series(reversed, false, remember), nullptr, false);
  const Report straight = files.report();
  CHECK(*other.scaling.limit_speedup->low == *straight.scaling.limit_speedup->low);
  CHECK(*other.scaling.limit_speedup->high == *straight.scaling.limit_speedup->high);
}

TEST_CASE("a tree as deep as it is large is no trouble") {
  Files files;
  files.add({}, 1, [](Run& run) {
    constexpr int depth = 30000;
    run.columns.clear();
    for (int path = 6; path < depth; ++path) {
      run.callpaths.push_back({path - 1, 5});
      run.columns.push_back({path, run_file::inclusive_ns, {1e9}});
    }
  });
  const Report r = files.report();
  CHECK(r.routines.size() == 100);
  const Profile profile = read_run(files.names[0], Detail::tree);
  const std::string text = show_text({}, profile, tree_of(profile, profile.statistics), {}, {0, false});
  CHECK(text.size() > 30000);
}

TEST_CASE("names deep in a tree stay readable beside the columns of waiting") {
  Files files;
  files.add({}, 4, [](Run& run) {
    run.regions[5].name = "relax_interior_points";
    test::measure_waits(run);
    for (int path = 6, caller = test::path_sweep; path < 16; caller = path++) {
      run.callpaths.push_back({caller, 5});
      run.columns.push_back({path, run_file::inclusive_ns, {1e9, 1e9, 1e9, 1e9}});
      run.columns.push_back({path, run_file::visits, {1e6, 1e6, 1e6, 1e6}});
    }
    test::add_waits(run, {"late_sender", test::path_broadcast, {0, 0.5, 0.5, 0.5}});
  });
  const Profile profile = read_run(files.names[0], Detail::tree);
  Terminal terminal;
  terminal.width = 72;
  std::istringstream lines(show_text(terminal, profile, tree_of(profile, profile.statistics), {}, {0, false}));
  int deep = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("nterior_points ") == std::string::npos) continue;
    CHECK(width_of(line) <= terminal.width);
    ++deep;
  }
  CHECK(deep == 11);
}

TEST_CASE("a program without probes reports its MPI calls below the root") {
  Files files;
  files.add({}, 2, [](Run& run) {
    // Only (program) > MPI_Bcast is left.
    std::vector<Column> columns;
    for (Column c : run.columns) {
      if (c.callpath == 0) columns.push_back(c);
      if (c.callpath == 3) c.callpath = 1, columns.push_back(c);
    }
    run.columns = columns;
    run.callpaths = {{-1, 0}, {0, 3}};
  });
  Report r = files.report();
  REQUIRE(r.routines.size() == 2);
  CHECK(r.routines[0].path == std::vector<std::string>{"(program)"});
  CHECK(r.routines[1].path == std::vector<std::string>{"MPI_Bcast"});
  const std::string text = report_text({100, false, false}, r, true);
  CHECK_THAT(text, Catch::Contains("computes is not known:"));
  const auto remedy = [&](const char* executable) { return r.executable = executable, advice_effort(r); };
  CHECK_THAT(remedy("/usr/bin/python3.11"), Catch::Contains("not known: run its script by python3 -m andes."));
  CHECK_THAT(remedy("/usr/lib/R/bin/exec/R"), Catch::Contains("build the libraries that R loads with andes cc."));
  CHECK_THAT(remedy("/home/user/Relax"), Catch::Contains("not known: build it with andes cc."));
  r.routines[1].kind = "function";
  CHECK_THAT(remedy("/home/user/Relax"), Catch::Contains("build the rest of it with andes cc."));
}
