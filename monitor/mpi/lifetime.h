// Start and end of MPI in a process: the monitor's work in MPI_Init, MPI_Finalize and MPI_Pcontrol.
// Classes of the table's `around` actions (functions.table).
//
// Order (invariant 3 of the monitor): user's MPI_Finalize -> andes_finish (gather, write) ->
// PMPI_Finalize. The life of MPI_COMM_WORLD is measured; of programs with MPI sessions that of these (sessions.h).
#pragma once
#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {

/// MPI_Init, MPI_Init_thread: afterwards a private communicator, then the measured interval.
class Initialise {
public:
  Initialise() : ticks_(ANDES_TICKS()) {}
  void done(const Visit&, int result) {
    if (result == MPI_SUCCESS) begin(ticks_);
  }

private:
  static void begin(std::uint64_t init_ticks);
  std::uint64_t ticks_;
};

/// MPI_Pcontrol: the level takes effect after the call's own visit.
class Control {
public:
  explicit Control(int level) : level_(level) {}
  void done(const Visit&, int) { andes_control(level_); }

private:
  int level_;
};

/// MPI_Abort.
inline void abort(int code) {
  if (measuring) andes_abort(code);
}

/// MPI_Finalize: gathers before MPI ends.
void finalise();

/// Whether no measured interval begins any more: MPI_Finalize has ended it, or this process takes no part in the run.
extern bool interval_over;

/// Begins the measured interval, or goes on with that of MPI sessions; completes `facts` and hands them on.
void begin_interval(andes_mpi_facts facts);

/// No operations are logged from here on; those under way are marked as open.
void end_logging();

/// Frees all that is known of communicators, windows, files and requests.
void forget_all();

} // namespace andes::monitor::mpi
