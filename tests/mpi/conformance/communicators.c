/* Groups, communicators by every constructor, their names, information and attributes with callbacks, whose order
 * is said; info objects; buffers, memory and conversions of handles. */
#include "observe.h"

static const char* relation(int result) {
  return result == MPI_IDENT ? "identical" : result == MPI_CONGRUENT ? "congruent" : result == MPI_SIMILAR ? "similar"
         : result == MPI_UNEQUAL ? "unequal" : "none";
}

static void say_comm(const char* what, MPI_Comm comm) {
  int own = -1, all = -1, inter = -1, remote = -1, result = -1;
  if (comm == MPI_COMM_NULL) {
    say("%s: null", what);
    return;
  }
  CALL(MPI_Comm_rank, comm, &own);
  CALL(MPI_Comm_size, comm, &all);
  CALL(MPI_Comm_test_inter, comm, &inter);
  if (inter) CALL(MPI_Comm_remote_size, comm, &remote);
  CALL(MPI_Comm_compare, MPI_COMM_WORLD, comm, &result);
  say("%s: rank %d of %d, inter %d, remote %d, %s", what, own, all, inter, remote, inter ? "-" : relation(result));
  if (!inter) {
    int sum = -1;
    CALL(MPI_Allreduce, &rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    say("sum %d", sum);
  }
}

static void say_group(const char* what, MPI_Group group) {
  int own = -1, all = -1, i, ranks[16], numbers[16];
  MPI_Group world;
  CALL(MPI_Group_rank, group, &own);
  CALL(MPI_Group_size, group, &all);
  CALL(MPI_Comm_group, MPI_COMM_WORLD, &world);
  for (i = 0; i < all; i++) numbers[i] = i;
  CALL(MPI_Group_translate_ranks, group, all, numbers, world, ranks);
  say("%s: rank %d of %d", what, own == MPI_UNDEFINED ? -1 : own, all);
  say_numbers("in the world", ranks, all);
  if (group != MPI_GROUP_EMPTY) CALL(MPI_Group_free, &group);
  CALL(MPI_Group_free, &world);
}

static void groups(void) {
  MPI_Group world, some, rest, group;
  int list[2] = {size - 1, 0}, ranges[1][3] = {{0, size - 1, 2}}, result;
  TRY(MPI_Comm_group, MPI_COMM_WORLD, &world);
  TRY(MPI_Group_incl, world, 2, list, &some);
  TRY(MPI_Group_excl, world, 1, list, &rest);
  TRY(MPI_Group_union, some, rest, &group);
  TRY(MPI_Group_compare, group, world, &result);
  say("compare: %s", relation(result));
  say_group("union", group);
  TRY(MPI_Group_intersection, rest, some, &group);
  say_group("intersection", group);
  TRY(MPI_Group_difference, world, some, &group);
  say_group("difference", group);
  TRY(MPI_Group_range_incl, world, 1, ranges, &group);
  say_group("range_incl", group);
  TRY(MPI_Group_range_excl, world, 1, ranges, &group);
  say_group("range_excl", group);
  list[1] = size + 4;
  TRY(MPI_Group_incl, world, 2, list, &group);
  TRY(MPI_Group_free, &some);
  TRY(MPI_Group_free, &rest);
  TRY(MPI_Group_free, &world);
  say("null: %d", world == MPI_GROUP_NULL);
}

static void constructors(void) {
  MPI_Comm comm, other, half, between, merged;
  MPI_Group world, evens, remote;
  MPI_Request request;
  MPI_Info info;
  int ranges[1][3] = {{0, size - 1, 2}}, result;
  TRY(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
  say_comm("dup", comm);
  TRY(MPI_Comm_compare, MPI_COMM_WORLD, MPI_COMM_WORLD, &result);
  say("%s", relation(result));
  TRY(MPI_Comm_idup, comm, &other, &request);
  TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
  say_comm("idup", other);
  TRY(MPI_Comm_free, &other);
  CALL(MPI_Info_create, &info);
  TRY(MPI_Comm_dup_with_info, comm, info, &other);
  say_comm("dup_with_info", other);
  TRY(MPI_Comm_set_info, other, info);
  CALL(MPI_Info_free, &info);
  TRY(MPI_Comm_get_info, other, &info);
  CALL(MPI_Info_free, &info);
  TRY(MPI_Comm_free, &other);
  TRY(MPI_Comm_free, &comm);
  say("null: %d", comm == MPI_COMM_NULL);
  TRY(MPI_Comm_split, MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 3, -rank, &comm);
  say_comm("split", comm);
  if (comm != MPI_COMM_NULL) CALL(MPI_Comm_free, &comm);
  TRY(MPI_Comm_split_type, MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm);
  say_comm("split_type", comm);
  CALL(MPI_Comm_free, &comm);
  TRY(MPI_Comm_split_type, MPI_COMM_WORLD, MPI_UNDEFINED, rank, MPI_INFO_NULL, &comm);
  say_comm("split_type of none", comm);
  CALL(MPI_Comm_group, MPI_COMM_WORLD, &world);
  CALL(MPI_Group_range_incl, world, 1, ranges, &evens);
  TRY(MPI_Comm_create, MPI_COMM_WORLD, evens, &comm);
  say_comm("create", comm);
  if (comm != MPI_COMM_NULL) CALL(MPI_Comm_free, &comm);
  if (rank % 2 == 0) {
    TRY(MPI_Comm_create_group, MPI_COMM_WORLD, evens, 17, &comm);
    say_comm("create_group", comm);
    CALL(MPI_Comm_free, &comm);
  }
#if MPI_VERSION >= 4
  if (rank % 2 == 0) {
    TRY(MPI_Comm_create_from_group, evens, "conformance", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    say_comm("create_from_group", comm);
    CALL(MPI_Comm_free, &comm);
  }
  TRY(MPI_Comm_idup_with_info, MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &request);
  TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
  say_comm("idup_with_info", comm);
  CALL(MPI_Comm_free, &comm);
#endif
  CALL(MPI_Comm_split, MPI_COMM_WORLD, rank % 2, rank, &half);
  TRY(MPI_Intercomm_create, half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
  say_comm("inter", between);
  TRY(MPI_Comm_remote_group, between, &remote);
  say_group("remote", remote);
  TRY(MPI_Comm_dup, between, &other);
  TRY(MPI_Comm_compare, between, other, &result);
  say("%s", relation(result));
  {
    int value = rank, got = -1;
    MPI_Status status = fresh_status();
    if (rank < 2) {
      TRY(MPI_Sendrecv, &value, 1, MPI_INT, 0, 4, &got, 1, MPI_INT, MPI_ANY_SOURCE, 4, other, &status);
      say_status("between", &status, MPI_INT);
      say("got %d", got);
    }
  }
  TRY(MPI_Comm_split, between, rank < 2, 0, &comm);
  say_comm("split of inter", comm);
  if (comm != MPI_COMM_NULL) CALL(MPI_Comm_free, &comm);
  TRY(MPI_Intercomm_merge, between, rank % 2, &merged);
  say_comm("merged", merged);
  TRY(MPI_Comm_free, &merged);
  TRY(MPI_Comm_free, &other);
  TRY(MPI_Comm_free, &between);
  CALL(MPI_Comm_free, &half);
#if MPI_VERSION >= 4
  {
    const int is_even = rank % 2 == 0;
    MPI_Group odds;
    CALL(MPI_Group_difference, world, evens, &odds);
    TRY(MPI_Intercomm_create_from_groups, is_even ? evens : odds, 0, is_even ? odds : evens, 0, "two sides", MPI_INFO_NULL,
        MPI_ERRORS_RETURN, &between);
    say_comm("inter from groups", between);
    CALL(MPI_Comm_free, &between);
    CALL(MPI_Group_free, &odds);
  }
#endif
  CALL(MPI_Group_free, &evens);
  CALL(MPI_Group_free, &world);
  CALL(MPI_Comm_dup, MPI_COMM_SELF, &comm);
  TRY(MPI_Comm_disconnect, &comm);
  say("null: %d", comm == MPI_COMM_NULL);
  TRY(MPI_Comm_dup, MPI_COMM_NULL, &comm);
  TRY(MPI_Comm_free, &comm);
#ifdef MPICH /* looks at the pointers it is given */
  TRY(MPI_Comm_free, NULL);
#endif
  TRY(MPI_Comm_rank, MPI_COMM_NULL, &result);
  TRY(MPI_Comm_split, MPI_COMM_WORLD, -5, 0, &comm);
}

/* Communicators freed while receives and sends on them are open, and their handles used again. */
static void freed_early(void) {
  int round, value = rank, got = -1;
  for (round = 0; round < 20; round++) {
    MPI_Comm comm;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
    CALL(MPI_Irecv, &got, 1, MPI_INT, MPI_ANY_SOURCE, round, comm, &requests[0]);
    CALL(MPI_Isend, &value, 1, MPI_INT, (rank + 1) % size, round, comm, &requests[1]);
    CALL(MPI_Comm_free, &comm);
    CALL(MPI_Waitall, 2, requests, statuses);
    if (round > 17) say_status("freed early", &statuses[0], MPI_INT);
  }
}

static void names(void) {
  char name[MPI_MAX_OBJECT_NAME] = "?";
  int length = -1;
  MPI_Comm comm;
  TRY(MPI_Comm_get_name, MPI_COMM_WORLD, name, &length);
  say("%s, %d", name, length);
  TRY(MPI_Comm_get_name, MPI_COMM_SELF, name, &length);
  say("%s, %d", name, length);
  CALL(MPI_Comm_dup, MPI_COMM_SELF, &comm);
  TRY(MPI_Comm_set_name, comm, "my own");
  TRY(MPI_Comm_get_name, comm, name, &length);
  say("%s, %d", name, length);
  CALL(MPI_Comm_free, &comm);
}

static int copy(MPI_Comm old, int key, void* state, void* value, void* other, int* flag) {
  (void)old, (void)key;
  say("copy %ld, state %ld", (long)value, (long)state);
  *(void**)other = (char*)value + 100;
  *flag = (long)value != 2;
  return (long)value == 9 ? MPI_ERR_OTHER : MPI_SUCCESS;
}
static int gone(MPI_Comm old, int key, void* value, void* state) {
  (void)old, (void)key, (void)state;
  say("delete %ld", (long)value);
  return (long)value == 8 ? MPI_ERR_OTHER : MPI_SUCCESS;
}
static int at_the_end(MPI_Comm old, int key, void* value, void* state) {
  int finalized = -1, number = -1;
  (void)old, (void)key, (void)state;
  MPI_Finalized(&finalized); /* from a callback: not the program's own call */
  MPI_Comm_rank(MPI_COMM_SELF, &number);
  say("delete %ld at the end, finalized %d, rank %d", (long)value, finalized, number);
  return MPI_SUCCESS;
}

static void attributes(void) {
  int keys[4], i, flag = -1, old;
  void* value;
  MPI_Comm comm, other;
  const int predefined[] = {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_LASTUSEDCODE};
  for (i = 0; i < 7; i++) {
    int* number = NULL;
    TRY(MPI_Comm_get_attr, MPI_COMM_WORLD, predefined[i], &number, &flag);
    say("predefined: %d %d", flag, flag ? *number : 0);
  }
  CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
  for (i = 0; i < 3; i++) {
    TRY(MPI_Comm_create_keyval, copy, gone, &keys[i], (void*)7L);
    TRY(MPI_Comm_set_attr, comm, keys[i], (void*)(long)(i + 1));
  }
  TRY(MPI_Comm_dup, comm, &other);
  for (i = 0; i < 3; i++) {
    value = NULL;
    TRY(MPI_Comm_get_attr, other, keys[i], &value, &flag);
    say("attribute: %d %ld", flag, flag ? (long)value : 0);
  }
  TRY(MPI_Comm_delete_attr, comm, keys[0]);
  TRY(MPI_Comm_set_attr, comm, keys[1], (void*)9L);
  {
    MPI_Comm never;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    TRY(MPI_Comm_dup, comm, &never); /* a callback refuses */
  }
  TRY(MPI_Comm_set_attr, comm, keys[1], (void*)8L);
  TRY(MPI_Comm_delete_attr, comm, keys[1]); /* refused as well */
  TRY(MPI_Comm_set_attr, comm, keys[1], (void*)5L);
  TRY(MPI_Comm_get_attr, comm, MPI_KEYVAL_INVALID, &value, &flag);
  for (i = 0; i < 3; i++) TRY(MPI_Comm_free_keyval, &keys[i]);
  say("invalid: %d; free", keys[0] == MPI_KEYVAL_INVALID);
  TRY(MPI_Comm_free, &other);
  TRY(MPI_Comm_free, &comm);
  for (i = 0; i < 2; i++) { /* deleted first thing in MPI_Finalize */
    TRY(MPI_Comm_create_keyval, MPI_COMM_NULL_COPY_FN, at_the_end, &keys[3], NULL);
    TRY(MPI_Comm_set_attr, MPI_COMM_SELF, keys[3], (void*)(long)(21 + i));
  }
  TRY(MPI_Keyval_create, copy, gone, &old, NULL); /* the names of MPI-1 */
  TRY(MPI_Attr_put, MPI_COMM_SELF, old, (void*)4L);
  TRY(MPI_Attr_get, MPI_COMM_SELF, old, &value, &flag);
  say("attribute: %d %ld", flag, (long)value);
  TRY(MPI_Attr_delete, MPI_COMM_SELF, old);
  TRY(MPI_Keyval_free, &old);
}

static void information(void) {
  MPI_Info info, other;
  char value[64] = "?", key[MPI_MAX_INFO_KEY];
  int keys = -1, flag = -1, length = -1, i;
  TRY(MPI_Info_create, &info);
  TRY(MPI_Info_set, info, "one", "first value");
  TRY(MPI_Info_set, info, "two", "second");
  TRY(MPI_Info_set, info, "two", "again");
  TRY(MPI_Info_get_nkeys, info, &keys);
  for (i = 0; i < keys; i++) {
    TRY(MPI_Info_get_nthkey, info, i, key);
    TRY(MPI_Info_get, info, key, 63, value, &flag);
    say("%s = %s, %d", key, value, flag);
  }
  TRY(MPI_Info_get_valuelen, info, "one", &length, &flag);
  say("length %d %d", length, flag);
  TRY(MPI_Info_get, info, "three", 63, value, &flag);
  say("there: %d", flag);
  TRY(MPI_Info_dup, info, &other);
  TRY(MPI_Info_delete, info, "one");
  TRY(MPI_Comm_set_errhandler, MPI_COMM_SELF, MPI_ERRORS_RETURN);
  TRY(MPI_Info_delete, info, "one");
  TRY(MPI_Info_get_nkeys, other, &keys);
  say("%d keys", keys);
#if MPI_VERSION >= 4
  length = (int)sizeof value;
  TRY(MPI_Info_get_string, other, "two", &length, value, &flag);
  say("%s %d %d", value, length, flag);
  {
    MPI_Info environment;
    TRY(MPI_Info_create_env, 0, NULL, &environment);
    CALL(MPI_Info_free, &environment);
  }
#endif
  TRY(MPI_Info_free, &other);
  TRY(MPI_Info_free, &info);
  say("null: %d", info == MPI_INFO_NULL);
}

int main(int argc, char** argv) {
  begin(argc, argv);
  groups();
  constructors();
  freed_early();
  names();
  attributes();
  information();
  return finish();
}
