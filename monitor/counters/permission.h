// The kernel's permission to count events of the processor in one's own processes: kernel.perf_event_paranoid.
#pragma once

namespace andes::monitor {

inline constexpr const char* paranoid_file = "/proc/sys/kernel/perf_event_paranoid";

/// The largest value with which users may count.
inline constexpr int most_paranoid = 2;
inline constexpr const char* permission_remedy = "ask for kernel.perf_event_paranoid to be 2 or less";

} // namespace andes::monitor
