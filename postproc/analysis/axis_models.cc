#include "postproc/analysis/axis_models.h"

#include <cmath>

#include "postproc/analysis/few_points.h"
#include "postproc/analysis/points.h"
#include "postproc/analysis/warnings.h"

namespace andes::postproc {
namespace {

/// A value of the axis whose runs count.
struct Counted {
  double value = 0;
  const AxisPoint* row = nullptr;
  const Point* point = nullptr;
};

const Point* point_of(const Series& series, int ranks, int threads) {
  if (series.weak || series.builds.empty() || !series.builds.back().unfinished.empty()) return nullptr;
  return find_point(series.builds.back(), ranks, threads);
}

/// By value; none if one of the axis' values is no number.
std::vector<Counted> counted(const AxisTable& table, const std::vector<Series>& series, bool oversubscribed_ok) {
  std::vector<Counted> all;
  for (const AxisPoint& row : table.points) {
    const std::optional<double> value = number_of(row.value);
    if (!value || *value <= 0) return {};
    const Point* const point = point_of(series[row.series], table.ranks, table.threads);
    if (point && (oversubscribed_ok || !point->oversubscribed)) all.push_back({*value, &row, point});
  }
  return all;
}

EfficientValue efficient_value(const std::vector<Counted>& values) {
  const auto suffices = [](const Counted& v) { return v.row->efficiency.median >= acceptable_efficiency; };
  std::size_t first = values.size(); // from here on all suffice
  while (first > 0 && suffices(values[first - 1])) --first;
  EfficientValue found;
  if (first > 0) found.more_than = values[first - 1].value;
  if (first < values.size()) found.at_most = values[first].value;
  if (first > 0 && first < values.size()) {
    const Counted &below = values[first - 1], &above = values[first];
    const double from = below.row->efficiency.median, to = above.row->efficiency.median;
    const double share = (acceptable_efficiency - from) / (to - from);
    found.between = below.value * std::pow(above.value / below.value, share);
  }
  return found;
}

AxisModels models_of(const AxisTable& table, const std::vector<Counted>& values) {
  AxisModels models;
  models.values = values.size();
  if (!may_say(Claim::axis_terms, values.size())) return models;
  std::vector<SizedValue> times;
  std::vector<PlacedPoint> placed;
  for (const Counted& v : values) {
    times.push_back(sized_value(v.value, v.point->times_s.values));
    placed.push_back({v.value, v.point});
  }
  models.last = values.back().value;
  models.projected = 4 * models.last;
  models.time = term_model(times);
  models.paths = path_models(placed, Claim::axis_terms, false, models.projected);
  if (models.time) models.time->variable = table.axis;
  for (PathModel& path : models.paths) path.model.variable = table.axis;
  return models;
}

} // namespace

Overview overview_with_models(const std::vector<Report>& reports, const std::vector<Series>& series,
                              bool oversubscribed_ok) {
  if (reports.size() < 2) return {};
  Overview overview = overview_of(reports);
  for (AxisTable& table : overview.axes) {
    const std::vector<Counted> values = counted(table, series, oversubscribed_ok);
    if (values.size() < 2) continue;
    if (!table.is_base) table.efficient = efficient_value(values);
    table.models = models_of(table, values);
  }
  return overview;
}

} // namespace andes::postproc
