/* Files: individual, shared and explicit places, collective, split, ordered, non-blocking, views, atomicity, what
 * is known of them, preallocation, representations of the program's, errors. */
#include "observe.h"

enum { room = 8 };
static char name[4096];
static int out[room], in[room];

static void fill(int seed) {
  int i;
  for (i = 0; i < room; i++) {
    out[i] = 1000 * seed + 100 * rank + i;
    in[i] = -1;
  }
}

static void wait_for(MPI_Request* request, const char* what) {
  MPI_Status status = fresh_status();
  int count = -1;
  TRY(MPI_Wait, request, &status);
  PMPI_Get_count(&status, MPI_INT, &count);
  say("%s: %d, null %d", what, count, *request == MPI_REQUEST_NULL);
}
static void say_count(const char* what, const MPI_Status* status) {
  int count = -1;
  PMPI_Get_count(status, MPI_INT, &count);
  say("%s: %d", what, count);
}

static void places(MPI_File file) {
  const MPI_Offset own = (MPI_Offset)(rank * room) * (MPI_Offset)sizeof(int);
  MPI_Status status = fresh_status();
  MPI_Offset offset = -1, bytes = -1;
  MPI_Request request;
  fill(1);
  TRY_BIG(MPI_File_write_at, file, own, out, room, MPI_INT, &status);
  say_count("write_at", &status);
  TRY_BIG(MPI_File_read_at, file, own, in, 4, MPI_INT, &status);
  say_count("read_at", &status);
  say_numbers("in", in, room);
  TRY(MPI_File_sync, file);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  TRY_BIG(MPI_File_read_at, file, own, in, room, MPI_INT, MPI_STATUS_IGNORE);
  TRY_BIG(MPI_File_iread_at, file, own, in, 2, MPI_INT, &request);
  wait_for(&request, "iread_at");
  fill(2);
  TRY_BIG(MPI_File_iwrite_at, file, own, out, 3, MPI_INT, &request);
  wait_for(&request, "iwrite_at");
  TRY_BIG(MPI_File_write_at_all, file, own, out, room, MPI_INT, &status);
  say_count("write_at_all", &status);
  TRY_BIG(MPI_File_read_at_all, file, own, in, room, MPI_INT, &status);
  say_count("read_at_all", &status);
  TRY_BIG(MPI_File_iwrite_at_all, file, own, out, room, MPI_INT, &request);
  wait_for(&request, "iwrite_at_all");
  TRY_BIG(MPI_File_iread_at_all, file, own, in, room, MPI_INT, &request);
  wait_for(&request, "iread_at_all");
  fill(3);
  TRY_BIG(MPI_File_write_at_all_begin, file, own, out, room, MPI_INT);
  TRY(MPI_File_write_at_all_end, file, out, &status);
  say_count("write_at_all_end", &status);
  TRY_BIG(MPI_File_read_at_all_begin, file, own, in, room, MPI_INT);
  TRY(MPI_File_read_at_all_end, file, in, &status);
  say_count("read_at_all_end", &status);
  say_numbers("in", in, room);

  TRY(MPI_File_seek, file, own, MPI_SEEK_SET);
  TRY_BIG(MPI_File_read, file, in, 3, MPI_INT, &status);
  say_count("read", &status);
  TRY(MPI_File_get_position, file, &offset);
  TRY(MPI_File_get_byte_offset, file, 12, &bytes);
  say("at %ld, byte %ld", (long)(offset - own), (long)bytes);
  TRY_BIG(MPI_File_write, file, out, 1, MPI_INT, &status);
  say_count("write", &status);
  TRY(MPI_File_seek, file, -4, MPI_SEEK_CUR);
  TRY_BIG(MPI_File_iread, file, in, 1, MPI_INT, &request);
  wait_for(&request, "iread");
  TRY_BIG(MPI_File_iwrite, file, out, 1, MPI_INT, &request);
  wait_for(&request, "iwrite");
  TRY(MPI_File_seek, file, own, MPI_SEEK_SET);
  TRY_BIG(MPI_File_write_all, file, out, room, MPI_INT, &status);
  say_count("write_all", &status);
  TRY(MPI_File_seek, file, own, MPI_SEEK_SET);
  TRY_BIG(MPI_File_read_all, file, in, room, MPI_INT, &status);
  say_count("read_all", &status);
  TRY(MPI_File_seek, file, own, MPI_SEEK_SET);
  TRY_BIG(MPI_File_iwrite_all, file, out, 2, MPI_INT, &request);
  wait_for(&request, "iwrite_all");
  TRY_BIG(MPI_File_iread_all, file, in, 2, MPI_INT, &request);
  wait_for(&request, "iread_all");
  TRY_BIG(MPI_File_write_all_begin, file, out, 2, MPI_INT);
  TRY(MPI_File_write_all_end, file, out, MPI_STATUS_IGNORE);
  TRY(MPI_File_seek, file, own, MPI_SEEK_SET);
  TRY_BIG(MPI_File_read_all_begin, file, in, 2, MPI_INT);
  TRY(MPI_File_read_all_end, file, in, &status);
  say_count("read_all_end", &status);
  say_numbers("in", in, room);
  TRY(MPI_File_seek, file, 0, MPI_SEEK_END);
  TRY_BIG(MPI_File_read, file, in, 3, MPI_INT, &status);
  say_count("behind the end", &status);
}

