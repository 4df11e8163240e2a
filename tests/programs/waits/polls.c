/* Known answer: who waits in loops that ask again and again whether something has come, and how long.
 *
 *   polls CASE      the cases stand at the end, with the ranks they need
 *
 * Rank 1 polls from 50 on for what rank 0 does at 300.
 */
#include <sched.h>

#include "waits.h"

#define WORLD MPI_COMM_WORLD

/* Makes a call of MPI from the time on, again and again, until it has found something. `call` begins with its name. */
#define POLL_AT(ms, found, ...)                                                                    \
  do {                                                                                             \
    at(ms);                                                                                        \
    int64_t poll_enter_ns = clock_ns();                                                            \
    do { __VA_ARGS__; } while (!(found));                                                          \
    waits_keep(#__VA_ARGS__, poll_enter_ns);                                                       \
  } while (0)

static int word, words[3], flag, exposed[4] __attribute__((aligned(64)));
static MPI_Request request = MPI_REQUEST_NULL, requests[3];
static MPI_Status status, statuses[3];

static void send_at(double ms, int tag) {
  at(ms);
  TIMED(MPI_Send(&word, 1, MPI_INT, 1, tag, WORLD));
}

static void post_three(void) {
  for (int i = 0; i < 3; ++i) MPI_Irecv(&words[i], 1, MPI_INT, 0, i, WORLD, &requests[i]);
}

static void late_sender_test(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  POLL_AT(50, flag, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

/* Looks at the time between polls, as loops with a limit do. */
static void late_sender_with_limit(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  double limit_s = MPI_Wtime() + 60;
  POLL_AT(50, flag || MPI_Wtime() > limit_s, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

/* Yields its core between polls, to whom ever wants it. */
static void late_sender_with_yields(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  POLL_AT(50, flag || sched_yield(), MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

/* Sleeps between polls, as loops that leave the core to others do. */
static void late_sender_with_pauses(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  static const struct timespec pause = {0, 200000};
  POLL_AT(50, flag || (nanosleep(&pause, NULL), 0), MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

/* From any source: the number of the receive on its channel is not known before. */
static void late_sender_test_any(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &request);
  POLL_AT(50, flag, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

/* Rank 0 sends two at 50, the last at 300. */
static void send_two_before(void) {
  send_at(50, 0);
  send_at(50, 1);
  send_at(300, 2);
}

static void late_sender_testall(void) {
  if (rank == 0) {
    send_two_before();
    return;
  }
  post_three();
  POLL_AT(70, flag, MPI_Testall(3, requests, &flag, statuses));
}

/* Two waits: from 50 to 150 for the first, from there to 300 for the second. */
static void late_sender_testany(void) {
  if (rank == 0) {
    send_at(150, 0);
    send_at(300, 1);
    send_at(300, 2);
    return;
  }
  int index, open = 3;
  post_three();
  POLL_AT(50, (open -= flag) == 0, MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE));
}

static void late_sender_testsome(void) {
  if (rank == 0) {
    send_at(150, 0);
    send_at(300, 1);
    send_at(300, 2);
    return;
  }
  int count, indices[3], open = 3;
  post_three();
  POLL_AT(50, (open -= count) == 0, MPI_Testsome(3, requests, &count, indices, statuses));
}

static void late_sender_iprobe(void) {
  if (rank == 0) {
    send_at(300, 5);
    return;
  }
  POLL_AT(50, flag, MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &flag, &status));
  MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, WORLD, MPI_STATUS_IGNORE);
}

static void late_sender_improbe(void) {
  MPI_Message message;
  if (rank == 0) {
    send_at(300, 5);
    return;
  }
  POLL_AT(50, flag, MPI_Improbe(0, MPI_ANY_TAG, WORLD, &flag, &message, MPI_STATUS_IGNORE));
  MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}

static void late_sender_get_status(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  POLL_AT(50, flag, MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void late_sender_persistent(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Recv_init(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  MPI_Start(&request);
  POLL_AT(50, flag, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
  MPI_Request_free(&request);
}

#if MPI_VERSION >= 4
/* Of four parts the last is ready at 300, for a receive of two. MPI libraries say that the first of these has come when its half has,
 * or when all has: so rank 1 polls for both. */
static void late_sender_parrived(void) {
  if (rank == 0) {
    MPI_Psend_init(exposed, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready_range(0, 1, request);
    at(150);
    MPI_Pready(2, request);
    at(300);
    TIMED(MPI_Pready(3, request));
  } else {
    MPI_Precv_init(exposed, 2, 2, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int part = 0; part < 2; ++part) POLL_AT(50, flag, MPI_Parrived(request, part, &flag));
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}
#endif

/* Two functions in turn, as a layer that makes progress for others does. */
static void late_sender_two_ways(void) {
  int none;
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  POLL_AT(50, flag, MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
          if (!flag) MPI_Iprobe(0, 9, WORLD, &none, MPI_STATUS_IGNORE));
}

/* Here rank 0 receives at 300 what rank 1 sends. */
static void late_receiver_test(void) {
  if (rank == 0) {
    at(300);
    TIMED(MPI_Recv(&word, 1, MPI_INT, 1, 0, WORLD, MPI_STATUS_IGNORE));
    return;
  }
  MPI_Issend(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  POLL_AT(50, flag, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

static void wait_at_barrier_test(void) {
  at(rank == 0 ? 300 : 40);
  TIMED(MPI_Ibarrier(WORLD, &request));
  POLL_AT(rank == 0 ? 310 : 50, flag, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

/* Rank 0 accesses the window of rank 1 until 600; windows are made before 300. */
static void early_wait_test(void) {
  MPI_Win win;
  MPI_Group all, one;
  int other = 1 - rank;
  PMPI_Comm_group(WORLD, &all);
  PMPI_Group_incl(all, 1, &other, &one);
  at(50);
  MPI_Win_create(exposed, sizeof exposed, sizeof exposed[0], MPI_INFO_NULL, WORLD, &win);
  at(300);
  if (rank == 0) {
    MPI_Win_start(one, 0, win);
    MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    at(600);
    TIMED(MPI_Win_complete(win));
  } else {
    MPI_Win_post(one, 0, win);
    POLL_AT(350, flag, MPI_Win_test(win, &flag));
  }
  at(700);
  MPI_Win_free(&win);
  PMPI_Group_free(&one);
  PMPI_Group_free(&all);
}

/* Asks every 10 ms and works meanwhile: it waits for nothing. */
static void works_meanwhile(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  for (int i = 5; flag == 0; ++i) {
    at(10 * i);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
}

/* Polls for 20 ms and works for 20 ms, in turn: from 50 to 70, from 90 to 110, ..., from 290 to 300. What is called
 * between the polls is no call path with a time of its own, and the clock is seldom read: some read it in 500 ns. */
static void works_half_the_time(void) {
  if (rank == 0) {
    send_at(300, 0);
    return;
  }
  MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request);
  const double begin_s = PMPI_Wtime() + 1e-9 * (double)(origin_ns + 50000000 - clock_ns());
  for (int i = 0; flag == 0; ++i) {
    const double end_s = begin_s + 1e-3 * (40 * i + 20);
    unsigned polls = 0;
    POLL_AT(50 + 40 * i, flag || (++polls % 64 == 0 && PMPI_Wtime() > end_s),
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
  }
}

static const Case cases[] = {
    {"late_sender_test", 2, 400, late_sender_test, 0},
    {"late_sender_with_limit", 2, 400, late_sender_with_limit, 0},
    {"late_sender_with_pauses", 2, 400, late_sender_with_pauses, 0},
    {"late_sender_with_yields", 2, 400, late_sender_with_yields, 0},
    {"late_sender_test_any", 2, 400, late_sender_test_any, 0},
    {"late_sender_testall", 2, 400, late_sender_testall, 0},
    {"late_sender_testany", 2, 400, late_sender_testany, 0},
    {"late_sender_testsome", 2, 400, late_sender_testsome, 0},
    {"late_sender_iprobe", 2, 400, late_sender_iprobe, 0},
    {"late_sender_improbe", 2, 400, late_sender_improbe, 0},
    {"late_sender_get_status", 2, 400, late_sender_get_status, 0},
    {"late_sender_persistent", 2, 400, late_sender_persistent, 0},
#if MPI_VERSION >= 4
    {"late_sender_parrived", 2, 400, late_sender_parrived, 0},
#endif
    {"late_sender_two_ways", 2, 400, late_sender_two_ways, 0},
    {"late_receiver_test", 2, 400, late_receiver_test, 0},
    {"wait_at_barrier_test", 2, 400, wait_at_barrier_test, 0},
    {"early_wait_test", 2, 800, early_wait_test, 0},
    {"works_meanwhile", 2, 400, works_meanwhile, 0},
    {"works_half_the_time", 2, 400, works_half_the_time, 0},
};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
