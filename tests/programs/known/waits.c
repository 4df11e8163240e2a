/* Known answer: who computes while who waits.
 *
 *   waits [UNIT_MS]      (100); at least two ranks
 *
 * Three rounds. In each, rank 0 sleeps 3 units in produce() while the others wait in MPI_Recv for
 * its message; then the last rank sleeps 2 units in consume() while all others wait in
 * MPI_Barrier. Over the three rounds, in units:
 *   rank 0          compute  9 (produce),  communication 6 (MPI_Barrier)
 *   the last rank   compute  6 (consume),  communication 9 (MPI_Recv)
 *   every other     compute  0,            communication 9 (MPI_Recv) + 6 (MPI_Barrier)
 * At the end rank 0 sleeps 2 units in tail() and the others are in MPI_Finalize: wait at end.
 */
#include <mpi.h>
#include <stdlib.h>

#include "clock.h"

enum { rounds = 3, tag = 7 };

static void produce(double unit_ms) { sleep_ms(3 * unit_ms); }

static void consume(double unit_ms) { sleep_ms(2 * unit_ms); }

static void tail(double unit_ms) { sleep_ms(2 * unit_ms); }

static void deliver(int ranks, int round) {
  for (int to = 1; to < ranks; ++to) IN_MPI(MPI_Send(&round, 1, MPI_INT, to, tag, MPI_COMM_WORLD));
}

static void take_delivery(int* round) {
  IN_MPI(MPI_Recv(round, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void meet(void) { IN_MPI(MPI_Barrier(MPI_COMM_WORLD)); }

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  clocks_begin();
  IN_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  IN_MPI(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  double unit_ms = argc > 1 ? atof(argv[1]) : 100.0;
  for (int round = 0; round < rounds; ++round) {
    int received = round;
    if (rank == 0) {
      produce(unit_ms);
      deliver(ranks, round);
    } else {
      take_delivery(&received);
    }
    if (rank == ranks - 1) consume(unit_ms);
    meet();
    if (received != round) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0) tail(unit_ms);
  clocks_print(rank);
  MPI_Finalize();
  return 0;
}
