// Forecasts by hand, and on published sweeps (published_sweeps.txt): the largest size, left out, against what the
// others say of it.
#include "postproc/analysis/forecast.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "postproc/analysis/scaling.h"

using namespace andes::postproc;

namespace {

struct PublishedSweep {
  std::string name;
  std::vector<SizedValue> times;
};

/// Up to the next "; ", with which it is taken from the line.
std::string field(std::string& line) {
  const std::size_t end = line.find("; ");
  std::string text = line.substr(0, end);
  line.erase(0, end == line.npos ? line.size() : end + 2);
  return text;
}

/// From the largest size down, each at most 1 / 1.4 of the one before: neighbours would be too easy to forecast.
std::vector<SizedValue> thinned(const std::vector<SizedValue>& times) {
  std::vector<SizedValue> kept;
  for (auto t = times.rbegin(); t != times.rend(); ++t)
    if (kept.empty() || t->size * 1.4 <= kept.back().size) kept.push_back(*t);
  return {kept.rbegin(), kept.rend()};
}

std::vector<PublishedSweep> published_sweeps() {
  std::ifstream file(ANDES_PUBLISHED_SWEEPS);
  REQUIRE(file);
  std::vector<PublishedSweep> sweeps;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    PublishedSweep sweep{field(line), {}};
    const bool rate = field(line) == "rate";
    std::istringstream values(field(line));
    for (std::string pair; std::getline(values, pair, ',');) {
      SizedValue value;
      std::istringstream(pair) >> value.size >> value.value;
      if (rate) value.value = 1 / value.value;
      sweep.times.push_back(value);
    }
    CHECK_FALSE(line.empty()); // its source
    sweep.times = thinned(sweep.times);
    sweeps.push_back(std::move(sweep));
  }
  return sweeps;
}

} // namespace

TEST_CASE("where all models agree the forecast is theirs") {
  // T = 8 / p: no serial part, slope -1, no coherency; at 16: 0.5 s, e^+-0.2 for a doubling.
  const Forecast f = *forecast({{1, 8, 0}, {2, 4, 0}, {4, 2, 0}, {8, 1, 0}}, 16);
  CHECK(f.time == Approx(0.5));
  CHECK(f.low == Approx(0.5 * std::exp(-0.2)));
  CHECK(f.high == Approx(0.5 * std::exp(0.2)));
}

TEST_CASE("each model by hand") {
  // T = 1 + 9/p at 1, 2, 4: Amdahl and coherency say 2.125 at 8; the slope of log T over log p is
  // ln(3.25 / 10) / ln 4, for three sizes at equal distances that of their ends.
  const auto models = model_times({{1, 10, 0}, {2, 5.5, 0}, {4, 3.25, 0}}, 8);
  CHECK(models[0].time == Approx(2.125));
  CHECK(models[1].time == Approx(3.25 * std::sqrt(0.325)));
  CHECK(models[2].time == Approx(2.125));
  CHECK_FALSE(forecast({{1, 10, 0}, {2, 5.5, 0}}, 4));
}

TEST_CASE("the size to measure next is where two models part") {
  // p T = 8 + p^2: coherency says (8 + 64) / 8 = 9 s at 8. Amdahl's law through 9 s and 6 s has a serial share of 5/9.
  const auto next = next_size({{1, 9, 0}, {2, 6, 0}, {4, 6, 0}});
  REQUIRE(next);
  CHECK(next->size == 8);
  CHECK(next->slower.time == Approx(9));
  CHECK(std::string(next->slower.model) == "contention and coherency");
  CHECK(next->faster.time == Approx(5.5)); // 9 (5/9 + 4/9 / 8)
  CHECK_FALSE(next_size({{1, 8, 0}, {2, 4, 0}, {4, 2, 0}}));
}

TEST_CASE("published sweeps: the largest size, left out") {
  const std::vector<PublishedSweep> sweeps = published_sweeps();
  REQUIRE(sweeps.size() >= 60);
  int within = 0, better = 0;
  for (const PublishedSweep& sweep : sweeps) {
    std::vector<SizedValue> smaller = sweep.times;
    const SizedValue last = smaller.back();
    smaller.pop_back();
    INFO(sweep.name);
    const std::optional<Forecast> f = forecast(smaller, last.size);
    REQUIRE(f);
    const double amdahl = model_times(smaller, last.size).front().time;
    within += f->low <= last.value && last.value <= f->high;
    better += std::fabs(std::log(f->time / last.value)) < std::fabs(std::log(amdahl / last.value));
  }
  WARN(within << " of " << sweeps.size() << " within the interval, " << better << " nearer than Amdahl's law");
  CHECK(within >= 0.85 * static_cast<double>(sweeps.size()));
  CHECK(2 * better > static_cast<int>(sweeps.size()));
}
