/* All collectives, blocking, non-blocking and persistent, in place and not, on MPI_COMM_WORLD, on a communicator
 * of other order, and between two groups; with operations of MPI and of the program. */
#include "observe.h"

enum { room = 32, most = 8 };
static int in[room], out[room], place, ranks;
static Count counts[most], ones[most];
static Place places[most], steps[most], bytes[most];
static MPI_Datatype types[most], pair_type;
static MPI_Op own_op;

static void reset(void) {
  int i;
  for (i = 0; i < room; i++) {
    in[i] = 100 * (place + 1) + i;
    out[i] = -1;
  }
}

#ifdef LARGE
static void then(void* left, void* right, MPI_Count* count, MPI_Datatype* type) {
#else
static void then(void* left, void* right, int* count, MPI_Datatype* type) {
#endif
  int i;
  for (i = 0; i < (int)*count; i++) ((int*)right)[i] = (((int*)left)[i] * 7 + ((int*)right)[i]) % 10007;
  (void)type;
}

#define FORM(name) name##_blocking
#define DO(Name, name, ...) TRY_BIG(MPI_##Name, __VA_ARGS__, comm)
#define DO_BARRIER() TRY(MPI_Barrier, comm)
#include "collective_cases.h"

#define FORM(name) name##_non_blocking
#define COMPLETE(made)                                     \
  if ((made) == MPI_SUCCESS) {                             \
    MPI_Status status = fresh_status();                    \
    TRY(MPI_Wait, &request, &status);                      \
    say("null: %d", request == MPI_REQUEST_NULL);          \
  }
#define DO(Name, name, ...)                                          \
  do {                                                               \
    MPI_Request request;                                             \
    COMPLETE(TRY_BIG(MPI_I##name, __VA_ARGS__, comm, &request));     \
  } while (0)
#define DO_BARRIER()                                   \
  do {                                                 \
    MPI_Request request;                               \
    COMPLETE(TRY(MPI_Ibarrier, comm, &request));       \
  } while (0)
#include "collective_cases.h"

#define FORM(name) name##_persistent
#if MPI_VERSION >= 4
#define INIT(Name, ...) TRY_BIG(MPI_##Name##_init, __VA_ARGS__)
#define INIT_BARRIER(...) TRY(MPI_Barrier_init, __VA_ARGS__)
#else
#define INIT(Name, ...) TRY(MPIX_##Name##_init, __VA_ARGS__)
#define INIT_BARRIER(...) TRY(MPIX_Barrier_init, __VA_ARGS__)
#endif
#define TWICE(made)                                                                        \
  if ((made) == MPI_SUCCESS) {                                                             \
    TRY(MPI_Start, &request);                                                              \
    TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);                                            \
    TRY(MPI_Request_free, &request);                                                       \
  }
#define DO(Name, name, ...)                                                                \
  do {                                                                                     \
    MPI_Request request = MPI_REQUEST_NULL;                                                \
    TWICE(INIT(Name, __VA_ARGS__, comm, MPI_INFO_NULL, &request));                         \
  } while (0)
#define DO_BARRIER()                                             \
  do {                                                           \
    MPI_Request request;                                         \
    TWICE(INIT_BARRIER(comm, MPI_INFO_NULL, &request));          \
  } while (0)
#include "collective_cases.h"

static void layout(MPI_Comm comm) {
  int i;
  PMPI_Comm_rank(comm, &place);
  PMPI_Comm_size(comm, &ranks);
  for (i = 0; i < most; i++) {
    counts[i] = i + 1;
    places[i] = (Place)(i * (i + 1) / 2 + (i > 0));
    ones[i] = 1;
    steps[i] = 2 * i;
    bytes[i] = (Place)(2 * (size_t)i * sizeof(int));
    types[i] = MPI_INT;
  }
}

/* Several at once, of several kinds, completed in another order. */
static void together(void) {
  MPI_Request requests[4];
  int sum = rank + 1, all = 0, value = 5 * rank, from[most] = {0};
  TRY(MPI_Iallreduce, &sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  TRY(MPI_Ibcast, &value, 1, MPI_INT, size - 1, MPI_COMM_WORLD, &requests[1]);
  TRY(MPI_Iallgather, &rank, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD, &requests[2]);
  TRY(MPI_Ibarrier, MPI_COMM_WORLD, &requests[3]);
  TRY(MPI_Wait, &requests[2], MPI_STATUS_IGNORE);
  TRY(MPI_Waitall, 4, requests, MPI_STATUSES_IGNORE);
  say("sum %d value %d", all, value);
  say_numbers("from", from, size);
}

int main(int argc, char** argv) {
  int commutes = -1, which;
  MPI_Comm turned, half, between;
  begin(argc, argv);
  TRY_BIG(MPI_Op_create, then, 0, &own_op);
  TRY(MPI_Op_commutative, own_op, &commutes);
  say("commutes: %d", commutes);
  TRY(MPI_Op_commutative, MPI_SUM, &commutes);
  say("commutes: %d", commutes);
  TRY_BIG(MPI_Type_vector, 2, 1, 2, MPI_INT, &pair_type);
  CALL(MPI_Type_commit, &pair_type);
  CALL(MPI_Comm_split, MPI_COMM_WORLD, 0, -rank, &turned);
  CALL(MPI_Comm_split, MPI_COMM_WORLD, rank > 0, rank, &half);
  CALL(MPI_Intercomm_create, half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 9, &between);

  layout(MPI_COMM_WORLD);
  for (which = 0; which < 2; which++) {
    intra_blocking(MPI_COMM_WORLD, which);
    intra_non_blocking(MPI_COMM_WORLD, which);
    intra_persistent(MPI_COMM_WORLD, which);
  }
  layout(turned);
  intra_blocking(turned, 0);
  layout(half);
  inter_blocking(between);
  inter_non_blocking(between);
  inter_persistent(between);
  together();

  place = rank;
  reset();
  memcpy(out, in, sizeof out);
  TRY_BIG(MPI_Reduce_local, in, out, 4, MPI_INT, MPI_PROD);
  say_numbers("reduce_local", out, 4);
  TRY_BIG(MPI_Reduce_local, in, out, 4, MPI_INT, own_op);
  say_numbers("reduce_local", out, 4);

  CALL(MPI_Comm_free, &between);
  CALL(MPI_Comm_free, &half);
  CALL(MPI_Comm_free, &turned);
  CALL(MPI_Type_free, &pair_type);
  TRY(MPI_Op_free, &own_op);
  say("null: %d", own_op == MPI_OP_NULL);
  return finish();
}
