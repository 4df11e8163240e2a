// Sessions of MPI 4 (MPI_Session_init): the first one that the program opens before MPI_Init, or without it, begins the
// measured interval, as MPI_Init does else. The ranks are those of the process set "mpi://WORLD", whose numbers are
// those of MPI_COMM_WORLD.
//
// To open a session is no collective call, and some processes of a job may never do it. So, unlike in MPI_Init, nothing
// here communicates: there is no private communicator, no comparison of clocks, and no gathering at the end, which is
// that of the process. The arenas stay, and `andes run` or `andes recover` makes the run file of them (decision 289).
// A later MPI_Init goes on with the same interval, and MPI_Finalize ends it with a run file as usual.
//
// Invariants:
//  - calls of several threads are expected from the first session on: each session may have a thread level of its own;
//  - between two sessions, and behind the last one, calls of MPI are neither numbered nor logged, and no object of MPI
//    is held.
#pragma once
#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {

/// Whether the interval was begun by a session, and MPI_Init was not called since.
bool by_sessions();

/// MPI_Init was called: from here on MPI_COMM_WORLD exists.
void leave_sessions_alone();

/// The group of all ranks, to be freed: of MPI_COMM_WORLD, or of an open session; empty: it is not known.
MPI_Group world_group();

/// Whether a session was closed while MPI went on: which communicators were its own is not known, so none may be called
/// upon but those that the program names. Atomic.
inline bool handles_in_doubt;

#if MPI_VERSION >= 4
void session_opened(MPI_Session session, std::uint64_t init_ticks);
void session_closes(MPI_Session session);

/// MPI_Session_init.
class OpenSession {
public:
  explicit OpenSession(const MPI_Session* session) : session_(session), ticks_(ANDES_TICKS()) {}
  void done(const Visit&, int result) {
    if (result == MPI_SUCCESS) session_opened(*session_, ticks_);
  }

private:
  const MPI_Session* session_;
  std::uint64_t ticks_;
};

/// MPI_Session_finalize: what the monitor holds is given back before the last one.
class CloseSession {
public:
  explicit CloseSession(const MPI_Session* session) {
    if (session) session_closes(*session);
  }
  void done(const Visit&, int) {}
};
#endif

} // namespace andes::monitor::mpi
