// A reduction as a message, to be sent from rank to rank of one job: same architecture, same andes.
// It is made and read in pieces of at most 1 MiB, so that neither side needs room for the bytes of
// the whole besides the reduction itself.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "monitor/finish/reduction.h"
#include "monitor/finish/sized_messages.h"

namespace andes {

/// Takes the next piece; false: it cannot be had, and no more is wanted.
using GivePiece = std::function<bool(const char* bytes, std::size_t count)>;

/// Puts the next piece into `piece`; false: there is none.
using TakePiece = std::function<bool(std::string& piece)>;

/// False as soon as a piece could not be given.
bool write_message(const Reduction& reduction, const GivePiece& give);

/// Nothing if the pieces are not a whole message with its check sum: every size and index is looked
/// at before it is used, and no more memory is taken than a small multiple of what has come.
std::optional<Reduction> read_message(const TakePiece& take);

} // namespace andes
