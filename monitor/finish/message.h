// A reduction as a message between ranks of one job: same architecture, same andes. It is written
// and read in pieces of at most 1 MiB, so that neither side needs room for all bytes of the message
// besides the reduction itself.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "monitor/finish/reduction.h"
#include "monitor/finish/sized_messages.h"

namespace andes::monitor {

/// Accepts the next piece; false: that failed, and no more pieces are accepted.
using GivePiece = std::function<bool(const char* bytes, std::size_t count)>;

/// Puts the next piece into `piece`; false: there is none.
using TakePiece = std::function<bool(std::string& piece)>;

/// False as soon as a piece was not accepted.
bool write_message(const Reduction& reduction, const GivePiece& give);

/// Empty if the pieces are not a complete message with its check sum: every size and index is
/// checked before use, and memory is bounded by a small multiple of the bytes received.
std::optional<Reduction> read_message(const TakePiece& take);

} // namespace andes::monitor
