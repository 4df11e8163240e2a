/* Known answer: who sends many small messages. Two ranks send each other the same numbers in three ways, in `steps` steps
 * with a millisecond of work, and receive them all at the end, so that hardly anybody waits and nearly all time is in calls,
 * however busy the machine is.
 *
 *   exchange   a message for each number: to be gathered
 *   gathered   one message of all numbers
 *   seldom     one number alone: nothing to gather it with
 */
#include <mpi.h>

#include "clock.h"

enum { steps = 10, numbers = 500 };
static double values[numbers];
static int other;

static void exchange(void) {
  for (int i = 0; i < numbers; ++i) MPI_Send(values + i, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
}
static void gathered(void) { MPI_Send(values, numbers, MPI_FLOAT, other, 1, MPI_COMM_WORLD); }
static void seldom(void) { MPI_Send(values, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD); }

static void receive(void) {
  for (int i = 0; i < steps * (numbers + 2); ++i)
    MPI_Recv(values, numbers, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void work(void) { sleep_ms(1); }

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  for (int step = 0; step < steps; ++step) {
    work();
    exchange();
    gathered();
    seldom();
  }
  receive();
  MPI_Finalize();
  return 0;
}
