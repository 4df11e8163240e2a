// Errors of MPI that end the program: class, text and call are recorded in the arena before the library ends the job.
//
// Communicators and windows with MPI_ERRORS_ARE_FATAL, the default, get a handler of ours, which records the error and
// then lets the library do what its own handler does. The communicators that a program makes inherit it. Where nobody
// has set a handler, MPICH takes that of MPI_COMM_WORLD, whatever it is by then: so do our handlers. What the program
// itself sets to MPI_ERRORS_ARE_FATAL gets another handler of ours, which does not.
//
// Invariants:
//  - the program sees MPI_ERRORS_ARE_FATAL where it asks; its own handlers are not touched;
//  - the library prints its own message, names the call that failed, and chooses the exit status;
//  - nothing here communicates, and calls without an error cost nothing;
//  - the monitor's own communicator keeps MPI_ERRORS_RETURN.
//
// Rejected: reading the calls in progress after the death, which tells the call, but not that it failed, nor why: the
// rank that made the mistake looked like its victims. Interposing the libraries' internal functions: they are called
// inside the library, without a jump that could be replaced. Wrapping every call by MPI_ERRORS_RETURN: two more calls.
//
// Limits: who looks up PMPI_Comm_get_errhandler sees our handler. Errors on files, and on communicators to other worlds
// that the library made itself (MPI_Comm_get_parent), are not seen. MPICH's message has the number of a predefined
// communicator in the place of another one's for which the program has set MPI_ERRORS_ARE_FATAL itself. With
// MPI_THREAD_MULTIPLE its first line names MPI_Comm_call_errhandler, and the lines behind it the call that failed.
#pragma once
#include <mpi.h>

#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {

/// In MPI_Init, behind open_transport().
void watch_errors();
/// A window was made.
void watch_errors_of_window(MPI_Win win);
/// At the end: the predefined communicators get the library's handler back.
void forget_errors();

/// A communicator or window, whose handles may have the same type.
struct OnComm {
  using Handle = MPI_Comm;
  static int get(MPI_Comm comm, MPI_Errhandler* handler) { return PMPI_Comm_get_errhandler(comm, handler); }
  static int set(MPI_Comm comm, MPI_Errhandler handler) { return PMPI_Comm_set_errhandler(comm, handler); }
  static int call(MPI_Comm comm, int code) { return PMPI_Comm_call_errhandler(comm, code); }
  static MPI_Errhandler ours; // in the place of the default; MPI_ERRHANDLER_NULL: errors are not watched
  static MPI_Errhandler ours_set; // where the program has set MPI_ERRORS_ARE_FATAL
};
struct OnWindow {
  using Handle = MPI_Win;
  static int get(MPI_Win win, MPI_Errhandler* handler) { return PMPI_Win_get_errhandler(win, handler); }
  static int set(MPI_Win win, MPI_Errhandler handler) { return PMPI_Win_set_errhandler(win, handler); }
  static int call(MPI_Win win, int code) { return PMPI_Win_call_errhandler(win, code); }
  static MPI_Errhandler ours, ours_set;
};

/// The program has asked for the handler of an object: instead of ours it gets the library's.
template <class On> void show_default(typename On::Handle of, MPI_Errhandler* handler);

/// MPI_Comm_get_errhandler, MPI_Win_get_errhandler.
template <class On> class GetHandler {
public:
  GetHandler(typename On::Handle of, MPI_Errhandler* handler) : of_(of), handler_(handler) {}
  void done(const Visit&, int result) {
    if (result == MPI_SUCCESS) show_default<On>(of_, handler_);
  }

private:
  typename On::Handle of_;
  MPI_Errhandler* handler_;
};
using GetCommHandler = GetHandler<OnComm>;
using GetWindowHandler = GetHandler<OnWindow>;

/// The program raises an error itself: the default handler ends it, whatever that of MPI_COMM_WORLD is.
template <class On> void raised_by_program(typename On::Handle of);

/// MPI_Comm_call_errhandler, MPI_Win_call_errhandler.
template <class On> class Raise {
public:
  explicit Raise(typename On::Handle of) { raised_by_program<On>(of); }
  void done(const Visit&, int) {}
};
using RaiseOnComm = Raise<OnComm>;
using RaiseOnWindow = Raise<OnWindow>;

/// MPI_Comm_set_errhandler, MPI_Win_set_errhandler.
void comm_handler_set(MPI_Comm comm, MPI_Errhandler handler);
void window_handler_set(MPI_Win win, MPI_Errhandler handler);

} // namespace andes::monitor::mpi
