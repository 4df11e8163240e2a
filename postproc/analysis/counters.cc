#include "postproc/analysis/counters.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace andes::postproc {
namespace {

constexpr std::string_view instructions[] = {"PAPI_TOT_INS",        "INSTRUCTIONS",        "PERF_COUNT_HW_INSTRUCTIONS",
                                             "INST_RETIRED",        "INSTRUCTION_RETIRED", "INSTRUCTIONS_RETIRED",
                                             "RETIRED_INSTRUCTIONS"};
constexpr std::string_view cycles[] = {"PAPI_TOT_CYC",      "CYCLES",
                                       "CPU-CYCLES",        "PERF_COUNT_HW_CPU_CYCLES",
                                       "CPU_CYCLES",        "UNHALTED_CORE_CYCLES",
                                       "CPU_CLK_UNHALTED",  "CPU_CLK_THREAD_UNHALTED",
                                       "CYCLES_NOT_IN_HALT"};

/// Without the table of events it is from ("perf::") and without masks (":u=1").
std::string_view plain_event(std::string_view event) {
  if (const std::size_t table = event.find("::"); table != std::string_view::npos) {
    event.remove_prefix(table + 2);
    if (!event.empty() && event.front() == ':') return {}; // of a component other than the processor
  }
  return event.substr(0, event.find(':'));
}

/// Of the events that are named so, the one whose name stands first in the list.
template <class Names>
std::optional<std::size_t> find_event(const std::vector<std::string>& events, const Names& names) {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < events.size(); ++i)
      if (plain_event(events[i]) == name) return i;
  return {};
}

} // namespace

std::vector<EventCount> event_counts(const Profile& profile, const std::vector<Statistic>& statistics) {
  const std::size_t events = profile.events.size();
  std::vector<EventCount> counts(profile.callpaths.size() * events);
  for (std::size_t path = 0; path < profile.callpaths.size(); ++path)
    for (std::size_t event = 0; event < events; ++event) {
      const Statistic& s = statistics[path * profile.metrics() + static_cast<std::size_t>(event_metric(event))];
      EventCount& count = counts[path * events + event];
      count.inclusive = s.sum;
      count.exclusive += s.sum;
      count.mean = s.mean;
      count.max = s.max;
      if (const int parent = profile.callpaths[path].parent; parent >= 0)
        counts[static_cast<std::size_t>(parent) * events + event].exclusive -= s.sum;
    }
  // Call paths that are summed elsewhere may leave their parents less than the rest has.
  for (EventCount& count : counts) count.exclusive = std::max(0.0, count.exclusive);
  return counts;
}

std::optional<CycleEvents> cycle_events(const std::vector<std::string>& events) {
  const auto of_instructions = find_event(events, instructions);
  const auto of_cycles = find_event(events, cycles);
  if (!of_instructions || !of_cycles) return {};
  return CycleEvents{*of_instructions, *of_cycles};
}

std::optional<double> per_cycle(double instruction_count, double cycle_count) {
  if (instruction_count <= 0 || cycle_count <= 0) return {};
  return instruction_count / cycle_count;
}

} // namespace andes::postproc
