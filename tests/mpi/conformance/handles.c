/* Handles as numbers of Fortran and back, statuses too. Where a library has macros for them (MPICH), the calls
 * are not there to be counted. */
#include "observe.h"

#ifdef OPEN_MPI
#define CONVERT(name, ...) CALL(name, __VA_ARGS__)
#else
#define CONVERT(name, ...) name(__VA_ARGS__)
#endif
#define ROUND(Object, handle) say(#Object ": %d", CONVERT(MPI_##Object##_f2c, CONVERT(MPI_##Object##_c2f, handle)) == (handle))

int main(int argc, char** argv) {
  MPI_Group group;
  MPI_Info info;
  MPI_Request request;
  MPI_Message message;
  MPI_Win win;
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  MPI_Status status, back;
  MPI_Fint old[8 * sizeof(MPI_Status) / sizeof(MPI_Fint)];
  int number = 3, got = -1;
  begin(argc, argv);
  CALL(MPI_Comm_group, MPI_COMM_WORLD, &group);
  CALL(MPI_Info_create, &info);
  CALL(MPI_Win_create, &got, sizeof got, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  CALL(MPI_Isend, &number, 1, MPI_INT, rank, 4, MPI_COMM_WORLD, &request);
  CALL(MPI_Mprobe, rank, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  ROUND(Comm, MPI_COMM_WORLD);
  ROUND(Type, MPI_DOUBLE);
  ROUND(Op, MPI_SUM);
  ROUND(Group, group);
  ROUND(Info, info);
  ROUND(Request, request);
  ROUND(Message, message);
  ROUND(Win, win);
  ROUND(Errhandler, handler);
  memset(&status, 0, sizeof status);
  CALL(MPI_Mrecv, &got, 1, MPI_INT, &message, &status);
  CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
  TRY(MPI_Status_c2f, &status, old);
  TRY(MPI_Status_f2c, old, &back);
  say_status("back", &back, MPI_INT);
  CALL(MPI_Win_free, &win);
  CALL(MPI_Info_free, &info);
  CALL(MPI_Group_free, &group);
  return finish();
}
