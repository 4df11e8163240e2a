// Estimated, unreliable and muted call paths from run files to the views. The runs are those of
// run_maker.h at p = 4, T = 3.25 s, with sweep sampled: 2 s on each rank, 0.25 s left to work. The
// distances to the ends of its interval stand in the ratio 3 : 4 on ranks 0 and 1, so that those of
// the sum are 5: 0.06 and 0.08 below make 0.1 s, 0.3 and 0.4 above make 0.5 s.
#include "postproc/analysis/sampling.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <sstream>

#include "postproc/analysis/report.h"
#include "postproc/model/read_run.h"
#include "postproc/view/advice.h"
#include "postproc/view/number.h"
#include "postproc/view/sampling_text.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::Program;
using test::set_values;
using test::TemporaryDirectory;

namespace {

constexpr double ns = 1e9;

double squared(double seconds) { return seconds * seconds * ns * ns; }

/// As above; `more_s` moves time from work to sweep, on every rank.
Run sampled_run(const Program& program = {}, double more_s = 0) {
  using namespace run_file;
  Run run = test::run_of(program, 4);
  const std::vector<double> sweep_ns(4, (2 + more_s) * ns), work_ns(4, (0.25 - more_s) * ns);
  for (const MetricId metric : {inclusive_ns, exclusive_ns, computation_ns})
    set_values(run, test::path_sweep, metric, sweep_ns);
  set_values(run, test::path_work, exclusive_ns, work_ns);
  set_values(run, test::path_sweep, visits, {1000, 1000, 1000, 1000});
  set_values(run, test::path_sweep, sampled_visits, {900, 900, 900, 900});
  set_values(run, test::path_sweep, timed_visits, {90, 90, 90, 90});
  set_values(run, test::path_sweep, below_ns2, {squared(0.06), squared(0.08), 0, 0});
  set_values(run, test::path_sweep, above_ns2, {squared(0.3), squared(0.4), 0, 0});
  return run;
}

struct Files {
  TemporaryDirectory directory;
  std::vector<std::string> names;
  const std::string& add(const Run& run) {
    names.push_back(directory / fmt::format("{:03}.andes", names.size()));
    test::write(run, names.back());
    return names.back();
  }
  Report report() const {
    return report_of(read_series(names, false, [](const Refusal&) {}), nullptr, false);
  }
};

Profile profile_of(const Run& run) {
  Files files;
  return read_run(files.add(run), Detail::tree);
}

Tree tree_of_all(const Profile& profile) { return tree_of(profile, profile.statistics); }

std::string shown(const Run& run, int width) {
  Terminal terminal;
  terminal.width = width;
  const Profile profile = profile_of(run);
  return show_text(terminal, profile, tree_of_all(profile), {}, {0, false});
}

const Warning* warning(const Report& report, const std::string& id) {
  for (const Warning& w : report.warnings)
    if (w.id == id) return &w;
  return nullptr;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Whether `part` stands in the text with any blanks and line ends where it has single blanks.
bool says(const std::string& text, const std::string& part) {
  std::istringstream words(text);
  std::string all, word;
  while (words >> word) all += (all.empty() ? "" : " ") + word;
  return contains(all, part);
}

} // namespace

TEST_CASE("the interval of a sum over ranks is the root of the sum of squares") {
  const Profile profile = profile_of(sampled_run());
  const TreeRow sweep = tree_of_all(profile).rows[test::path_sweep];
  CHECK(sweep.inclusive_error_s.estimated);
  CHECK(sweep.inclusive_error_s.reliable);
  CHECK(lower_end(sweep.inclusive_s, sweep.inclusive_error_s) == Approx(7.9));
  CHECK(upper_end(sweep.inclusive_s, sweep.inclusive_error_s) == Approx(8.5));
  CHECK(sweep.sampled_visits == 3600);
  CHECK(sweep.timed_visits == 360);
}

TEST_CASE("the error of the probes' cost adds up over ranks as it is, and as a square to that of the sample") {
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::cost_error_ns, {0.06 * ns, 0.06 * ns, 0.06 * ns, 0.06 * ns});
  set_values(run, test::path_sweep, run_file::above_ns2, {squared(0.06), squared(0.06), squared(0.06), squared(0.06)});
  const auto tree = tree_of_all(profile_of(run));
  CHECK(tree.rows[test::path_sweep].inclusive_error_s.below == Approx(std::hypot(0.1, 0.24)));
  CHECK(tree.rows[test::path_sweep].inclusive_error_s.above == Approx(std::hypot(0.12, 0.24)));
}

