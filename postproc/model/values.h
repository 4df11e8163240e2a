// Values of single locations: the two ways in which a run file keeps them (rows of `value`, columns
// of numbers in `value_column`), read as one.
#pragma once
#include <functional>
#include <map>

#include "postproc/model/database.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

struct Value {
  std::size_t callpath = 0, location = 0;
  int metric = 0; // as `metrics` of each_value says
  double value = 0;
};

/// Numbers of a file's metrics as the profile has them, by those of the file (run_file::MetricId,
/// WaitMetric, event_metric()); -1 for metrics that this andes does not know by name.
std::map<long long, int> metric_numbers(const Database& db, const Profile& profile);

/// Whether the values of a metric in a call path are asked for.
using Wanted = std::function<bool(std::size_t callpath, int metric)>;

/// Hands every non-zero value of these metrics to `use`. `metrics`: from the file's numbers to
/// those that `use` gets; what is not there or negative is passed over, as what is not `wanted`. Throws
/// Refusal for what is damaged; `profile` must have its locations and call paths.
void each_value(const Database& db, const Profile& profile, const std::map<long long, int>& metrics,
                const std::function<void(const Value&)>& use, const Wanted& wanted = {});

using UseStatistic = std::function<void(std::size_t place, long long number, int metric, const Statistic&)>;

/// Reads statistics over ranks. `query` has rows of a place (a call path or a step, below `places`; `what` in
/// messages), the number of a metric, sum, min, max, mean, sd, min_rank and max_rank. `use` gets each, with the metric
/// that `metrics` has for the number. Throws Refusal for what is damaged.
void each_statistic(const Database& db, const std::map<long long, int>& metrics, const char* query, std::size_t places,
                    const char* what, const UseStatistic& use);

/// Fills in Location::io_in_communication_ns of a file of before: the time in calls of kind io, less waits. `tree`:
/// regions, call paths and locations of the run.
void read_io(const Database& db, const Profile& tree, Profile& profile);

/// Fills in what locations do in parallel regions beside computing: lock_ns, lock_outside_ns,
/// region_communication_ns, region_wait_ns.
/// `tree`: the same run with its regions and call paths.
void read_teams(const Database& db, const Profile& tree, Profile& profile);

} // namespace andes::postproc
