/* Known answer: who waits for a message, why, and how long.
 *
 *   messages CASE      the cases stand at the end, with the ranks they need
 *
 * Names say the cause that must be found, then the form of the calls. Small messages are sent
 * without waiting for the receiver, `large` ones are beyond what either MPI library does so with.
 */
#include <pthread.h>

#include "waits.h"

enum { large = 1 << 18 };
static int word, words[2];
static MPI_Status statuses[2];
static char many[large];

#define WORLD MPI_COMM_WORLD

static void send_at(double ms, int to, int tag) {
  at(ms);
  TIMED(MPI_Send(&word, 1, MPI_INT, to, tag, WORLD));
}

static void receive_at(double ms, int from, int tag) {
  at(ms);
  TIMED(MPI_Recv(&word, 1, MPI_INT, from, tag, WORLD, MPI_STATUS_IGNORE));
}

static void send_synchronous_at(double ms, int to) {
  at(ms);
  TIMED(MPI_Ssend(&word, 1, MPI_INT, to, 0, WORLD));
}

static void wait_at(double ms, MPI_Request* request) {
  at(ms);
  TIMED(MPI_Wait(request, MPI_STATUS_IGNORE));
}

/* Rank 1 receives at 50, rank 0 sends at 300. */
static void late_sender(void) {
  if (rank == 0) send_at(300, 1, 0);
  if (rank == 1) receive_at(50, 0, 0);
}

/* Posted at 50, waited for at 100, started at 350. */
static void late_sender_wait(void) {
  MPI_Request request;
  at(rank == 0 ? 350 : 50);
  if (rank == 0) TIMED(MPI_Isend(&word, 1, MPI_INT, 1, 0, WORLD, &request));
  if (rank == 1) TIMED(MPI_Irecv(&word, 1, MPI_INT, 0, 0, WORLD, &request));
  wait_at(100, &request);
}

static void post_both(MPI_Request requests[2]) {
  at(50);
  for (int from = 0; from < 2; ++from)
    TIMED(MPI_Irecv(&words[from], 1, MPI_INT, from, 0, WORLD, &requests[from]));
}

/* Rank 2 waits at 100 for both messages: until the second, at 400. */
static void late_sender_waitall(void) {
  MPI_Request requests[2];
  if (rank < 2) {
    send_at(300 + 100 * rank, 2, 0);
  } else {
    post_both(requests);
    at(100);
    TIMED(MPI_Waitall(2, requests, statuses));
  }
}