TEST_CASE("exact times of visits as short as their probes have an interval, and advice to let them be sampled") {
  Run run = test::run_of({}, 4);
  const std::vector<double> sweep_ns(4, 2 * ns), work_ns(4, 0.25 * ns);
  for (const auto metric : {run_file::inclusive_ns, run_file::exclusive_ns, run_file::computation_ns})
    set_values(run, test::path_sweep, metric, sweep_ns);
  set_values(run, test::path_work, run_file::exclusive_ns, work_ns);
  set_values(run, test::path_sweep, run_file::probe_error_ns, {0.5 * ns, 0.5 * ns, 0.75 * ns, 0.75 * ns});
  const Tree tree = tree_of_all(profile_of(run));
  for (const SamplingError& error :
       {tree.rows[test::path_sweep].inclusive_error_s, tree.rows[test::path_sweep].exclusive_error_s,
        tree.rows[test::path_work].exclusive_error_s}) {
    CHECK(error.estimated);
    CHECK(error.by_probes);
    CHECK(error.reliable);
    CHECK(error.below == Approx(2.5)); // the same for all visits: it adds up over ranks
    CHECK(error.above == Approx(2.5));
  }
  CHECK_FALSE(tree.rows[test::path_work].inclusive_error_s.estimated);
  CHECK(tree.sampling.sampled == 0);
  CHECK(tree.sampling.by_probes == 1);
  CHECK(contains(sampling_notes({}, tree.sampling, {}, ""), "1 call path with visits as short as the probes"));
  Files files;
  files.add(run);
  files.add(run); // a bound holds in all repeats alike
  const Report report = files.report();
  CHECK_FALSE(warning(report, "wide_intervals"));
  REQUIRE(warning(report, "short_visits"));
  CHECK(
      contains(warning(report, "short_visits")->text, "their callers': work 7.7 [0.0, 26.9] % of p x T")); // 1 of 13 s
}

TEST_CASE("the interval of some ranks is of those alone") {
  Files files;
  const Profile profile = read_run(files.add(sampled_run()), Detail::tree);
  const auto row = [&](int rank) { return tree_of(profile, statistics_of_ranks(profile, {rank}), {rank}); };
  const Tree one = row(1), two = row(2);
  const auto sweep = [](const Tree& tree) { return tree.rows.back(); };
  CHECK(sweep(one).inclusive_error_s.below == Approx(0.08));
  CHECK(sweep(one).inclusive_error_s.above == Approx(0.4));
  CHECK(sweep(two).inclusive_error_s.estimated); // without scatter among its timed visits
  CHECK(sweep(two).inclusive_error_s.above == 0);
}

TEST_CASE("a caller's exclusive time carries the errors of its callees, turned round") {
  const Tree tree = tree_of_all(profile_of(sampled_run()));
  const TreeRow& work = tree.rows[test::path_work];
  CHECK_FALSE(work.inclusive_error_s.estimated); // exact itself
  REQUIRE(work.exclusive_error_s.estimated);
  CHECK(lower_end(work.exclusive_s, work.exclusive_error_s) == Approx(1 - 0.5));
  CHECK(upper_end(work.exclusive_s, work.exclusive_error_s) == Approx(1 + 0.1));
  CHECK_FALSE(tree.rows[test::path_main].exclusive_error_s.estimated); // its callee is exact
  CHECK_FALSE(tree.rows[test::path_root].inclusive_error_s.estimated);
}

TEST_CASE("where functions were sampled own times have intervals of their own") {
  Run run = sampled_run();
  run.facts["function_samples"] = std::int64_t{1000};
  set_values(run, test::path_sweep, run_file::own_error_ns2, {squared(0.03), squared(0.04), 0, 0});
  set_values(run, test::path_work, run_file::own_error_ns2, {squared(0.3), squared(0.4), 0, 0});
  const Tree tree = tree_of_all(profile_of(run));
  const TreeRow &sweep = tree.rows[test::path_sweep], &work = tree.rows[test::path_work];
  CHECK(sweep.exclusive_error_s.below == Approx(0.05));
  CHECK(sweep.exclusive_error_s.above == Approx(0.05));
  CHECK(sweep.inclusive_error_s.above == Approx(0.5));
  // Not wider than what the times with callees tell.
  CHECK(work.exclusive_error_s.below == Approx(0.5));
  CHECK(work.exclusive_error_s.above == Approx(0.1));
  run.facts.erase("function_samples"); // of all ranks
  CHECK(tree_of_all(profile_of(run)).rows[test::path_sweep].exclusive_error_s.above == Approx(0.5));
}

TEST_CASE("a sampled caller of a sampled call path has both errors in its exclusive time") {
  Run run = sampled_run();
  set_values(run, test::path_work, run_file::sampled_visits, {100, 0, 0, 0});
  set_values(run, test::path_work, run_file::timed_visits, {30, 0, 0, 0});
  set_values(run, test::path_work, run_file::below_ns2, {squared(1.2), 0, 0, 0});
  set_values(run, test::path_work, run_file::above_ns2, {squared(0.24), 0, 0, 0});
  const TreeRow work = tree_of_all(profile_of(run)).rows[test::path_work];
  CHECK(work.inclusive_error_s.below == Approx(1.2));
  CHECK(work.exclusive_error_s.below == Approx(1.3)); // 1.2 and 0.5
  CHECK(work.exclusive_error_s.above == Approx(0.26)); // 0.24 and 0.1
  CHECK(lower_end(work.exclusive_s, work.exclusive_error_s) == 0); // not below zero
}

