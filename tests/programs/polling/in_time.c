/* The polling layer's ranks go on in time on a busy machine: at its first sleep, in a known delay of the program or in a pause of
 * this layer, a thread enters the real-time class, where the kernel grants it, and so wakes up when its sleep is over, whatever
 * else runs. Then known answers hold beside other tests (docs/decisions/0051).
 *
 * A rank must not spin in that class: it would keep the ranks that it waits for from the core. MPI libraries spin while they start,
 * which is before the first sleep, and in the calls below, which this layer cannot wait for asleep: there the class is left.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "polling.h"

static __thread enum { normal, real_time, refused } class;

static void enter_class(void) {
  const struct sched_param lowest = {1};
  int saved = errno;
  if (class == normal) class = sched_setscheduler(0, SCHED_RR, &lowest) == 0 ? real_time : refused;
  errno = saved;
}

void polling_leave_class(void) {
  const struct sched_param none = {0};
  if (class != real_time) return;
  sched_setscheduler(0, SCHED_OTHER, &none);
  class = normal;
}

/* For programs and this layer alike. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* left) {
  enter_class();
  int saved = errno, error = syscall(SYS_clock_nanosleep, clock, flags, time, left) == 0 ? 0 : errno;
  errno = saved;
  return error;
}

#define SPINS(name, parameters, arguments)                                                                             \
  int name parameters {                                                                                                \
    int(*below) parameters = (int(*) parameters)polling_below(#name);                                                  \
    return below arguments;                                                                                            \
  }

SPINS(PMPI_Finalize, (void), ())
SPINS(PMPI_Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
SPINS(PMPI_Comm_free, (MPI_Comm * comm), (comm))
SPINS(PMPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
SPINS(PMPI_Cart_create,
      (MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder, MPI_Comm* made),
      (comm, dimensions, sizes, periods, reorder, made))
SPINS(PMPI_Dist_graph_create_adjacent,
      (MPI_Comm comm, int sources, const int from[], const int from_weights[], int targets, const int to[],
       const int to_weights[], MPI_Info info, int reorder, MPI_Comm* made),
      (comm, sources, from, from_weights, targets, to, to_weights, info, reorder, made))
SPINS(PMPI_Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader, int tag, MPI_Comm* made),
      (comm, leader, peers, remote_leader, tag, made))
SPINS(PMPI_Sendrecv_replace,
      (void* buffer, int count, MPI_Datatype type, int to, int send_tag, int from, int tag, MPI_Comm comm,
       MPI_Status* status),
      (buffer, count, type, to, send_tag, from, tag, comm, status))
SPINS(PMPI_File_open, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
      (comm, name, mode, info, file))
SPINS(PMPI_File_close, (MPI_File * file), (file))
SPINS(PMPI_File_read_at_all,
      (MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type, MPI_Status* status),
      (file, offset, buffer, count, type, status))
SPINS(PMPI_File_write_at_all_begin,
      (MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type),
      (file, offset, buffer, count, type))
SPINS(PMPI_File_write_at_all_end, (MPI_File file, const void* buffer, MPI_Status* status), (file, buffer, status))
