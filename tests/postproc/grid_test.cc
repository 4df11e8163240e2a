// A grid of ranks and threads by hand: T(p, n) is given for each point.
#include "postproc/analysis/grid.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "postproc/analysis/report.h"
#include "postproc/view/views.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::TemporaryDirectory;

namespace {

using Times = std::map<std::pair<int, int>, double>; // by ranks and threads

/// A file with runs of these times, six of each that differ by a thousandth or two.
struct GridFiles {
  TemporaryDirectory directory;
  std::vector<std::string> names;
  explicit GridFiles(const Times& times, std::pair<int, int> oversubscribed = {}, const std::string& hash = "aa") {
    add(times, oversubscribed, hash);
  }
  void add(const Times& times, std::pair<int, int> oversubscribed, const std::string& hash) {
    for (const auto& [size, time_s] : times)
      for (int repeat = 0; repeat < 6; ++repeat) {
        test::Program program{0, time_s * size.first};
        program.hash = hash;
        program.started = "2026-11-20T12:00:00Z" + hash;
        Run run = test::run_of(program, size.first, 1 + 0.001 * repeat);
        run.facts["threads_started"] = std::int64_t{size.second};
        run.facts["oversubscribed"] = std::int64_t{size == oversubscribed};
        names.push_back(directory / fmt::format("{}.andes", names.size()));
        test::write(run, names.back());
      }
  }
  Series series() const {
    return read_series(names, false, [](const Refusal&) { FAIL("a run was skipped"); });
  }
};

/// Amdahl with f = 0.1 on cores, but teams of four lose a fifth.
const Times times = {{{1, 1}, 10},   {{1, 2}, 5.5},  {{1, 4}, 3.9}, {{2, 1}, 5.5},
                     {{2, 2}, 3.25}, {{2, 4}, 2.55}, {{4, 1}, 3.5}};

} // namespace

TEST_CASE("runs with other threads are no repeats of each other") {
  const Series series = GridFiles(times).series();
  REQUIRE(series.builds.size() == 1);
  REQUIRE(series.builds[0].points.size() == 7);
  for (const Point& point : series.builds[0].points) CHECK(point.runs.size() == 6);
  CHECK(is_grid(series.builds[0]));
  const GridFiles even({{{1, 2}, 10}, {{2, 2}, 6}}); // the same threads throughout: a series over ranks
  CHECK_FALSE(is_grid(even.series().builds[0]));
  const Report report = report_of(even.series(), nullptr, false);
  CHECK_FALSE(report.grid);
  CHECK(report.scaling.axis == Axis::ranks);
}

TEST_CASE("of each number of cores the best split is found, the others with their interval") {
  const Series series = GridFiles(times).series();
  const Grid grid = grid_of(series.builds[0], nullptr, false);
  CHECK(grid.ranks == std::vector<int>{1, 2, 4});
  CHECK(grid.threads == std::vector<int>{1, 2, 4});
  REQUIRE(grid.splits.size() == 4); // 1, 2, 4, 8 cores
  const CoreSplits& four = grid.splits[2];
  CHECK(four.cores == 4);
  REQUIRE(four.splits.size() == 3);
  CHECK((four.splits[0].ranks == 2 && four.splits[0].threads == 2));
  CHECK(four.splits[0].verdict == Split::Verdict::best);
  CHECK((four.splits[1].ranks == 4 && four.splits[1].threads == 1));
  CHECK(four.splits[1].slower_percent.median == Approx(100 * (3.5 / 3.25 - 1)));
  CHECK(four.splits[1].slower_percent.kind == Estimate::Kind::interval);
  CHECK(four.splits[1].verdict == Split::Verdict::slower);
  CHECK(four.splits[2].slower_percent.median == Approx(20));
  // On two cores both splits take as long.
  CHECK(grid.splits[1].splits[1].verdict == Split::Verdict::undecided);
}

TEST_CASE("oversubscribed splits are shown and are no best ones") {
  const Times two = {{{1, 1}, 10}, {{1, 4}, 3}, {{4, 1}, 4}, {{2, 2}, 5}};
  const Series series = GridFiles(two, {1, 4}).series();
  const Grid grid = grid_of(series.builds[0], nullptr, false);
  CHECK(grid.all.points.size() == 4);
  CHECK((grid.splits[1].splits[0].ranks == 4 && grid.splits[1].splits.size() == 2));
  CHECK(over_cores(series.builds[0], false).points[1].ranks == 4);
  CHECK(over_cores(series.builds[0], true).points[1].threads == 4);
  CHECK(grid_of(series.builds[0], nullptr, true).splits[1].splits[0].threads == 4);
}