/* By the one place that all share: in the order of ranks, so that it is known. */
static void shared(MPI_File file) {
  MPI_Status status = fresh_status();
  MPI_Offset offset = -1;
  MPI_Request request;
  int i;
  fill(4);
  if (TRY(MPI_File_seek_shared, file, 0, MPI_SEEK_SET) != MPI_SUCCESS) return;
  TRY_BIG(MPI_File_write_ordered, file, out, 2, MPI_INT, &status);
  say_count("write_ordered", &status);
  TRY_BIG(MPI_File_write_ordered_begin, file, out, 1, MPI_INT);
  TRY(MPI_File_write_ordered_end, file, out, &status);
  for (i = 0; i < size; i++) {
    if (i == rank) {
      TRY_BIG(MPI_File_write_shared, file, out, 2, MPI_INT, &status);
      say_count("write_shared", &status);
      TRY_BIG(MPI_File_iwrite_shared, file, out, 1, MPI_INT, &request);
      wait_for(&request, "iwrite_shared");
      TRY(MPI_File_get_position_shared, file, &offset);
      say("shared place %ld", (long)offset);
    }
    CALL(MPI_Barrier, MPI_COMM_WORLD);
  }
  TRY(MPI_File_sync, file);
  TRY(MPI_File_seek_shared, file, 0, MPI_SEEK_SET);
  TRY_BIG(MPI_File_read_ordered, file, in, 2, MPI_INT, &status);
  say_numbers("read_ordered", in, 2);
  TRY_BIG(MPI_File_read_ordered_begin, file, in, 1, MPI_INT);
  TRY(MPI_File_read_ordered_end, file, in, &status);
  for (i = 0; i < size; i++) {
    if (i == rank) {
      TRY_BIG(MPI_File_read_shared, file, in, 2, MPI_INT, &status);
      say_numbers("read_shared", in, 2);
      TRY_BIG(MPI_File_iread_shared, file, in, 1, MPI_INT, &request);
      wait_for(&request, "iread_shared");
    }
    CALL(MPI_Barrier, MPI_COMM_WORLD);
  }
}

