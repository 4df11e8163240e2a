// Histories by hand: which runs belong together, in which order, and what a change consists of.
#include "postproc/analysis/history.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "postproc/view/history_view.h"

using namespace andes::postproc;

namespace {

std::string commit_name(int number) { return fmt::format("{:040x}", number + 0xabc0000); }

/// A run of a commit: `solve_s` in solve, 2 s in setup, 1 s waiting.
HistoryRun run_of(int commit, double solve_s, int repeat = 0) {
  HistoryRun run;
  run.file = fmt::format("runs/{:03}.{}.andes", commit, repeat);
  run.program = "jacobi";
  run.command = "jacobi 2048";
  run.host = "a processor, 2 usable cores";
  run.mpi = "Open MPI v4.1.4, package";
  run.started = fmt::format("2026-11-01T{:02}:{:02}:00Z", commit / 60, commit % 60);
  run.stamp.commit = commit_name(commit);
  run.stamp.commit_time = run.started;
  run.stamp.branch = "main";
  run.stamp.compiler = commit < 20 ? "gcc version 12" : "gcc version 13";
  run.ranks = 2;
  run.time_s = (solve_s + 3) / 2;
  run.core_s = solve_s + 3;
  run.parts = {{"computation", solve_s + 2}, {"idle_late_sender", 1.0}};
  run.titles = {{"idle_late_sender", "Late sender"}};
  run.paths.resize(2);
  run.paths[0].path = {"main", "solve"};
  run.paths[0].computation_s = run.paths[0].lost_s = solve_s;
  run.paths[1].path = {"main", "setup"};
  run.paths[1].computation_s = 2;
  run.paths[1].idle_s = 1;
  run.paths[1].lost_s = 3;
  return run;
}

/// 40 commits of three runs; from commit 20 on solve takes 1 s more. The files are not in the order of the commits.
std::vector<HistoryRun> slower_at_20() {
  std::vector<HistoryRun> runs;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (int commit = 39; commit >= 0; --commit)
      runs.push_back(run_of(commit, (commit < 20 ? 10 : 11) + 0.01 * ((commit * 7 + repeat * 3) % 10), repeat));
  return runs;
}

BuildTree no_tree(const HistoryRun&) { return {}; }

} // namespace

TEST_CASE("history: a change, and what it consists of") {
  const History history = history_of(slower_at_20(), {}, no_tree);
  REQUIRE(history.groups.size() == 1);
  const HistoryGroup& group = history.groups[0];
  CHECK_FALSE(group.by_git);
  REQUIRE(group.commits.size() == 40);
  CHECK(group.commits[0].commit == commit_name(0));
  CHECK(group.commits[0].runs.size() == 3);
  REQUIRE(group.changes.size() == 1);
  const HistoryChange& change = group.changes[0];
  CHECK(change.point.at == 20);
  CHECK(change.percent.median == Approx(100.0 * 0.5 / 6.5).margin(0.4));
  REQUIRE(change.percent.low);
  CHECK(*change.percent.low > 6);
  CHECK(change.conditions == std::vector<std::string>{"compiler: gcc version 12 -> gcc version 13"});
  REQUIRE(change.terms.size() == 1); // the idle time is the same
  CHECK(change.terms[0].name == "computation");
  CHECK(change.terms[0].change_s() == Approx(1).margin(0.02));
  REQUIRE(change.paths.size() == 1);
  CHECK(change.paths[0].path == std::vector<std::string>{"main", "solve"});
  CHECK(change.paths[0].part == "computation");
  CHECK(change.paths[0].change_s.median == Approx(1).margin(0.05));
}