TEST_CASE("one rank's doubt is the sum's, and its caller's own time's") {
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::unreliable, {0, 1, 0, 0});
  const Tree tree = tree_of_all(profile_of(run));
  CHECK_FALSE(tree.rows[test::path_sweep].inclusive_error_s.reliable);
  CHECK_FALSE(tree.rows[test::path_work].exclusive_error_s.reliable);
  CHECK(tree.rows[test::path_work].inclusive_error_s.reliable);
  CHECK(tree.sampling.unreliable == 1);
  Run muted = run;
  set_values(muted, test::path_sweep, run_file::muted, {0, 0, 1, 0});
  CHECK(tree_of_all(profile_of(muted)).sampling.unreliable == 0); // told as muted
  CHECK(says(shown(muted, 120), "1 of 4 call paths was sampled; not reliable (?)"));
  // A callee of less than one per cent of it does not spoil its caller's own time: 0.8 % here.
  for (const run_file::MetricId metric : {run_file::inclusive_ns, run_file::exclusive_ns})
    set_values(run, test::path_sweep, metric, {0.008 * ns, 0, 0, 0});
  CHECK(tree_of_all(profile_of(run)).rows[test::path_work].exclusive_error_s.reliable);
}

TEST_CASE("a time of which no visit was timed has no interval") {
  Run run = sampled_run();
  for (const run_file::MetricId metric :
       {run_file::timed_visits, run_file::below_ns2, run_file::above_ns2, run_file::inclusive_ns})
    set_values(run, test::path_sweep, metric, {});
  const Profile profile = profile_of(run);
  const Tree tree = tree_of_all(profile);
  const SamplingError& error = tree.rows[test::path_sweep].inclusive_error_s;
  CHECK(error.estimated);
  CHECK_FALSE(error.reliable);
  CHECK_FALSE(has_interval(error));
  CHECK_FALSE(tree.rows[test::path_work].exclusive_error_s.estimated); // the time is its own
  CHECK(says(shown(run, 120), "sweep ? 4000 ? ?8.00 ?"));
  const std::string json = show_json(profile, tree, {});
  CHECK(contains(json, R"("reliable": false)"));
  CHECK_FALSE(contains(json, "inclusive_s_low"));
  // The monitor may know how far it can be: 2 s of rank 0.
  set_values(run, test::path_sweep, run_file::above_ns2, {squared(2), 0, 0, 0});
  const Tree bounded = tree_of_all(profile_of(run));
  CHECK(bounded.rows[test::path_sweep].inclusive_error_s.above ==
        Approx(4)); // had each rank 1 s, its squares would have the same sum
  CHECK(bounded.rows[test::path_sweep].inclusive_error_s.reliable);
  CHECK(bounded.rows[test::path_work].exclusive_error_s.below == Approx(4));
  // Beside another callee that was timed the caller has one.
  CHECK(has_interval(error_of_difference(error, {true, true, true, 1, 1})));
}

TEST_CASE("where few visits were timed on all ranks together, distances add over ranks and repeats as they are") {
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::above_ns2, {squared(2), squared(2), squared(2), squared(2)});
  const auto above = [&run] { return tree_of_all(profile_of(run)).rows[test::path_sweep].inclusive_error_s.above; };
  CHECK(above() == Approx(4)); // the root of four squares
  set_values(run, test::path_sweep, run_file::timed_visits, {});
  CHECK(above() == Approx(8));
  set_values(run, test::path_sweep, run_file::timed_visits, {8, 7, 7, 7});
  CHECK(above() == Approx(8));
  set_values(run, test::path_sweep, run_file::timed_visits, {8, 8, 7, 7});
  CHECK(above() == Approx(4));

  const SamplingError bound{true, true, true, 0.3, 0.6, true}, random{true, true, true, 0.4, 0.8};
  CHECK(error_of_median({bound, bound, bound}).above == Approx(0.6));
  CHECK(error_of_difference(bound, bound).above == Approx(0.9));
  CHECK(error_of_sum(bound, random).below == Approx(0.5));
}

TEST_CASE("errors of medians and of estimates from repeats") {
  const SamplingError one{true, true, true, 0.3, 0.6};
  CHECK(error_of_median({one}).below == Approx(0.3));
  CHECK(error_of_median({one}).above == Approx(0.6));
  // sqrt(pi / 2n): n = 2, 8.
  CHECK(error_of_median({one, one}).below == Approx(0.3 * 0.886227));
  CHECK(error_of_median(std::vector<SamplingError>(8, one)).above == Approx(0.6 * 0.443113));
  CHECK_FALSE(error_of_median({{}, {}}).estimated);
  CHECK_FALSE(error_of_median({{}, {true, false, true, 0, 0}}).reliable);

  using Kind = Estimate::Kind;
  const Estimate both = widened({5.5, 5.0, 6.0, Kind::interval}, 1.2, 0);
  CHECK(*both.low == Approx(5.5 - 1.3)); // 0.5 and 1.2
  CHECK(*both.high == Approx(6.0));
  CHECK(both.kind == Kind::interval);
  const Estimate single = widened({5.5, {}, {}, Kind::point}, 0.25, 0.5);
  CHECK(single.kind == Kind::range);
  CHECK(*single.low == 5.25);
  CHECK(*single.high == 6.0);
  CHECK(widened({5.5, {}, {}, Kind::point}, 0, 0).kind == Kind::point);
  CHECK_FALSE(widened({5.5, 5.0, {}, Kind::interval}, 1, 1).high); // no bound stays none
}

