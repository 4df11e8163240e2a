// See sessions.h.
#include "monitor/mpi/sessions.h"

#include <pthread.h>

#include <cstdlib>

#include "monitor/mpi/lifetime.h"

namespace andes::monitor::mpi {
namespace {

#if MPI_VERSION >= 4
struct Session {
  Session* next;
  MPI_Session handle;
};
Session* sessions; // open ones; under the lock, as `alone`
bool alone;
pthread_mutex_t sessions_lock = PTHREAD_MUTEX_INITIALIZER; // not a Guard: the first session decides on these

class SessionsLock {
public:
  SessionsLock() { pthread_mutex_lock(&sessions_lock); }
  ~SessionsLock() { pthread_mutex_unlock(&sessions_lock); }
  SessionsLock(const SessionsLock&) = delete;
  SessionsLock& operator=(const SessionsLock&) = delete;
};

// The program's handler, which may end it, is kept out of it: the calls are ours.
bool get_world(MPI_Session session, MPI_Group* group) {
  MPI_Errhandler own = MPI_ERRHANDLER_NULL;
  const bool held = PMPI_Session_get_errhandler(session, &own) == MPI_SUCCESS &&
                    PMPI_Session_set_errhandler(session, MPI_ERRORS_RETURN) == MPI_SUCCESS;
  const bool found = PMPI_Group_from_session_pset(session, "mpi://WORLD", group) == MPI_SUCCESS;
  if (held) PMPI_Session_set_errhandler(session, own);
  if (own != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&own);
  return found && *group != MPI_GROUP_NULL;
}

// Under the lock.
void begin_alone(MPI_Session session, std::uint64_t init_ticks) {
  MPI_Group world = MPI_GROUP_NULL;
  if (!andes_wanted() || !get_world(session, &world)) return;
  PMPI_Group_rank(world, &own_rank);
  PMPI_Group_size(world, &world_size);
  PMPI_Group_free(&world);
  threads = alone = true;
  andes_location_here(); // chooses the clock
  andes_mpi_facts facts = {};
  facts.of_sessions = true;
  facts.init_ticks = init_ticks;
  begin_interval(facts);
}
#endif

} // namespace

MPI_Group world_group() {
  MPI_Group world = MPI_GROUP_NULL;
#if MPI_VERSION >= 4
  {
    const SessionsLock locked;
    if (alone) return sessions && get_world(sessions->handle, &world) ? world : MPI_GROUP_EMPTY;
  }
#endif
  return PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS && world != MPI_GROUP_NULL ? world : MPI_GROUP_EMPTY;
}

#if MPI_VERSION < 4
bool by_sessions() { return false; }

void leave_sessions_alone() {}
#else
bool by_sessions() {
  const SessionsLock locked;
  return alone;
}

void leave_sessions_alone() {
  const SessionsLock locked;
  alone = false;
}

void session_opened(MPI_Session session, std::uint64_t init_ticks) {
  const SessionsLock locked;
  auto* opened = static_cast<Session*>(calloc(1, sizeof(Session)));
  if (!opened) return;
  *opened = {sessions, session};
  sessions = opened;
  andes_session_open(true);
  if (!measuring && !interval_over) begin_alone(session, init_ticks);
}

void session_closes(MPI_Session session) {
  const SessionsLock locked;
  Session** link = &sessions;
  while (*link && (*link)->handle != session) link = &(*link)->next;
  Session* closed = *link;
  if (!closed) return;
  *link = closed->next;
  free(closed);
  if (!sessions) andes_session_open(false);
  if (!measuring) return;
  if (!alone || sessions) { // what belongs to this session is not known
    __atomic_store_n(&handles_in_doubt, true, __ATOMIC_RELAXED);
    return;
  }
  end_logging();
  forget_all();
  __atomic_store_n(&handles_in_doubt, false, __ATOMIC_RELAXED);
}
#endif

} // namespace andes::monitor::mpi
