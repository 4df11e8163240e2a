// Messages of any size between ranks: the size first, so that the receiver knows what to ask the transport for,
// then the bytes in pieces that the transport takes. Same architecture, same andes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "monitor/interface/transport.h"

namespace andes {

/// What a transport sends in one piece at most: so little that its copies find memory that was in use before, and
/// that a rank reads one piece while the other writes the next.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 16;

/// False after the deadline (CLOCK_MONOTONIC) or an error: then no further call is made through the transport.
bool send_sized(const andes_transport& transport, int to, const char* bytes, std::size_t count, std::int64_t deadline_ns);

/// Nothing likewise, or if it is larger than `most_bytes`. Takes no more memory than has come, and a piece.
std::optional<std::string> receive_sized(const andes_transport& transport, int from, std::uint64_t most_bytes,
                                         std::int64_t deadline_ns);

} // namespace andes
