// Models over an axis of --vary, on made-up sweeps: rank 0 computes 1 s alone, then all share W(N).
#include "postproc/analysis/axis_models.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>

#include "tests/postproc/run_maker.h"

using namespace andes::postproc;
using namespace andes::test;

namespace {

struct Sweep {
  std::vector<std::string> values{"500", "1000", "2000", "4000"};
  double serial_s = 1;
  double (*shared_s)(double) = [](double n) { return 8 * std::pow(n / 1000, 3); };

  Overview overview() const {
    const TemporaryDirectory directory;
    std::vector<std::string> files;
    for (const std::string& value : values)
      for (const int ranks : {1, 4}) {
        Program program;
        program.serial_s = serial_s;
        program.parallel_s = number_of(value) ? shared_s(*number_of(value)) : 8;
        program.arguments = "[\"" + value + "\"]";
        auto run = run_of(program, ranks);
        run.facts.named("axes") = "[\"N=" + value + "\"]";
        files.push_back(directory / fmt::format("{}.{}.andes", value, ranks));
        write(run, files.back());
      }
    const std::vector<Series> series =
        read_all_series(files, {}, [](const andes::Refusal&) { FAIL("a run was skipped"); });
    std::vector<Report> reports;
    for (const Series& one : series) reports.push_back(report_of(one, nullptr, true));
    return overview_with_models(reports, series, true);
  }
};

const AxisTable& at_ranks(const Overview& overview, int ranks) {
  for (const AxisTable& table : overview.axes)
    if (table.ranks == ranks) return table;
  FAIL("no table of " << ranks << " ranks");
  throw 0;
}

const PathModel* find(const AxisModels& models, const std::string& name) {
  for (const PathModel& path : models.paths)
    if (path.path.back() == name) return &path;
  return nullptr;
}

} // namespace

TEST_CASE("T and call paths grow with a size of the problem, at fixed ranks") {
  const Overview overview = Sweep().overview();
  const AxisTable& four = at_ranks(overview, 4);
  REQUIRE(four.models.time); // 1 + 2e-9 N^3
  CHECK(four.models.time->term == Term{3, 1, 0});
  CHECK(four.models.time->constant == Approx(1).epsilon(1e-3));
  CHECK(four.models.time->coefficient == Approx(2e-9).epsilon(1e-3));
  CHECK(four.models.time->formula() == "1 + 2e-09 N^3");
  const PathModel* const sweep = find(four.models, "sweep"); // 8e-9 N^3 in sum
  REQUIRE(sweep);
  CHECK(sweep->model.term == Term{3, 1, 0});
  CHECK(sweep->model.coefficient == Approx(8e-9).epsilon(1e-3));
  CHECK(sweep->model.variable == "N");
  CHECK(four.models.projected == 16000);
  CHECK(at_ranks(overview, 1).models.time->coefficient == Approx(8e-9).epsilon(1e-3));
}

TEST_CASE("what does not depend on the axis is constant") {
  Sweep sweep;
  sweep.shared_s = [](double) { return 8.0; };
  const AxisModels models = at_ranks(sweep.overview(), 4).models;
  REQUIRE(models.time);
  CHECK(models.time->course == Course::constant);
  REQUIRE(find(models, "setup"));
  CHECK(find(models, "setup")->model.course == Course::constant);
}

TEST_CASE("how large a problem must be is read from the efficiencies of the values") {
  // At 4 ranks E = (1 + W) / (4 + W), W = 8 (N / 1000)^3: 0.4, 0.75, 65/68, 513/516.
  const Overview overview = Sweep().overview();
  CHECK_FALSE(at_ranks(overview, 1).efficient); // the base is efficient by definition
  const EfficientValue e = *at_ranks(overview, 4).efficient;
  CHECK(e.more_than == 1000);
  CHECK(e.at_most == 2000);
  CHECK(*e.between == Approx(1000 * std::pow(2, 0.05 / (65.0 / 68 - 0.75))).epsilon(1e-6));

  Sweep small;
  small.values = {"250", "500", "1000"};
  const EfficientValue none = *at_ranks(small.overview(), 4).efficient;
  CHECK(none.more_than == 1000);
  CHECK_FALSE(none.at_most);
  CHECK_FALSE(none.between);

  Sweep large;
  large.values = {"2000", "4000"};
  const EfficientValue all = *at_ranks(large.overview(), 4).efficient;
  CHECK_FALSE(all.more_than);
  CHECK(all.at_most == 2000);
}

TEST_CASE("three values are too few for a form, and texts have none") {
  Sweep three;
  three.values = {"500", "1000", "2000"};
  const AxisModels models = at_ranks(three.overview(), 4).models;
  CHECK(models.values == 3);
  CHECK_FALSE(models.time);
  Sweep texts;
  texts.values = {"small", "medium", "large", "4000"};
  const Overview overview = texts.overview();
  CHECK(at_ranks(overview, 4).models.values == 0);
  CHECK_FALSE(at_ranks(overview, 4).efficient);
}
