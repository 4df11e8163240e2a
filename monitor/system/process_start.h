// When a process began: with its id that names it, for ids are given out again. For the monitor and for readers of
// arenas.
#pragma once
#include <cstdint>

namespace andes {

/// In clock ticks since boot, field 22 of /proc/PID/stat; 0: there is no such process, or all of its threads have
/// ended.
std::uint64_t start_of(std::int32_t pid);

} // namespace andes
