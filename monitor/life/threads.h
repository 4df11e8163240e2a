// Threads of the process: each gets a location at its first visit and gives it up at its end.
#pragma once
#include "monitor/core/location.h"

namespace andes::monitor {

/// This thread's location; attaches the thread if it has none. Null: not measured, or called again
/// from inside the monitor. Takes process_lock.
Location* attach_thread();

/// The same for a module of the program: fills in the module's `view` of the location.
Location* attach_module(andes_view* view);

/// The calling thread is the location's thread from here on: its processor time and its waits count from now.
void take_over(Location& location);

/// From here on the monitor notices the end of threads that have a location. To be called once.
void watch_thread_ends();

} // namespace andes::monitor
