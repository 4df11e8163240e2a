// Messages of the monitor: one line on standard error, of the form "andes: object: fact; remedy".
#pragma once
#include "monitor/say/said.h"

namespace andes::monitor {

/// Notes which file standard error is, at the start of the process: the monitor writes messages only while it is
/// still the same file.
void note_standard_error();

/// Whether standard error is still the file that it was when the process began.
bool may_speak();

} // namespace andes::monitor

/// Says one line on standard error, "andes: ...", at most once per process for each `id` of said.h.
extern "C" void andes_say_once(int id, const char* format, ...) __attribute__((format(printf, 2, 3)));
