/* Error handlers on communicators, windows and files: returning, own, called by hand, and at last the one that
 * aborts; classes, codes and strings of MPI and of the program. `errors NOTES fatal` ends by MPI_ERRORS_ARE_FATAL,
 * `errors NOTES abort` by MPI_Abort. */
#include "observe.h"

static int handled;
static void own(MPI_Comm* comm, int* code, ...) {
  int class_ = -1, number = -1, length = 0;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_class(*code, &class_); /* from a callback: not the program's own calls */
  MPI_Error_string(*code, text, &length);
  MPI_Comm_rank(*comm, &number);
  handled++;
  say("own handler: %s, rank %d, %s", class_name(*code), number, length > 0 ? "has a string" : "no string");
}
static void own_of_file(MPI_File* file, int* code, ...) {
  handled++;
  say("own handler of a file: %s, null %d", class_name(*code), *file == MPI_FILE_NULL);
}
static void nested(MPI_Comm* comm, int* code, ...) {
  static int depth;
  say("nested: %s", class_name(*code));
  if (depth++ == 0) MPI_Send(NULL, 1, MPI_INT, size + 1, 0, *comm); /* an error in the handler of an error */
  depth--;
}

static void provoke(MPI_Comm comm) {
  int data = 0, got = -1;
  MPI_Request request, requests[2];
  MPI_Status status;
  TRY(MPI_Send, &data, 1, MPI_INT, size + 1, 0, comm);
  TRY(MPI_Bcast, &data, -1, MPI_INT, 0, comm);
  TRY(MPI_Comm_split, comm, -3, 0, &comm);
  /* found when it completes */
  CALL(MPI_Irecv, &got, 0, MPI_INT, rank, 1, comm, &request);
  CALL(MPI_Send, &data, 1, MPI_INT, rank, 1, comm);
  TRY(MPI_Wait, &request, &status);
  CALL(MPI_Irecv, &got, 0, MPI_INT, rank, 1, comm, &requests[0]);
  requests[1] = MPI_REQUEST_NULL;
  CALL(MPI_Send, &data, 1, MPI_INT, rank, 1, comm);
  TRY(MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
}

static void of_communicators(void) {
  MPI_Errhandler handler, other, was;
  MPI_Comm comm, child;
  CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
  TRY(MPI_Comm_get_errhandler, comm, &was);
  say("inherited: %d", was == MPI_ERRORS_RETURN);
  provoke(comm);
  TRY(MPI_Comm_create_errhandler, own, &handler);
  TRY(MPI_Comm_set_errhandler, comm, handler);
  TRY(MPI_Comm_get_errhandler, comm, &was);
  say("same: %d", was == handler);
  CALL(MPI_Errhandler_free, &was);
  provoke(comm);
  CALL(MPI_Comm_dup, comm, &child);
  TRY(MPI_Send, NULL, 1, MPI_INT, -9, 0, child);
  TRY(MPI_Comm_call_errhandler, child, MPI_ERR_OTHER);
  CALL(MPI_Comm_free, &child);
  TRY(MPI_Comm_create_errhandler, nested, &other);
  TRY(MPI_Comm_set_errhandler, comm, other);
  TRY(MPI_Send, NULL, 1, MPI_INT, -9, 0, comm);
  TRY(MPI_Errhandler_free, &other);
  TRY(MPI_Errhandler_free, &handler);
  say("null: %d; still there:", handler == MPI_ERRHANDLER_NULL);
  TRY(MPI_Send, NULL, 1, MPI_INT, -9, 0, comm);
  CALL(MPI_Comm_free, &comm);
  /* errors without an object of their own come to that of the world (or of oneself) */
  TRY(MPI_Type_contiguous, -1, MPI_INT, NULL);
  TRY(MPI_Comm_rank, MPI_COMM_NULL, &handled);
  handled = 0;
  TRY(MPI_Errhandler_create, own, &handler); /* the names of MPI-1 */
  TRY(MPI_Errhandler_set, MPI_COMM_SELF, handler);
  TRY(MPI_Errhandler_get, MPI_COMM_SELF, &was);
  TRY(MPI_Send, NULL, 1, MPI_INT, 5, 0, MPI_COMM_SELF);
  CALL(MPI_Errhandler_free, &was);
  CALL(MPI_Errhandler_free, &handler);
  TRY(MPI_Errhandler_set, MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

static void of_files(void) {
  MPI_Errhandler handler, was;
  MPI_File file;
  TRY(MPI_File_get_errhandler, MPI_FILE_NULL, &was);
  say("files return: %d", was == MPI_ERRORS_RETURN);
  TRY(MPI_File_open, MPI_COMM_SELF, "no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  TRY(MPI_File_create_errhandler, own_of_file, &handler);
  TRY(MPI_File_set_errhandler, MPI_FILE_NULL, handler);
  TRY(MPI_File_open, MPI_COMM_SELF, "no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  TRY(MPI_File_call_errhandler, MPI_FILE_NULL, MPI_ERR_ARG);
  TRY(MPI_File_set_errhandler, MPI_FILE_NULL, MPI_ERRORS_RETURN);
  TRY(MPI_File_delete, "no/such/file", MPI_INFO_NULL);
  CALL(MPI_Errhandler_free, &handler);
}

static void codes(void) {
  int class_ = -1, code = -1, other = -1, length = -1, *last = NULL, flag;
  char text[MPI_MAX_ERROR_STRING] = "?";
  TRY(MPI_Error_class, MPI_ERR_TRUNCATE, &class_);
  say("%s", class_name(class_));
  TRY(MPI_Error_string, MPI_ERR_TRUNCATE, text, &length);
  say("%s (%d)", text, length);
  TRY(MPI_Add_error_class, &class_);
  TRY(MPI_Add_error_code, class_, &code);
  TRY(MPI_Add_error_string, code, "an error of the program");
  TRY(MPI_Add_error_string, class_, "a class of the program");
  TRY(MPI_Error_class, code, &other);
  say("class of the code: %d", other == class_);
  TRY(MPI_Error_string, code, text, &length);
  say("%s (%d)", text, length);
  TRY(MPI_Error_string, class_, text, &length);
  say("%s (%d)", text, length);
  CALL(MPI_Comm_get_attr, MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  say("last used code: %d", flag && *last >= class_);
  TRY(MPI_Comm_call_errhandler, MPI_COMM_WORLD, code);
  TRY(MPI_Add_error_string, MPI_ERR_ARG, "not allowed");
}

int main(int argc, char** argv) {
  begin(argc, argv);
  if (argc > 2) {
    say("%s", argv[2]);
    write_counts();
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(argv[2], "abort") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(argv[2], "fatal") == 0) {
      MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
      if (rank == 1) MPI_Bcast(NULL, -1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Recv(NULL, 0, MPI_INT, rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* for ever */
  }
  of_communicators();
  of_files();
  codes();
  say("handled %d", handled);
  return finish();
}
