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
#include "monitor/mpi/status.h"
#include "monitor/mpi/transport.h"
#include "monitor/mpi/windows.h"

namespace andes::monitor::mpi {

bool measuring;
int own_rank, world_size;
bool threads;

void Initialise::begin(std::uint64_t init_ticks) {
  static char library[MPI_MAX_LIBRARY_VERSION_STRING];
  andes_mpi_facts facts = {};
  int provided = MPI_THREAD_SINGLE, length = 0;
  PMPI_Query_thread(&provided);
  threads = provided == MPI_THREAD_MULTIPLE;
  if (!andes_wanted() || measuring) return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
  find_count();
  if (!open_transport() || !andes_synchronise(transport())) {
    andes_say_once(said_private, "MPI_Init: no private communicator, as some ranks run without the monitor or MPI "
                                 "refused it; this run is not measured");
    andes_give_up();
    return;
  }
  facts.rank = own_rank;
  facts.size = world_size;
  MPI_Comm parents = MPI_COMM_NULL;
  facts.spawned = PMPI_Comm_get_parent(&parents) == MPI_SUCCESS && parents != MPI_COMM_NULL;
  PMPI_Get_version(&facts.version, &facts.subversion);
  PMPI_Get_library_version(library, &length);
  library[sizeof library - 1] = 0;
  facts.eager = eager_limits(library);
  library[strcspn(library, "\n")] = 0;
  for (char* tab = library; (tab = strchr(tab, '\t'));) *tab = ' ';
  facts.library = library;
  facts.init_ticks = init_ticks;
  measuring = true;
  begin_communicators();
  note_known_types();
  begin_requests();
  watch_errors();
  andes_interval_begin(&facts);
  gap_ticks = andes_poll_gap_ticks();
}

void finalise() {
  if (!measuring) return;
  log_open_requests();
  measuring = false;
  forget_errors();
  forget_postings();
  // After a failure no MPI function may be called but PMPI_Finalize; gathering has given the reason.
  if (!andes_finish(transport()) || !close_transport()) return;
  forget_communicators();
  forget_windows();
  forget_files();
  forget_requests();
}

} // namespace andes::monitor::mpi
