// Events of software that the kernel counts itself, and that need no counters of the processor: page faults, switches
// of context, migrations. They have PAPI's names for them (perf::PAGE-FAULTS) and stand in where PAPI does not know
// them: most virtual machines have no counters, and then PAPI's component for all of perf is off.
#pragma once
#include <cstdint>

namespace andes::monitor {

/// In place of a component of PAPI; each such event is a group of its own.
inline constexpr int kernel_component = -100;

/// The number by which the kernel knows an event; -1: none of that name.
int kernel_event(const char* name);

/// Begins to count the event in the calling thread. A file, or an error as -errno.
int open_kernel_event(int event);

/// 0, or an error as -errno.
int read_kernel_event(int file, long long* value);

void close_kernel_event(int file);

} // namespace andes::monitor
