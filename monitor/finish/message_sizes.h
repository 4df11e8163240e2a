// Message sizes on their way from the locations to the run file: a sum over all ranks for each call path and class.
// They travel as statistics whose metrics have provisional numbers below those of events, and become rows of table
// `message_size`. Values of single ranks are not kept.
#pragma once
#include <cstdint>
#include <vector>

#include "monitor/core/message_sizes.h"
#include "monitor/finish/events.h"

namespace andes::monitor {

inline constexpr std::int32_t first_size_metric = first_event_metric - size_classes;
inline bool is_size(std::int32_t metric) { return metric >= first_size_metric && !is_event(metric); }

/// Adds counts by class, where there are any.
template <class Count> void add_sizes(std::vector<double>& into, const Count* counts) {
  for (int i = 0; i < size_classes; ++i) {
    if (counts[i] == 0) continue;
    if (into.empty()) into.resize(size_classes);
    into[static_cast<std::size_t>(i)] += static_cast<double>(counts[i]);
  }
}

} // namespace andes::monitor
