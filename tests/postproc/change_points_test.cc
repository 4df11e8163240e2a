// Change points in rows whose changes are known, and the campaign in short.
#include "postproc/analysis/change_points.h"

#include <catch2/catch.hpp>
#include <random>

#include "tests/postproc/history_trials.h"

using namespace andes::postproc;
using namespace andes::test;

namespace {

/// Values around levels that each hold for so many commits; 1 % of noise, the same in each call.
std::vector<double> row_of(const std::vector<std::pair<std::size_t, double>>& levels) {
  std::mt19937_64 random(1);
  std::vector<double> row;
  for (const auto& [count, level] : levels)
    for (std::size_t i = 0; i < count; ++i)
      row.push_back(level * (1 + 0.01 * (static_cast<double>(random() % 1000) / 500 - 1)));
  return row;
}

std::vector<std::size_t> places_in(const std::vector<double>& row) {
  std::vector<std::size_t> places;
  for (const ChangePoint& change : change_points_of(row)) {
    CHECK(change.low <= change.at);
    CHECK(change.at <= change.high);
    CHECK(change.low > 0);
    CHECK(change.high < row.size());
    places.push_back(change.at);
  }
  return places;
}

} // namespace

TEST_CASE("change points: steps at known places") {
  CHECK(places_in(row_of({{20, 10}, {20, 11}})) == std::vector<std::size_t>{20});
  CHECK(places_in(row_of({{20, 11}, {20, 10}})) == std::vector<std::size_t>{20});
  CHECK(places_in(row_of({{30, 10}, {15, 11}, {30, 10}})) == std::vector<std::size_t>{30, 45}); // up and down again
  CHECK(places_in(row_of({{25, 10}, {25, 15}, {25, 15.6}})) == std::vector<std::size_t>{25, 50}); // small behind large
  CHECK(places_in(row_of({{10, 1}, {10, 2}, {10, 4}, {10, 8}})) == std::vector<std::size_t>{10, 20, 30});
}

TEST_CASE("change points: none where there is none") {
  CHECK(places_in(row_of({{60, 10}})).empty());
  CHECK(places_in({}).empty());
  CHECK(places_in({1, 2}).empty());
  CHECK(places_in(std::vector<double>(40, 3.0)).empty()); // all the same
  CHECK(places_in(row_of({{4, 10}, {4, 11}})).empty()); // too few for 1 in 100: 2 of 70 orders are as apart
  std::vector<double> outliers = row_of({{40, 10}});
  outliers[7] = outliers[8] = outliers[31] = 1000;
  CHECK(places_in(outliers).empty());
  std::vector<double> tiny = row_of({{40, 10}}); // a change that is certain, and too small to matter
  for (std::size_t i = 0; i < tiny.size(); ++i) tiny[i] = i < 20 ? 10 + 1e-6 * static_cast<double>(i) : 10.01;
  CHECK(places_in(tiny).empty());
}

TEST_CASE("change points: outliers move no change, and the scale of the values does not matter") {
  std::vector<double> row = row_of({{20, 10}, {20, 10.5}});
  row[3] = 50;
  row[25] = 1;
  CHECK(places_in(row) == std::vector<std::size_t>{20});
  for (double& value : row) value *= 1e-6;
  CHECK(places_in(row) == std::vector<std::size_t>{20});
}

TEST_CASE("change points: planted changes of 3 % are found, shuffled histories are quiet") {
  constexpr std::size_t trials = 20; // the seed is fixed; ./setup history-trials makes all of them
  const HistoryTrials sum = history_trials({}, trials, 20261125);
  CHECK(sum.found >= 18);
  CHECK(sum.shuffled_alarms <= 1);
}
