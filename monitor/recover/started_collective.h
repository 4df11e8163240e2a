// StartedCollective: what the log says of a collective operation that a request stands for: so it is known whom its
// MPI_Wait waits for.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "monitor/core/process.h"

namespace andes::monitor {

struct StartedCollective {
  std::size_t location = 0; // of the call that started it
  std::uint32_t node = 0;
  EventKind event = EventKind::none;
  int root = -1; // in its communicator; -1: it has none, or it is not known
  std::string function; // of that call
};

/// The `number`-th operation of the channel of this index; nothing: it is not in the log's end, or the log is a sample.
/// Its `function` is left to the caller.
std::optional<StartedCollective> find_started(const Process& process, std::uint32_t channel, std::uint32_t number);

/// The same, with the function.
using FindStarted = std::function<std::optional<StartedCollective>(std::uint32_t channel, std::uint32_t number)>;

} // namespace andes::monitor
