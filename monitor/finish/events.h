// Events: the results of the events that the setting `counters` names (monitor/counters/counters.h), from a
// process to the facts and metrics of the run. Ranks may have different settings, and may not all be able to
// count their events: events are identified by name, and missing counts are recorded per rank.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/core/process.h"
#include "monitor/finish/run.h"

namespace andes::monitor {

struct Reduction;

/// Provisional numbers of the events' metrics, beyond all others, until the run file numbers its metrics.
inline constexpr std::int32_t first_event_metric = 1 << 20;
inline bool is_event(std::int32_t metric) { return metric >= first_event_metric; }

/// An event over the ranks of a group.
struct EventState {
  std::string name;
  std::string trouble;             // of the first rank with trouble
  std::int64_t counted_ranks = 0;  // ranks that have counted it
  std::int64_t troubled_ranks = 0; // ranks that have not, or not all the time
};

/// The events of this process, in the order of the setting.
std::vector<EventState> events_of(const Process& process);

/// Adds the events of another group. Returns the index in `into` of each event of `from`.
std::vector<std::int32_t> merge_events(std::vector<EventState>& into, const std::vector<EventState>& from);

/// Inclusive counts of a location's call paths, by event and number of the node; empty: nothing was counted.
std::vector<std::vector<double>> inclusive_counts(const Process& process, const Location& location);

/// Adds the events' metrics and facts to the run. Returns the metric's number by event; -1: it was not counted.
std::vector<std::int32_t> state_events(Run& run, const Reduction& reduction);

/// Reports on standard error the events that could not be counted; `process` has reported its own troubles at
/// the start already.
void say_events(const Process& process, const Reduction& reduction);

} // namespace andes::monitor
