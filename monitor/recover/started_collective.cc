// See started_collective.h. The root is in the log where it is not that of the operation before (log_root).
#include "monitor/recover/started_collective.h"

#include <algorithm>
#include <vector>

namespace andes::monitor {
namespace {

constexpr std::uint32_t most_read = 1u << 20; // records of a thread
constexpr std::uint32_t half_of_numbers = (operation_number_mask + 1) / 2;

bool is_collective(const EventRecord& record) {
  return record.kind >= std::uint64_t(EventKind::barrier) &&
         record.kind < std::uint64_t(EventKind::collective_completion);
}

bool is_root(const EventRecord& record) {
  return record.kind == std::uint64_t(EventKind::request) && (record.flags & event_root) != 0;
}

/// Calls `see` with the latest records of a thread, from the last one back, as long as it says.
template <class See> void each_back(const EventLog& log, See&& see) {
  for (std::uint32_t back = 1; back <= std::min(log.count, most_read); ++back)
    if (!see(log.records[log.count - back])) return;
}

/// By how many operations a record is older than `number`; half of all numbers or more: it is younger.
std::uint32_t ago(std::uint32_t number, const EventRecord& record) {
  return (number - static_cast<std::uint32_t>(record.number)) & operation_number_mask;
}

std::map<ChannelNumber, StartedCollective> find_calls(const Process& process, const std::set<ChannelNumber>& wanted) {
  std::map<ChannelNumber, StartedCollective> found;
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    each_back(process.locations[i]->log, [&](const EventRecord& record) {
      const ChannelNumber name(record.channel, record.number);
      if (is_collective(record) && wanted.count(name))
        found.try_emplace(name, StartedCollective{i, record.node, static_cast<EventKind>(record.kind), -1, {}});
      return found.size() < wanted.size();
    });
  return found;
}

/// Of each that has a root the one that was logged last in it or before.
void find_roots(const Process& process, std::map<ChannelNumber, StartedCollective>& found) {
  std::map<ChannelNumber, std::uint32_t> least_ago; // by operation that has a root: of what is known of it
  for (const auto& [name, one] : found)
    if (one.event == EventKind::one_to_n || one.event == EventKind::n_to_one) least_ago[name] = half_of_numbers;
  for (std::uint32_t i = 0; i < process.location_count; ++i) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> left; // numbers by channel, the latest at the end
    for (const auto& [name, unused] : least_ago) left[name.first].push_back(name.second);
    for (auto& [channel, numbers] : left) {
      const std::uint32_t next = process.events.channels[channel].next;
      const auto is_older = [&](std::uint32_t a, std::uint32_t b) {
        return ((next - a) & operation_number_mask) > ((next - b) & operation_number_mask);
      };
      std::sort(numbers.begin(), numbers.end(), is_older);
    }
    each_back(process.locations[i]->log, [&](const EventRecord& record) {
      if (left.empty()) return false;
      if (!is_root(record)) return true;
      const auto of_channel = left.find(record.channel);
      if (of_channel == left.end()) return true;
      for (std::vector<std::uint32_t>& numbers = of_channel->second; !numbers.empty(); numbers.pop_back()) {
        const ChannelNumber name(record.channel, numbers.back());
        const std::uint32_t since = ago(numbers.back(), record);
        if (since >= half_of_numbers) break;
        if (since >= least_ago[name]) continue; // another thread knows a later one
        least_ago[name] = since;
        found[name].root = static_cast<int>(long_of(record.amount()));
      }
      if (of_channel->second.empty()) left.erase(of_channel);
      return true;
    });
  }
}

} // namespace

std::map<ChannelNumber, StartedCollective> find_started(const Process& process, const std::set<ChannelNumber>& wanted) {
  if (process.events.levels.any() || wanted.empty()) return {};
  std::map<ChannelNumber, StartedCollective> found = find_calls(process, wanted);
  find_roots(process, found);
  return found;
}

} // namespace andes::monitor
