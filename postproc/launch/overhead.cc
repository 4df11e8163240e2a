// Median of paired ratios: each ratio compares neighbours in time, so drift of the machine cancels.
#include "postproc/launch/overhead.h"

#include "postproc/analysis/estimate.h"

namespace andes::postproc {

Intrusion overhead_of(const std::vector<Pair>& pairs) {
  std::vector<double> percents;
  for (const Pair& pair : pairs) percents.push_back(100 * (pair.with_ns / pair.without_ns - 1));
  const Estimate estimate = estimate_of(sample_of(percents, 0));
  return {estimate.median, estimate.low, estimate.high, estimate.kind == Estimate::Kind::interval, pairs.size()};
}

} // namespace andes::postproc