TEST_CASE("scaling over cores, over ranks and over threads") {
  const Report report = report_of(GridFiles(times).series(), nullptr, false);
  REQUIRE(report.grid);
  const Scaling& s = report.scaling;
  CHECK(s.axis == Axis::cores);
  REQUIRE(s.points.size() == 4);
  CHECK(s.points[2].size == 4);
  CHECK(s.points[2].speedup.median == Approx(10 / 3.25));
  CHECK(s.points[2].serial_fraction->median == Approx(0.1)); // (1/A - 1/4) / (1 - 1/4)
  CHECK(s.points[3].size == 8);
  CHECK(s.points[3].efficiency.median == Approx(10 / 2.55 / 8));
  CHECK(s.points[3].serial_fraction->median == Approx((0.255 - 0.125) / 0.875));
  const Grid& grid = *report.grid;
  REQUIRE(grid.over_ranks.size() == 3);
  CHECK(grid.over_ranks[1].fixed == 2); // 5.5, 3.25 s at one and two ranks
  CHECK(grid.over_ranks[1].scaling.points[1].speedup.median == Approx(5.5 / 3.25));
  CHECK(grid.over_ranks[1].scaling.points[1].serial_fraction->median == Approx((3.25 / 5.5 - 0.5) / 0.5));
  REQUIRE(grid.over_threads.size() == 2); // four ranks ran with one number of threads only
  CHECK(grid.over_threads[1].fixed == 2); // 5.5, 3.25, 2.55 s at one, two, four threads
  CHECK(grid.over_threads[1].scaling.axis == Axis::threads);
  CHECK(grid.over_threads[1].scaling.points[2].serial_fraction->median == Approx((2.55 / 5.5 - 0.25) / 0.75));
  CHECK((report.routine_ranks == 2 && report.routine_threads == 4));
}

TEST_CASE("the report says which split is best, as text, JSON and CSV") {
  const Report report = report_of(GridFiles(times).series(), nullptr, false);
  const std::string text = report_text({}, report, true);
  CHECK(text.find("On 4 cores 2 ranks x 2 threads run best: 3.26 s") != std::string::npos);
  CHECK(text.find("4 x 1 takes 7.7 % longer") != std::string::npos);
  CHECK(text.find("per doubling of the cores") != std::string::npos);
  const auto json = nlohmann::json::parse(report_json(report));
  CHECK(json["grid"]["points"].size() == 7);
  CHECK(json["grid"]["best_splits"][2]["splits"][0]["threads"] == 2);
  CHECK(json["points"][3]["cores"] == 8);
  CHECK(json["points"][3]["threads"] == 4);
  CHECK(json["grid"]["over_threads"][0]["points"][2]["threads"] == 4);
  CHECK(report_csv(report).find("ranks,threads,repeats") == 0);
  const Report plain = report_of(GridFiles({{{1, 1}, 10}, {{2, 1}, 6}}).series(), nullptr, false);
  CHECK(report_json(plain).find("threads") == std::string::npos);
  CHECK(report_csv(plain).find("ranks,repeats") == 0);
  CHECK(report_text({}, plain, true).find("cores") ==
        report_text({}, plain, true).find("cores;")); // those of the host alone
}

TEST_CASE("two builds are compared at the same ranks and threads") {
  GridFiles files(times);
  Times faster = times;
  faster[{2, 2}] = 3.0;
  files.add(faster, {}, "bb");
  const Report report = report_of(files.series(), nullptr, false);
  REQUIRE(report.comparison);
  REQUIRE(report.comparison->points.size() == 7);
  for (const ComparedPoint& p : report.comparison->points)
    CHECK((p.change == Change::faster) == (p.ranks == 2 && p.threads == 2));
}

TEST_CASE("whether a change has helped is said of the largest size that tells it") {
  GridFiles files({{{1, 1}, 10}, {{1, 2}, 6}, {{2, 2}, 4}}, {2, 2}, "aa");
  files.add({{{1, 1}, 10}, {{1, 2}, 5}, {{2, 2}, 4.5}}, {2, 2}, "bb");
  const std::string text = report_text({}, report_of(files.series(), nullptr, false), true);
  CHECK(text.find("Yes: -16.7 % of the time at 1 rank x 2 threads.") != std::string::npos);
  const std::string all = report_text({}, report_of(files.series(), nullptr, true), true);
  CHECK(all.find("It depends on the number of ranks and threads: +12.5 % of the time at 2 ranks x 2 threads.") !=
        std::string::npos);
}
