// See lifetime.h.
#include "monitor/mpi/lifetime.h"

#include <cstdlib>
#include <cstring>

#include "monitor/mpi/communicators.h"
#include "monitor/mpi/eager_limits.h"
#include "monitor/mpi/fatal_errors.h"
#include "monitor/mpi/files.h"
#include "monitor/mpi/known_types.h"
#include "monitor/mpi/polling.h"
#include "monitor/mpi/receives.h"
#include "monitor/mpi/requests.h"
#include "monitor/mpi/sessions.h"
#include "monitor/mpi/status.h"
#include "monitor/mpi/transport.h"
#include "monitor/mpi/windows.h"

namespace andes::monitor::mpi {

bool measuring, interval_over;
int own_rank, world_size;
bool threads;

void Initialise::begin(std::uint64_t init_ticks) {
  int provided = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&provided);
  threads = threads || provided == MPI_THREAD_MULTIPLE;
  if (!andes_wanted() || interval_over || (measuring && !by_sessions())) return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
  if (!open_transport() || !andes_synchronise(transport())) {
    andes_say_once(said_private, "MPI_Init: no private communicator, as some ranks run without the monitor or MPI "
                                 "refused it; this run is not measured");
    measuring = false;
    interval_over = true;
    andes_give_up();
    return;
  }
  andes_mpi_facts facts = {};
  MPI_Comm parents = MPI_COMM_NULL;
  facts.spawned = PMPI_Comm_get_parent(&parents) == MPI_SUCCESS && parents != MPI_COMM_NULL;
  facts.init_ticks = init_ticks;
  leave_sessions_alone();
  begin_interval(facts);
}

void begin_interval(andes_mpi_facts facts) {
  static char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  facts.rank = own_rank;
  facts.size = world_size;
  PMPI_Get_version(&facts.version, &facts.subversion);
  PMPI_Get_library_version(library, &length);
  library[sizeof library - 1] = 0;
  facts.eager = eager_limits(library);
  library[strcspn(library, "\n")] = 0;
  for (char* tab = library; (tab = strchr(tab, '\t'));) *tab = ' ';
  facts.library = library;
  find_count();
  measuring = true;
  begin_communicators();
  note_known_types();
  if (!facts.of_sessions) {
    begin_world();
    begin_requests(MPI_COMM_SELF);
    watch_errors();
  }
  andes_interval_begin(&facts);
  gap_ticks = andes_poll_gap_ticks();
}

void end_logging() {
  log_open_requests();
  measuring = false;
  forget_postings();
}

void forget_all() {
  forget_communicators();
  forget_windows();
  forget_files();
  forget_requests();
}

void finalise() {
  if (!measuring) return;
  interval_over = true;
  end_logging();
  forget_errors();
  // After a failure no MPI function may be called but PMPI_Finalize; gathering has given the reason.
  if (andes_finish(transport()) && close_transport()) forget_all();
}

} // namespace andes::monitor::mpi
