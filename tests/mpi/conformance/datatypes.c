/* Datatypes by every constructor, what they answer about themselves, packing and unpacking (external32 too), and
 * a message of each to oneself. */
#include "observe.h"

enum { room = 40 };
static int from[room], to[room];

static void say_type(const char* what, MPI_Datatype type) {
#ifdef LARGE
  MPI_Count bytes = -1, low = -1, extent = -1, true_low = -1, true_extent = -1, numbers = -1, addresses = -1, types = -1,
            large = -1;
#else
  int bytes = -1, numbers = -1, addresses = -1, types = -1;
  MPI_Aint low = -1, extent = -1, true_low = -1, true_extent = -1;
#endif
  MPI_Count low_x = -1, extent_x = -1;
  int combiner = -1, i;
  BIG(MPI_Type_size, type, &bytes);
  BIG(MPI_Type_get_extent, type, &low, &extent);
  BIG(MPI_Type_get_true_extent, type, &true_low, &true_extent);
  CALL(MPI_Type_get_extent_x, type, &low_x, &extent_x);
  say("%s: %ld bytes, extent %ld..%ld, true %ld..%ld, %ld %ld", what, (long)bytes, (long)low, (long)(low + extent),
      (long)true_low, (long)(true_low + true_extent), (long)low_x, (long)extent_x);
  CALL(MPI_Type_get_true_extent_x, type, &low_x, &extent_x);
  CALL(MPI_Type_size_x, type, &low_x);
  say("by count: %ld %ld", (long)low_x, (long)extent_x);
#ifdef LARGE
  CALL(MPI_Type_get_envelope_c, type, &numbers, &addresses, &large, &types, &combiner);
  say("envelope: %ld %ld %ld %ld", (long)numbers, (long)addresses, (long)large, (long)types);
  if (combiner != MPI_COMBINER_NAMED && numbers < room && addresses < room && large < room && types < room) {
    int got_numbers[room];
    MPI_Aint got_addresses[room];
    MPI_Count got_large[room];
    MPI_Datatype got_types[room];
    CALL(MPI_Type_get_contents_c, type, numbers, addresses, large, types, got_numbers, got_addresses, got_large, got_types);
    for (i = 0; i < large; i++) say("number %ld", (long)got_large[i]);
    for (i = 0; i < types; i++) {
      int parts, other, more, inner;
      PMPI_Type_get_envelope(got_types[i], &parts, &other, &more, &inner);
      if (inner != MPI_COMBINER_NAMED) PMPI_Type_free(&got_types[i]);
    }
  }
#else
  CALL(MPI_Type_get_envelope, type, &numbers, &addresses, &types, &combiner);
  say("envelope: %d %d %d, combiner %d", numbers, addresses, types, combiner);
  if (combiner != MPI_COMBINER_NAMED && numbers < room && addresses < room && types < room) {
    int got_numbers[room];
    MPI_Aint got_addresses[room];
    MPI_Datatype got_types[room];
    CALL(MPI_Type_get_contents, type, numbers, addresses, types, got_numbers, got_addresses, got_types);
    say_numbers("numbers", got_numbers, numbers);
    for (i = 0; i < addresses; i++) say("address %ld", (long)got_addresses[i]);
    for (i = 0; i < types; i++) {
      int parts, other, more, inner;
      PMPI_Type_get_envelope(got_types[i], &parts, &other, &more, &inner);
      if (inner != MPI_COMBINER_NAMED) PMPI_Type_free(&got_types[i]);
    }
  }
#endif
}

