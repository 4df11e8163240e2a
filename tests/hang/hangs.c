/* hangs.c: planted deadlocks, and long waits that are none, many in one job: each runs on ranks and a communicator of
 * its own. What is to be found of each stands in test_hang.py.
 *
 *   hangs list       a line "NAME RANKS" for each case of the one-threaded job
 *   hangs [NAME...]  these cases, or all; never ends (the test kills it)
 *   hangs NAME alone the case on MPI_COMM_WORLD
 *   hangs threads    MPI_THREAD_MULTIPLE: cases of two threads, each on two ranks of the world
 *   hangs ended      rank 1 comes to its end, rank 0 waits for it
 */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MPI_Comm comm;
static int rank, size;
enum { large = 4 << 20 };
static char out[large], in[large];
static MPI_Win win; /* of the cases that have one */

static void compute(void) { sleep(3000); }

static void receive(int source, int tag) { MPI_Recv(in, 1, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE); }
static void send(int dest, int tag) { MPI_Send(out, 1, MPI_INT, dest, tag, comm); }

/* ---- deadlocks ---- */

static void facing_receives(void) { receive(1 - rank, 7); }
static void facing_synchronous_sends(void) { MPI_Ssend(out, 1, MPI_INT, 1 - rank, 7, comm); }
static void facing_large_sends(void) { MPI_Send(out, large, MPI_BYTE, 1 - rank, 7, comm); }
static void ring_of_receives(void) { receive((rank + 1) % size, 7); }
/* A message lies there, but it is another one. */
static void wrong_tag(void) {
  if (rank == 0) send(1, 1);
  receive(1 - rank, rank == 0 ? 2 : 3);
}
static void barrier_and_receive(void) {
  if (rank == 0) MPI_Barrier(comm);
  else receive(0, 7);
}
static void order(void) {
  if (rank == 0) MPI_Barrier(comm);
  else MPI_Bcast(in, 1, MPI_INT, 0, comm);
}
/* Rank 0 has left the broadcast that rank 1 does not call. */
static void order_passed(void) {
  if (rank == 0) MPI_Bcast(in, 1, MPI_INT, 0, comm);
  if (rank == 0) MPI_Barrier(comm);
  else MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, comm);
}
static void order_of_communicators(void) {
  MPI_Comm a, b;
  MPI_Comm_dup(comm, &a);
  MPI_Comm_dup(comm, &b);
  MPI_Barrier(rank == 0 ? a : b);
  MPI_Barrier(rank == 0 ? b : a);
}
static void two_roots(void) { MPI_Bcast(in, 1, MPI_INT, 1 - rank, comm); }
static void any_source(void) { receive(MPI_ANY_SOURCE, 7); }
static void wait_all(void) {
  MPI_Request requests[2];
  if (rank == 0) {
    MPI_Irecv(in, 1, MPI_INT, 1, 5, comm, &requests[0]);
    MPI_Irecv(in + 8, 1, MPI_INT, 1, 6, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    send(0, 5);
    receive(0, 7);
  }
}
static void wait_any(void) {
  MPI_Request requests[2];
  int index;
  MPI_Irecv(in, 1, MPI_INT, 1 - rank, 5, comm, &requests[0]);
  MPI_Irecv(in + 8, 1, MPI_INT, MPI_ANY_SOURCE, 6, comm, &requests[1]);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}
/* Rank 0 takes whichever comes first of a thousand messages of the two others, which wait for one of nine of its own. */
static void many_any(void) {
  enum { most = 1000, few = 9 };
  MPI_Request requests[most];
  const int count = rank == 0 ? most : few;
  int index, done, indices[few];
  for (int i = 0; i < count; i++)
    MPI_Irecv(in + 8 * i, 1, MPI_INT, rank == 0 ? 1 + i % 2 : 0, i, comm, &requests[i]);
  if (rank == 0) MPI_Waitany(most, requests, &index, MPI_STATUS_IGNORE);
  else MPI_Waitsome(few, requests, &done, indices, MPI_STATUSES_IGNORE);
}
/* Of 1500 messages that each waits for, all have been sent but one. */
static void many_all(void) {
  enum { most = 1500, missing = 900 };
  MPI_Request requests[most];
  for (int i = 0; i < most; i++)
    MPI_Irecv(in + 8 * i, 1, MPI_INT, i == missing ? (rank + 1) % size : rank, i, comm, &requests[i]);
  for (int i = 0; i < most; i++)
    if (i != missing) send(rank, i);
  MPI_Waitall(most, requests, MPI_STATUSES_IGNORE);
}
static void wait_for_send(void) {
  MPI_Request request;
  MPI_Issend(out, 1, MPI_INT, 1 - rank, 7, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void persistent(void) {
  MPI_Request request;
  MPI_Recv_init(in, 1, MPI_INT, 1 - rank, 7, comm, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void probe(void) { MPI_Probe(1 - rank, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE); }
/* All send to the right, and want to receive from the right. */
static void shifted_exchange(void) {
  const int right = (rank + 1) % size;
  MPI_Sendrecv(out, 1, MPI_INT, right, 7, in, 1, MPI_INT, right, 7, comm, MPI_STATUS_IGNORE);
}
/* Rank 0 and ranks 1 and 2 are the two groups of an inter-communicator. */
static void make_groups(MPI_Comm* own, MPI_Comm* both) {
  MPI_Comm_split(comm, rank > 0, rank, own);
  MPI_Intercomm_create(*own, 0, comm, rank > 0 ? 0 : 1, 3, both);
}
static void between_groups(void) {
  MPI_Comm own, both;
  make_groups(&own, &both);
  MPI_Recv(in, 1, MPI_INT, rank == 1 ? 1 : 0, 7, rank == 1 ? own : both, MPI_STATUS_IGNORE);
}
static void any_of_other_group(void) {
  MPI_Comm own, both;
  make_groups(&own, &both);
  MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 7, both, MPI_STATUS_IGNORE);
}
/* The groups are to be joined, but one rank is elsewhere. */
static void join_without(int missing) {
  MPI_Comm own, both;
  MPI_Comm_split(comm, rank > 0, rank, &own);
  if (rank == missing) receive(MPI_ANY_SOURCE, 7);
  MPI_Intercomm_create(own, 0, comm, rank > 0 ? 0 : 1, 3, &both);
}
static void join_without_leader(void) { join_without(1); }
static void join_without_member(void) { join_without(2); }
static void duplicate(void) {
  MPI_Comm copy;
  if (rank == 0) MPI_Comm_dup(comm, &copy);
  else receive(0, 7);
}
static void reduce(void) {
  if (rank == 0) MPI_Reduce(out, in, 1, MPI_INT, MPI_SUM, 0, comm);
  else receive(0, 7);
}
static void nonblocking_barrier(void) {
  MPI_Request request;
  if (rank == 0) {
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    receive(0, 7);
  }
}
static void request_without_root(void) {
  MPI_Request request;
  MPI_Bcast(in, 1, MPI_INT, 2, comm);
  if (rank == 0) receive(MPI_ANY_SOURCE, 7);
  MPI_Ibcast(in, 1, MPI_INT, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void root_and_receive(void) {
  if (rank == 0) MPI_Bcast(out, large, MPI_BYTE, 0, comm);
  else receive(0, 7);
}
#ifdef MPICH_VERSION /* Open MPI writes without the others */
static void collective_write(void) {
  MPI_File file;
  MPI_File_open(comm, "hangs.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  if (rank == 0) MPI_File_write_all(file, out, 1, MPI_INT, MPI_STATUS_IGNORE);
  else receive(0, 7);
}
#endif
static void fence(void) {
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Win_fence(0, win);
  else receive(0, 7);
}
static void exposure(void) {
  MPI_Group all, others;
  const int other = 1 - rank;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, 1, &other, &others);
  if (rank == 0) {
    MPI_Win_post(others, 0, win);
    MPI_Win_wait(win);
  } else {
    MPI_Win_start(others, 0, win);
    receive(0, 7);
  }
}
static void lock(void) {
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(out, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
  }
  MPI_Barrier(comm);
  if (rank == 0) {
    receive(1, 7);
  } else {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(out, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
  }
}
/* Two ranks hang, the others wait for them. */
static void behind(void) {
  if (rank < 2) receive(1 - rank, 7);
  MPI_Barrier(comm);
}

/* ---- loops over polls that find nothing, for ever ---- */

static void receive_from(int source, int tag, MPI_Request* request) {
  MPI_Irecv(in + 8 * tag, 1, MPI_INT, source, tag, comm, request);
}
/* The polling layer may have put this rank into the real-time class: one that spins there keeps the others from the core,
 * which then poll too seldom to be told from ranks that compute. */
static void leave_real_time_class(void) {
  const struct sched_param none = {0};
  sched_setscheduler(0, SCHED_OTHER, &none);
}
static void poll_test(void) {
  MPI_Request request;
  receive_from(1 - rank, 7, &request);
  leave_real_time_class();
  for (int flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}
static void poll_probe(void) {
  for (int flag = 0; !flag; usleep(1000)) MPI_Iprobe(1 - rank, 7, comm, &flag, MPI_STATUS_IGNORE);
}
/* Rank 1 blocks. */
static void poll_and_receive(void) {
  if (rank == 1) receive(0, 7);
  for (int flag = 0; !flag; usleep(1000)) MPI_Iprobe(MPI_ANY_SOURCE, 7, comm, &flag, MPI_STATUS_IGNORE);
}
static void poll_any(void) {
  MPI_Request requests[2];
  int index;
  receive_from(1 - rank, 5, &requests[0]);
  receive_from(1 - rank, 6, &requests[1]);
  for (int flag = 0; !flag; usleep(1000)) MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
}
/* The message of the one comes, that of the other does not. */
static void poll_all(void) {
  MPI_Request requests[2];
  receive_from((rank + 1) % 3, 5, &requests[0]);
  receive_from((rank + 2) % 3, 6, &requests[1]);
  send((rank + 2) % 3, 5);
  for (int flag = 0; !flag; usleep(1000)) MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
}
static void poll_barrier(void) {
  MPI_Request request;
  if (rank == 1) receive(0, 7);
  MPI_Ibarrier(comm, &request);
  for (int flag = 0; !flag; usleep(1000)) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}
/* One poll for each of a hundred requests, and one for messages. */
static void poll_many(void) {
  MPI_Request requests[100];
  int flag = 0;
  for (int i = 0; i < 100; i++) receive_from(1 - rank, 10 + i, &requests[i]);
  for (;; usleep(10000)) {
    for (int i = 0; i < 100; i++) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
    MPI_Iprobe(1 - rank, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
  }
}
#if MPI_VERSION >= 4
static void poll_parts(void) {
  MPI_Request request;
  MPI_Precv_init(in, 2, 1, MPI_INT, 1 - rank, 7, comm, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  for (int flag = 0; !flag; usleep(1000)) MPI_Parrived(request, 1, &flag);
}
#endif
static void poll_exposure(void) {
  MPI_Group all, group;
  const int other = 1 - rank;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, 1, &other, &group);
  if (rank == 0) {
    MPI_Win_post(group, 0, win);
    for (int flag = 0; !flag; usleep(1000)) MPI_Win_test(win, &flag);
  } else {
    MPI_Win_start(group, 0, win);
    receive(0, 7);
  }
}

/* ---- loops over polls that are no deadlock ---- */

static double seconds_of_work; /* so that it is not left out */
static void work(double seconds) {
  const double begin = MPI_Wtime();
  while (MPI_Wtime() < begin + seconds) seconds_of_work += 1e-9;
}
static void poll_and_compute(void) {
  if (rank == 1) receive(0, 7);
  leave_real_time_class();
  for (int flag = 0; !flag; work(0.002)) MPI_Iprobe(1, 7, comm, &flag, MPI_STATUS_IGNORE);
}
/* Rank 2, which computes, may send what rank 0 polls for. */
static void poll_for_two(void) {
  int flag = 0;
  if (rank == 1) receive(0, 7);
  if (rank == 2) compute();
  for (; !flag; usleep(1000)) {
    MPI_Iprobe(1, 7, comm, &flag, MPI_STATUS_IGNORE);
    MPI_Iprobe(2, 7, comm, &flag, MPI_STATUS_IGNORE);
  }
}
/* Each sends by the clock, and looks in between. */
static void poll_by_turns(void) {
  for (double next = MPI_Wtime();; usleep(1000)) {
    int flag = 0;
    MPI_Iprobe(1 - rank, 7, comm, &flag, MPI_STATUS_IGNORE);
    if (flag) receive(1 - rank, 7);
    if (MPI_Wtime() < next) continue;
    send(1 - rank, 7);
    next += 1.5;
  }
}

/* ---- long waits that may end ---- */

static void late_sender(void) {
  if (rank == 1) compute();
  receive(1 - rank, 7);
}
static void late_reader(void) {
  int ends[2];
  if (rank == 1 && pipe(ends) == 0 && read(ends[0], in, 1) < 0) perror("read");
  receive(1 - rank, 7);
}
/* Rank 2 could release rank 0. */
static void cycle_with_a_way_out(void) {
  if (rank == 2) compute();
  receive(rank == 0 ? MPI_ANY_SOURCE : 0, 7);
}
static void any_of_two(void) {
  MPI_Request requests[2];
  int index;
  if (rank == 2) compute();
  if (rank == 1) receive(0, 7);
  MPI_Irecv(in, 1, MPI_INT, 1, 5, comm, &requests[0]);
  MPI_Irecv(in + 8, 1, MPI_INT, 2, 6, comm, &requests[1]);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}
/* The message that rank 1 will receive has been sent. */
static void answer_to_come(void) {
  if (rank == 0) send(1, 7);
  else compute();
  receive(1 - rank, 7);
}
static void late_at_barrier(void) {
  if (rank == 2) compute();
  MPI_Barrier(comm);
}
static void late_receiver(void) {
  if (rank == 1) compute();
  MPI_Ssend(out, 1, MPI_INT, 1, 7, comm);
}
static void late_root(void) {
  if (rank == 0) compute();
  MPI_Bcast(in, 1, MPI_INT, 0, comm);
}

struct hang {
  const char* name;
  int ranks, windows;
  void (*run)(void);
};
#define HANG(name, ranks) {#name, ranks, 0, name}
#define WINDOW(name, ranks) {#name, ranks, 1, name}
static const struct hang hangs[] = {HANG(facing_receives, 2),
                                    HANG(facing_synchronous_sends, 2),
                                    HANG(facing_large_sends, 2),
                                    HANG(ring_of_receives, 3),
                                    HANG(wrong_tag, 2),
                                    HANG(barrier_and_receive, 2),
                                    HANG(order, 2),
                                    HANG(order_passed, 2),
                                    HANG(order_of_communicators, 2),
                                    HANG(two_roots, 2),
                                    HANG(any_source, 3),
                                    HANG(wait_all, 2),
                                    HANG(wait_any, 2),
                                    HANG(many_any, 3),
                                    HANG(many_all, 3),
                                    HANG(wait_for_send, 2),
                                    HANG(persistent, 2),
                                    HANG(probe, 2),
                                    HANG(shifted_exchange, 3),
                                    HANG(between_groups, 3),
                                    HANG(any_of_other_group, 3),
                                    HANG(join_without_leader, 3),
                                    HANG(join_without_member, 3),
                                    HANG(duplicate, 2),
                                    HANG(reduce, 2),
                                    HANG(nonblocking_barrier, 2),
                                    HANG(request_without_root, 3),
                                    HANG(root_and_receive, 2),
#ifdef MPICH_VERSION
                                    HANG(collective_write, 2),
#endif
                                    WINDOW(fence, 2),
                                    WINDOW(exposure, 2),
                                    WINDOW(lock, 2),
                                    HANG(behind, 4),
                                    HANG(late_sender, 2),
                                    HANG(late_reader, 2),
                                    HANG(cycle_with_a_way_out, 3),
                                    HANG(any_of_two, 3),
                                    HANG(answer_to_come, 2),
                                    HANG(late_at_barrier, 3),
                                    HANG(late_receiver, 2),
                                    HANG(late_root, 2),
                                    HANG(poll_test, 2),
                                    HANG(poll_probe, 2),
                                    HANG(poll_and_receive, 2),
                                    HANG(poll_any, 2),
                                    HANG(poll_all, 3),
                                    HANG(poll_barrier, 2),
                                    HANG(poll_many, 2),
#if MPI_VERSION >= 4
                                    HANG(poll_parts, 2),
#endif
                                    WINDOW(poll_exposure, 2),
                                    HANG(poll_and_compute, 2),
                                    HANG(poll_for_two, 3),
                                    HANG(poll_by_turns, 2)};
enum { count = sizeof hangs / sizeof *hangs };

static int is_wanted(const struct hang* hang, int argc, char** argv) {
  if (argc < 2) return 1;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], hang->name) == 0) return 1;
  return 0;
}

/* ---- threads ---- */

static void* second(void* unused) {
  (void)unused;
  if (rank < 2) receive(1 - rank, 8);
  else if (rank == 2) receive(3, 8);
  else compute(); /* could still send */
  return NULL;
}

/* Ranks 0 and 1 hang with both threads; of rank 3 one thread may still act. */
static void threads(void) {
  pthread_t thread;
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  comm = MPI_COMM_WORLD;
  MPI_Comm_rank(comm, &rank);
  if (provided != MPI_THREAD_MULTIPLE) exit(77);
  pthread_create(&thread, NULL, second, NULL);
  receive(rank ^ 1, 7);
}

static void ended(void) {
  MPI_Init(NULL, NULL);
  comm = MPI_COMM_WORLD;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) receive(1, 7);
  MPI_Finalize();
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "list") == 0) {
    for (int i = 0; i < count; i++) printf("%s %d\n", hangs[i].name, hangs[i].ranks);
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "threads") == 0) {
    threads();
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "ended") == 0) {
    ended();
    return 0;
  }
  const int alone = argc == 3 && strcmp(argv[2], "alone") == 0;
  const struct hang* mine = NULL;
  int world, first = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  for (int i = 0; i < count; i++) {
    if (!is_wanted(&hangs[i], argc, argv)) continue;
    if (world >= first && world < first + hangs[i].ranks) mine = &hangs[i];
    first += hangs[i].ranks;
  }
  comm = MPI_COMM_WORLD;
  if (!alone) MPI_Comm_split(MPI_COMM_WORLD, mine ? (int)(mine - hangs) : count, world, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < count;
       i++) { /* one after the other: Open MPI 4.1 loses ranks where several make windows at once */
    if (!hangs[i].windows || !is_wanted(&hangs[i], argc, argv)) continue;
    if (mine == &hangs[i]) MPI_Win_create(in, 64, 1, MPI_INFO_NULL, comm, &win);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (mine) mine->run();
  MPI_Finalize();
  return 0;
}
