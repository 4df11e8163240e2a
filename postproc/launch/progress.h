// Progress: the line before each run of a sweep.
#pragma once
#include <chrono>

#include "postproc/launch/sweep_state.h"

namespace andes::postproc {

/// Runs from when it is made.
class Stopwatch {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Says which run is next, and how far the sweep is: the time that is left, or with --repeat auto the interval of the
/// size and the time that was used. Nothing for a single run.
void show_progress(const SweepState& state, const Planned& next, const Stopwatch& watch);

/// The interval of the times of a size beside the one that is wanted: "interval 7.1 % of the median, 5 % wanted".
std::string interval_text(const SweepState& state, const Size& size);

} // namespace andes::postproc
