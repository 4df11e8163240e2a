// Counts of events (setting `counters`) by call path, and what follows from instructions and cycles together.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Of one event in one call path; sums over ranks, mean and max of the inclusive count over ranks.
struct EventCount {
  double inclusive = 0, exclusive = 0, mean = 0, max = 0;
};

/// callpath * events + event; `statistics` as Profile::statistics.
std::vector<EventCount> event_counts(const Profile& profile, const std::vector<Statistic>& statistics);

/// The events that count instructions and cycles, by their places in Profile::events.
struct CycleEvents {
  std::size_t instructions = 0, cycles = 0;
};

/// Absent where one of them was not counted. PAPI's presets are taken before the processor's own events.
std::optional<CycleEvents> cycle_events(const std::vector<std::string>& events);

/// Instructions per cycle; absent where either is not above zero.
std::optional<double> per_cycle(double instructions, double cycles);

} // namespace andes::postproc