/* Sends and packs one. */
static void use(const char* what, MPI_Datatype* type) {
  char packed[2048] = "";
#ifdef LARGE
  MPI_Count position = 0, need = 0, elements = -1;
#else
  int position = 0, need = 0, elements = -1;
#endif
  MPI_Count elements_x = -1;
#ifdef LARGE
  MPI_Count at = 0, external = 0, count = -1;
#else
  MPI_Aint at = 0, external = 0;
  int count = -1;
#endif
  MPI_Status status = fresh_status();
  int i;
  TRY(MPI_Type_commit, type);
  say_type(what, *type);
  for (i = 0; i < room; i++) from[i] = 3 * i + 1, to[i] = -1;
  BIG(MPI_Sendrecv, from, 1, *type, rank, 1, to, 1, *type, rank, 1, MPI_COMM_WORLD, &status);
  say_numbers("to oneself", to, room);
  BIG(MPI_Get_count, &status, *type, &count);
  BIG(MPI_Get_elements, &status, *type, &elements);
  CALL(MPI_Get_elements_x, &status, *type, &elements_x);
  say("count %ld elements %ld %ld", (long)count, (long)elements, (long)elements_x);
  for (i = 0; i < room; i++) to[i] = -1;
  TRY_BIG(MPI_Pack_size, 1, *type, MPI_COMM_WORLD, &need);
  say("needs %ld", (long)need);
  TRY_BIG(MPI_Pack, from, 1, *type, packed, (Count)sizeof packed, &position, MPI_COMM_WORLD);
  say("packed %ld", (long)position);
  position = 0;
  TRY_BIG(MPI_Unpack, packed, (Count)sizeof packed, &position, to, 1, *type, MPI_COMM_WORLD);
  say("unpacked %ld", (long)position);
  say_numbers("unpacked", to, room);
  for (i = 0; i < room; i++) to[i] = -1;
  TRY_BIG(MPI_Pack_external_size, "external32", 1, *type, &external);
  TRY_BIG(MPI_Pack_external, "external32", from, 1, *type, packed, sizeof packed, &at);
  say("external %ld %ld: %02x %02x %02x %02x", (long)external, (long)at, packed[0] & 255, packed[1] & 255, packed[2] & 255,
      packed[3] & 255);
  at = 0;
  TRY_BIG(MPI_Unpack_external, "external32", packed, sizeof packed, &at, to, 1, *type);
  say_numbers("unpacked", to, room);
  TRY(MPI_Type_free, type);
  say("null: %d", *type == MPI_DATATYPE_NULL);
}

