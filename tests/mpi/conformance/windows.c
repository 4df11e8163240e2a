/* Windows: made in every way, with every kind of synchronisation, every one-sided operation, their information,
 * names, attributes and errors. Two ranks and more; who writes where is disjoint or ordered by the epochs. */
#include "observe.h"

enum { room = 16 };
static MPI_Win win;
static int* memory;

static void show(const char* what) { say_numbers(what, memory, room); }
static void reset(void) {
  int i;
  for (i = 0; i < room; i++) memory[i] = 100 * rank + i;
}

static void fences(void) {
  const int right = (rank + 1) % size;
  int mine[4] = {1 + rank, 2 + rank, 3 + rank, 4 + rank}, got[4] = {0};
  reset();
  TRY(MPI_Win_fence, MPI_MODE_NOPRECEDE, win);
  TRY_BIG(MPI_Put, mine, 2, MPI_INT, right, 0, 2, MPI_INT, win);
  TRY_BIG(MPI_Get, got, 2, MPI_INT, right, 4, 2, MPI_INT, win);
  TRY_BIG(MPI_Accumulate, mine, 2, MPI_INT, right, 8, 2, MPI_INT, MPI_SUM, win);
  TRY(MPI_Win_fence, 0, win);
  TRY_BIG(MPI_Put, mine, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
  TRY_BIG(MPI_Put, mine, 0, MPI_INT, right, 0, 0, MPI_INT, win);
  TRY(MPI_Win_fence, MPI_MODE_NOSUCCEED, win);
  show("after the fence");
  say_numbers("got", got, 2);
}

static void post_and_start(void) {
  int targets[1] = {0}, i, flag, value = 70 + rank, origins[8];
  MPI_Group world, group;
  CALL(MPI_Comm_group, MPI_COMM_WORLD, &world);
  reset();
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  for (i = 0; i < 2; i++) {
    if (rank == 0) {
      for (flag = 1; flag < size; flag++) origins[flag - 1] = flag;
      CALL(MPI_Group_incl, world, size - 1, origins, &group);
      TRY(MPI_Win_post, group, 0, win);
      if (i == 0) {
        TRY(MPI_Win_wait, win);
      } else { /* how many tests it takes is chance: one is counted */
        CALL(MPI_Barrier, MPI_COMM_WORLD);
        CALL(MPI_Win_test, win, &flag);
        while (!flag) PMPI_Win_test(win, &flag);
        say("test: %d", flag);
      }
      CALL(MPI_Group_free, &group);
    } else {
      CALL(MPI_Group_incl, world, 1, targets, &group);
      TRY(MPI_Win_start, group, 0, win);
      TRY_BIG(MPI_Put, &value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
      TRY(MPI_Win_complete, win);
      if (i == 1) CALL(MPI_Barrier, MPI_COMM_WORLD);
      CALL(MPI_Group_free, &group);
    }
  }
  CALL(MPI_Group_free, &world);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  show("after post and start");
}

static void locks(void) {
  int mine[2] = {5, 6}, got[4] = {0}, one = 1, old = -1, compare, i;
  MPI_Request requests[4];
  reset();
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  if (rank == 1) { /* alone, so that every value is known */
    TRY(MPI_Win_lock, MPI_LOCK_EXCLUSIVE, 0, 0, win);
    TRY_BIG(MPI_Put, mine, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
    TRY(MPI_Win_flush, 0, win);
    TRY_BIG(MPI_Get, got, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
    TRY(MPI_Win_flush_local, 0, win);
    TRY(MPI_Win_unlock, 0, win);
    say_numbers("got", got, 2);
    TRY(MPI_Win_lock, MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);
    TRY(MPI_Fetch_and_op, &one, &old, MPI_INT, 0, 2, MPI_SUM, win);
    TRY(MPI_Win_flush, 0, win);
    say("fetched %d", old);
    compare = 3;
    one = 77;
    TRY(MPI_Compare_and_swap, &one, &compare, &old, MPI_INT, 0, 3, win);
    TRY(MPI_Win_flush, 0, win);
    say("swapped %d", old);
    TRY(MPI_Win_unlock, 0, win);
  }
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  TRY(MPI_Win_lock_all, 0, win);
  if (rank == 1) {
    TRY_BIG(MPI_Get_accumulate, mine, 2, MPI_INT, got, 2, MPI_INT, 0, 4, 2, MPI_INT, MPI_SUM, win);
    TRY(MPI_Win_flush_local_all, win);
    TRY(MPI_Win_flush_all, win);
    say_numbers("got and added", got, 2);
    TRY_BIG(MPI_Rput, mine, 2, MPI_INT, 0, 6, 2, MPI_INT, win, &requests[0]);
    TRY_BIG(MPI_Raccumulate, mine, 2, MPI_INT, 0, 8, 2, MPI_INT, MPI_SUM, win, &requests[1]);
    TRY(MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
    TRY(MPI_Win_flush, 0, win);
    TRY_BIG(MPI_Rget, got, 2, MPI_INT, 0, 6, 2, MPI_INT, win, &requests[0]);
    TRY_BIG(MPI_Rget_accumulate, mine, 2, MPI_INT, got + 2, 2, MPI_INT, 0, 8, 2, MPI_INT, MPI_NO_OP, win, &requests[1]);
    for (i = 0; i < 2; i++) TRY(MPI_Wait, &requests[i], MPI_STATUS_IGNORE);
    say_numbers("got by requests", got, 4);
  }
  TRY(MPI_Win_sync, win);
  TRY(MPI_Win_unlock_all, win);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  TRY(MPI_Win_lock, MPI_LOCK_SHARED, rank, 0, win);
  show("after locks");
  TRY(MPI_Win_unlock, rank, win);
}

static int copies, deletions;
static int copy(MPI_Win old, int key, void* state, void* value, void* other, int* flag) {
  (void)old, (void)key, (void)state, (void)value, (void)other;
  copies++;
  *flag = 0;
  return MPI_SUCCESS;
}
static int gone(MPI_Win old, int key, void* value, void* state) {
  (void)old, (void)key, (void)state;
  say("attribute %ld deleted", (long)value);
  deletions++;
  return MPI_SUCCESS;
}

static int handled;
static void handler(MPI_Win* which, int* code, ...) {
  (void)which;
  handled++;
  say("handler of a window: %s", class_name(*code));
}

static void properties(void) {
  int key, flag = 0, length = 0, *unit, *flavour, *model, predefined[3] = {MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT}, i;
  char name[MPI_MAX_OBJECT_NAME] = "";
  void* value;
  MPI_Group group;
  MPI_Info info;
  MPI_Errhandler own, was;
  TRY(MPI_Win_set_name, win, "the window");
  TRY(MPI_Win_get_name, win, name, &length);
  say("%s, %d", name, length);
  TRY(MPI_Win_get_group, win, &group);
  PMPI_Group_size(group, &length);
  say("group of %d", length);
  CALL(MPI_Group_free, &group);
  TRY(MPI_Win_get_info, win, &info);
  TRY(MPI_Win_set_info, win, info);
  CALL(MPI_Info_free, &info);
  for (i = 0; i < 3; i++) {
    TRY(MPI_Win_get_attr, win, predefined[i], &value, &flag);
    say("predefined: %d", flag);
  }
  CALL(MPI_Win_get_attr, win, MPI_WIN_DISP_UNIT, &unit, &flag);
  CALL(MPI_Win_get_attr, win, MPI_WIN_CREATE_FLAVOR, &flavour, &flag);
  CALL(MPI_Win_get_attr, win, MPI_WIN_MODEL, &model, &flag);
  say("unit %d flavour %d model %d", *unit, *flavour, *model);
  TRY(MPI_Win_create_keyval, copy, gone, &key, NULL);
  TRY(MPI_Win_set_attr, win, key, (void*)11);
  TRY(MPI_Win_set_attr, win, key, (void*)12);
  TRY(MPI_Win_get_attr, win, key, &value, &flag);
  say("value %ld %d", (long)value, flag);
  TRY(MPI_Win_delete_attr, win, key);
  TRY(MPI_Win_get_attr, win, key, &value, &flag);
  say("there: %d", flag);
  TRY(MPI_Win_set_attr, win, key, (void*)13); /* goes with the window */
  TRY(MPI_Win_free_keyval, &key);
  say("deletions %d", deletions);
  TRY(MPI_Win_create_errhandler, handler, &own);
  TRY(MPI_Win_set_errhandler, win, own);
  TRY(MPI_Win_get_errhandler, win, &was);
  say("same: %d", was == own);
  CALL(MPI_Errhandler_free, &was);
  TRY(MPI_Win_call_errhandler, win, MPI_ERR_ARG);
  TRY_BIG(MPI_Put, memory, 1, MPI_INT, size, 0, 1, MPI_INT, win);
  TRY(MPI_Win_unlock, 0, win);
  TRY(MPI_Win_set_errhandler, win, MPI_ERRORS_RETURN);
  TRY_BIG(MPI_Put, memory, -1, MPI_INT, 0, 0, 1, MPI_INT, win);
  TRY(MPI_Win_complete, win);
  TRY(MPI_Win_lock, 12345, 0, 0, win);
  say("handled %d", handled);
  CALL(MPI_Errhandler_free, &own);
}

static void dynamic(void) {
  static int attached[room];
  MPI_Aint place = 0, of_zero;
  int value = 42;
  MPI_Win moving;
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  TRY(MPI_Win_create_dynamic, MPI_INFO_NULL, MPI_COMM_WORLD, &moving);
  if (rank == 0) {
    TRY(MPI_Win_attach, moving, attached, sizeof attached);
    CALL(MPI_Get_address, &attached[3], &place);
  }
  of_zero = place;
  CALL(MPI_Bcast, &of_zero, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  TRY(MPI_Win_fence, 0, moving);
  if (rank == 1) TRY_BIG(MPI_Put, &value, 1, MPI_INT, 0, of_zero, 1, MPI_INT, moving);
  TRY(MPI_Win_fence, 0, moving);
  if (rank == 0) {
    say("attached: %d", attached[3]);
    TRY(MPI_Win_detach, moving, attached);
  }
  TRY(MPI_Win_free, &moving);
}

static void shared(void) {
  int *own = NULL, *other = NULL, i;
  MPI_Aint bytes = 0;
#ifdef LARGE
  MPI_Aint unit = 0;
#else
  int unit = 0;
#endif
  MPI_Win together;
  TRY_BIG(MPI_Win_allocate_shared, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &together);
  TRY(MPI_Win_lock_all, MPI_MODE_NOCHECK, together);
  for (i = 0; i < 4; i++) own[i] = 10 * rank + i;
  TRY(MPI_Win_sync, together);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  TRY_BIG(MPI_Win_shared_query, together, (rank + 1) % size, &bytes, &unit, &other);
  say("%ld bytes, unit %d, %d", (long)bytes, (int)unit, other[1]);
  TRY_BIG(MPI_Win_shared_query, together, MPI_PROC_NULL, &bytes, &unit, &other);
  say("%ld bytes, unit %d", (long)bytes, (int)unit);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  TRY(MPI_Win_unlock_all, together);
  TRY(MPI_Win_free, &together);
}

int main(int argc, char** argv) {
  int which;
  static int own_memory[room];
  begin(argc, argv);
  for (which = 0; which < 3; which++) {
    memory = own_memory;
    if (which == 0) TRY_BIG(MPI_Win_create, memory, sizeof own_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (which == 1) TRY_BIG(MPI_Win_allocate, sizeof own_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (which == 2) {
      TRY(MPI_Alloc_mem, sizeof own_memory, MPI_INFO_NULL, &memory);
      TRY_BIG(MPI_Win_create, memory, sizeof own_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    }
    PMPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (which != 2) fences();
    if (which != 1) post_and_start();
    if (which != 0) locks();
    if (which == 0) properties();
    TRY(MPI_Win_free, &win);
    say("null: %d", win == MPI_WIN_NULL);
    if (which == 2) TRY(MPI_Free_mem, memory);
  }
  say("copies %d deletions %d", copies, deletions);
  dynamic();
  shared();
  TRY(MPI_Win_free, &win); /* MPI_WIN_NULL */
#ifdef MPICH /* looks at the pointers it is given */
  TRY(MPI_Win_free, NULL);
#endif
  return finish();
}
