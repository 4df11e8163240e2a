// Reading an arena: from bytes that anybody may have written to a RecoveredProcess.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "monitor/recover/recovered.h"

namespace andes {

/// Throws Refusal, and nothing else but std::bad_alloc: no arena, another build, damaged where nothing
/// can be made of it, nothing measured. Visits are left open (close_process of open_visits.h).
std::unique_ptr<RecoveredProcess> read_process(std::span<const std::byte> bytes);

/// The same of a file; of one whose process is alive at one moment: open visits are those that stood there
/// before all else was read and after it. A visit of some length that ended in between would be counted
/// twice or not at all: then it is read again, a few times at most.
/// Throws Refusal also for files that cannot be read.
std::unique_ptr<RecoveredProcess> load_process(const std::string& path);

} // namespace andes
