// Serial routines: the serial fraction of Karp and Flatt, divided among the call paths of the program, so that it is
// known which of them are the limit of Amdahl's law. A call path counts without its callees, which have their own.
//
// Invariants:
//  - the time of a run is the mean over ranks of computation, waits, and what MPI takes; each wait counts as time of
//    the call path that the ranks waited for (late_work.h). So fractions of call paths add up to that of the program,
//    less `rest`, which belongs to none;
//  - a fraction is the sum of two parts: more work (the computation summed over ranks grows) and waiting for it;
//  - figures are of the run with the median time at the base and at the largest usable size (docs/metrics.md, "Serial
//    routines").
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/sampling.h"
#include "postproc/analysis/series.h"

namespace andes::postproc {

struct SerialRoutine {
  std::vector<std::string> path;
  std::string kind, file;
  int line = 0;
  double fraction = 0; // of the program's time on one rank, as its serial fraction
  double more_work = 0; // part of it
  SamplingError more_work_error; // estimated: so are the other figures
  double waiting = 0; // the other part
  std::optional<double> work_factor; // computation summed over ranks, over that of the base; absent for MPI
  std::optional<double> limit_speedup; // 1 / fraction: were it the only serial routine
  bool is_limit = false; // a tenth of the program's fraction at least, and not by chance of sampling
};

struct SerialRoutines {
  std::string why_not; // empty: they are known
  int base_size = 0, size = 0;
  double fraction = 0, rest = 0;
  bool waits_measured = false; // false: the rank that is longest in a routine counts instead
  std::vector<SerialRoutine> routines; // largest fraction first; those of one thousandth at least
};

/// Sum of the routines' fractions: more than the whole where other call paths take less time than at the base.
double listed_fraction(const SerialRoutines& serial);

/// `base` and `point`: the median runs with Detail::tree.
SerialRoutines serial_routines_of(const Profile& base, const Profile& point);

} // namespace andes::postproc
