/* Known answer: who waits in a collective operation, why, and how long.
 *
 *   collectives CASE      the cases stand at the end, with the ranks they need
 *
 * Names say the cause that must be found, then the form of the calls or the communicator. In most of
 * them one rank comes at 350 and all others at 50; communicators are made at 20 and used from 250 on.
 */
#include "waits.h"

#define WORLD MPI_COMM_WORLD

static int word, words[16], received[16];

static void barrier_at(double ms, MPI_Comm comm) {
  at(ms);
  TIMED(MPI_Barrier(comm));
}

static void allreduce_at(double ms, MPI_Comm comm) {
  at(ms);
  TIMED(MPI_Allreduce(&words[0], &received[0], 1, MPI_INT, MPI_SUM, comm));
}

static void wait_at(double ms, MPI_Request* request) {
  at(ms);
  TIMED(MPI_Wait(request, MPI_STATUS_IGNORE));
}

/* The root, rank 0, comes at 50; rank 5 at 350; the others between 60 and 120. */
static void early_reduce(void) {
  at(rank == 0 ? 50 : rank == 5 ? 350 : 50 + 10 * rank);
  TIMED(MPI_Reduce(&words[0], &received[0], 1, MPI_INT, MPI_SUM, 0, WORLD));
}

/* The root, rank 3, comes at 50, rank 1 at 350. */
static void early_reduce_gather(void) {
  at(rank == 1 ? 350 : 50);
  TIMED(MPI_Gather(&word, 1, MPI_INT, received, 1, MPI_INT, 3, WORLD));
}

/* The root, rank 1, comes at 300, the others at 50. */
static void late_broadcast(void) {
  at(rank == 1 ? 300 : 50);
  TIMED(MPI_Bcast(&word, 1, MPI_INT, 1, WORLD));
}

static void late_broadcast_scatter(void) {
  at(rank == 1 ? 300 : 50);
  TIMED(MPI_Scatter(words, 1, MPI_INT, received, 1, MPI_INT, 1, WORLD));
}

/* Entries at 50, 100, 150 and 350. */
static void wait_at_nxn(void) { allreduce_at(rank == 3 ? 350 : 50 + 50 * rank, WORLD); }

static void wait_at_nxn_alltoall(void) {
  at(rank == 2 ? 350 : 50);
  TIMED(MPI_Alltoall(words, 1, MPI_INT, received, 1, MPI_INT, WORLD));
}

/* Started at 50 and waited for at 100; rank 1 comes at 400. */
static void wait_at_nxn_wait(void) {
  MPI_Request request;
  at(rank == 1 ? 400 : 50);
  TIMED(MPI_Iallreduce(&words[0], &received[0], 1, MPI_INT, MPI_SUM, WORLD, &request));
  wait_at(100, &request);
}

static void wait_at_barrier(void) { barrier_at(rank == 3 ? 350 : 50, WORLD); }

static void wait_at_barrier_wait(void) {
  MPI_Request request;
  at(rank == 3 ? 400 : 50);
  TIMED(MPI_Ibarrier(WORLD, &request));
  wait_at(100, &request);
}

/* Each needs the data of the ranks before: ranks 2 and 3 wait for rank 1, rank 0 for nobody. */
static void wait_at_nxn_scan(void) {
  at(rank == 1 ? 350 : 50);
  TIMED(MPI_Scan(&words[0], &received[0], 1, MPI_INT, MPI_SUM, WORLD));
}

/* Ranks 0, 2 and 1, 3 have a communicator each, in reverse order. In that of the even ones rank 0
 * comes at 500. */
static void wait_at_barrier_split(void) {
  MPI_Comm half;
  at(20);
  TIMED(MPI_Comm_split(WORLD, rank % 2, -rank, &half));
  barrier_at(rank == 0 ? 500 : 250, half);
  at(550);
  TIMED(MPI_Comm_free(&half));
}

/* Barriers of two communicators in turn: all are there at 250 and at 550, rank 1 is late at 500. */
static void wait_at_barrier_dup(void) {
  MPI_Comm twin;
  at(20);
  TIMED(MPI_Comm_dup(WORLD, &twin));
  barrier_at(250, WORLD);
  barrier_at(rank == 1 ? 500 : 300, twin);
  barrier_at(550, WORLD);
  TIMED(MPI_Comm_free(&twin));
}

/* Ranks make a copy of the world at 100, but rank 3 at 350; then one each of the even and the odd ones at 600, but rank
 * 0 at 800: all wait for it, as a communicator is divided by all its ranks. The halves are joined at 1000, but rank 3
 * comes at 1150: rank 1, of its half, waits for it. */
