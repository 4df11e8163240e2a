// Window thread: opens and closes windows (windows.h), and reads samples of functions, asleep in between. It starts
// when the first call path is no longer timed at each visit, so programs with few visits never have it.
//
// It is created by a system call, without the C library. So the C library still takes the program for
// single-threaded, with cheaper locks and reference counts, and the program does not wait for the thread at its
// end. It has no thread-local data and no signals, and calls nothing that needs either.
#pragma once

namespace andes::monitor {

struct Process;

/// False: there is no thread, because memory is missing, the system refuses one, or system_call.h does not support
/// the processor. Signals must be blocked (blocked_signals.h).
bool start_window_thread(Process& process);

/// Wakes the thread, so that it asks again when the next window is due.
void wake_window_thread();

/// Waits for the end of the thread, which follows once Windows::over is set.
void join_window_thread();

} // namespace andes::monitor
