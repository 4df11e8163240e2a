// Reading a metric of call paths in single locations.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct MetricByLocation {
  std::vector<std::size_t> locations; // whose values the run has, in the order of Profile::locations
  std::vector<std::vector<double>> values; // by call path, then by place in `locations`; empty: zero everywhere
};

/// `metric`: a run_file::MetricId, a WaitMetric or an event_metric(). `wanted`: of which call paths; absent: of all.
/// `profile` must have been read with Detail::tree. Throws Refusal like read_run.
MetricByLocation metric_by_location(const Profile& profile, int metric,
                                    const std::function<bool(std::size_t callpath)>& wanted = {});

} // namespace andes::postproc
