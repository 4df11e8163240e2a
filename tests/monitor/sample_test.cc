// Sampled visits: which are timed, what is kept of them, and the estimates made of that, by hand.
// estimate_test.cc has bias, coverage and marks.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "monitor/core/sample.h"
#include "monitor/finish/estimate.h"
#include "monitor/finish/tail.h"

using namespace andes;
using namespace andes::monitor;

namespace {

Sample sample_of(const std::vector<std::uint64_t>& ticks, std::uint32_t k) {
  Sample sample{};
  for (std::uint64_t x : ticks) add(sample, x, k);
  return sample;
}

} // namespace

TEST_CASE("places in a block are uniform, for neighbouring seeds too") {
  // Chi square with 15 degrees of freedom: above 37.7 once in a thousand.
  const auto chi_square = [](const std::vector<int>& counts, double expected) {
    double sum = 0;
    for (int count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
  };
  std::vector<int> in_row(16), first(16), pairs(16);
  std::uint64_t state = 0;
  std::uint32_t before = 0;
  for (std::uint64_t i = 0; i < 160000; ++i) {
    const std::uint32_t place = random_below(state, 16);
    ++in_row[place];
    ++pairs[4 * (before / 4) + place / 4];
    before = place;
    std::uint64_t seed = i;
    ++first[random_below(seed, 16)];
  }
  CHECK(chi_square(in_row, 10000) < 37.7);
  CHECK(chi_square(pairs, 10000) < 37.7);
  CHECK(chi_square(first, 10000) < 37.7);
}

TEST_CASE("seeds spaced by a customary step do not give one sequence, shifted") {
  for (std::uint64_t step : {std::uint64_t{1}, std::uint64_t{0x9e3779b97f4a7c15}}) {
    std::uint64_t first = 5, second = 5 + step;
    std::vector<std::uint32_t> of_first, of_second;
    for (int i = 0; i < 1000; ++i) {
      of_first.push_back(random_below(first, 1 << 30));
      of_second.push_back(random_below(second, 1 << 30));
    }
    for (int shift = 0; shift < 10; ++shift) {
      int equal = 0;
      for (std::size_t i = 0; i + 10 < 1000; ++i)
        equal += of_first[i + static_cast<std::size_t>(shift)] == of_second[i];
      CHECK(equal < 3);
    }
  }
}

TEST_CASE("places stay below k, whatever k") {
  std::uint64_t state = 7;
  bool seen[3] = {};
  for (int i = 0; i < 1000; ++i) {
    CHECK(random_below(state, 0) == 0);
    CHECK(random_below(state, 1) == 0);
    const std::uint32_t place = random_below(state, 3);
    REQUIRE(place < 3);
    seen[place] = true;
    CHECK(random_below(state, UINT32_MAX) < UINT32_MAX);
  }
  CHECK((seen[0] && seen[1] && seen[2]));
}

TEST_CASE("each block holds one timed visit, each of its visits as often as the others") {
  const std::uint32_t lengths[] = {5, 1, 12, 3};
  std::vector<int> timed(5 + 1 + 12 + 3);
  Blocks blocks{1, 0, 0};
  const int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    std::size_t begin = 0, visit = 0;
    std::uint32_t left = blocks.rest; // of the round before; part of the first gap
    for (std::uint32_t k : lengths) {
      visit += next_gap(blocks, k) - left;
      left = 0;
      REQUIRE(blocks.k == k);
      REQUIRE(visit >= begin);
      REQUIRE(visit < begin + k);
      REQUIRE(visit + 1 + blocks.rest == begin + k);
      ++timed[visit++];
      begin += k;
    }
  }
  std::size_t begin = 0;
  for (std::uint32_t k : lengths) {
    const double expected = static_cast<double>(rounds) / k;
    for (std::size_t i = begin; i < begin + k; ++i) CHECK(timed[i] == Approx(expected).margin(4 * std::sqrt(expected)));
    begin += k;
  }
}

TEST_CASE("a fresh start begins a block at once") {
  Blocks blocks{3, 0, 0};
  const std::uint32_t gap = next_gap(blocks, 10);
  CHECK(gap < 10);
  CHECK(gap + 1 + blocks.rest == 10);
  Blocks no_length{3, 0, 0};
  CHECK(next_gap(no_length, 0) == 0);
  CHECK(no_length.k == 1);
}

TEST_CASE("buckets of the histogram are half powers of two") {
  CHECK(sample_bucket(0) == 0);
  CHECK(sample_bucket(1) == 1);
  CHECK(sample_bucket(2) == 2);
  CHECK(sample_bucket(3) == 3);
  CHECK(sample_bucket(5) == 4);
  CHECK(sample_bucket(6) == 5);
  CHECK(sample_bucket(UINT64_MAX) == sample_buckets - 1);
  CHECK(sample_bucket_begin(4) == 4);
  CHECK(sample_bucket_begin(5) == 6);
  CHECK(sample_bucket_begin(80) == std::uint64_t{1} << 40);
  for (std::uint32_t i = 1; i < sample_buckets; ++i) {
    CHECK(sample_bucket(sample_bucket_begin(i)) == i);
    CHECK(sample_bucket(sample_bucket_begin(i) - 1) == i - 1);
  }
}

