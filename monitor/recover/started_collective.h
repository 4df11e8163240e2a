// StartedCollective: what the log says of a collective operation that a request stands for: so it is known whom its
// MPI_Wait waits for.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "monitor/core/process.h"

namespace andes::monitor {

struct StartedCollective {
  std::size_t location = 0; // of the call that started it
  std::uint32_t node = 0;
  EventKind event = EventKind::none;
  int root = -1; // in its communicator; -1: it has none, or it is not known
  std::string function; // of that call; empty: not known
};

/// Index of a channel, and the number of an operation on it as records hold it.
using ChannelNumber = std::pair<std::uint32_t, std::uint32_t>;
inline ChannelNumber channel_number(std::uint32_t channel, std::uint32_t number) {
  return {channel, number & operation_number_mask};
}

/// Those of the wanted operations that the log's end tells of; none if the log is a sample. Their `function` is left to
/// the caller.
std::map<ChannelNumber, StartedCollective> find_started(const Process& process, const std::set<ChannelNumber>& wanted);

/// One of them, with the function.
using FindStarted = std::function<std::optional<StartedCollective>(std::uint32_t channel, std::uint32_t number)>;

} // namespace andes::monitor
