// The total time of sampled visits, estimated from those that were timed, with the interval that
// holds it with 95 % probability. docs/metrics.md, "Sampled times", has the method and its sources;
// docs/measurements/2026-11-estimates.md the intervals that were compared.
#pragma once
#include "monitor/core/sample.h"

namespace andes::monitor {

/// From an estimate to the ends of its 95 % interval.
struct Distances {
  double below = 0, above = 0;
};

/// Ticks and ticks^2. Totals add; variances, squares of `below` and squares of `above` add over
/// independent estimates.
struct Estimate {
  double total;    // NaN: visits were made and none was timed, so nothing is known
  double variance; // squared standard error of `total`
  double below;    // distance from total to the lower end of the 95 % interval, at most `total`
  double above;    // distance from total to its upper end
  bool reliable;   // false: too few visits, or too heavy a tail, to trust the interval
  bool few = false; // not reliable as too little was timed: visits of a longer kind may not be among it
};

/// A total of which nothing shows how far it is off: by as much as itself.
inline Estimate guess(double total) { return {total, total * total, total, total, false, true}; }

/// Of the sum of independent ones.
Estimate sum_of(const Estimate& a, const Estimate& b);

/// Where the estimate cannot be relied on it has an error of at least its own size.
Estimate within_itself(const Estimate& estimate);

/// An estimate that cannot be relied on: from zero to several times itself, as if two terms of the same spread had been
/// seen, or to as many times `or_total`, which something else suggests, if that is more.
Estimate doubted(const Estimate& estimate, double or_total = 0);

/// The mean of the estimate and of another one of the same total, weighted by the inverse variances: `more` larger,
/// with `narrower` times the standard error. The error is the sum of two: the estimate's keeps the shape of its
/// interval, which may be far from even; the other one's interval is even (decision 311).
Estimate moved(const Estimate& estimate, double more, double narrower);

/// Estimate for `visits` sampled visits (exact), some of which `sample` holds.
Estimate estimate(const Sample& sample, double visits);

} // namespace andes::monitor