TEST_CASE("estimates are marked, with their intervals where there is room") {
  const std::string wide = shown(sampled_run(), 120);
  CHECK(says(wide, "~8.00 [7.90, 8.50] ~8.00 [7.90, 8.50]"));
  CHECK(says(wide, "9.00 ~1.00 [0.500, 1.10]"));
  CHECK(contains(wide, "~61.5")); // 8 of 13 s
  CHECK(contains(wide, "mean s"));
  CHECK(contains(wide, "~: estimated from the visits that were timed; [low, high]: 95 % interval. 1 "
                       "of 4 call paths was sampled.\n"));
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::above_ns2, {squared(0.24), squared(0.32), 0, 0});
  const std::string narrow = shown(run, 80);
  CHECK(says(narrow, "~61.5 4000 ~8.00 5.0 ~8.00 5.0 ~2.00")); // 0.4 of 8
  CHECK(says(narrow, "9.00 ~1.00 40.0 2.25"));
  CHECK(says(narrow, "no room for: mean s (a wider terminal or --csv has them)"));
  CHECK(contains(narrow, "+-%: half of the 95 % interval"));
  Run doubtful = sampled_run();
  set_values(doubtful, test::path_sweep, run_file::unreliable, {0, 1, 0, 0});
  const std::string doubted = shown(doubtful, 120);
  CHECK(says(doubted, "?8.00 [7.90, 8.50] ?8.00"));
  CHECK_FALSE(contains(doubted, "~8.00"));
  CHECK(says(doubted, "sampled; not reliable (?), too uneven or too seldom timed for an interval: 1."));
}

TEST_CASE("in a narrow terminal wide errors stay longer than the largest time and the balance") {
  Run run = sampled_run();
  const std::string wide = shown(run, 66); // 0.3 of 13 s are more than 2 %
  CHECK(says(wide, "~61.5 4000 ~8.00 6.3 ~8.00 6.3 ~1.00"));
  CHECK(says(wide, "no room for: mean s, max s, bytes (a wider terminal or --csv has them)"));
  set_values(run, test::path_sweep, run_file::above_ns2, {squared(0.24), squared(0.32), 0, 0});
  const std::string less = shown(run, 66); // 0.25 of 13 s
  CHECK(says(less, "~61.5 4000 ~8.00 ~8.00 ~2.00 ~1.00"));
  CHECK(says(less, "--csv has their intervals"));
}

TEST_CASE("visits that windows tell are marked as their time is, those that were counted are not") {
  Run run = sampled_run();
  CHECK(says(shown(run, 120), "4000 ~8.00"));
  set_values(run, test::path_sweep, run_file::visits, {1234567, 1234567, 1234567, 1234567});
  CHECK(says(shown(run, 120), "4938268 ~8.00"));
  set_values(run, test::path_sweep, run_file::visits_above2, {100, 0, 0, 0});
  CHECK(says(shown(run, 120), "~4.94M ~8.00"));
  set_values(run, test::path_sweep, run_file::unreliable, {0, 1, 0, 0});
  CHECK(says(shown(run, 120), "?4.94M ?8.00"));
}

TEST_CASE("visits of which windows may have missed some are marked, their time, which has no interval, too") {
  Run run = sampled_run();
  for (const auto metric : {run_file::sampled_visits, run_file::timed_visits, run_file::below_ns2, run_file::above_ns2})
    set_values(run, test::path_sweep, metric, {0, 0, 0, 0});
  CHECK(says(shown(run, 120), "4000 8.00"));
  set_values(run, test::path_sweep, run_file::visits_above2, {100, 0, 0, 0});
  CHECK(says(shown(run, 120), "~4000 ~8.00"));
}

TEST_CASE("visits of several ranks: errors by chance add as squares, what counting may have cost adds as it is") {
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::visits_below2, {9, 16, 0, 0});
  set_values(run, test::path_sweep, run_file::visits_above2, {36, 64, 0, 0});
  set_values(run, test::path_sweep, run_file::visits_cost_below, {4, 8, 0, 0});
  set_values(run, test::path_sweep, run_file::visits_cost_above, {12, 12, 0, 0});
  const TreeRow sweep = tree_of_all(profile_of(run)).rows[test::path_sweep];
  CHECK(sweep.visits_below == Approx(13)); // 5 and 12
  CHECK(sweep.visits_above == Approx(26)); // 10 and 24
}

TEST_CASE("older monitors have written one distance of visits, to both ends") {
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::visits_error2, {9, 16, 0, 0});
  const TreeRow sweep = tree_of_all(profile_of(run)).rows[test::path_sweep];
  CHECK(sweep.visits_below == Approx(5));
  CHECK(sweep.visits_above == Approx(5));
}

TEST_CASE("a count that is an estimate has three digits") {
  CHECK(about_count_text(0) == "0");
  CHECK(about_count_text(7.4) == "7");
  CHECK(about_count_text(789.4) == "789");
  CHECK(about_count_text(123456) == "123000");
  CHECK(about_count_text(999499) == "999000");
  CHECK(about_count_text(999501) == "1M");
  CHECK(about_count_text(7807592) == "7.81M");
  CHECK(about_count_text(12345678) == count_text(12345678));
}

