// Reading an arena: converts untrusted bytes to a RecoveredProcess.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "monitor/recover/recovered.h"

namespace andes::monitor {

/// Throws Refusal, and nothing else but std::bad_alloc: not an arena, of another build, too damaged to
/// use, or nothing measured. Visits are left open (close_process of open_visits.h).
std::unique_ptr<RecoveredProcess> read_process(std::span<const std::byte> bytes);

/// The same for a file. If the process is alive, the result is its state at one moment: open visits are
/// those that were open before the rest was read and after it. A long visit that ended in between would be
/// counted twice or not at all: then the file is read again, a few times at most.
/// Throws Refusal also for files that cannot be read.
std::unique_ptr<RecoveredProcess> load_process(const std::string& path);

} // namespace andes::monitor
