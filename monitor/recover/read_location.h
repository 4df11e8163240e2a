// A thread of a recovered process: its tree, its log and its open visits.
#pragma once
#include "monitor/recover/arena_image.h"
#include "monitor/recover/recovered.h"

namespace andes::monitor {

/// Reads the Location at `address`; false: nothing of it can be used.
bool read_location(const ArenaImage& image, std::uint64_t address, RecoveredProcess& into);

} // namespace andes::monitor
