/* mpi_callbacks.c: functions of the program that MPI calls, and what they may do there: call MPI, jump out of it
 * for ever. Two ranks.
 *
 *   mpi_callbacks CASE */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>

#include "odd.h"

static int rank, other;

/* With MPI_THREAD_MULTIPLE MPICH holds a lock while it calls the program: none may jump out of it, or call MPI again. */
FUNCTION void begins(int wanted) {
  int provided = -1;
  MPI_Init_thread(NULL, NULL, wanted, &provided);
  NEED(provided >= wanted);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
}
FUNCTION int ends(void) {
  MPI_Finalize();
  return 0;
}

FUNCTION void swaps(int tag) {
  int got = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, other, tag, &got, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  NEED(got == other);
}

/* What is called where the jump lands has less stack above it than the call that was jumped out of, or more. */
FUNCTION int few(int a) { return a + 1; }
FUNCTION int many(int a, int b, int c, int d, int e, int f, int g, int h) { return few(a + b + c + d + e + f + g + h); }

static jmp_buf landing;
FUNCTION void jumps(MPI_Comm *comm, int *code, ...) {
  (void)comm, (void)code;
  longjmp(landing, 1);
}
static void with_handler(MPI_Comm_errhandler_function *function, void (*tries)(int)) {
  MPI_Errhandler handler, before;
  MPI_Comm_create_errhandler(function, &handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (int i = 0; i < 4; i++) tries(i);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&handler);
}
FUNCTION void lands(int i) {
  int value = 0, got = -1;
  if (setjmp(landing) == 0) MPI_Send(&value, 1, MPI_INT, 1000, 1, MPI_COMM_WORLD);
  MPI_Sendrecv(&rank, 1, MPI_INT, other, i, &got, 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  NEED(got == other);
  NEED(many(i, 1, 1, 1, 1, 1, 1, 1) == i + 8);
}
FUNCTION int error_jump(void) {
  begins(MPI_THREAD_SINGLE);
  with_handler(jumps, lands);
  swaps(9);
  return ends();
}

FUNCTION void jumping_sum(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)in, (void)inout, (void)count, (void)type;
  longjmp(landing, 1);
}
FUNCTION int operation_jump(void) {
  MPI_Op op;
  begins(MPI_THREAD_SINGLE);
  MPI_Op_create(jumping_sum, 1, &op);
  for (volatile int i = 0; i < 4; i++) {
    int a = 1, b = 2;
    if (setjmp(landing) == 0) MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
    NEED(many(i, 1, 1, 1, 1, 1, 1, 1) == i + 8);
    swaps(i);
  }
  MPI_Op_free(&op);
  return ends();
}

/* As often as it is called, it says itself. */
static int sums;
FUNCTION void sum(void *in, void *inout, int *count, MPI_Datatype *type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  NEED(bytes == sizeof(int));
  for (int i = 0; i < *count; i++) ((int *)inout)[i] += ((int *)in)[i];
  __atomic_add_fetch(&sums, 1, __ATOMIC_RELAXED);
}
static void *completes(void *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  return NULL;
}
FUNCTION int operations(void) {
  enum { many_values = 50000 };
  static int in[many_values], out[many_values];
  MPI_Op op;
  MPI_Request request;
  pthread_t thread;
  begins(MPI_THREAD_MULTIPLE);
  MPI_Op_create(sum, 1, &op);
  for (int count = 1; count <= many_values; count *= 50) {
    for (int i = 0; i < count; i++) in[i] = i + rank;
    MPI_Reduce(in, out, count, MPI_INT, op, 0, MPI_COMM_WORLD);
    MPI_Allreduce(in, out, count, MPI_INT, op, MPI_COMM_WORLD);
    NEED(out[count - 1] == 2 * (count - 1) + 1);
    MPI_Scan(in, out, count, MPI_INT, op, MPI_COMM_WORLD);
    NEED(out[count - 1] == (rank ? 2 * (count - 1) + 1 : count - 1));
    MPI_Ireduce(in, out, count, MPI_INT, op, 0, MPI_COMM_WORLD, &request);
    NEED(pthread_create(&thread, NULL, completes, &request) == 0);
    pthread_join(thread, NULL);
    NEED(rank || out[count - 1] == 2 * (count - 1) + 1);
  }
  MPI_Op_free(&op);
  fprintf(stderr, "count sum %d MPI_Type_size %d\n", sums, sums);
  return ends();
}

FUNCTION int copies(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
  int size = 0;
  (void)keyval, (void)extra;
  MPI_Comm_size(comm, &size);
  *(void **)out = (char *)in + 1;
  *flag = size == 2;
  return MPI_SUCCESS;
}
FUNCTION int deletes(MPI_Comm comm, int keyval, void *value, void *extra) {
  int own = -1;
  (void)keyval;
  MPI_Comm_rank(comm, &own);
  NEED(own == rank);
  *(long *)extra += (char *)value - (char *)NULL;
  return MPI_SUCCESS;
}
static long deleted;
/* Called by MPI_Finalize, where MPI is still whole. */
FUNCTION int last_of_all(MPI_Comm comm, int keyval, void *value, void *extra) {
  int own = 17, got = -1, finalized = -1;
  (void)keyval, (void)value, (void)extra;
  MPI_Finalized(&finalized);
  MPI_Sendrecv(&own, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
  printf("last of all: finalized %d, got %d, deleted %ld\n", finalized, got, deleted);
  return MPI_SUCCESS;
}
FUNCTION int attributes(void) {
  int keyval, last;
  MPI_Comm copy, second;
  begins(MPI_THREAD_SINGLE);
  MPI_Comm_create_keyval(copies, deletes, &keyval, &deleted);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_of_all, &last, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, last, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  MPI_Comm_set_attr(second, keyval, (char *)NULL + 100);
  for (int i = 0; i < 3; i++) {
    MPI_Comm_dup(second, &copy);
    MPI_Comm_free(&copy);
  }
  MPI_Comm_delete_attr(second, keyval);
  MPI_Comm_free(&second);
  MPI_Comm_free_keyval(&keyval);
  NEED(deleted == 3 * 101 + 100);
  return ends();
}

FUNCTION int query(void *state, MPI_Status *status) {
  int own = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  MPI_Status_set_elements(status, MPI_INT, *(int *)state);
  MPI_Status_set_cancelled(status, *(int *)state == 0);
  status->MPI_SOURCE = own;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
FUNCTION int freed(void *state) {
  swaps(*(int *)state);
  return MPI_SUCCESS;
}
static MPI_Request pending;
FUNCTION int cancels(void *state, int complete) {
  if (complete) return MPI_SUCCESS;
  *(int *)state = 0;
  MPI_Grequest_complete(pending);
  return MPI_SUCCESS;
}
FUNCTION int requests(void) {
  begins(MPI_THREAD_SINGLE);
  for (int i = 0; i < 4; i++) {
    int state = 7, cancelled = -1, count = -1;
    MPI_Status status;
    MPI_Grequest_start(query, freed, cancels, &state, &pending);
    if (i % 2) MPI_Cancel(&pending);
    else MPI_Grequest_complete(pending);
    MPI_Wait(&pending, &status);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Get_elements(&status, MPI_INT, &count);
    NEED(cancelled == i % 2 && status.MPI_SOURCE == rank && (i % 2 || count == 7));
  }
  return ends();
}

int main(int argc, char **argv) {
  const struct odd_case cases[] = {
      {"error_jump", error_jump}, {"operation_jump", operation_jump}, {"operations", operations},
      {"attributes", attributes}, {"requests", requests}};
  if (argc < 2) return 98;
  RUN_CASE(cases, argv[1]);
}
