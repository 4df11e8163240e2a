/* errors.c: rank 1 of two makes a mistake that MPI_ERRORS_ARE_FATAL ends, or asks for handlers.
 *
 *   errors rank | dup | window | truncate | call | set_back | asked */
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

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  MPI_Comm copy;
  MPI_Win window;
  int rank;
  MPI_Init(&argc, &argv);
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
  }
  if (strcmp(what, "asked") != 0) sleep(20); /* the launcher ends it before */
  MPI_Win_free(&window);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
