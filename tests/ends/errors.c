/* errors.c: rank 1 of two makes a mistake that MPI_ERRORS_ARE_FATAL ends, or asks for handlers.
 *
 *   errors [threads] rank | dup | window | truncate | call | set_back | asked; threads: with MPI_THREAD_MULTIPLE
 *   errors [threads] world HOW MISTAKE   the handler of MPI_COMM_WORLD alone is set, after the others were made; HOW: return, own, fatal
 *                              (set on the others, too); MISTAKE: dup, self, window, call, call_window */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char buffer[16];
static int handled;

static void mistake(MPI_Comm comm) { MPI_Send(buffer, 1, MPI_CHAR, 99, 7, comm); }

static void own_handler(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  handled++;
}

static void puts_wrongly(MPI_Win window) { MPI_Put(buffer, 1, MPI_CHAR, 77, 0, 1, MPI_CHAR, window); }

/* What the program sees; frees the handles as a program does. */
static void asks(MPI_Comm copy, MPI_Win window) {
  MPI_Errhandler handler, own;
  int i, fatal = 0, kept;
  for (i = 0; i < 3; i++) { /* more often than there are references to a handle */
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler), fatal += handler == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&handler);
    MPI_Comm_get_errhandler(copy, &handler), fatal += handler == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&handler);
    MPI_Win_get_errhandler(window, &handler), fatal += handler == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&handler);
  }
  MPI_Comm_create_errhandler(own_handler, &own);
  MPI_Comm_set_errhandler(copy, own);
  MPI_Comm_get_errhandler(copy, &handler), kept = handler == own;
  MPI_Errhandler_free(&handler);
  mistake(copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  mistake(copy);
  printf("fatal %d own %d handled %d\n", fatal, kept, handled);
  MPI_Errhandler_free(&own);
}

static void own_of_world(MPI_Comm* comm, int* code, ...) {
  (void)code;
  printf("own handler, of the world %d\n", *comm == MPI_COMM_WORLD);
  fflush(stdout);
}

static void set_on_world(MPI_Comm copy, MPI_Win window, const char* how, const char* what) {
  MPI_Errhandler own;
  int result = MPI_SUCCESS, class_ = MPI_SUCCESS;
  if (!strcmp(how, "fatal")) {
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Win_set_errhandler(window, MPI_ERRORS_ARE_FATAL);
  }
  MPI_Comm_create_errhandler(own_of_world, &own);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, !strcmp(how, "own") ? own : MPI_ERRORS_RETURN);
  if (!strcmp(what, "dup")) result = MPI_Send(buffer, 1, MPI_CHAR, 99, 7, copy);
  if (!strcmp(what, "self")) result = MPI_Send(buffer, 1, MPI_CHAR, 99, 7, MPI_COMM_SELF);
  if (!strcmp(what, "window")) result = MPI_Put(buffer, 1, MPI_CHAR, 77, 0, 1, MPI_CHAR, window);
  if (!strcmp(what, "call")) result = MPI_Comm_call_errhandler(copy, MPI_ERR_TAG);
  if (!strcmp(what, "call_window")) result = MPI_Win_call_errhandler(window, MPI_ERR_TAG);
  MPI_Error_class(result, &class_);
  printf("result %d\n", class_);
  fflush(stdout);
  usleep(300000); /* launchers lose what is said just before the end */
  MPI_Abort(MPI_COMM_WORLD, 3); /* after a mistake with a window MPICH cannot free it */
}

int main(int argc, char** argv) {
  const int threads = argc > 1 && !strcmp(argv[1], "threads");
  const char* what = argc > 1 + threads ? argv[1 + threads] : "";
  MPI_Comm copy;
  MPI_Win window;
  int rank, provided;
  MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  if (!strcmp(what, "truncate") && rank == 0) MPI_Send(buffer, 8, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
  if (rank == 1) {
    if (!strcmp(what, "rank")) mistake(MPI_COMM_WORLD);
    if (!strcmp(what, "dup")) mistake(copy);
    if (!strcmp(what, "window")) puts_wrongly(window);
    if (!strcmp(what, "truncate")) MPI_Recv(buffer, 1, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(what, "call")) MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG);
    if (!strcmp(what, "set_back")) {
      MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
      mistake(copy);
      MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
      mistake(copy);
    }
    if (!strcmp(what, "asked")) asks(copy, window);
    if (!strcmp(what, "world")) set_on_world(copy, window, argv[2 + threads], argv[3 + threads]);
  }
  if (strcmp(what, "asked") != 0) sleep(20); /* the launcher ends it before */
  MPI_Win_free(&window);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