TEST_CASE("the sums of a sample, by hand") {
  Sample sample = sample_of({0, 0, 3}, 4);
  CHECK(sample.timed == 3);
  CHECK(sample.visits == 12);
  CHECK(sample.ticks == 12);
  CHECK(sample.largest == 12);
  CHECK(sample.weight2 == 3 * 16);
  CHECK(sample.weight3 == 3 * 64);
  CHECK(sample.groups == 0);
  close_group(sample);
  // Mean 1; squares 1 + 1 + 4 = 6, over n - 1 = 2: variance 3. Cubes -1 - 1 + 8 = 6, times
  // n / ((n - 1) (n - 2)) = 3/2: third moment 9.
  CHECK(sample.groups == 1);
  CHECK(sample.grouped2 == 48);
  CHECK(sample.variance == Approx(48 * 3));
  CHECK(sample.variance_squares == Approx(144.0 * 144));
  CHECK(sample.third == Approx(192 * 9));
  CHECK(sample.histogram[0] == 2);
  CHECK(sample.histogram[3] == 1);
}

TEST_CASE("a sample keeps its size, and eight visits make a group") {
  Sample sample = sample_of(std::vector<std::uint64_t>(8, 5), 2);
  CHECK(sample.groups == 1);
  CHECK(sample.open == 0);
  CHECK(sample.variance == 0);
  add(sample, 5, 2);
  add(sample, 5, 2);
  close_group(sample); // two visits: left out of the groups, kept elsewhere
  CHECK(sample.groups == 1);
  CHECK(sample.timed == 10);
  CHECK(sample.weight2 == 40);
  CHECK(sample.grouped2 == 32);
}

