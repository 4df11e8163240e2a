/* Nine programs with a wait, before and after the change by hand that cures it: `cures CASE before|after`. The length of
 * a round is worked out at each case, so that the gain of the change is known; tests/waits/cures.py compares it, and what the
 * two versions really take, with what andes says of the first one. All time is slept, so cores do not matter.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../known/clock.h"

enum { rounds = 5, tiny = 20 };

static int rank, ranks, after;
static char large[1 << 20], word[8];

#define WORLD MPI_COMM_WORLD
#define NO_STATUS MPI_STATUS_IGNORE

__attribute__((noinline)) static void compute(double milliseconds) {
  sleep_until(clock_ns() + (int64_t)(1e6 * milliseconds));
}
static void send(int to) { MPI_Send(word, sizeof word, MPI_BYTE, to, 0, WORLD); }
static void receive(int from) { MPI_Recv(word, sizeof word, MPI_BYTE, from, 0, WORLD, NO_STATUS); }

/* What closes a round: the next one begins when rank `last` is done. */
static void token(int last, int first) {
  if (rank == last) send(first);
  if (rank == first) receive(last);
}

/* Rank 1 needs what rank 0 has after 20 of its 40 ms. Before: 40 + 20; after: 40. */
static void early_send(void) {
  if (rank == 0) {
    compute(20);
    if (after) send(1);
    compute(20);
    if (!after) send(1);
  } else {
    receive(0);
    compute(20);
  }
  token(1, 0);
}

/* Rank 2 takes the message of rank 0, which comes after 40 ms, and that of rank 1, which comes after 10; each makes 10 ms of
 * work. Before: 40 + 10 + 10; after: 40 + 10. */
static void receive_first(int from) { receive(from); }
static void receive_second(int from) { receive(from); }
static void reorder(void) {
  if (rank < 2) {
    compute(rank == 0 ? 40 : 10);
    send(2);
    receive(2);
  } else {
    receive_first(after ? 1 : 0);
    compute(10);
    receive_second(after ? 0 : 1);
    compute(10);
    send(0);
    send(1);
  }
}

/* Rank 0 sends, and then computes for 30 ms; rank 1 computes for 30 ms before it receives, or after
 * that: a receive that is only posted would not let MPI make progress meanwhile. Before: 30 + 30; after: 30. */
static void rendezvous(void) {
  if (rank == 0) {
    MPI_Ssend(large, sizeof large, MPI_BYTE, 1, 0, WORLD);
    compute(30);
  } else {
    if (!after) compute(30);
    MPI_Recv(large, sizeof large, MPI_BYTE, 0, 0, WORLD, NO_STATUS);
    if (after) compute(30);
  }
  MPI_Barrier(WORLD);
}

/* Down a chain of ranks with 10 ms of work at each behind the first one, which has 50. Before: 50 + 3 x 10; after: 50. */
static void chain(void) {
  if (rank == 0) {
    if (after) send(1);
    compute(50);
    if (!after) send(1);
  } else {
    receive(rank - 1);
    compute(10);
    if (rank + 1 < ranks) send(rank + 1);
  }
  MPI_Barrier(WORLD);
}

/* Rank 1 waits for rank 0, and all for rank 1 at the barrier. Before: 40 + 20; after: 40. */
static void chain_into_collective(void) {
  if (rank == 0) {
    if (after) send(1);
    compute(40);
    if (!after) send(1);
  } else if (rank == 1) {
    receive(0);
    compute(20);
  } else {
    compute(10);
  }
  MPI_Barrier(WORLD);
}

/* The last rank computes for 60 ms a round, the others for 20, and nobody waits before the end. After: 30 each. */
static void late_end(void) { compute(after ? 30 : rank == ranks - 1 ? 60 : 20); }

/* Work of 10, 20, 30 and 60 ms between barriers. After: 30 each. */
static void balance(void) {
  const double work[] = {10, 20, 30, 60};
  compute(after ? 30 : work[rank]);
  MPI_Barrier(WORLD);
}

/* The root sends what it has after 20 ms when it has computed another 20; the others need it for 20 ms of work, then the root
 * waits for them. Before: 20 + 20 + 20; after: 20 + 20. */
static void broadcast(void) {
  if (rank == 0) compute(after ? 20 : 40);
  MPI_Bcast(word, sizeof word, MPI_BYTE, 0, WORLD);
  if (rank == 0 && after) compute(20);
  if (rank != 0) compute(20);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : word, word, sizeof word, MPI_BYTE, MPI_BOR, 0, WORLD);
}

/* Twenty messages, each of which takes 2 ms to be made ready, or one; then both compute for 30 ms. Before: 40 + 30; after:
 * 2 + 30. */
static void tiny_messages(void) {
  const int messages = after ? 1 : tiny;
  for (int i = 0; i < messages; ++i) {
    if (rank == 0) {
      compute(2);
      send(1);
    } else {
      receive(0);
    }
  }
  compute(30);
  token(1, 0);
}

static const struct {
  const char* name;
  int ranks;
  void (*round)(void);
} cases[] = {
    {"early_send", 2, early_send}, {"reorder", 3, reorder},     {"rendezvous", 2, rendezvous},
    {"chain", 4, chain},           {"late_end", 4, late_end},   {"chain_into_collective", 4, chain_into_collective},
    {"balance", 4, balance},       {"broadcast", 4, broadcast}, {"tiny_messages", 2, tiny_messages}};

int main(int argc, char** argv) {
  const int count = (int)(sizeof cases / sizeof cases[0]);
  int chosen = 0;
  while (chosen < count && (argc != 3 || strcmp(argv[1], cases[chosen].name) != 0)) ++chosen;
  if (chosen == count) {
    fprintf(stderr, "%s: give a case and before or after\n", argv[0]);
    return 2;
  }
  after = strcmp(argv[2], "after") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(WORLD, &rank);
  MPI_Comm_size(WORLD, &ranks);
  if (ranks != cases[chosen].ranks) MPI_Abort(WORLD, 2);
  for (int round = 0; round < rounds; ++round) cases[chosen].round();
  MPI_Finalize();
  return 0;
}
