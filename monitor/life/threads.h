// Threads of the process: each gets a location at its first visit and gives it up at its end.
#pragma once
#include "monitor/core/location.h"

namespace andes {

/// This thread's location, attached if need be; null when not measured or when called again from
/// inside the monitor. Takes the process's lock.
Location* attach_thread();

/// The same for a module of the program, whose `view` of the location is filled in.
Location* attach_module(andes_view* view);

/// How long the location's thread has waited for a core since that was last asked.
void add_core_waits(Location& location);

/// From here on the end of a thread that has a location is noticed. Once.
void watch_thread_ends();

} // namespace andes