static void views(MPI_File file) {
  MPI_Datatype strided, resized, etype, filetype;
  MPI_Offset offset = -1;
#ifdef LARGE
  MPI_Count extent = -1;
#else
  MPI_Aint extent = -1;
#endif
  char representation[MPI_MAX_DATAREP_STRING] = "";
  MPI_Status status;
  int kind, more, others, types, combiner;
  CALL(MPI_Type_contiguous, 2, MPI_INT, &strided);
  CALL(MPI_Type_create_resized, strided, 0, (MPI_Aint)(2 * sizeof(int) * (size_t)size), &resized);
  CALL(MPI_Type_commit, &resized);
  fill(5);
  TRY(MPI_File_set_view, file, (MPI_Offset)(2 * sizeof(int) * (size_t)rank), MPI_INT, resized, "native", MPI_INFO_NULL);
  TRY(MPI_File_get_view, file, &offset, &etype, &filetype, representation);
  CALL(MPI_Type_get_envelope, filetype, &kind, &more, &types, &combiner);
  others = combiner != MPI_COMBINER_NAMED;
  if (others) CALL(MPI_Type_free, &filetype);
  say("view from %ld, %s, derived %d, %d", (long)offset, representation, others, etype == MPI_INT);
  TRY_BIG(MPI_File_write_all, file, out, 4, MPI_INT, &status);
  say_count("write_all", &status);
  TRY(MPI_File_get_byte_offset, file, 3, &offset);
  say("byte %ld", (long)offset);
  TRY_BIG(MPI_File_get_type_extent, file, resized, &extent);
  say("extent %ld", (long)extent);
  TRY(MPI_File_set_view, file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  TRY_BIG(MPI_File_read_at_all, file, 0, in, room, MPI_INT, &status);
  say_numbers("woven", in, room);
  TRY(MPI_File_set_view, file, 0, MPI_INT, MPI_INT, "no such representation", MPI_INFO_NULL);
  CALL(MPI_Type_free, &resized);
  CALL(MPI_Type_free, &strided);
}

static int extent_of(MPI_Datatype type, MPI_Aint* extent, void* state) {
  (void)type, (void)state;
  *extent = 4;
  return MPI_SUCCESS;
}

static void properties(MPI_File file) {
  int mode = -1, atomic = -1, count = -1;
  MPI_Offset bytes = -1;
  MPI_Group group;
  MPI_Info info;
  MPI_Errhandler handler;
  MPI_File same;
  TRY(MPI_File_get_amode, file, &mode);
  say("mode %d", mode == (MPI_MODE_CREATE | MPI_MODE_RDWR));
  TRY(MPI_File_get_atomicity, file, &atomic);
  say("atomic %d", atomic);
  TRY(MPI_File_set_atomicity, file, 1);
  TRY(MPI_File_get_atomicity, file, &atomic);
  say("atomic %d", atomic);
  TRY(MPI_File_set_atomicity, file, 0);
  TRY(MPI_File_get_group, file, &group);
  PMPI_Group_size(group, &count);
  say("group of %d", count);
  CALL(MPI_Group_free, &group);
  TRY(MPI_File_get_info, file, &info);
  TRY(MPI_File_set_info, file, info);
  CALL(MPI_Info_free, &info);
  TRY(MPI_File_set_size, file, 256);
  TRY(MPI_File_get_size, file, &bytes);
  say("%ld bytes", (long)bytes);
  /* One rank may make the file longer before another has asked for its size. */
  PMPI_Barrier(MPI_COMM_WORLD);
  TRY(MPI_File_preallocate, file, 512);
  TRY(MPI_File_get_size, file, &bytes);
  say("%ld bytes", (long)bytes);
  TRY(MPI_File_get_errhandler, file, &handler);
  say("returns: %d", handler == MPI_ERRORS_RETURN);
  same = MPI_File_f2c(MPI_File_c2f(file));
  say("same: %d", same == file);
  TRY_BIG(MPI_Register_datarep, "of the program", NULL, NULL, extent_of, NULL);
  TRY_BIG(MPI_Register_datarep, "of the program", NULL, NULL, extent_of, NULL);
}

int main(int argc, char** argv) {
  MPI_File file = MPI_FILE_NULL;
  begin(argc, argv);
  snprintf(name, sizeof name, "%s_file", argc > 1 ? argv[1] : "conformance");
  TRY(MPI_File_open, MPI_COMM_WORLD, "/no/such/directory/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  TRY(MPI_File_open, MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  TRY(MPI_File_open, MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  TRY(MPI_File_open, MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  places(file);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  shared(file);
  views(file);
  properties(file);
  TRY_BIG(MPI_File_write, file, out, -1, MPI_INT, MPI_STATUS_IGNORE);
  TRY_BIG(MPI_File_write, file, out, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE);
  TRY(MPI_File_close, &file);
  say("null: %d", file == MPI_FILE_NULL);
  TRY(MPI_File_open, MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  TRY_BIG(MPI_File_write, file, out, 1, MPI_INT, MPI_STATUS_IGNORE);
  TRY(MPI_File_close, &file);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  if (rank == 0) {
    TRY(MPI_File_delete, name, MPI_INFO_NULL);
    TRY(MPI_File_delete, name, MPI_INFO_NULL);
  }
  return finish();
}