static void constructors(void) {
  const Count lengths[3] = {2, 1, 3};
  const Place places[3] = {0, 4, 8};
#ifdef LARGE
  const MPI_Count far[3] = {0, 16, 32}, whole[2] = {4, 6}, part[2] = {2, 3}, first[2] = {1, 2}, spot[3] = {0, 4, 8};
#else
  const MPI_Aint far[3] = {0, 16, 32};
  const int whole[2] = {4, 6}, part[2] = {2, 3}, first[2] = {1, 2}, spot[3] = {0, 4, 8};
#endif
  const int grid[2] = {size, 1}, how[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
            arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
#ifdef MPICH /* whose 4.0 ends the program when it counts or packs several kinds */
  MPI_Datatype mixed[3] = {MPI_INT, MPI_INT, MPI_INT};
#else
  MPI_Datatype mixed[3] = {MPI_INT, MPI_FLOAT, MPI_INT};
#endif
  MPI_Datatype type, inner;
  (void)places;
  TRY_BIG(MPI_Type_contiguous, 5, MPI_INT, &type);
  use("contiguous", &type);
  TRY_BIG(MPI_Type_vector, 3, 2, 4, MPI_INT, &type);
  use("vector", &type);
  TRY_BIG(MPI_Type_create_hvector, 3, 2, 20, MPI_INT, &type);
  use("hvector", &type);
  TRY_BIG(MPI_Type_indexed, 3, lengths, spot, MPI_INT, &type);
  use("indexed", &type);
  TRY_BIG(MPI_Type_create_hindexed, 3, lengths, far, MPI_INT, &type);
  use("hindexed", &type);
  TRY_BIG(MPI_Type_create_indexed_block, 3, 2, spot, MPI_INT, &type);
  use("indexed_block", &type);
  TRY_BIG(MPI_Type_create_hindexed_block, 3, 2, far, MPI_INT, &type);
  use("hindexed_block", &type);
  TRY_BIG(MPI_Type_create_struct, 3, lengths, far, mixed, &type);
  use("struct", &type);
  TRY_BIG(MPI_Type_create_subarray, 2, whole, part, first, MPI_ORDER_C, MPI_INT, &type);
  use("subarray", &type);
  TRY_BIG(MPI_Type_create_subarray, 2, whole, part, first, MPI_ORDER_FORTRAN, MPI_INT, &type);
  use("subarray of Fortran", &type);
  TRY_BIG(MPI_Type_create_darray, size, rank, 2, whole, how, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  use("darray", &type);
  TRY_BIG(MPI_Type_create_resized, MPI_INT, -4, 12, &inner);
  TRY_BIG(MPI_Type_contiguous, 3, inner, &type);
  use("resized", &type);
  TRY(MPI_Type_dup, inner, &type);
  use("dup", &type);
  CALL(MPI_Type_free, &inner);
#ifndef MPICH /* whose 4.0 crashes unpacking nothing */
  TRY_BIG(MPI_Type_contiguous, 0, MPI_INT, &type);
  use("nothing", &type);
#endif
  TRY_BIG(MPI_Type_contiguous, -1, MPI_INT, &type);
  TRY_BIG(MPI_Type_contiguous, 1, MPI_DATATYPE_NULL, &type);
  inner = MPI_INT;
  TRY(MPI_Type_free, &inner);
}

static void of_fortran_and_c(void) {
  int bytes;
  MPI_Datatype type;
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  if (TRY(MPI_Type_create_f90_real, 12, MPI_UNDEFINED, &type) == MPI_SUCCESS) say_type("f90 real", type);
  if (TRY(MPI_Type_create_f90_complex, 6, MPI_UNDEFINED, &type) == MPI_SUCCESS) say_type("f90 complex", type);
  if (TRY(MPI_Type_create_f90_integer, 8, &type) == MPI_SUCCESS) say_type("f90 integer", type);
  TRY(MPI_Type_match_size, MPI_TYPECLASS_REAL, 8, &type);
  CALL(MPI_Type_size, type, &bytes);
  say("matched %d", bytes);
  TRY(MPI_Type_match_size, MPI_TYPECLASS_INTEGER, 3, &type);
  TRY(MPI_Type_get_name, MPI_DOUBLE, name, &length);
  say("%s, %d", name, length);
  CALL(MPI_Type_contiguous, 2, MPI_INT, &type);
  TRY(MPI_Type_get_name, type, name, &length);
  say("unnamed: %d", length);
  TRY(MPI_Type_set_name, type, "two");
  TRY(MPI_Type_get_name, type, name, &length);
  say("%s, %d", name, length);
  CALL(MPI_Type_free, &type);
}

/* Callbacks: their order and what they were given. */
static int copy(MPI_Datatype old, int key, void* state, void* value, void* other, int* flag) {
  (void)old, (void)key;
  say("copy %ld, state %ld", (long)value, (long)state);
  *(void**)other = (char*)value + 100;
  *flag = (long)value != 2;
  return MPI_SUCCESS;
}
static int gone(MPI_Datatype old, int key, void* value, void* state) {
  (void)old, (void)key, (void)state;
  say("delete %ld", (long)value);
  return MPI_SUCCESS;
}

static void attributes(void) {
  int keys[3], i, flag;
  void* value;
  MPI_Datatype type, other;
  CALL(MPI_Type_contiguous, 2, MPI_INT, &type);
  for (i = 0; i < 3; i++) {
    TRY(MPI_Type_create_keyval, copy, gone, &keys[i], (void*)7L);
    TRY(MPI_Type_set_attr, type, keys[i], (void*)(long)(i + 1));
  }
  TRY(MPI_Type_dup, type, &other);
  for (i = 0; i < 3; i++) {
    value = NULL;
    TRY(MPI_Type_get_attr, other, keys[i], &value, &flag);
    say("attribute: %d %ld", flag, flag ? (long)value : 0);
  }
  TRY(MPI_Type_delete_attr, type, keys[0]);
  for (i = 0; i < 3; i++) TRY(MPI_Type_free_keyval, &keys[i]);
  say("free");
  TRY(MPI_Type_free, &other);
  TRY(MPI_Type_free, &type);
}

int main(int argc, char** argv) {
  begin(argc, argv);
  constructors();
  of_fortran_and_c();
  attributes();
#if !defined LARGE
  { /* what was removed from the standard, where the library still has it */
    int lengths[2] = {1, 2};
    MPI_Aint places[2] = {0, 8}, address = 0, extent = 0, low = 0, high = 0;
    MPI_Datatype types[2] = {MPI_INT, MPI_INT}, type;
    TRY(MPI_Address, from, &address);
    say("address: %d", address != 0);
    TRY(MPI_Type_hvector, 2, 1, 8, MPI_INT, &type);
    TRY(MPI_Type_extent, type, &extent);
    TRY(MPI_Type_lb, type, &low);
    TRY(MPI_Type_ub, type, &high);
    say("extent %ld, %ld..%ld", (long)extent, (long)low, (long)high);
    CALL(MPI_Type_free, &type);
    TRY(MPI_Type_hindexed, 2, lengths, places, MPI_INT, &type);
    use("old hindexed", &type);
    TRY(MPI_Type_struct, 2, lengths, places, types, &type);
    use("old struct", &type);
  }
#endif
  return finish();
}
