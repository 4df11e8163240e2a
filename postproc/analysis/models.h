// Models: what the sizes that were measured say of those that were not, and what not. Step 2 of the method beside
// Karp-Flatt and Amdahl (scaling.h): the terms that T and each call path grow by, the Universal Scalability Law, a
// forecast with its interval, the size to measure next, how large a problem must be, and why a speedup is superlinear.
//
// Invariants:
//  - only sizes that count enter (neither oversubscribed, unless requested, nor unfinished);
//  - few_points.h decides what so few sizes may be asked; what they may not is absent, and `told` says so;
//  - work that is the same at all sizes is modelled by its sum over the size (p x T, sums over ranks), work that grows
//    with the size (weak scaling) by its time (T, means over ranks): then constant always means that it scales.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/forecast.h"
#include "postproc/analysis/gustafson.h"
#include "postproc/analysis/path_models.h"
#include "postproc/analysis/processor.h"
#include "postproc/analysis/scaling.h"
#include "postproc/analysis/terms.h"
#include "postproc/analysis/usl.h"

namespace andes::postproc {

/// How large a problem must be for `acceptable_efficiency` (warnings.h).
struct Isoefficiency {
  int size = 0;
  double work = 0; // over that of these runs
};

/// Why fewer seconds are computed in sum at the largest size.
struct SuperlinearCause {
  int size = 0;
  WorkScaling scaling;
  std::optional<double> misses_before, misses_after; // of the last cache, in a thousand instructions
};

struct Models {
  Axis axis = Axis::ranks;
  bool weak = false;
  std::vector<SizedValue> times; // T by size
  std::string told;              // what so many sizes tell
  std::vector<ScaledPoint> scaled; // weak scaling alone
  std::optional<TermModel> time;   // of p x T, with weak scaling of T
  std::optional<Usl> usl;          // not with weak scaling
  std::vector<PathModel> paths;    // heaviest first at projected_size; with one per cent there or at the largest size
  int projected_size = 0;          // 4 times the largest
  std::vector<Forecast> forecasts; // not with weak scaling
  std::optional<NextSize> next;
  std::vector<Isoefficiency> isoefficiency;
  std::optional<SuperlinearCause> superlinear;
};

/// `scaling` and `processor` of the same build.
Models models_of(const Build& build, const Scaling& scaling, const Processor& processor);

/// How many times the work must be so that efficiency is `efficiency`, if what is lost stays the same: `lost` over the
/// base's work, E / (1 - E) x lost.
double work_for(double efficiency, double lost);

} // namespace andes::postproc