TEST_CASE("of call paths that may be sampled none is sampled that does not count") {
  Sampling sampling;
  const SamplingError exact, estimated = {.estimated = true, .below = 1, .above = 1};
  sampling.add("solve", "function", exact, false);
  sampling.add("poll", "function", estimated, false);
  sampling.add("MPI_Send", "send", exact, false);
  sampling.add("MPI_Wtime", "local", estimated, false); // a call of MPI that other processes have no part in
  CHECK(sampling.sampled == 2);
  CHECK(sampling.callpaths == 3);
}

TEST_CASE("an error in per cent of a time near zero has an end") {
  const SamplingError error{true, true, true, 0.5, 0.25};
  CHECK(time_error_text(4, error, ErrorColumn::half) == "12.5");
  CHECK(time_error_text(0.01, error, ErrorColumn::half) == ">999");
  CHECK(time_error_text(0, {true, true, true, 0, 0}, ErrorColumn::half) == "0.0");
  CHECK(time_error_text(4, {}, ErrorColumn::half).empty());
  CHECK(percent_error_text(4, error, ErrorColumn::interval) == "[3.5, 4.2]");
  CHECK(percent_error_text(4, error, ErrorColumn::half) == "0.5");
  // The true time is not negative even if its estimate, a difference, is.
  CHECK(time_error_text(-1, error, ErrorColumn::interval) == "[0, 0]");
}

TEST_CASE("of many muted functions the first are named, and what writes the rest") {
  Run run = test::run_of({}, 2);
  for (int i = 0; i < 10; ++i) {
    run.regions.push_back({fmt::format("hot{}", i), "function", "a.c", i + 1});
    run.callpaths.push_back({test::path_main, static_cast<int>(run.regions.size()) - 1});
    const int path = static_cast<int>(run.callpaths.size()) - 1;
    run.columns.push_back({path, run_file::visits, {1, 1}});
    run.columns.push_back({path, run_file::muted, {1, 0}});
  }
  const std::string text = shown(run, 200);
  CHECK(contains(text, "\n  exclude hot7\n  and 2 more\nWrite it by andes filter RUN -o FILE and build"));
  CHECK_FALSE(contains(text, "hot8\n"));
}

TEST_CASE("muted functions are named with the selection that leaves them out") {
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::muted, {1, 1, 0, 0});
  set_values(run, test::path_setup, run_file::muted, {1, 0, 0, 0});
  const std::string text = shown(run, 100);
  CHECK(contains(text, ">=4000"));
  CHECK(contains(text, "`-setup"));
  CHECK(contains(text, ">=1"));
  CHECK(contains(text, "  exclude setup\n  exclude sweep\nPut these lines into a file and build with "
                       "andes cc --select FILE"));
  Files files;
  files.add(run);
  const Report report = files.report();
  REQUIRE(warning(report, "muted"));
  CHECK(contains(warning(report, "muted")->text, "setup, sweep"));
  CHECK(contains(report_text({}, report, true), "    exclude setup\n    exclude sweep\n"));
  CHECK(contains(report_text({}, report, true), "main > setup (muted)"));
  run.regions[5].name = "jacobi+0x12af"; // sweep's, in a stripped program: another one in each build
  CHECK(contains(shown(run, 200), "  exclude setup\nPut these lines"));
  CHECK(
      contains(shown(run, 200), "\n1 muted function without a name for a selection; build with -g, and do not strip."));
  const Profile profile = profile_of(run);
  CHECK(contains(show_json(profile, tree_of_all(profile), {}), "\"name\": \"jacobi+0x12af\"\n"));
  run.regions[5].name = "Grid<int>::operator[](int)"; // a bracket would be a wildcard
  CHECK(contains(shown(run, 100), "\n  exclude Grid<int>::operator\\[](int)\n"));
  CHECK(contains(report_json(report), R"("selection": "exclude sweep")"));
}

TEST_CASE("what the tool took stands beside the budget") {
  Run run = test::run_of({}, 4);
  run.facts["budget_percent"] = 1.0;
  run.facts["tool_error_ns"] = 0.0013 * 13 * ns; // of p x T = 13 s
  run.facts["tree_bytes"] = std::int64_t{1200000};
  run.locations[2].tool_ns = 260000000; // 2 %
  CHECK(contains(shown(run, 100), "Time of the tool: 2.00 % of p x T +-0.13 %, budget 1 %; call "
                                  "trees of up to 1.20 MB a rank\n"));
  CHECK(contains(shown(run, 100), "sweep     69.2")); // no mark: every visit was timed
  run.facts["window_thread_ns"] = 0.004 * 13 * ns;
  CHECK(contains(shown(run, 100),
                 "Time of the tool: 2.00 % of p x T +-0.13 %, and 0.40 % by its own threads, budget 1 %;"));
  run.facts["window_thread_ns"] = 0.00004 * 13 * ns;
  CHECK(contains(shown(run, 100), "Time of the tool: 2.00 % of p x T +-0.13 %, budget 1 %;"));
  Files files;
  files.add(run);
  REQUIRE(warning(files.report(), "budget"));
  CHECK(contains(warning(files.report(), "budget")->text, "2.0 % of p x T"));
  run.locations.push_back(run.locations.back());
  run.locations.back().thread = 1;
  run.locations.back().wall_ns = 2'000'000'000;
  run.locations.back().tool_ns = 40'000'000; // 0.3 s of 15 s, with those of rank 2
  for (Column& column : run.columns) column.values.push_back(0);
  CHECK(contains(shown(run, 100), "Time of the tool: 2.00 % of the time of all threads +-0.11 %, budget 1 %;"));
  for (Column& column : run.columns) column.values.pop_back();
  run.locations.pop_back();
  run.locations[2].tool_ns = 130000000; // what is allowed
  Files kept;
  kept.add(run);
  CHECK_FALSE(warning(kept.report(), "budget"));
  run.facts["budget_percent"] = 0.0;
  run.locations[2].tool_ns = 260000000;
  CHECK(contains(shown(run, 100), "no budget: every visit is timed"));
  Files unlimited;
  unlimited.add(run);
  CHECK_FALSE(warning(unlimited.report(), "budget"));
}

