// What a process of this host does in the kernel: a rank that reads a pipe which nobody writes, or waits for a lock,
// computes nothing, though it is in no call of MPI.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace andes::monitor {

/// The system call in which the main thread of `pid` is asleep ("read"); empty: in one that is not known, as for other
/// users' processes. Absent: it runs, or is gone.
std::optional<std::string> asleep_in(std::int32_t pid);

} // namespace andes::monitor
