// Window thread: opens and closes windows (windows.h), asleep in between. It begins with the first region that is
// closed, so programs whose visits are few never have it.
//
// It is a thread of the kernel that the C library does not know: so the program stays single-threaded to it, whose
// locks and reference counts are cheaper then, and the thread is no part of what the program waits for at its end.
// It has no thread-local data and no signals, and calls nothing that needs either.
#pragma once

namespace andes {

struct Process;

/// False: there is none, for want of memory or because the system lets no thread begin, or on processors for which
/// system calls are not written down (system_call.h). Signals must be blocked (blocked_signals.h).
bool start_window_thread(Process& process);

/// So that it asks again when the next window is due.
void wake_window_thread();

/// Waits until it has ended, which it does once Windows::over.
void join_window_thread();

} // namespace andes