static void wait_at_communicator_create(void) {
  MPI_Comm twin, half, between;
  at(rank == 3 ? 350 : 100);
  TIMED(MPI_Comm_dup(WORLD, &twin));
  at(rank == 0 ? 800 : 600);
  TIMED(MPI_Comm_split(twin, rank % 2, rank, &half));
  at(rank == 3 ? 1150 : 1000);
  TIMED(MPI_Intercomm_create(half, 0, twin, rank % 2 ? 0 : 1, 3, &between));
  at(1250);
  TIMED(MPI_Comm_free(&between));
  TIMED(MPI_Comm_free(&half));
  TIMED(MPI_Comm_free(&twin));
}

/* Groups of ranks 0, 1 and 2, 3. Rank 0 sends to the second of the others, rank 3, at 500. */
static void late_sender_intercomm(void) {
  MPI_Comm half, between;
  at(20);
  TIMED(MPI_Comm_split(WORLD, rank / 2, rank, &half));
  at(120);
  TIMED(MPI_Intercomm_create(half, 0, WORLD, rank < 2 ? 2 : 0, 9, &between));
  at(rank == 0 ? 500 : 250);
  if (rank == 0) TIMED(MPI_Send(&word, 1, MPI_INT, 1, 0, between));
  if (rank == 3) TIMED(MPI_Recv(&word, 1, MPI_INT, 0, 0, between, MPI_STATUS_IGNORE));
  at(550);
  TIMED(MPI_Comm_free(&between));
  TIMED(MPI_Comm_free(&half));
}

/* On a ring rank 0 comes at 500. Its neighbours wait for it, rank 2 does not. */
static void wait_at_nxn_neighbours(void) {
  MPI_Comm ring;
  int periodic = 1;
  at(20);
  TIMED(MPI_Cart_create(WORLD, 1, &ranks, &periodic, 0, &ring));
  at(rank == 0 ? 500 : 250);
  TIMED(MPI_Neighbor_alltoall(words, 1, MPI_INT, received, 1, MPI_INT, ring));
  at(550);
  TIMED(MPI_Comm_free(&ring));
}

/* Each rank gets from the one before. Rank 1 comes at 650: rank 2 alone waits for it, in MPI_Wait. */
static void wait_at_nxn_graph(void) {
  MPI_Comm graph;
  MPI_Request request;
  int before = (rank + 3) % 4, behind = (rank + 1) % 4, weight = 1;
  at(20);
  TIMED(MPI_Dist_graph_create_adjacent(WORLD, 1, &before, &weight, 1, &behind, &weight, MPI_INFO_NULL, 0, &graph));
  at(rank == 1 ? 650 : 350);
  TIMED(MPI_Ineighbor_allgather(&word, 1, MPI_INT, received, 1, MPI_INT, graph, &request));
  wait_at(rank == 1 ? 650 : 400, &request);
  at(700);
  TIMED(MPI_Comm_free(&graph));
}

/* Rank 2 comes to the broadcast at 300, rank 0 to the barrier at 700. */
static void two_causes(void) {
  at(rank == 2 ? 300 : 50);
  TIMED(MPI_Bcast(&word, 1, MPI_INT, 2, WORLD));
  barrier_at(rank == 0 ? 700 : 400, WORLD);
}

/* One cause in two calls: rank 2 comes to the first at 300, rank 0 to the second at 600. */
static void wait_at_nxn_twice(void) {
  allreduce_at(rank == 2 ? 300 : 50, WORLD);
  at(rank == 0 ? 600 : 350);
  TIMED(MPI_Alltoall(words, 1, MPI_INT, received, 1, MPI_INT, WORLD));
}

static const Case cases[] = {
    {"early_reduce", 8, 500, early_reduce, 0},
    {"early_reduce_gather", 4, 500, early_reduce_gather, 0},
    {"late_broadcast", 4, 500, late_broadcast, 0},
    {"late_broadcast_scatter", 4, 500, late_broadcast_scatter, 0},
    {"wait_at_nxn", 4, 500, wait_at_nxn, 0},
    {"wait_at_nxn_alltoall", 4, 500, wait_at_nxn_alltoall, 0},
    {"wait_at_nxn_wait", 4, 500, wait_at_nxn_wait, 0},
    {"wait_at_nxn_scan", 4, 500, wait_at_nxn_scan, 0},
    {"wait_at_nxn_twice", 4, 700, wait_at_nxn_twice, 0},
    {"wait_at_barrier", 4, 500, wait_at_barrier, 0},
    {"wait_at_barrier_wait", 4, 500, wait_at_barrier_wait, 0},
    {"wait_at_barrier_split", 4, 600, wait_at_barrier_split, 0},
    {"wait_at_barrier_dup", 4, 600, wait_at_barrier_dup, 0},
    {"wait_at_communicator_create", 4, 1300, wait_at_communicator_create, 0},
    {"late_sender_intercomm", 4, 600, late_sender_intercomm, 0},
    {"wait_at_nxn_neighbours", 4, 600, wait_at_nxn_neighbours, 0},
    {"wait_at_nxn_graph", 4, 750, wait_at_nxn_graph, 0},
    {"two_causes", 4, 800, two_causes, 0},
};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
