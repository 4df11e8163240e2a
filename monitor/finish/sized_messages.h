// Messages of any size between ranks: first the size, so that the receiver knows how much to request from the
// transport, then the bytes in pieces. All ranks have the same architecture and the same andes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "monitor/interface/transport.h"

namespace andes::monitor {

/// Largest piece: small enough that the transport's copies reuse memory, and that a rank reads one piece while
/// the other writes the next.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 16;

/// False after the deadline (CLOCK_MONOTONIC) or an error: then no further call is made through the transport.
bool send_sized(const andes_transport& transport, int to, const char* bytes, std::size_t count,
                std::int64_t deadline_ns);

/// Empty in the same cases, or if the message is larger than `most_bytes`. Needs no more memory than the
/// bytes received, and one piece.
std::optional<std::string> receive_sized(const andes_transport& transport, int from, std::uint64_t most_bytes,
                                         std::int64_t deadline_ns);

} // namespace andes::monitor
