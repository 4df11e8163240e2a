#include "monitor/finish/events.h"

#include <algorithm>

#include "monitor/finish/json_text.h"
#include "monitor/finish/reduction.h"
#include "monitor/finish/say.h"

namespace andes::monitor {
namespace {

constexpr const char* not_registered =
    "no library of the program has registered it; link the library that does, and check the spelling";

bool is_missing(const EventState& event) { return event.troubled_ranks > 0 || event.counted_ranks == 0; }

std::string of_ranks(const EventState& event, std::int64_t ranks) {
  if (event.troubled_ranks == ranks) return {};
  return " (on " + std::to_string(event.troubled_ranks) + " of " + std::to_string(ranks) + " ranks)";
}

} // namespace

std::vector<EventState> events_of(const Process& process) {
  std::vector<EventState> events;
  for (std::uint32_t i = 0; i < process.counters.wanted; ++i) {
    const CountedEvent& event = process.counters.events[i];
    EventState state = {event.name, event.trouble, event.counted, 0};
    if (event.counted && !process.counters.seen[event.place]) {
      state.counted_ranks = 0;
      state.trouble = not_registered;
    }
    state.troubled_ranks = !state.trouble.empty();
    events.push_back(std::move(state));
  }
  return events;
}

std::vector<std::int32_t> merge_events(std::vector<EventState>& into, const std::vector<EventState>& from) {
  std::vector<std::int32_t> places;
  for (const EventState& event : from) {
    auto known = std::find_if(into.begin(), into.end(), [&](const EventState& own) { return own.name == event.name; });
    places.push_back(static_cast<std::int32_t>(known - into.begin()));
    if (known == into.end()) {
      into.push_back(event);
      continue;
    }
    if (known->trouble.empty()) known->trouble = event.trouble;
    known->counted_ranks += event.counted_ranks;
    known->troubled_ranks += event.troubled_ranks;
  }
  return places;
}

std::vector<std::vector<double>> inclusive_counts(const Process& process, const Location& location) {
  const Tree& tree = location.tree;
  const Counters& counters = process.counters;
  std::vector<std::vector<double>> counts;
  if (!tree.counts) return counts;
  counts.resize(counters.wanted);
  for (std::uint32_t place = 0; place < tree.limits.events; ++place) {
    std::vector<double>& column = counts[counters.event_of_place[place]];
    column.resize(tree.node_count);
    for (std::uint32_t i = tree.node_count; i-- > 0;) { // children have higher numbers than their parents
      column[i] += static_cast<double>(counts_of(tree, i)[place]);
      // A root below a thread's own root mirrors that of the thread whose team it was in.
      if (tree.node(i).kind != ANDES_KIND_ROOT) column[tree.node(i).parent] += column[i];
    }
  }
  return counts;
}

std::vector<std::int32_t> state_events(Run& run, const Reduction& reduction) {
  std::vector<std::int32_t> numbers;
  if (reduction.events.empty()) return numbers;
  std::vector<std::string> counted;
  std::string missing;
  for (const EventState& event : reduction.events) {
    numbers.push_back(-1);
    if (is_missing(event)) {
      missing += (missing.empty() ? "{\"event\":" : ",{\"event\":") + json_text(event.name) +
                 ",\"reason\":" + json_text(event.trouble);
      if (event.troubled_ranks != reduction.ranks) missing += ",\"ranks\":" + std::to_string(event.troubled_ranks);
      missing += "}";
    }
    if (event.counted_ranks == 0) continue;
    counted.push_back(event.name);
    numbers.back() = static_cast<std::int32_t>(run_file::metric_count + run.more_metrics.size());
    run.more_metrics.push_back({event.name, "", "events counted by PAPI, callees included"});
  }
  run.facts["counters"] = json_list(counted);
  if (!missing.empty()) run.facts["counters_missing"] = "[" + missing + "]";
  return numbers;
}

void say_events(const Process& process, const Reduction& reduction) {
  const Counters& counters = process.counters;
  for (const EventState& event : reduction.events) {
    if (!is_missing(event)) continue;
    const bool said = std::any_of(counters.events, counters.events + counters.wanted,
                                  [&](const CountedEvent& own) { return own.said && event.name == own.name; });
    if (!said) say("counters: " + event.name + of_ranks(event, reduction.ranks) + ": " + event.trouble);
  }
}

} // namespace andes::monitor
