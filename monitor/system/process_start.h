// The time at which a process began. Process ids are reused: id and time together identify a process. For the
// monitor and for readers of arenas.
#pragma once
#include <cstdint>

namespace andes::monitor {

/// In clock ticks since boot, field 22 of /proc/PID/stat; 0: there is no such process, or all of its threads have
/// ended.
std::uint64_t start_of(std::int32_t pid);

} // namespace andes::monitor
