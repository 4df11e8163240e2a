// Noise and outliers, by times and facts that are computed by hand.
#include "postproc/analysis/noise.h"

#include <catch2/catch.hpp>

using namespace andes;
using namespace andes::postproc;

namespace {

/// Runs of these times on one size, each of one core for a second.
Build build_of(const std::vector<double>& times_s) {
  Build build;
  Point point;
  point.ranks = 2;
  for (const double time_s : times_s) {
    SeriesRun run;
    run.profile.file = "r" + std::to_string(point.runs.size());
    run.summary.time_s = time_s;
    run.profile.facts["usable_cores"] = std::int64_t{1};
    run.profile.facts["command_wall_ns"] = std::int64_t{1'000'000'000};
    run.profile.facts["steal_ns"] = std::int64_t{0};
    run.profile.facts["others_ns"] = std::int64_t{0};
    run.profile.facts["involuntary_switches"] = std::int64_t{4};
    run.profile.facts["frequency_mhz"] = 2000.0;
    point.runs.push_back(std::move(run));
  }
  point.times_s = sample_of(times_s, 1);
  build.points.push_back(std::move(point));
  return build;
}

Facts& facts_of(Build& build, std::size_t run) { return build.points[0].runs[run].profile.facts; }

} // namespace

TEST_CASE("the word follows from the spread of repeats and from steal") {
  // Distances to the median 100: 1 1 0 1 1, their median 1.
  const Noise usual = noise_of(build_of({99, 99, 100, 101, 101}));
  CHECK(*usual.spread_percent == Approx(1.4826));
  CHECK(*usual.steal_percent == 0);
  CHECK(usual.word == NoiseWord::usual);
  CHECK(noise_of(build_of({100, 100, 100.1})).word == NoiseWord::quiet);
  CHECK(noise_of(build_of({90, 96, 100, 104, 110})).word == NoiseWord::noisy);
  CHECK(noise_of(build_of({100, 101})).word == NoiseWord::unknown);
  Build stolen = build_of({100, 100, 100});
  for (std::size_t i = 0; i < 3; ++i) facts_of(stolen, i)["steal_ns"] = std::int64_t{20'000'000};
  CHECK(*noise_of(stolen).steal_percent == Approx(2));
  CHECK(noise_of(stolen).word == NoiseWord::noisy);
}

TEST_CASE("an outlier is far from the median and named with what it has more of") {
  Build build = build_of({10.00, 10.01, 9.99, 10.02, 9.98, 12.0});
  Noise noise = noise_of(build);
  REQUIRE(noise.outliers.size() == 1);
  CHECK(noise.outliers[0].file == "r5");
  CHECK(noise.outliers[0].median_s == Approx(10.005));
  CHECK(noise.outliers[0].reasons.empty());

  facts_of(build, 5)["involuntary_switches"] = std::int64_t{300};
  facts_of(build, 5)["others_ns"] = std::int64_t{1'900'000'000};
  noise = noise_of(build);
  CHECK(noise.outliers[0].reasons == std::vector<std::string>{"another process on its cores: 300 involuntary switches, "
                                                              "else 4; others computed 1.9 s more than usual"});
  facts_of(build, 5)["involuntary_switches"] = std::int64_t{13}; // nine more: not enough
  facts_of(build, 5)["steal_ns"] = std::int64_t{1'500'000'000};
  facts_of(build, 5)["frequency_mhz"] = 1500.0;
  facts_of(build, 5)["throttled_ns"] = std::int64_t{9'000'000'000}; // the others do not say: no comparison
  noise = noise_of(build);
  CHECK(noise.outliers[0].reasons ==
        std::vector<std::string>{"the hypervisor kept 1.5 s of processor time more than usual",
                                 "slower clock: 1500 MHz, else 2000"});
  facts_of(build, 5)["steal_ns"] = std::int64_t{400'000'000}; // a fifth of the time lost
  CHECK(noise_of(build).outliers[0].reasons.size() == 1);
}

TEST_CASE("what is within the noise, within two per cent, or of few repeats is no outlier") {
  CHECK(noise_of(build_of({10.00, 10.01, 9.99, 10.02, 12.0})).outliers.empty());            // five
  CHECK(noise_of(build_of({10, 10, 10, 10, 10, 10.19})).outliers.empty());                  // 1.9 %
  CHECK(noise_of(build_of({9.5, 9.8, 10, 10.2, 10.5, 11.5})).outliers.empty());             // 1.4 against 6 x 0.52
  CHECK(noise_of(build_of({10, 10, 10, 10, 10, 10.21})).outliers.size() == 1);
  CHECK(noise_of(build_of({10, 10, 10, 10, 10, 9})).outliers.size() == 1); // a fast one, without a reason
}
