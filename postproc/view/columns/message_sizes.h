// How many messages of which size: `message_sizes` of call paths, functions, files and groups of MPI calls.
#pragma once
#include <string>

#include "postproc/analysis/message_sizes.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// A list of the classes of sizes; nothing where there are no messages.
Value sizes_value(const SizeCounts& sizes);

/// Empty: it is not known.
std::string protocol_text(Protocol protocol);

/// `1 KiB .. 2 KiB`, without the second.
std::string size_text(const SizeCount& count);

/// A group of calls, by its kind, in words: "all to all".
std::string group_title(const std::string& kind);

} // namespace andes::postproc::columns
