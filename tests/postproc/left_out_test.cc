// Estimated times of functions without a probe.
#include <catch2/catch.hpp>

#include "postproc/analysis/left_out.h"
#include "postproc/analysis/routines.h"
#include "postproc/model/read_run.h"
#include "postproc/view/left_out_text.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::postproc;

namespace {

/// T(2) = 1 + 9 / 2: sweep has 9 of 11 s of its own, setup 1 of 11, of two ranks.
monitor::Run made(double scale = 1) {
  monitor::Run run = test::run_of({}, 2, scale);
  run.left_out = {{2, {"read", "io.h", 4}, 0.5, true},
                  {5, {"flux", "flux.h", 12}, 0.25, false},
                  {5, {"read", "io.h", 4}, 0.1, false},
                  {4, {"nothing", "flux.h", 13}, 1, false}};
  return run;
}

} // namespace

TEST_CASE("the own time of callers is divided, from the heaviest on") {
  const test::TemporaryDirectory directory;
  test::write(made(), directory / "a.andes");
  const Profile profile = read_run(directory / "a.andes", Detail::tree);
  REQUIRE(profile.left_out.size() == 4);
  const Tree tree = tree_of(profile, profile.statistics);
  const std::vector<LeftOutTime> times = left_out_times(profile, own_percents(tree));
  REQUIRE(times.size() == 2); // work has no time of its own
  CHECK(times[0].function == NamedPlace{"flux", "flux.h", 12});
  CHECK(times[0].percent == Approx(100 * 0.25 * 9 / 11));
  CHECK(times[0].callers == std::vector<std::string>{"sweep"});
  CHECK_FALSE(times[0].unknown_work);
  CHECK(times[1].percent == Approx(100 * (0.1 * 9 + 0.5 * 1) / 11));
  CHECK(times[1].callers == std::vector<std::string>{"sweep", "setup"});
  CHECK(times[1].unknown_work);
}

TEST_CASE("samples tell what they tell most of, and are told apart from what operations let expect") {
  const test::TemporaryDirectory directory;
  monitor::Run run = made();
  run.left_out[1].samples = 500; // flux in sweep
  run.left_out[2].samples = 500; // read in sweep, 0.9 s of 1.4
  run.left_out.push_back({2, {"scan", "io.h", 20}, 0.4, true});
  test::write(run, directory / "a.andes");
  const Profile profile = read_run(directory / "a.andes", Detail::tree);
  const std::vector<LeftOutTime> times = left_out_times(profile, own_percents(tree_of(profile, profile.statistics)));
  REQUIRE(times.size() == 3);
  CHECK(times[0].is_sampled);
  CHECK(times[1].function.name == "read");
  CHECK(times[1].is_sampled);
  CHECK_FALSE(times[1].unknown_work); // samples leave nothing out
  CHECK_FALSE(times[2].is_sampled);
  CHECK(times[2].unknown_work);
  Terminal terminal;
  terminal.width = 80;
  CHECK(left_out_text(terminal, times, 0) ==
        "\nFunctions without a probe (their time is in that of their callers; as samples\n"
        "of the program tell):\n"
        "about %  function             in\n"
        "   20.5  flux      flux.h:12  sweep\n"
        "   12.7  read      io.h:4     sweep, setup\n"
        "  ~3.6*  scan      io.h:20    setup\n"
        "~: not sampled often enough; estimated from the operations in the source\n"
        "*: too large if libraries or code of unknown work take time there (they count as\n"
        "none)\n");
}

TEST_CASE("loops and blocks belong to the function around them, functions to themselves") {
  Tree tree;
  tree.time_s = 10;
  const auto add = [&](int id, std::optional<int> parent, const char* name, const char* kind, double own_s) {
    TreeRow row;
    row.id = id;
    row.parent = parent;
    row.name = name;
    row.kind = kind;
    row.exclusive_s = own_s;
    tree.rows.push_back(row);
  };
  add(3, {}, "(program)", "root", 1);
  add(4, 3, "f", "function", 1);
  add(5, 4, "f::{loop:3}", "loop", 2);
  add(6, 5, "parallel", "parallel", 0.5);
  add(7, 6, "g", "function", 1.5);
  add(8, 5, "MPI_Send", "send", 4);
  const OwnPercents own = own_percents(tree);
  CHECK(own.size() == 2);
  CHECK(own.at({"f", "", 0}) == Approx(35));
  CHECK(own.at({"g", "", 0}) == Approx(15));
}

TEST_CASE("repeats: medians, and of the heaviest a table") {
  const test::TemporaryDirectory directory;
  std::vector<Profile> repeats;
  for (const double share : {0.25, 0.5, 0.3}) {
    monitor::Run run = made();
    run.left_out[1].share = share;
    if (share > 0.4) run.left_out.erase(run.left_out.begin()); // not by setup
    const std::string file = directory / (std::to_string(share) + ".andes");
    test::write(run, file);
    repeats.push_back(read_run(file, Detail::tree));
  }
  const std::vector<LeftOutTime> times = left_out_times(repeats, side_by_side(repeats));
  REQUIRE(times.size() == 2);
  CHECK(times[0].percent == Approx(100 * 0.3 * 9 / 11));
  CHECK(times[1].percent == Approx(100 * 1.4 / 11));
  CHECK(times[1].unknown_work);
  Terminal terminal;
  terminal.width = 80;
  CHECK(left_out_text(terminal, times, 2) ==
        "\n  Functions without a probe (their time is in that of their callers; estimated\n"
        "  from the operations in the source):\n"
        "  about %  function             in\n"
        "     24.5  flux      flux.h:12  sweep\n"
        "    12.7*  read      io.h:4     sweep, setup\n"
        "  *: too large if libraries or code of unknown work take time there (they count\n"
        "  as none)\n");
  CHECK(left_out_text(terminal, {}, 2).empty());
  CHECK(left_out_text(terminal, {{{"light", "", 0}, 0.9, false, false, {"f"}}}, 2).empty());
}
