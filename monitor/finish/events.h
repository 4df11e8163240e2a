// Events: what became of those that the setting `counters` names (monitor/counters/counters.h), from a process to
// the facts and metrics of the run. Ranks may have been asked for different ones, and may not all be able to
// count what they were asked for: events are told by their names, and what is missing by ranks.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/core/process.h"
#include "monitor/finish/run.h"

namespace andes {

struct Reduction;

/// Numbers of the events' metrics, beyond all others, until the run file numbers what there is.
inline constexpr std::int32_t first_event_metric = 1 << 20;
inline bool is_event(std::int32_t metric) { return metric >= first_event_metric; }

/// An event over the ranks of a group.
struct EventState {
  std::string name;
  std::string trouble;             // of the first rank that has some
  std::int64_t counted_ranks = 0;  // that have counted it
  std::int64_t troubled_ranks = 0; // that have not, or not throughout
};

/// Of this process, in the order of the setting.
std::vector<EventState> events_of(const Process& process);

/// Adds the events of another group; where its events are in `into` now, by their place in `from`.
std::vector<std::int32_t> merge_events(std::vector<EventState>& into, const std::vector<EventState>& from);

/// Inclusive counts of a location's call paths, by event and number of the node; empty: nothing was counted.
std::vector<std::vector<double>> inclusive_counts(const Process& process, const Location& location);

/// The events' metrics and facts in the run; the numbers of the metrics by event, -1: it was not counted.
std::vector<std::int32_t> state_events(Run& run, const Reduction& reduction);

/// Says on standard error what could not be counted; `process` has said its own troubles of the beginning.
void say_events(const Process& process, const Reduction& reduction);

} // namespace andes
