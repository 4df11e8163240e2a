// The law's coefficients against those that the R package usl publishes for its data sets, and against scipy's bounded
// non-linear least squares of the same (scipy.optimize.least_squares, 1.10).
#include "postproc/analysis/usl.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

TEST_CASE("throughputs that follow the law give its coefficients back") {
  std::vector<Throughput> points;
  for (const double n : {1, 2, 4, 8, 16, 32}) points.push_back({n, 5 * n / (1 + 0.02 * (n - 1) + 0.001 * n * (n - 1))});
  const Usl usl = *usl_of(points);
  CHECK(usl.contention == Approx(0.02).epsilon(1e-9));
  CHECK(usl.coherency == Approx(0.001).epsilon(1e-9));
  CHECK(usl.of_one == Approx(5).epsilon(1e-9));
  CHECK(*usl.most() == Approx(31.30495168)); // sqrt(0.98 / 0.001)
  CHECK(usl.at(2) == Approx(10 / 1.022));
}

TEST_CASE("without coherency throughput grows for ever, with all contention never") {
  CHECK_FALSE(Usl{0.1, 0, 1}.most());
  CHECK_FALSE(Usl{1, 0.1, 1}.most());
  CHECK_FALSE(usl_of({{1, 1}, {2, 2}}));
}

TEST_CASE("data set specsdm91 of R's usl: a SPARCcenter 2000 in SPEC SDM91") {
  const Usl usl =
      *usl_of({{1, 64.9}, {18, 995.9}, {36, 1652.4}, {72, 1853.2}, {108, 1828.9}, {144, 1775.0}, {216, 1702.2}});
  // As its vignette prints them.
  CHECK(usl.contention == Approx(0.0277285).margin(5e-8));
  CHECK(usl.coherency == Approx(0.0001044).margin(5e-8));
  CHECK(usl.of_one == Approx(89.9952330).margin(5e-4));
  CHECK(*usl.most() == Approx(96.52).margin(0.005));
  // As scipy finds them.
  CHECK(usl.contention == Approx(0.0277284139).margin(1e-6));
  CHECK(usl.coherency == Approx(0.000104365772).margin(1e-6));
}

TEST_CASE("data set raytracer of R's usl: no coherency") {
  const Usl usl = *usl_of({{1, 20},
                           {4, 78},
                           {8, 130},
                           {12, 170},
                           {16, 190},
                           {20, 200},
                           {24, 210},
                           {28, 230},
                           {32, 260},
                           {48, 280},
                           {64, 310}});
  CHECK(usl.contention == Approx(0.057771).margin(5e-7)); // as printed
  CHECK(usl.of_one == Approx(21.848843).margin(5e-7));
  CHECK(usl.contention == Approx(0.0577707810).margin(1e-6)); // scipy
  CHECK(usl.coherency == 0);
}

TEST_CASE("the package's own test data") {
  const Usl usl = *usl_of({{1, 1}, {2, 1.8868}, {4, 3.0769}, {6, 3.5294}, {8, 3.5398}, {10, 3.3557}});
  CHECK(usl.contention == Approx(0.0200057613).margin(1e-6));
  CHECK(usl.coherency == Approx(0.019999665278).margin(1e-6));
}
