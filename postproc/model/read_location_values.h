// Reading the values of single locations, of all call paths: own time and own waits, as `andes report --html` shows
// them by rank.
#pragma once
#include <cstddef>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// A metric of call paths in single locations.
struct LocationValues {
  std::vector<std::size_t> locations; // whose values the run has, in the order of Profile::locations
  /// By call path, then by place in `locations`; empty: zero everywhere.
  using Rows = std::vector<std::vector<double>>;
  Rows own_ns;  // exclusive time
  Rows idle_ns; // of that, waiting: in MPI, and for other threads of the process
};

/// `profile` must have been read with Detail::tree. Throws Refusal like read_run.
LocationValues values_of_locations(const Profile& profile);

} // namespace andes::postproc
