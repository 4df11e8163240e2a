/* multiple.c: MPI calls from many threads at once, all of them counted by the program: it prints "visits NAME N"
 * for each MPI function, "sent FROM TO MESSAGES BYTES" for each pair of ranks, and "unordered yes" where threads
 * share a channel at once. Every message is checked on arrival.
 *
 *   multiple LEVEL THREADS ROUNDS PART...     LEVEL: multiple, serialized, funneled; PART: as in `parts` below
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X) X(Send) X(Recv) X(Sendrecv) X(Isend) X(Irecv) X(Wait) X(Waitall) X(Waitany) X(Waitsome) X(Testany) \
  X(Test) X(Testall) X(Barrier) X(Allreduce) X(Bcast) X(Ibarrier) X(Probe) X(Iprobe) X(Mprobe) X(Mrecv) X(Improbe) \
  X(Imrecv) X(Send_init) X(Recv_init) X(Startall) X(Start) X(Request_free) X(Win_create) X(Win_fence) X(Win_free) X(Put) \
  X(Win_lock) X(Win_unlock) X(Accumulate) X(Comm_dup) X(Comm_split) X(Comm_free) X(Type_contiguous) \
  X(Type_vector) X(Type_commit) X(Type_free) X(Cancel)
enum {
#define X(name) of_##name,
  FUNCTIONS(X)
#undef X
  functions
};
static const char *names[] = {
#define X(name) "MPI_" #name,
    FUNCTIONS(X)
#undef X
};

enum { most_threads = 64, window = 4, ints = 8 };
typedef struct {
  int number, to, from;
  long calls[functions], messages, bytes; /* all messages go to `to` */
  MPI_Comm comm;                          /* its own, as the window */
  MPI_Win win;
  int base[2];
  int out[window][ints], in[window][ints];
} Thread;
static Thread all[most_threads];
static int rank, size, threads, rounds, serialized, shared_channel;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void need(int condition, int line) {
  if (condition) return;
  printf("rank %d: line %d: wrong\n", rank, line);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define NEED(condition) need(condition, __LINE__)
#define CALL(name, ...)                                                     \
  do {                                                                      \
    if (serialized) pthread_mutex_lock(&one_at_a_time);                     \
    me->calls[of_##name]++;                                                 \
    int result_ = MPI_##name(__VA_ARGS__);                                  \
    if (serialized) pthread_mutex_unlock(&one_at_a_time);                   \
    NEED(result_ == MPI_SUCCESS);                                           \
  } while (0)

static void sent(Thread *me, long messages, long bytes) {
  me->messages += messages;
  me->bytes += messages * bytes;
}
static void fill(Thread *me, int round) {
  for (int k = 0; k < window; k++)
    for (int i = 0; i < ints; i++) me->out[k][i] = ((rank * most_threads + me->number) * 1000 + round) * 10 + k + i;
}
static int value(Thread *me, int round, int k) { return ((me->from * most_threads + me->number) * 1000 + round) * 10 + k; }
static void check(Thread *me, int round, int k) {
  for (int i = 0; i < ints; i++) NEED(me->in[k][i] == value(me, round, k) + i);
}

static void blocking(Thread *me, int round) {
  fill(me, round);
  CALL(Sendrecv, me->out[0], ints, MPI_INT, me->to, me->number, me->in[0], ints, MPI_INT, me->from, me->number,
       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(me, round, 0);
  if (rank % 2 == 0) CALL(Send, me->out[1], ints, MPI_INT, me->to, me->number, me->comm);
  CALL(Recv, me->in[1], ints, MPI_INT, me->from, me->number, me->comm, MPI_STATUS_IGNORE);
  if (rank % 2 != 0) CALL(Send, me->out[1], ints, MPI_INT, me->to, me->number, me->comm);
  check(me, round, 1);
  sent(me, 2, sizeof me->out[0]);
}

static void pending(Thread *me, int round) {
  MPI_Request requests[2 * window];
  int done = 0, index, flag, indices[2 * window], count;
  fill(me, round);
  for (int k = 0; k < window; k++)
    CALL(Irecv, me->in[k], ints, MPI_INT, me->from, me->number, MPI_COMM_WORLD, &requests[k]);
  for (int k = 0; k < window; k++)
    CALL(Isend, me->out[k], ints, MPI_INT, me->to, me->number, MPI_COMM_WORLD, &requests[window + k]);
  sent(me, window, sizeof me->out[0]);
  switch (serialized ? round % 2 ? 2 : 5 : round % 6) { /* who waits in MPI would keep the others out */
  case 0: CALL(Waitall, 2 * window, requests, MPI_STATUSES_IGNORE); break;
  case 1:
    for (int k = 0; k < 2 * window; k++) CALL(Wait, &requests[k], MPI_STATUS_IGNORE);
    break;
  case 2:
    while (done < 2 * window) {
      CALL(Testany, 2 * window, requests, &index, &flag, MPI_STATUS_IGNORE);
      if (flag && index != MPI_UNDEFINED) done++;
    }
    break;
  case 3:
    for (; done < 2 * window; done++) CALL(Waitany, 2 * window, requests, &index, MPI_STATUS_IGNORE);
    break;
  case 4:
    while (done < 2 * window) {
      CALL(Waitsome, 2 * window, requests, &count, indices, MPI_STATUSES_IGNORE);
      done += count;
    }
    break;
  default:
    for (flag = 0; !flag;) CALL(Testall, 2 * window, requests, &flag, MPI_STATUSES_IGNORE);
  }
  for (int k = 0; k < window; k++) check(me, round, k);
}

/* Requests that the next thread completes. */
static struct Hand {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  MPI_Request requests[2];
  int full;
} hands[most_threads];
static void put(struct Hand *hand, const MPI_Request *requests) {
  pthread_mutex_lock(&hand->mutex);
  while (hand->full) pthread_cond_wait(&hand->changed, &hand->mutex);
  memcpy(hand->requests, requests, sizeof hand->requests);
  hand->full = 1;
  pthread_cond_broadcast(&hand->changed);
  pthread_mutex_unlock(&hand->mutex);
}
static void take(struct Hand *hand, MPI_Request *requests) {
  pthread_mutex_lock(&hand->mutex);
  while (!hand->full) pthread_cond_wait(&hand->changed, &hand->mutex);
  memcpy(requests, hand->requests, sizeof hand->requests);
  hand->full = 0;
  pthread_cond_broadcast(&hand->changed);
  pthread_mutex_unlock(&hand->mutex);
}
static void handed(Thread *me, int round) {
  Thread *other = &all[(me->number + threads - 1) % threads];
  MPI_Request requests[2];
  fill(me, round);
  CALL(Irecv, me->in[0], ints, MPI_INT, me->from, me->number, MPI_COMM_WORLD, &requests[0]);
  CALL(Isend, me->out[0], ints, MPI_INT, me->to, me->number, MPI_COMM_WORLD, &requests[1]);
  sent(me, 1, sizeof me->out[0]);
  put(&hands[me->number], requests);
  take(&hands[other->number], requests);
  if (round % 2 && !serialized) {
    CALL(Waitall, 2, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0, flag; i < 2; i++)
      for (flag = 0; !flag;) CALL(Test, &requests[i], &flag, MPI_STATUS_IGNORE);
  }
  put(&hands[most_threads / 2 + other->number], requests); /* it may go on */
  take(&hands[most_threads / 2 + me->number], requests);
  check(me, round, 0);
}

static void collectives(Thread *me, int round) {
  int one = round, sum = 0;
  MPI_Request request;
  CALL(Barrier, me->comm);
  CALL(Allreduce, &one, &sum, 1, MPI_INT, MPI_SUM, me->comm);
  NEED(sum == size * round);
  one = rank == round % size ? me->number * 1000 + round : -1;
  CALL(Bcast, &one, 1, MPI_INT, round % size, me->comm);
  NEED(one == me->number * 1000 + round);
  CALL(Ibarrier, me->comm, &request);
  CALL(Wait, &request, MPI_STATUS_IGNORE);
}

static void one_sided(Thread *me, int round) {
  int one = round + 1;
  const MPI_Win win = me->win;
  CALL(Win_fence, MPI_MODE_NOPRECEDE, win);
  CALL(Put, &one, 1, MPI_INT, me->to, 0, 1, MPI_INT, win);
  CALL(Win_fence, MPI_MODE_NOSUCCEED, win);
  NEED(me->base[0] == round + 1);
  CALL(Win_lock, MPI_LOCK_SHARED, me->to, 0, win);
  CALL(Accumulate, &one, 1, MPI_INT, me->to, 1, 1, MPI_INT, MPI_SUM, win);
  CALL(Win_unlock, me->to, win);
  CALL(Barrier, me->comm);
}

static void probes(Thread *me, int round) {
  MPI_Status status;
  MPI_Message message;
  MPI_Request request, receive;
  int flag;
  fill(me, round);
  for (int k = 0; k < 3; k++) {
    CALL(Isend, me->out[k], ints, MPI_INT, me->to, me->number, MPI_COMM_WORLD, &request);
    if (k == 0) {
      CALL(Probe, me->from, me->number, MPI_COMM_WORLD, &status);
      CALL(Recv, me->in[k], ints, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (k == 1) {
      CALL(Mprobe, MPI_ANY_SOURCE, me->number, MPI_COMM_WORLD, &message, &status);
      CALL(Mrecv, me->in[k], ints, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
      for (flag = 0; !flag;) CALL(Improbe, me->from, me->number, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
      CALL(Imrecv, me->in[k], ints, MPI_INT, &message, &receive);
      CALL(Wait, &receive, MPI_STATUS_IGNORE);
    }
    CALL(Wait, &request, MPI_STATUS_IGNORE);
    check(me, round, k);
  }
  sent(me, 3, sizeof me->out[0]);
}

static void persistent(Thread *me, int round) {
  MPI_Request requests[2];
  fill(me, round);
  CALL(Recv_init, me->in[0], ints, MPI_INT, me->from, me->number, me->comm, &requests[0]);
  CALL(Send_init, me->out[0], ints, MPI_INT, me->to, me->number, me->comm, &requests[1]);
  for (int i = 0; i < 3; i++) {
    if (i == 1) {
      CALL(Start, &requests[0]);
      CALL(Start, &requests[1]);
    } else {
      CALL(Startall, 2, requests);
    }
    CALL(Waitall, 2, requests, MPI_STATUSES_IGNORE);
    check(me, round, 0);
  }
  for (int i = 0; i < 2; i++) CALL(Request_free, &requests[i]);
  sent(me, 3, sizeof me->out[0]);
}

static void communicators(Thread *me, int round) {
  MPI_Comm copy, part;
  int sum = 0, one = 1;
  CALL(Comm_dup, me->comm, &copy);
  CALL(Comm_split, copy, round % 2, rank, &part);
  CALL(Allreduce, &one, &sum, 1, MPI_INT, MPI_SUM, part);
  NEED(sum == size);
  fill(me, round);
  CALL(Sendrecv, me->out[0], ints, MPI_INT, me->to, 7, me->in[0], ints, MPI_INT, me->from, 7, part, MPI_STATUS_IGNORE);
  check(me, round, 0);
  sent(me, 1, sizeof me->out[0]);
  CALL(Comm_free, &part);
  CALL(Comm_free, &copy);
}

static void datatypes(Thread *me, int round) {
  MPI_Datatype pair, strided;
  int out[ints], in[ints] = {0};
  for (int i = 0; i < ints; i++) out[i] = round + i;
  CALL(Type_contiguous, 2, MPI_INT, &pair);
  CALL(Type_vector, 2, 1, 2, pair, &strided);
  CALL(Type_commit, &strided);
  CALL(Sendrecv, out, 1, strided, me->to, me->number, in, 4, MPI_INT, me->from, me->number, me->comm, MPI_STATUS_IGNORE);
  NEED(in[0] == round && in[1] == round + 1 && in[2] == round + 4 && in[3] == round + 5);
  CALL(Type_free, &strided);
  CALL(Type_free, &pair);
  sent(me, 1, 4 * sizeof(int));
}

/* All threads use one channel: MPI gives a message to any of them. */
static void shared(Thread *me, int round) {
  int one = round, in = -1;
  CALL(Sendrecv, &one, 1, MPI_INT, me->to, 99, &in, 1, MPI_INT, me->from, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  NEED(in >= 0 && in < rounds);
  sent(me, 1, sizeof one);
}

/* Receives from anybody: they are numbered once it is known whom they have met. */
static void any_source(Thread *me, int round) {
  MPI_Request requests[2];
  fill(me, round);
  CALL(Irecv, me->in[0], ints, MPI_INT, MPI_ANY_SOURCE, me->number, MPI_COMM_WORLD, &requests[0]);
  CALL(Isend, me->out[0], ints, MPI_INT, me->to, me->number, MPI_COMM_WORLD, &requests[1]);
  CALL(Waitall, 2, requests, MPI_STATUSES_IGNORE);
  check(me, round, 0);
  sent(me, 1, sizeof me->out[0]);
}

static const struct Part {
  const char *name;
  void (*run)(Thread *me, int round);
} parts[] = {{"blocking", blocking},       {"pending", pending},     {"handed", handed},
             {"collectives", collectives}, {"one_sided", one_sided}, {"probes", probes},
             {"persistent", persistent},   {"communicators", communicators}, {"datatypes", datatypes},
             {"any_source", any_source},   {"shared", shared}};
static const struct Part *chosen[16];
static int chosen_count;

static void *run(void *argument) {
  Thread *me = argument;
  for (int p = 0; p < chosen_count; p++)
    for (int round = 0; round < rounds; round++) chosen[p]->run(me, round);
  return NULL;
}

int main(int argc, char **argv) {
  const char *level = argc > 1 ? argv[1] : "multiple";
  const int wanted = !strcmp(level, "multiple")     ? MPI_THREAD_MULTIPLE
                     : !strcmp(level, "serialized") ? MPI_THREAD_SERIALIZED
                                                    : MPI_THREAD_FUNNELED;
  int provided;
  pthread_t handles[most_threads];
  threads = argc > 2 ? atoi(argv[2]) : 4;
  rounds = argc > 3 ? atoi(argv[3]) : 20;
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  NEED(provided >= wanted && threads <= most_threads / 2 && rounds < 1000);
  serialized = wanted == MPI_THREAD_SERIALIZED;
  for (int i = 4; i < argc; i++)
    for (unsigned p = 0; p < sizeof parts / sizeof *parts; p++)
      if (!strcmp(parts[p].name, argv[i])) {
        chosen[chosen_count++] = &parts[p];
        shared_channel = shared_channel || parts[p].run == shared;
      }
  for (int i = 0; i < most_threads; i++) {
    pthread_mutex_init(&hands[i].mutex, NULL);
    pthread_cond_init(&hands[i].changed, NULL);
  }
  Thread *me = &all[0];
  for (int i = 0; i < threads; i++) {
    all[i].number = i;
    all[i].to = (rank + 1) % size;
    all[i].from = (rank + size - 1) % size;
    CALL(Comm_dup, MPI_COMM_WORLD, &all[i].comm);
    CALL(Win_create, all[i].base, sizeof all[i].base, sizeof(int), MPI_INFO_NULL, all[i].comm, &all[i].win);
  }
  if (wanted == MPI_THREAD_FUNNELED) {
    run(me);
  } else {
    for (int i = 0; i < threads; i++) pthread_create(&handles[i], NULL, run, &all[i]);
    for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
  }
  for (int i = 0; i < threads; i++) {
    CALL(Win_free, &all[i].win);
    CALL(Comm_free, &all[i].comm);
  }
  long mine[functions + 2] = {0}, sums[functions + 2];
  for (int i = 0; i < threads; i++) {
    for (int f = 0; f < functions; f++) mine[f] += all[i].calls[f];
    mine[functions] += all[i].messages;
    mine[functions + 1] += all[i].bytes;
  }
  /* Not counted above: PMPI. */
  PMPI_Reduce(mine, sums, functions + 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) {
    PMPI_Barrier(MPI_COMM_WORLD);
    if (r == rank) printf("sent %d %d %ld %ld\n", rank, (rank + 1) % size, mine[functions], mine[functions + 1]);
    fflush(stdout);
  }
  if (rank == 0) {
    for (int f = 0; f < functions; f++)
      if (sums[f]) printf("visits %s %ld\n", names[f], sums[f]);
    if (shared_channel) printf("unordered yes\n");
  }
  MPI_Finalize();
  return 0;
}