TEST_CASE("joined samples are as one") {
  const std::vector<std::uint64_t> first{3, 9, 27, 81, 243, 729, 2187, 6561};
  const std::vector<std::uint64_t> second{1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  Sample joined = sample_of(first, 10);
  add(joined, sample_of(second, 20));
  Sample one = sample_of(first, 10);
  for (std::uint64_t x : second) add(one, x, 20);
  close_group(one);
  CHECK(joined.timed == 18);
  CHECK(joined.visits == 280);
  CHECK(joined.largest == 65610);
  CHECK(joined.groups == one.groups);
  CHECK(joined.variance == one.variance);
  CHECK(joined.third == one.third);
  const Estimate of_joined = estimate(joined, 300), of_one = estimate(one, 300);
  CHECK(of_joined.total == of_one.total);
  CHECK(of_joined.below == of_one.below);
  CHECK(of_joined.above == of_one.above);
}

TEST_CASE("a visit may be joined while another sample's group is open") {
  Sample open = sample_of({10, 20}, 4);
  add(open, sample_of({1, 2, 3}, 4));
  CHECK(open.open == 2);
  CHECK(open.groups == 1);
  for (int i = 0; i < 6; ++i) add(open, 15, 4);
  CHECK(open.groups == 2);
}

TEST_CASE("nothing overflows: 2^40 visits of 2^40 ticks") {
  const std::uint64_t huge = std::uint64_t{1} << 40;
  Sample sample{};
  for (int i = 0; i < 16; ++i) add(sample, i % 2 ? huge : huge / 2, 1 << 20);
  for (int i = 0; i < 36; ++i) add(sample, Sample{sample});
  CHECK(sample.timed == huge);
  const double visits = std::ldexp(1, 60);
  const Estimate result = estimate(sample, visits);
  CHECK(result.total == Approx(0.75 * std::ldexp(1, 100)));
  // Variance of the two values 2^39 and 2^40 in halves, in groups of eight: 2^76 8/7; of the mean
  // of 2^40 such.
  CHECK(std::sqrt(result.variance) / visits == Approx(std::sqrt(std::ldexp(8. / 7, 36))));
  CHECK(result.reliable);
  for (int i = 0; i < 64; ++i) add(sample, UINT64_MAX, UINT32_MAX);
  CHECK(std::isfinite(estimate(sample, visits).variance));
  CHECK(std::isfinite(estimate(sample, visits).above));
}

TEST_CASE("an estimate by hand") {
  // Mean 15; squares 8 x 25 = 200, over 7; eight blocks of five count 8 x 25 = 200.
  const std::vector<std::uint64_t> ticks{10, 20, 10, 20, 20, 10, 20, 10};
  Estimate result = estimate(sample_of(ticks, 5), 40);
  CHECK(result.total == Approx(600));
  CHECK(result.variance == Approx(200 * 200 / 7.));
  // No skewness; Student's t with 7 degrees of freedom is 2.3646.
  CHECK(result.below == Approx(2.3646 * std::sqrt(200 * 200 / 7.)).epsilon(0.001));
  CHECK(result.above == Approx(result.below));
  CHECK_FALSE(result.reliable); // eight are too few
  // The last block broke off: 38 visits, not 40. All in proportion.
  const Estimate shorter = estimate(sample_of(ticks, 5), 38);
  CHECK(shorter.total == Approx(600 * 38 / 40.));
  CHECK(shorter.variance == Approx(result.variance * 38 * 38 / 1600.));
}

TEST_CASE("blocks of one are no sampling: the total is exact") {
  const Estimate result = estimate(sample_of({10, 500, 3}, 1), 3);
  CHECK(result.total == 513);
  CHECK(result.variance == 0);
  CHECK(result.below == 0);
  CHECK(result.above == 0);
  CHECK(result.reliable);
}

TEST_CASE("what is not known is not a number") {
  const Estimate nothing = estimate(Sample{}, 100);
  CHECK(std::isnan(nothing.total));
  CHECK(std::isnan(nothing.variance));
  CHECK_FALSE(nothing.reliable);
  const Estimate no_visits = estimate(Sample{}, 0);
  CHECK(no_visits.total == 0);
  CHECK(no_visits.variance == 0);
  CHECK(no_visits.reliable);
}

TEST_CASE("one or two timed visits give a total with a standard error as large") {
  for (const auto& ticks : {std::vector<std::uint64_t>{50}, std::vector<std::uint64_t>{40, 60}}) {
    const Estimate result = estimate(sample_of(ticks, 10), 100);
    CHECK(result.total == Approx(5000));
    CHECK(result.variance == Approx(5000. * 5000));
    CHECK(result.below == Approx(5000));
    CHECK(result.above > 5000);
    CHECK_FALSE(result.reliable);
  }
}

TEST_CASE("skewness makes the interval reach further up, and never below zero") {
  std::vector<std::uint64_t> ticks(64, 1000);
  for (std::size_t i = 0; i < 64; i += 16) ticks[i] = 16000;
  const Estimate result = estimate(sample_of(ticks, 100), 6400);
  CHECK(result.above > 1.2 * result.below);
  CHECK(estimate(sample_of({0, 0, 0, 0, 0, 0, 0, 90000}, 100), 800).below <= 9000000);
  // Mirrored: short ones are rare.
  for (auto& x : ticks) x = 17000 - x;
  const Estimate mirrored = estimate(sample_of(ticks, 100), 6400);
  CHECK(mirrored.below == Approx(result.above));
  CHECK(mirrored.above == Approx(result.below));
}

TEST_CASE("one visit that outweighs all others is not believed") {
  std::vector<std::uint64_t> ticks(2000, 50);
  CHECK(estimate(sample_of(ticks, 100), 200000).reliable);
  ticks[700] = 5000; // 5 % of the whole
  CHECK(estimate(sample_of(ticks, 100), 200000).reliable);
  ticks[700] = 50000; // a third
  CHECK_FALSE(estimate(sample_of(ticks, 100), 200000).reliable);
}

TEST_CASE("a heavy tail is told from a light one by the histogram's shape") {
  // The counts that 100,000 visits are expected to leave, of a Pareto distribution of index 1.5 and
  // of a lognormal one with s = 1.5.
  const auto expected = [](auto survival) {
    Sample sample{};
    for (std::uint32_t i = 1; i + 1 < sample_buckets; ++i)
      sample.histogram[i] =
          static_cast<std::uint32_t>(std::lround(1e5 * (survival(static_cast<double>(sample_bucket_begin(i))) -
                                                        survival(static_cast<double>(sample_bucket_begin(i + 1))))));
    return sample;
  };
  // Above 1.5 times the shortest, where the first threshold is, 1.5^-0.5 of the time are expected, and less in buckets that end.
  CHECK(heavy_tail_share(expected([](double x) { return x < 1024 ? 1 : std::pow(x / 1024, -1.5); })) ==
        Approx(0.816).margin(0.05));
  CHECK(heavy_tail_share(expected([](double x) { return 0.5 * std::erfc(std::log(x / 1024) / 1.5 / M_SQRT2); })) == 0);
  CHECK(heavy_tail_share(Sample{}) == 0);
}

TEST_CASE("what interrupts take of few visits is a heavy tail that holds little") {
  Sample sample{};
  const std::map<std::uint64_t, std::uint32_t> seen = {{768, 6273}, {1024, 29}, {6144, 1}, {49152, 1}};
  for (std::uint32_t i = 0; i < sample_buckets; ++i)
    if (const auto found = seen.find(sample_bucket_begin(i)); found != seen.end()) sample.histogram[i] = found->second;
  // By the middles of the buckets: 29 x 1280 + 7168 + 57,344 of these and 6273 x 896 ticks.
  CHECK(heavy_tail_share(sample) == Approx(101'632.0 / 5'722'240));
}