TEST_CASE("what did not fit the call tree is told") {
  Run run = sampled_run();
  run.regions.push_back({"(more call paths)", "overflow", "", 0});
  run.callpaths.push_back({test::path_main, static_cast<int>(run.regions.size()) - 1});
  const int overflow = static_cast<int>(run.callpaths.size()) - 1;
  set_values(run, overflow, run_file::visits, {70, 0, 0, 7});
  set_values(run, overflow, run_file::inclusive_ns, {0.13 * ns, 0, 0, 0});
  set_values(run, overflow, run_file::exclusive_ns, {0.13 * ns, 0, 0, 0});
  CHECK(contains(shown(run, 200), "the call tree hit a limit; 77 visits, 1.0 % of p x T"));
  Files files;
  files.add(run);
  REQUIRE(warning(files.report(), "overflow"));
  CHECK(contains(warning(files.report(), "overflow")->text, "1.0 % of p x T (77 visits)"));
  CHECK(contains(warning(files.report(), "overflow")->text, "raise tree_mb, node_limit or depth_limit (andes run"));
  CHECK(files.report().warnings.front().id != "overflow");
  run.facts["limits_met"] = std::string("tree_mb depth_limit");
  CHECK(contains(shown(run, 200), "without names; raise tree_mb and depth_limit (andes run --set)."));
  Files told;
  told.add(run);
  CHECK(contains(warning(told.report(), "overflow")->text, "raise tree_mb and depth_limit (andes run"));
}

TEST_CASE("a large part of the run that did not fit the call tree is told first, and no advice names it") {
  Run run = sampled_run();
  run.regions.push_back({"(more call paths)", "overflow", "", 0});
  run.callpaths.push_back({test::path_main, static_cast<int>(run.regions.size()) - 1});
  const int overflow = static_cast<int>(run.callpaths.size()) - 1;
  set_values(run, overflow, run_file::visits, {70, 70, 70, 70});
  set_values(run, overflow, run_file::inclusive_ns, {9 * ns, 9 * ns, 9 * ns, 9 * ns});
  set_values(run, overflow, run_file::exclusive_ns, {9 * ns, 9 * ns, 9 * ns, 9 * ns});
  Files files;
  files.add(run);
  const Report report = files.report();
  CHECK(report.warnings.front().id == "overflow");
  CHECK_THAT(advice_effort(report),
             Catch::Matchers::EndsWith("is in call paths without names, for which the call tree had no room: raise "
                                       "tree_mb, node_limit or depth_limit (andes run --set)."));
}

TEST_CASE("the report marks its routines and warns of what is not reliable") {
  Files files;
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::unreliable, {0, 0, 0, 1});
  files.add(run);
  const Report report = files.report();
  const Routine* sweep = heaviest_own(report);
  REQUIRE(sweep);
  CHECK(sweep->path.back() == "sweep");
  CHECK(sweep->inclusive_error_percent.below == Approx(100 * 0.1 / 13));
  CHECK(sweep->own_error_percent.above == Approx(100 * 0.5 / 13));
  const auto work = std::find_if(report.routines.begin(), report.routines.end(),
                                 [](const Routine& r) { return r.path.back() == "work"; });
  REQUIRE(work != report.routines.end());
  CHECK_FALSE(work->inclusive_error_percent.estimated);
  CHECK(work->own_error_percent.below == Approx(100 * 0.5 / 13));
  CHECK(says(report_json(report), R"("visits": 4000, "sampled_visits": 3600, "timed_visits": 360,)"));
  REQUIRE(warning(report, "unreliable"));
  CHECK(contains(warning(report, "unreliable")->text, "very different from the 61.5 % of p x T that it is shown with"));
  CHECK(report.sampling.unreliable_percent == Approx(100 * 8.0 / 13));
  Terminal terminal;
  terminal.width = 130;
  const std::string text = report_text(terminal, report, true);
  CHECK(says(text, "?61.5 [60.8, 65.4] ?61.5 [60.8, 65.4]"));
  CHECK(contains(text, "sweep: ?61.5 % of p x T")); // in the advice, too
  terminal.width = 80;
  CHECK(says(report_text(terminal, report, true), "?61.5 3.8 ?61.5 3.8"));
}

