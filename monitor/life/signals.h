// Signals: a process that a signal ends states so in its arena. SIGKILL leaves no word: who reads the arena finds
// that the process is gone.
//
// Invariants:
//  - what a signal does to the program is what it did: a handler that was there is called from ours, a default
//    action is restored and happens (exit status, core file and fault address are the program's own), what
//    was ignored stays ignored;
//  - handlers do lock-free stores only, and nothing in the child of a fork;
//  - they are installed once MPI has begun (MPI libraries install their own only where they find the default
//    actions), or, without MPI, where the chosen process begins to be measured.
#pragma once

namespace andes {

/// Installs the handlers, if there is an arena to write to: of signals that end a process, and of setting
/// snapshot_signal. Once.
void watch_signals();

/// Whether the program has an MPI library, so that MPI_Init may come.
bool may_use_mpi();

} // namespace andes
