/* Known answer: chains of waits through all kinds of calls, all of which begin at rank 0, which is late.
 *
 *   chains CASE      the cases stand at the end, with the ranks they need
 *
 * Names say the calls through which the delay is passed on. Where communicators or windows are made, at 20, all other times are
 * 200 later than they stand here.
 */
#include "waits.h"

#define WORLD MPI_COMM_WORLD

static int word, words[16], sums[16];
static double later; /* ms */

static void send_at(double ms, int to) {
  at(later + ms);
  TIMED(MPI_Send(&word, 1, MPI_INT, to, 0, WORLD));
}

static void send_synchronous_at(double ms, int to) {
  at(later + ms);
  TIMED(MPI_Ssend(&word, 1, MPI_INT, to, 0, WORLD));
}

static void receive_at(double ms, int from) {
  at(later + ms);
  TIMED(MPI_Recv(&words[0], 1, MPI_INT, from, 0, WORLD, MPI_STATUS_IGNORE));
}

static void barrier_at(double ms, MPI_Comm comm) {
  at(later + ms);
  TIMED(MPI_Barrier(comm));
}

static MPI_Comm part_of_world(int color) {
  MPI_Comm part;
  at(20);
  MPI_Comm_split(WORLD, color, rank, &part);
  later = 200;
  return part;
}

/* Rank 0 sends at 300, rank 1 has been receiving since 50 and is the last at the barrier, at 320; ranks 2 and 3 have
 * been there since 100. */
static void receive_barrier(void) {
  if (rank == 0) send_at(300, 1);
  if (rank == 1) receive_at(50, 0);
  barrier_at(rank == 1 ? 320 : 100, WORLD);
}

/* As before, with an all-reduction of all but ranks 0 and 4, and a message from rank 3 to rank 4 behind it. */
static void receive_allreduce_receive(void) {
  MPI_Comm part = part_of_world(rank == 0 || rank == 4);
  if (rank == 0) send_at(300, 1);
  if (rank == 1) receive_at(50, 0);
  if (rank > 0 && rank < 4) {
    at(later + 100);
    TIMED(MPI_Allreduce(words, sums, 1, MPI_INT, MPI_SUM, part));
  }
  if (rank == 3) send_at(0, 4);
  if (rank == 4) receive_at(50, 3);
}

/* Rank 0 receives at 300 what rank 1 has been sending since 50; rank 1 then is the root of a broadcast to ranks 2 and
 * 3, who have been there since 100, and rank 3 sends to rank 4, who has been receiving since 150. */
static void send_broadcast_receive(void) {
  MPI_Comm part = part_of_world(rank == 0 || rank == 4);
  if (rank == 0) receive_at(300, 1);
  if (rank == 1) send_synchronous_at(50, 0);
  if (rank > 0 && rank < 4) {
    at(later + 100);
    TIMED(MPI_Bcast(&word, 1, MPI_INT, 0, part));
  }
  if (rank == 3) send_at(0, 4);
  if (rank == 4) receive_at(150, 3);
}

/* From rank 0, late at 400, to rank 7: messages, blocked sends and barriers of two ranks in turn. All wait from 50 on. */
static void long_chain(void) {
  const int barrier_of = rank == 2 || rank == 3 ? 1 : rank == 5 || rank == 6 ? 2 : 0;
  MPI_Comm part = part_of_world(barrier_of);
  if (rank == 0) send_at(400, 1);
  if (rank == 1 || rank == 4 || rank == 7) receive_at(50, rank - 1);
  if (rank == 1 || rank == 4) receive_at(50, rank + 1);
  if (rank == 2 || rank == 5) send_synchronous_at(50, rank - 1);
  if (barrier_of) barrier_at(50, part);
  if (rank == 3 || rank == 6) send_at(50, rank + 1);
}

/* Rank 0 has posted the receive of what rank 1 sends at 50, and computes until 300; rank 1 is the last at the barrier, at
 * 320; ranks 2 and 3 have been there since 100. */
static void progress_barrier(void) {
  enum { large = 1 << 18 };
  static char many[large];
  MPI_Request request;
  if (rank == 0) {
    at(20);
    MPI_Irecv(many, large, MPI_BYTE, 1, 0, WORLD, &request);
    at(300);
    TIMED(MPI_Wait(&request, MPI_STATUS_IGNORE));
  } else if (rank == 1) {
    at(50);
    TIMED(MPI_Send(many, large, MPI_BYTE, 0, 0, WORLD));
  }
  barrier_at(rank == 1 ? 320 : 100, WORLD);
}

/* The same with a window of rank 0, which is made at 20. */
static void window_progress_barrier(void) {
  MPI_Win win;
  MPI_Group all, other;
  const int peer = 1 - rank;
  at(20);
  MPI_Win_create(words, sizeof words, 1, MPI_INFO_NULL, WORLD, &win);
  later = 200;
  if (rank < 2) {
    PMPI_Comm_group(WORLD, &all);
    PMPI_Group_incl(all, 1, &peer, &other);
  }
  if (rank == 0) {
    at(later + 20);
    MPI_Win_post(other, 0, win);
    at(later + 300);
    TIMED(MPI_Win_wait(win));
  } else if (rank == 1) {
    at(later + 40);
    MPI_Win_start(other, 0, win);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    at(later + 50);
    TIMED(MPI_Win_complete(win));
  }
  barrier_at(rank == 1 ? 320 : 100, WORLD);
  at(later + 450);
  MPI_Win_free(&win);
}

/* Rank 2 waits for both rank 1, who sends at 200, and rank 0, at 400; rank 3 waits for rank 2 from 60 on. */
static void waitall_receive(void) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  if (rank == 0) send_at(400, 2);
  if (rank == 1) send_at(200, 2);
  if (rank == 2) {
    for (int i = 0; i < 2; ++i) MPI_Irecv(&words[i], 1, MPI_INT, i, 0, WORLD, &requests[i]);
    at(50);
    TIMED(MPI_Waitall(2, requests, statuses));
    send_at(0, 3);
  }
  if (rank == 3) receive_at(60, 2);
}

static const Case cases[] = {
    {"receive_barrier", 4, 500, receive_barrier, 0},
    {"receive_allreduce_receive", 5, 700, receive_allreduce_receive, 0},
    {"send_broadcast_receive", 5, 700, send_broadcast_receive, 0},
    {"long_chain", 8, 800, long_chain, 0},
    {"progress_barrier", 4, 500, progress_barrier, 0},
    {"window_progress_barrier", 4, 700, window_progress_barrier, 0},
    {"waitall_receive", 4, 600, waitall_receive, 0},
};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
