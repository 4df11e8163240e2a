// See sessions.h.
#include "monitor/mpi/sessions.h"

#include <pthread.h>

#include <cstdlib>

#include "monitor/mpi/lifetime.h"

namespace andes::monitor::mpi {
namespace {

bool alone; // written under the lock

#if MPI_VERSION >= 4
struct Session {
  Session* next;
  MPI_Session handle;
};
Session* sessions; // open ones
pthread_mutex_t sessions_lock = PTHREAD_MUTEX_INITIALIZER; // not a Guard: the first session decides on these

class SessionsLock {
public:
  SessionsLock() { pthread_mutex_lock(&sessions_lock); }
  ~SessionsLock() { pthread_mutex_unlock(&sessions_lock); }
  SessionsLock(const SessionsLock&) = delete;
  SessionsLock& operator=(const SessionsLock&) = delete;
};

bool get_world(MPI_Session session, MPI_Group* group) {
  return PMPI_Group_from_session_pset(session, "mpi://WORLD", group) == MPI_SUCCESS;
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

bool by_sessions() { return alone; }

void leave_sessions_alone() { alone = false; }

MPI_Group world_group() {
  MPI_Group world = MPI_GROUP_NULL;
#if MPI_VERSION >= 4
  const SessionsLock locked;
  if (alone && sessions) {
    get_world(sessions->handle, &world);
    return world;
  }
#endif
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  return world;
}

#if MPI_VERSION >= 4
void session_opened(MPI_Session session, std::uint64_t init_ticks) {
  const SessionsLock locked;
  auto* opened = static_cast<Session*>(calloc(1, sizeof(Session)));
  if (!opened) return;
  *opened = {sessions, session};
  sessions = opened;
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
  if (!measuring || !alone || sessions) return;
  end_logging();
  forget_all();
}
#endif

} // namespace andes::monitor::mpi
