// Signals: a process that is ended by a signal records that in its arena. After SIGKILL there is no such record:
// the reader of the arena finds that the process is gone.
//
// Invariants:
//  - the effect of a signal on the program does not change: our handler calls the handler that was installed
//    before, a default action is restored and takes place (exit status, core file and fault address are the
//    program's own), ignored signals stay ignored;
//  - handlers do lock-free stores only, and nothing in the child of a fork;
//  - they are installed once MPI has begun (MPI libraries install their own only where they find the default
//    actions), or, without MPI, when the measuring of the chosen process begins.
#pragma once

namespace andes::monitor {

/// Installs the handlers, if there is an arena to write to: of signals that end a process, and of setting
/// snapshot_signal. Once.
void watch_signals();

/// Whether the program has an MPI library, so that it may call MPI_Init.
bool may_use_mpi();

} // namespace andes::monitor