TEST_CASE("own times that are less than their intervals are wide are named, with what helps") {
  const auto report = [](double more_s) { // sweep, 8 s, takes up to 1 s more: that lies in work, 1 s and more
    Files files;
    Run run = sampled_run({}, -more_s / 4);
    set_values(run, test::path_sweep, run_file::above_ns2, {squared(0.6), squared(0.8), 0, 0});
    files.add(run);
    return files.report();
  };
  const Report wide = report(0); // of 13 s
  REQUIRE(wide.sampling.wide.size() == 1);
  CHECK(wide.sampling.wide.front().path == std::vector<std::string>{"main", "work"});
  REQUIRE(warning(wide, "wide_intervals"));
  CHECK(contains(warning(wide, "wide_intervals")->text, "at 4 ranks: work 7.7 [0.0, 8.5] % of p x T"));
  CHECK_FALSE(warning(report(0.2), "wide_intervals")); // 1.2 [0.2, 1.3] s
}

TEST_CASE("wide own times of one function are named with the callers that tell them apart") {
  Sampling sampling;
  sampling.wide = {{{"main", "left", "step"}, 9, 0, 20},
                   {{"main", "right", "step"}, 8, 0, 18},
                   {{"main", "left", "sweep"}, 7, 0, 16},
                   {{"step"}, 6, 0, 14}};
  std::vector<Warning> warnings;
  add_sampling_warnings(sampling, 4, Axis::ranks, warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(contains(warnings[0].text, "at 4 ranks: left > step 9.0 [0.0, 20.0], right > step 8.0 [0.0, 18.0], "
                                   "sweep 7.0 [0.0, 16.0] and 1 more % of p x T"));
  sampling.unreliable = sampling.sampled = 4;
  sampling.unreliable_percent = 30;
  add_sampling_warnings(sampling, 4, Axis::ranks, warnings);
  for (const Warning& one : warnings) // an exact run distorts functions of nanoseconds
    CHECK(
        contains(one.text, "budget_percent=0 times every visit, which is right for visits of a microsecond and more"));
}

TEST_CASE("many callers that are the same are left out between the one that tells apart and the name") {
  Sampling sampling;
  sampling.wide = {{{"main", "left", "a", "b", "step"}, 9, 0, 20}, {{"main", "right", "a", "b", "step"}, 8, 0, 18}};
  std::vector<Warning> warnings;
  add_sampling_warnings(sampling, 4, Axis::ranks, warnings);
  CHECK(contains(warnings[0].text, ": left > … > step 9.0 [0.0, 20.0], right > … > step 8.0 [0.0, 18.0] % of p x T"));
}

TEST_CASE("of what cannot matter no warning is given") {
  Files files;
  Run run = sampled_run();
  set_values(run, test::path_sweep, run_file::unreliable, {0, 0, 0, 1});
  for (const run_file::MetricId metric : {run_file::inclusive_ns, run_file::exclusive_ns})
    set_values(run, test::path_sweep, metric, {0.1 * ns, 0, 0, 0}); // 0.8 % of 13 s
  files.add(run);
  const Report report = files.report();
  CHECK(report.sampling.unreliable == 1); // the legend says so
  CHECK_FALSE(warning(report, "unreliable"));
}

TEST_CASE("growth of computation must exceed what the tool's time leaves open") {
  // Six per cent more work. An error of 3 % at either end is 4.5 % of the factor 1.06: 1.015 at
  // least, and 1.02 is needed of single runs.
  const auto report = [](double error) {
    Files files;
    for (const int ranks : {1, 2, 4}) {
      const double compute_s = ranks == 4 ? 10.6 : 10;
      Run run = test::run_of({0, compute_s}, ranks);
      run.facts["tool_error_ns"] = error * compute_s * ns;
      files.add(run);
    }
    return files.report();
  };
  CHECK_FALSE(warning(report(0.03), "computation_grows"));
  const Report small = report(0.01);
  REQUIRE(warning(small, "computation_grows"));
  CHECK(small.growth->error == Approx(1.06 * std::sqrt(2) * 0.01));
}

TEST_CASE("a change within the errors of estimates is not called one") {
  // Mean over four ranks: errors of 0.025 below and 0.125 above. The change may be too high by what
  // the time after is and the time before is too low: sqrt(0.025^2 + 0.125^2) = 0.12748.
  Program after;
  after.hash = "bb";
  after.started = "2026-11-21T12:00:00Z";
  Files small;
  small.add(sampled_run());
  small.add(sampled_run(after, 0.12));
  const Report same = small.report();
  REQUIRE(same.comparison);
  CHECK(same.comparison->paths.empty()); // neither sweep nor work, its caller
  CHECK(same.comparison->within_errors == 2);
  CHECK(contains(report_text({}, same, true), "Not listed: 2 call paths with estimated times"));
  CHECK(contains(comparison_json(*same.comparison), R"("callpaths_within_errors": 2)"));

  Files large;
  large.add(sampled_run());
  large.add(sampled_run(after, 0.13));
  const Report changed = large.report();
  REQUIRE(changed.comparison->paths.size() == 2);
  CHECK(changed.comparison->within_errors == 0);
  const ComparedPath& path = changed.comparison->paths.front();
  CHECK(std::fabs(path.change_s.median) == Approx(0.13));
  CHECK(path.change_s.kind == Estimate::Kind::range);
  CHECK(*path.change_s.high - *path.change_s.low == Approx(2 * 0.127475));
  CHECK(contains(comparison_json(*changed.comparison), R"("estimated": true)"));

  // Exact times: the same change is one.
  const auto exact = [](Run run) {
    using namespace run_file;
    for (const MetricId metric : {sampled_visits, timed_visits, below_ns2, above_ns2})
      set_values(run, test::path_sweep, metric, {});
    return run;
  };
  Files timed;
  timed.add(exact(sampled_run()));
  timed.add(exact(sampled_run(after, 0.12)));
  const Report told = timed.report();
  CHECK(told.comparison->paths.size() == 2);
  CHECK(told.comparison->paths.front().change_s.kind == Estimate::Kind::point);

  // From exact to estimated times: sweep may be 0.025 s less or 0.125 s more than it seems.
  const auto listed = [&](double more_s) {
    Files files;
    files.add(exact(sampled_run()));
    files.add(sampled_run(after, more_s));
    return files.report().comparison->paths.size();
  };
  CHECK(listed(0.03) == 2);
  CHECK(listed(0.02) == 0);
  CHECK(listed(-0.12) == 0);
  CHECK(listed(-0.13) == 2);
  Files near_zero;
  near_zero.add(exact(sampled_run()));
  near_zero.add(sampled_run(after, 0.2)); // leaves work 0.05 s, at most 0.125 s less
  const Report report = near_zero.report();
  REQUIRE(report.comparison->paths.size() == 2);
  const auto& paths = report.comparison->paths;
  const ComparedPath& work = paths[0].path.back() == "work" ? paths[0] : paths[1];
  CHECK(work.before_s.kind == Estimate::Kind::point);
  CHECK(*work.after_s.low == 0);
  CHECK(*work.after_s.high == Approx(0.075));
}

TEST_CASE("errors within runs widen the spread over repeats") {
  Program after;
  after.hash = "bb";
  after.started = "2026-11-21T12:00:00Z";
  Files files;
  for (int i = 0; i < 6; ++i) {
    files.add(sampled_run());
    files.add(sampled_run(after, 0.2));
  }
  const Report report = files.report();
  REQUIRE_FALSE(report.comparison->paths.empty());
  const ComparedPath& path = report.comparison->paths.front();
  // The repeats are alike: all that is left is the error of the median of six, sqrt(pi / 12).
  CHECK(path.change_s.kind == Estimate::Kind::interval);
  CHECK(*path.change_s.high - path.change_s.median == Approx(0.127475 * 0.511663));
}

TEST_CASE("runs of monitors without a budget look as they did") {
  const Run run = test::run_of({}, 4);
  CHECK(shown(run, 100) == "jacobi 2048\n"
                           "4 ranks; 3.25 s; started 2026-11-20T12:00:00Z; on node1; Open MPI v4.1.4\n"
                           "\n"
                           "call path          %  visits  incl. s  excl. s  mean s  max s  bal.  comm. s    bytes\n"
                           "(program)      100.0       4     13.0        0    3.25   3.25  0.77     3.00  3.20 kB\n"
                           "`-main         100.0       4     13.0        0    3.25   3.25  0.77     3.00  3.20 kB\n"
                           "  |-work        69.2       4     9.00        0    2.25   2.25  1.00\n"
                           "  | `-sweep     69.2       4     9.00     9.00    2.25   2.25  1.00\n"
                           "  |-MPI_Bcast   23.1       4     3.00     3.00   0.750   1.00           3.00  3.20 kB\n"
                           "  `-setup        7.7       1     1.00     1.00   0.250   1.00  0.25\n"
                           "%: of p x T; incl., excl., comm.: sums over ranks; mean, max: of the inclusive time over "
                           "ranks;\n"
                           "bal.: mean / max of the time outside MPI; bytes: sent and received, callees included\n"
                           "\n"
                           "rank  wall s  compute s      %  comm. s     %  tool s  sync. s  end wait s\n"
                           "   0    3.25       3.25  100.0        0   0.0       0        0           0\n"
                           "   1    3.25       2.25   69.2     1.00  30.8       0        0           0\n"
                           "   2    3.25       2.25   69.2     1.00  30.8       0        0           0\n"
                           "   3    3.25       2.25   69.2     1.00  30.8       0        0           0\n"
                           "%: of the rank's wall time\n");
  const Profile profile = profile_of(run);
  const Tree tree = tree_of_all(profile);
  CHECK(contains(show_csv(profile, tree),
                 ",messages_sent,messages_received,io_s,bytes_read,bytes_written,io_bytes_per_s\n"));
  Files files;
  files.add(run);
  const Report report = files.report();
  CHECK(contains(report_csv(report), ",non_communication_percent,synchronisation_percent,io_percent\n"));
  for (const std::string& text : {show_json(profile, tree, {}), report_json(report), report_text({}, report, true)})
    for (const char* word : {"estimated", "sampl", "reliable", "muted", "budget", "~", "?\""})
      CHECK_FALSE(contains(text, word));
}

TEST_CASE("a table fits while what gives way can be read") {
  Terminal terminal;
  terminal.width = 60;
  Table table;
  table.columns = {{"name", TableColumn::Align::left, true}, {"s"}};
  table.rows = {{std::string(80, 'x'), std::string(26, '1')}};
  CHECK(fits(terminal, table, 0)); // 32 and 26, with the wide gap of 2
  table.rows = {{std::string(80, 'x'), std::string(28, '1')}};
  CHECK_FALSE(fits(terminal, table, 0));
}