/* Rank 2 waits at 100 for any of two messages, sent at 300 and 450, and then for the other. */
static void late_sender_waitany(void) {
  MPI_Request requests[2];
  int index;
  if (rank < 2) {
    send_at(300 + 150 * rank, 2, 0);
  } else {
    post_both(requests);
    at(100);
    for (int i = 0; i < 2; ++i) TIMED(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
  }
}

static void late_sender_waitsome(void) {
  MPI_Request requests[2];
  int number, indices[2];
  if (rank < 2) {
    send_at(300 + 150 * rank, 2, 0);
  } else {
    post_both(requests);
    at(100);
    for (int i = 0; i < 2; ++i) TIMED(MPI_Waitsome(2, requests, &number, indices, statuses));
  }
}

/* Receive started at 50 and waited for at 100, send started at 350; again 400 ms later. */
static void late_sender_persistent(void) {
  MPI_Request request;
  if (rank == 0) TIMED(MPI_Send_init(&word, 1, MPI_INT, 1, 0, WORLD, &request));
  if (rank == 1) TIMED(MPI_Recv_init(&word, 1, MPI_INT, 0, 0, WORLD, &request));
  for (int start = 0; start <= 400; start += 400) {
    at(start + (rank == 0 ? 350 : 50));
    TIMED(MPI_Start(&request));
    wait_at(start + 100, &request);
  }
  TIMED(MPI_Request_free(&request));
}

#if MPI_VERSION >= 4
/* Of four parts the last one is ready at 350, a receive started at 50 is waited for at 100; again 400 ms later. A second request of
 * the same tag is never started. */
static void late_sender_partitioned(void) {
  static int parts[5];
  MPI_Request request, other;
  if (rank == 0) TIMED(MPI_Psend_init(parts, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request));
  if (rank == 1) TIMED(MPI_Precv_init(parts, 2, 2, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request));
  if (rank == 0) TIMED(MPI_Psend_init(parts + 4, 1, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &other));
  if (rank == 1) TIMED(MPI_Precv_init(parts + 4, 1, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &other));
  for (int start = 0; start <= 400; start += 400) {
    at(start + 50);
    TIMED(MPI_Start(&request));
    if (rank == 0) {
      int first = 2; /* MPICH 4.0 declares this parameter without const */
      TIMED(MPI_Pready_list(1, &first, request));
      at(start + 200);
      TIMED(MPI_Pready_range(0, 1, request));
      at(start + 350);
      TIMED(MPI_Pready(3, request));
    }
    wait_at(start + 100, &request);
  }
  TIMED(MPI_Request_free(&request));
  TIMED(MPI_Request_free(&other));
}
#endif

/* In a ring rank 0 comes at 350, all others at 50: rank 1 alone gets what rank 0 sends. */
static void late_sender_sendrecv(void) {
  at(rank == 0 ? 350 : 50);
  TIMED(MPI_Sendrecv(&word, 1, MPI_INT, (rank + 1) % ranks, 0, &words[0], 1, MPI_INT,
                     (rank + ranks - 1) % ranks, 0, WORLD, MPI_STATUS_IGNORE));
}

/* The matching probe waits, from 50 until 300; the receive finds its message there. */
static void late_sender_mprobe(void) {
  if (rank == 0) {
    send_at(300, 1, 0);
  } else {
    MPI_Message message;
    at(50);
    TIMED(MPI_Mprobe(0, 0, WORLD, &message, MPI_STATUS_IGNORE));
    TIMED(MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
  }
}

/* The same with a probe that matches nothing: the receive behind it finds the message there. */
static void late_sender_probe(void) {
  if (rank == 0) {
    send_at(300, 1, 0);
  } else {
    MPI_Status status;
    at(50);
    TIMED(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status));
    receive_at(50, status.MPI_SOURCE, status.MPI_TAG);
  }
}

/* Rank 0 receives whatever comes, at 50: from rank 1 at 300, then from rank 2 at 500. */
static void late_sender_wildcard(void) {
  if (rank == 0) {
    receive_at(50, MPI_ANY_SOURCE, MPI_ANY_TAG);
    receive_at(50, MPI_ANY_SOURCE, MPI_ANY_TAG);
  } else {
    send_at(100 + 200 * rank, 0, rank);
  }
}

static void* late_sender_in_thread(void* nothing) {
  receive_at(50, 0, 0);
  return nothing;
}

/* A thread of rank 1 receives at 50 while the main thread computes; rank 0 sends at 300. */
static void late_sender_thread(void) {
  pthread_t thread;
  if (rank == 0) {
    send_at(300, 1, 0);
  } else {
    if (pthread_create(&thread, NULL, late_sender_in_thread, NULL) != 0) exit(1);
    at(400);
    pthread_join(thread, NULL);
  }
}

/* Rank 0 sends at 50 and must not return before rank 1 receives, at 300. */
static void late_receiver(void) {
  if (rank == 0) send_synchronous_at(50, 1);
  if (rank == 1) receive_at(300, 0, 0);
}

static void send_large_at(double ms) {
  at(ms);
  TIMED(MPI_Send(many, large, MPI_BYTE, 1, 0, WORLD));
}

/* The same, because the message is too large to be put aside. */
static void late_receiver_large(void) {
  if (rank == 0) {
    send_large_at(50);
  } else {
    at(300);
    TIMED(MPI_Recv(many, large, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE));
  }
}

/* Send started at 50, waited for at 100; received at 350. */
static void late_receiver_wait(void) {
  MPI_Request request;
  if (rank == 0) {
    at(50);
    TIMED(MPI_Issend(&word, 1, MPI_INT, 1, 0, WORLD, &request));
    wait_at(100, &request);
  } else {
    receive_at(350, 0, 0);
  }
}

static void receive_large_at(double post_ms, double wait_ms) {
  MPI_Request request;
  at(post_ms);
  TIMED(MPI_Irecv(many, large, MPI_BYTE, 0, 0, WORLD, &request));
  wait_at(wait_ms, &request);
}

/* Rank 0 sends at 100 what is too large to be put aside; rank 1 is there for it since 50, but in no call until 350. */
static void late_progress(void) {
  if (rank == 0) send_large_at(100);
  if (rank == 1) receive_large_at(50, 350);
}

/* The same, with a send started at 60 and waited for at 100. */
static void late_progress_wait(void) {
  MPI_Request request;
  if (rank == 0) {
    at(60);
    TIMED(MPI_Isend(many, large, MPI_BYTE, 1, 0, WORLD, &request));
    wait_at(100, &request);
  } else {
    receive_large_at(50, 350);
  }
}

static char very_many[1 << 22];

/* Rank 0 starts to send 4 MB at 50 and computes until 350; rank 1 receives at 100. */
static void late_progress_receive(void) {
  MPI_Request request;
  if (rank == 0) {
    at(50);
    TIMED(MPI_Isend(very_many, sizeof very_many, MPI_BYTE, 1, 0, WORLD, &request));
    wait_at(350, &request);
  } else {
    at(100);
    TIMED(MPI_Recv(very_many, sizeof very_many, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE));
  }
}

/* The same, with a receive posted at 40 and waited for at 100. */
static void late_progress_receive_wait(void) {
  MPI_Request request;
  at(rank == 0 ? 50 : 40);
  if (rank == 0) TIMED(MPI_Isend(very_many, sizeof very_many, MPI_BYTE, 1, 0, WORLD, &request));
  if (rank == 1) TIMED(MPI_Irecv(very_many, sizeof very_many, MPI_BYTE, 0, 0, WORLD, &request));
  wait_at(rank == 0 ? 350 : 100, &request);
}

/* An exchange of 1 MB, three times; rank 0 waits for both messages 100 ms before rank 1. No call completes only one. */
static void late_progress_exchange(void) {
  for (int round = 0; round < 3; ++round) {
    const double start_ms = 50 + 200 * round;
    MPI_Request requests[2];
    at(start_ms);
    TIMED(MPI_Irecv(very_many, 1 << 20, MPI_BYTE, 1 - rank, 0, WORLD, &requests[0]));
    TIMED(MPI_Isend(very_many + (1 << 20), 1 << 20, MPI_BYTE, 1 - rank, 0, WORLD, &requests[1]));
    at(start_ms + (rank == 0 ? 50 : 150));
    TIMED(MPI_Waitall(2, requests, statuses));
  }
}

/* Rank 0 sends tag 1 at 100 and tag 2 at 400; rank 1 wants tag 2 first, at 150. */
static void wrong_order_tags(void) {
  if (rank == 0) {
    send_at(100, 1, 1);
    send_at(400, 1, 2);
  } else {
    receive_at(150, 0, 2);
    receive_at(150, 0, 1);
  }
}

/* Rank 0 sends at 100, rank 1 at 400; rank 2 wants the message of rank 1 first, at 150. */
static void wrong_order_sources(void) {
  if (rank < 2) {
    send_at(100 + 300 * rank, 2, 0);
  } else {
    receive_at(150, 1, 0);
    receive_at(150, 0, 0);
  }
}

/* A message is handed on from rank 0, which has it at 400, to rank 3. Rank r waits from 50 r on:
 * rank 1 for a late sender, ranks 2 and 3 for ranks that wait themselves. */
static void data_dependency(void) {
  if (rank == 0) {
    send_at(400, 1, 0);
  } else {
    receive_at(50 * rank, rank - 1, 0);
    if (rank < ranks - 1) send_at(0, rank + 1, 0);
  }
}

/* Rank 1 waits for rank 0 from 50 until 300, rank 2 for rank 3 from 100 until 450. */
static void two_causes(void) {
  if (rank == 0) send_at(300, 1, 0);
  if (rank == 1) receive_at(50, 0, 0);
  if (rank == 2) send_synchronous_at(100, 3);
  if (rank == 3) receive_at(450, 2, 0);
}

static const Case cases[] = {
    {"late_sender", 2, 500, late_sender, 0},
    {"late_sender_wait", 2, 500, late_sender_wait, 0},
    {"late_sender_waitall", 3, 500, late_sender_waitall, 0},
    {"late_sender_waitany", 3, 500, late_sender_waitany, 0},
    {"late_sender_waitsome", 3, 500, late_sender_waitsome, 0},
    {"late_sender_persistent", 2, 900, late_sender_persistent, 0},
#if MPI_VERSION >= 4
    {"late_sender_partitioned", 2, 900, late_sender_partitioned, 0},
#endif
    {"late_sender_sendrecv", 4, 500, late_sender_sendrecv, 0},
    {"late_sender_mprobe", 2, 500, late_sender_mprobe, 0},
    {"late_sender_probe", 2, 500, late_sender_probe, 0},
    {"late_sender_wildcard", 3, 600, late_sender_wildcard, 0},
    {"late_sender_thread", 2, 500, late_sender_thread, MPI_THREAD_MULTIPLE},
    {"late_receiver", 2, 500, late_receiver, 0},
    {"late_receiver_large", 2, 500, late_receiver_large, 0},
    {"late_receiver_wait", 2, 500, late_receiver_wait, 0},
    {"late_progress", 2, 500, late_progress, 0},
    {"late_progress_wait", 2, 500, late_progress_wait, 0},
    {"late_progress_receive", 2, 500, late_progress_receive, 0},
    {"late_progress_receive_wait", 2, 500, late_progress_receive_wait, 0},
    {"late_progress_exchange", 2, 800, late_progress_exchange, 0},
    {"wrong_order_tags", 2, 500, wrong_order_tags, 0},
    {"wrong_order_sources", 3, 500, wrong_order_sources, 0},
    {"data_dependency", 4, 500, data_dependency, 0},
    {"two_causes", 4, 500, two_causes, 0},
};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
