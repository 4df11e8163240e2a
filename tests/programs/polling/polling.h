/* What the parts of the polling layer share (polling.c says what it is for). */
#ifndef ANDES_TESTS_POLLING_H
#define ANDES_TESTS_POLLING_H
#include <mpi.h>

/* Sleeps for one polling period, a long one after many: `before` pauses of the same wait have been. */
void polling_pause(int before);

/* Waits asleep for `request`, unless the call that started it failed with `error`. */
int polling_finish(int error, MPI_Request* request, MPI_Status* status);

/* The function of MPI below this layer that has one of the names taken here, to be called now: it may
 * spin, so the real-time class is left. Ends the process if there is none. */
void* polling_below(const char* name);

/* Leaves the real-time class until the next sleep; see in_time.c. */
void polling_leave_class(void);

#endif
