// T(p) = 1 + 9 x work / p with the work growing as p: T = 10 at all sizes but for what is added.
#include "postproc/analysis/gustafson.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

TEST_CASE("Gustafson's serial fraction") {
  CHECK(gustafson_fraction(8, 8) == 0);
  CHECK(gustafson_fraction(1, 8) == 1);
  // Serial share 0.1 at 16 times the size: S = 16 - 0.1 x 15 = 14.5.
  CHECK(gustafson_fraction(14.5, 16) == Approx(0.1));
}

TEST_CASE("scaled speedup of a weak sweep") {
  Build build;
  build.weak = true;
  for (const auto& [size, seconds] : {std::pair{2, 10.0}, {8, 12.5}}) {
    Point point;
    point.ranks = point.size = size;
    point.times_s = sample_of({seconds}, 1);
    build.points.push_back(std::move(point));
  }
  const auto points = scaled_points(build);
  CHECK(points[0].scaled_speedup.median == 1);
  CHECK_FALSE(points[0].serial_fraction);
  CHECK(points[1].efficiency.median == Approx(0.8));
  CHECK(points[1].scaled_speedup.median == Approx(3.2));           // 4 x 10 / 12.5
  CHECK(points[1].serial_fraction->median == Approx(0.8 / 3));     // (4 - 3.2) / 3
}
