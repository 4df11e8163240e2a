#include "monitor/finish/sized_messages.h"

#include <algorithm>

namespace andes::monitor {

bool send_sized(const andes_transport& transport, int to, const char* bytes, std::size_t count,
                std::int64_t deadline_ns) {
  const std::uint64_t size = count;
  if (transport.send(to, &size, sizeof size, deadline_ns) != 0) return false;
  for (std::size_t at = 0; at < count; at += piece_bytes)
    if (transport.send(to, bytes + at, std::min(piece_bytes, count - at), deadline_ns) != 0) return false;
  return true;
}

std::optional<std::string> receive_sized(const andes_transport& transport, int from, std::uint64_t most_bytes,
                                         std::int64_t deadline_ns) {
  std::uint64_t size = 0;
  if (transport.receive(from, &size, sizeof size, deadline_ns) != 0 || size > most_bytes) return {};
  std::string message;
  while (message.size() < size) {
    const std::size_t at = message.size(), bytes = std::min<std::uint64_t>(piece_bytes, size - at);
    message.resize(at + bytes);
    if (transport.receive(from, message.data() + at, bytes, deadline_ns) != 0) return {};
  }
  return message;
}

} // namespace andes::monitor
