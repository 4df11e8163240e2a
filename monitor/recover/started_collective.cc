// See started_collective.h. The root is in the log where it is not that of the operation before (log_root).
#include "monitor/recover/started_collective.h"

#include <algorithm>

namespace andes::monitor {
namespace {

constexpr std::uint32_t most_read = 1u << 20;  // records of a thread
constexpr std::uint32_t number_mask = 0xffffff; // of what a record holds of a number

bool is_collective(const EventRecord& record) {
  return record.kind >= std::uint64_t(EventKind::barrier) &&
         record.kind < std::uint64_t(EventKind::collective_completion);
}

/// Calls `see` with the latest records of a channel, those of each thread from the last one back, as long as it says.
template <class See> void each_back(const Process& process, std::uint32_t channel, See&& see) {
  for (std::uint32_t i = 0; i < process.location_count; ++i) {
    const EventLog& log = process.locations[i]->log;
    for (std::uint32_t back = 1; back <= std::min(log.count, most_read); ++back) {
      const EventRecord& record = log.records[log.count - back];
      if (record.channel == channel && !see(i, record)) break;
    }
  }
}

/// The root of the operation `number`, which has one, as the latest record of a root up to there says; -1: not known.
int root_of(const Process& process, std::uint32_t channel, std::uint32_t number) {
  int root = -1;
  std::uint32_t least_ago = number + 1;
  each_back(process, channel, [&](std::uint32_t, const EventRecord& record) {
    if (record.kind != std::uint64_t(EventKind::request) || !(record.flags & event_root)) return true;
    const std::uint32_t ago = (number - static_cast<std::uint32_t>(record.number)) & number_mask;
    if (ago >= least_ago) return true;
    least_ago = ago;
    root = static_cast<int>(long_of(record.amount()));
    return false;
  });
  return root;
}

} // namespace

std::optional<StartedCollective> find_started(const Process& process, std::uint32_t channel, std::uint32_t number) {
  std::optional<StartedCollective> found;
  if (process.events.level > 0) return found;
  each_back(process, channel, [&](std::uint32_t location, const EventRecord& record) {
    if (record.number != (number & number_mask) || !is_collective(record)) return !found;
    found.emplace();
    found->location = location;
    found->node = record.node;
    found->event = static_cast<EventKind>(record.kind);
    return false;
  });
  if (found && (found->event == EventKind::one_to_n || found->event == EventKind::n_to_one))
    found->root = root_of(process, channel, number);
  return found;
}

} // namespace andes::monitor
