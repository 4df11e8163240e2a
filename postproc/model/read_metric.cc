#include "postproc/model/read_metric.h"

#include "postproc/model/values.h"

namespace andes::postproc {

MetricByLocation metric_by_location(const Profile& profile, int metric,
                                    const std::function<bool(std::size_t callpath)>& wanted) {
  MetricByLocation result;
  std::vector<std::size_t> place(profile.locations.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (!profile.locations[i].has_values) continue;
    place[i] = result.locations.size();
    result.locations.push_back(i);
  }
  result.values.resize(profile.callpaths.size());
  const auto add = [&](const Value& value) {
    if (!profile.locations[value.location].has_values) return;
    std::vector<double>& row = result.values[value.callpath];
    row.resize(result.locations.size());
    row[place[value.location]] += value.value;
  };
  const Database db(profile.file);
  each_value(db, profile, metric_numbers(db, profile), add,
             [&](std::size_t path, int one) { return one == metric && (!wanted || wanted(path)); });
  return result;
}

} // namespace andes::postproc
