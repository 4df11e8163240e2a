// Promises of made-up runs, whose answers follow from T(p) = serial + parallel / p (run_maker.h).
#include "postproc/analysis/promises.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <functional>

#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::Program;

namespace {

constexpr int ranks = 4;

/// Two builds on four ranks.
struct Builds {
  test::TemporaryDirectory directory;
  std::vector<std::string> before, after;

  void add(std::vector<std::string>& side, const Program& program, const std::function<void(Run&)>& edit = {}) {
    for (const double scale : {1., 1.001, 1.002, 1.003, 1.004, 1.005}) {
      Run run = test::run_of(program, ranks, scale);
      if (edit) edit(run);
      side.push_back(directory / fmt::format("{:03}.andes", before.size() + after.size()));
      test::write(run, side.back());
    }
  }
  Promises promises(const std::vector<std::string>& asked = {}) const {
    const auto build = [](const std::vector<std::string>& files) {
      return read_series(files, false, [](const Refusal&) { FAIL("a run was skipped"); }).builds.back();
    };
    const Build old_build = build(before), new_build = build(after);
    return promises_of(old_build, new_build, *read_common_size(old_build, new_build, false), asked, false);
  }
};

const Promise& of(const Promises& promises, const std::string& change) {
  for (const Promise& promise : promises.all)
    if (promise.prediction.changes == std::vector<std::string>{change}) return promise;
  FAIL("no promise: " + change);
  return promises.all.front();
}

Program changed(double serial_s, double parallel_s) {
  return {.serial_s = serial_s, .parallel_s = parallel_s, .hash = "bb", .started = "2026-11-21T12:00:00Z"};
}

} // namespace

TEST_CASE("a change that was made realises what was promised, others nothing") {
  Builds builds;
  builds.add(builds.before, {});
  builds.add(builds.after, changed(1, 4.5), [](Run& run) { // twice as fast, and under another name
    for (auto& region : run.regions)
      if (region.name == "sweep") region.name = "sweep_all";
  });
  const Promises promises = builds.promises({"setup x4"});
  CHECK(promises.ranks == ranks);
  CHECK(promises.time_s == Approx(3.25).margin(0.02));
  const Promise& sweep = of(promises, "sweep x2");
  CHECK(sweep.prediction.low.gain_s == Approx(1.125).margin(0.01));
  CHECK(sweep.realised_s.median == Approx(1.125).margin(0.01));
  CHECK(sweep.kept == Kept::as_promised);
  CHECK_FALSE(sweep.asked);
  CHECK(promises.all.front().asked);
  CHECK(of(promises, "setup x4").kept == Kept::not_realised);
}

TEST_CASE("more or less than was promised, and several changes by T") {
  Builds builds;
  builds.add(builds.before, {});
  builds.add(builds.after, changed(0.9, 1));
  const Promises promises = builds.promises({"sweep x3", "setup x2"});
  // 2.25 s of each rank become 0.25 s, where x2 promised 1.125 s.
  CHECK(of(promises, "sweep x2").realised_s.median == Approx(2).margin(0.01));
  CHECK(of(promises, "sweep x2").kept == Kept::more);
  // T becomes 1.15 s of 3.25 s; the two promised 1.5 s of the sweep and 0.5 s of setup, which is nearly as much.
  CHECK(promises.all.front().prediction.high.gain_s == Approx(2).margin(0.01));
  CHECK(promises.all.front().realised_s.median == Approx(2.1).margin(0.01));
  CHECK(promises.all.front().kept == Kept::as_promised);
  Builds less;
  less.add(less.before, {});
  less.add(less.after, changed(1, 7));
  CHECK(of(less.promises(), "sweep x2").kept == Kept::less); // 0.5 s of 1.125 s
}

TEST_CASE("runs that did not come to their end promise nothing") {
  Builds builds;
  builds.add(builds.before, {}, [](Run& run) { run.facts["exit_status"] = std::int64_t{1}; });
  builds.add(builds.after, changed(1, 4.5));
  CHECK(builds.promises().all.empty());
}
