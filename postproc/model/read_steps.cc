#include "postproc/model/read_steps.h"

#include <algorithm>
#include <climits>
#include <tuple>

#include "postproc/model/values.h"

namespace andes::postproc {
namespace {

void read_rows(const Database& db, Profile& profile) {
  const auto last_path = static_cast<long long>(profile.callpaths.size()) - 1;
  const auto last_region = static_cast<long long>(profile.regions.size()) - 1;
  for (Query row(db, "SELECT id, parent, callpath, region, number FROM step ORDER BY rowid"); row.next();) {
    const auto next = static_cast<long long>(profile.steps.size());
    row.index(0, next, next, "step");
    Step step;
    if (!row.is_null(1)) step.parent = row.index(1, 0, next - 1, "parent of step");
    step.callpath = row.index(2, 0, last_path, "call path of step");
    step.region = row.index(3, 0, last_region, "region of step");
    if (!row.is_null(4)) step.number = row.integer(4);
    profile.steps.push_back(step);
  }
}

void read_step_statistics(const Database& db, Profile& profile) {
  const auto metrics = metric_numbers(db, profile);
  const std::size_t count = profile.steps.size() * profile.metrics();
  db.require_room(count * sizeof(Statistic));
  profile.step_statistics.resize(count);
  each_statistic(db, metrics, "SELECT step, metric, sum, min, max, mean, sd, min_rank, max_rank FROM step_statistic",
                 profile.steps.size(), "step of value",
                 [&](std::size_t step, long long, int metric, const Statistic& statistic) {
                   if (metric >= 0)
                     profile.step_statistics[step * profile.metrics() + static_cast<std::size_t>(metric)] = statistic;
                 });
}

void read_attached(const Database& db, Profile& profile) {
  Query row(db, "SELECT callpath, step, name, location, count, not_finite, sum, min, max, last FROM attached");
  while (row.next()) {
    AttachedValue value;
    value.callpath =
        row.index(0, 0, static_cast<long long>(profile.callpaths.size()) - 1, "call path of attached value");
    if (!row.is_null(1))
      value.step = row.index(1, 0, static_cast<long long>(profile.steps.size()) - 1, "step of attached value");
    value.name = row.name(2);
    value.location = static_cast<std::size_t>(
        row.index(3, 0, static_cast<long long>(profile.locations.size()) - 1, "location of attached value"));
    value.count = row.number(4);
    value.not_finite = row.number(5);
    value.sum = row.optional_number(6);
    value.min = row.optional_number(7);
    value.max = row.optional_number(8);
    value.last = row.optional_number(9);
    profile.attached.push_back(std::move(value));
  }
  std::stable_sort(
      profile.attached.begin(), profile.attached.end(), [](const AttachedValue& a, const AttachedValue& b) {
        return std::tie(a.callpath, a.step, a.name, a.location) < std::tie(b.callpath, b.step, b.name, b.location);
      });
}

} // namespace

void read_steps(const Database& db, Profile& profile) {
  if (db.has_table("step")) read_rows(db, profile);
  if (!profile.steps.empty()) read_step_statistics(db, profile);
  if (db.has_table("attached")) read_attached(db, profile);
}

} // namespace andes::postproc
