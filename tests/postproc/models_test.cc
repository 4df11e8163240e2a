#include "postproc/analysis/models.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

namespace {

Build build_of(const std::vector<std::pair<int, double>>& times) {
  Build build;
  for (const auto& [size, seconds] : times) {
    Point point;
    point.ranks = point.size = size;
    point.runs.clear();
    point.times_s = sample_of({seconds}, static_cast<std::uint64_t>(size));
    build.points.push_back(std::move(point));
  }
  return build;
}

Models models(const std::vector<std::pair<int, double>>& times) {
  const Build build = build_of(times);
  return models_of(build, scaling_of(build, nullptr, false), Processor());
}

} // namespace

TEST_CASE("how large a problem must be: E / (1 - E) times what is lost") {
  CHECK(work_for(0.8, 0.25) == Approx(1));
  CHECK(work_for(0.5, 3) == Approx(3));
  // T(p) = 1 + 9/p: p T = 9 + p, so at 4 ranks 3 of 10 s are lost; 80 % need 4 x 0.3 times the work.
  const Models m = models({{1, 10}, {2, 5.5}, {4, 3.25}});
  REQUIRE(m.isoefficiency.size() == 3);
  CHECK(m.isoefficiency[0].size == 4);
  CHECK(m.isoefficiency[0].work == Approx(1.2));
}

TEST_CASE("few sizes give few words") {
  const Models two = models({{1, 10}, {2, 5.5}});
  CHECK(two.forecasts.empty());
  CHECK_FALSE(two.next);
  const Models three = models({{1, 10}, {2, 5.5}, {4, 3.25}});
  CHECK(three.forecasts.size() == 2);
  CHECK_FALSE(three.time);
  CHECK_FALSE(three.usl);
}

TEST_CASE("work that grows with the size: T is modelled, and constant means that it scales") {
  Build build = build_of({{1, 10}, {2, 10}, {4, 10}, {8, 10}, {16, 10}});
  build.weak = true;
  const Models m = models_of(build, scaling_of(build, nullptr, false), Processor());
  REQUIRE(m.time);
  CHECK(m.time->course == Course::constant);
  CHECK(m.scaled.back().scaled_speedup.median == Approx(16));
  CHECK(m.forecasts.empty());
  CHECK_FALSE(m.usl);
}

TEST_CASE("T = 1 + 9/p has the sum 9 + p, a contention of a tenth, and no coherency") {
  const Models m = models({{1, 10}, {2, 5.5}, {4, 3.25}, {8, 2.125}, {16, 1.5625}, {32, 1.28125}});
  REQUIRE(m.time);
  CHECK(m.time->term == Term{1, 1, 0});
  CHECK(m.time->constant == Approx(9));
  REQUIRE(m.usl);
  CHECK(m.usl->contention == Approx(0.1));
  CHECK(m.usl->coherency == Approx(0).margin(1e-9));
  CHECK_FALSE(m.next); // all models say the same
}

TEST_CASE("a superlinear speedup is explained by counts, if there are any") {
  const Build build = build_of({{1, 10}, {2, 4}});
  const Scaling scaling = scaling_of(build, nullptr, false);
  CHECK_FALSE(models_of(build, scaling, Processor()).superlinear);
  Processor processor;
  processor.points = {{1, 1, 1, {10, 1e10, 2e10, {}, 1e8}, {}},
                      {2, 1, 2, {8, 1e10, 1.6e10, {}, 2e7}, {1.25, 1, 1.25, 1}}};
  const Models m = models_of(build, scaling, processor);
  REQUIRE(m.superlinear);
  CHECK(m.superlinear->size == 2);
  CHECK(m.superlinear->scaling.per_cycle == 1.25);
  CHECK(*m.superlinear->misses_before == Approx(10)); // 1e8 in 1e10 instructions
  CHECK(*m.superlinear->misses_after == Approx(2));
}