TEST_CASE("history: a function that got another name is followed, and marked as a guess") {
  std::vector<HistoryRun> runs = slower_at_20();
  const auto is_renamed = [](const HistoryRun& run) { return run.stamp.commit >= commit_name(25); };
  for (HistoryRun& run : runs) {
    run.build = run.stamp.commit;
    if (is_renamed(run)) run.paths[0].path.back() = "solve_all";
  }
  std::size_t asked = 0;
  const auto tree_of = [&](const HistoryRun& run) {
    ++asked;
    const std::string solve = is_renamed(run) ? "solve_all" : "solve";
    return BuildTree{{{"(program)", "root", "", 0},
                      {"main", "function", "a.c", 9},
                      {solve, "function", "a.c", 5},
                      {"setup", "function", "a.c", 1}},
                     {{-1, 0}, {0, 1}, {1, 2}, {1, 3}},
                     {1, 1, 7, 1},
                     {},
                     {}};
  };
  const History history = history_of(runs, {}, tree_of);
  CHECK(asked == 40); // one run of each build
  const HistoryChange& change = history.groups.at(0).changes.at(0);
  CHECK(change.point.at == 20);
  REQUIRE(change.paths.size() == 1);
  CHECK(change.paths[0].path == std::vector<std::string>{"main", "solve_all"});
  CHECK(change.paths[0].was == std::vector<std::string>{"main", "solve"});
  CHECK(change.paths[0].guess.by == Likeness::renamed);
  CHECK(change.paths[0].change_s.median == Approx(1).margin(0.05));
  CHECK(history_text(Terminal{}, history, {}, false).find("guess: renamed from solve: ") != std::string::npos);
  CHECK(history_json(history, {}).find("\"guessed\": \"renamed\"") != std::string::npos);
  // Names alone split it.
  CHECK(history_of(runs, {}, no_tree).groups.at(0).changes.at(0).paths.size() == 2);
}

TEST_CASE("history: git's order counts where it has all commits") {
  std::vector<HistoryRun> runs = slower_at_20();
  for (HistoryRun& run : runs) run.stamp.commit_time = "2026-11-01T00:00:00Z"; // as after a rebase
  std::vector<std::string> order;
  for (int commit = 0; commit < 45; ++commit) order.push_back(commit_name(commit));
  const History history = history_of(runs, order, no_tree);
  CHECK(history.groups.at(0).by_git);
  CHECK(history.groups[0].changes.at(0).point.at == 20);
  order.erase(order.begin() + 5);
  CHECK_FALSE(history_of(runs, order, no_tree).groups.at(0).by_git);
}

TEST_CASE("history: hosts, MPI libraries, sizes and arguments are told apart; what is of no commit is left out") {
  std::vector<HistoryRun> runs = {run_of(1, 10), run_of(1, 10), run_of(1, 10),
                                  run_of(1, 10), run_of(1, 10), run_of(1, 10)};
  runs[1].host = "another processor";
  runs[2].mpi = "MPICH";
  runs[3].ranks = 4;
  runs[4].command = "jacobi 4096";
  runs[5].stamp.dirty = true;
  HistoryRun failed = run_of(2, 10), unstamped = run_of(3, 10);
  failed.why_not = "failed";
  unstamped.stamp = {};
  unstamped.build = "00aa";
  runs.push_back(failed);
  runs.push_back(unstamped);
  const History history = history_of(runs, {}, no_tree);
  CHECK(history.groups.size() == 5);
  CHECK(history.left_out ==
        std::map<std::string, std::size_t>{{"failed", 1}, {"of sources with changes that are not committed", 1}});
  std::size_t builds = 0;
  for (const HistoryGroup& group : history.groups)
    for (const HistoryCommit& commit : group.commits) builds += commit.commit.empty() && commit.build == "00aa";
  CHECK(builds == 1);
}

TEST_CASE("history: its text and JSON do not depend on the order of files") {
  std::vector<HistoryRun> runs = slower_at_20();
  const auto text_of_runs = [](const std::vector<HistoryRun>& all) {
    const History history = history_of(all, {}, no_tree);
    CommitsBetween between;
    const auto ends = ends_of(history.groups[0], history.groups[0].changes[0]);
    between[ends] = {{commit_name(20), "Solve twice, to be sure"}};
    return history_text(Terminal{}, history, between, false) + history_json(history, between);
  };
  const std::string text = text_of_runs(runs);
  std::reverse(runs.begin(), runs.end());
  CHECK(text_of_runs(runs) == text);
  CHECK(text.find("slower") != text.npos);
  CHECK(text.find("Solve twice, to be sure") != text.npos);
  CHECK(text.find("main > solve: computation") != text.npos);
}
