/* What MPI 4 brought and the other programs do not call: sessions beside the world, partitioned communication,
 * non-blocking Sendrecv; and MPICH's extensions. Built for libraries that have it. */
#include "observe.h"

static void exchanges(void) {
  int number = 10 + rank, got = -1;
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Request requests[2];
  TRY_BIG(MPI_Isendrecv, &number, 1, MPI_INT, right, 1, &got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
  TRY(MPI_Wait, &requests[0], MPI_STATUS_IGNORE); /* MPICH 4.0 leaves the status unset */
  say("got %d", got);
  TRY_BIG(MPI_Isendrecv_replace, &number, 1, MPI_INT, right, 2, left, 2, MPI_COMM_WORLD, &requests[0]);
  TRY(MPI_Waitall, 1, requests, MPI_STATUSES_IGNORE);
  say("got %d", number);
}

static void partitioned(void) {
  enum { parts = 4 };
  int data[2 * parts], i, flag = -1, round, list[2] = {1, 2};
  MPI_Request request;
  if (rank > 1) return;
  for (round = 0; round < 2; round++) {
    for (i = 0; i < 2 * parts; i++) data[i] = rank == 0 ? 10 * round + i : -1;
    if (rank == 0) {
      TRY(MPI_Psend_init, data, parts, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
      TRY(MPI_Start, &request);
      TRY(MPI_Pready, 0, request);
      TRY(MPI_Pready_list, 2, list, request);
      TRY(MPI_Pready_range, 3, 3, request);
      TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
      TRY(MPI_Request_free, &request);
    } else {
      TRY(MPI_Precv_init, data, parts, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
      TRY(MPI_Start, &request);
      for (i = 0; i < parts; i++)
        for (flag = 0; !flag;) PMPI_Parrived(request, i, &flag);
      TRY(MPI_Parrived, request, 0, &flag);
      TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
      TRY(MPI_Request_free, &request);
      say_numbers("partitions", data, 2 * parts);
    }
  }
}

static int handled;
static void own(MPI_Session* session, int* code, ...) {
  (void)session;
  handled++;
  say("handler of a session: %s", class_name(*code));
}

static void sessions(void) {
  MPI_Session session;
  MPI_Info info;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Errhandler handler, was;
  char name[256] = "";
  int sets = -1, length = 256, sum = -1, i;
  TRY(MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  TRY(MPI_Session_get_num_psets, session, MPI_INFO_NULL, &sets);
  for (i = 0; i < sets && i < 2; i++) {
    length = 256;
    TRY(MPI_Session_get_nth_pset, session, MPI_INFO_NULL, i, &length, name);
    say("%s", name);
    TRY(MPI_Session_get_pset_info, session, name, &info);
    CALL(MPI_Info_free, &info);
  }
  TRY(MPI_Session_get_info, session, &info);
  CALL(MPI_Info_free, &info);
  TRY(MPI_Group_from_session_pset, session, "mpi://WORLD", &group);
  TRY(MPI_Comm_create_from_group, group, "of a session", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  TRY(MPI_Allreduce, &rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  say("sum %d", sum);
  CALL(MPI_Group_free, &group);
  CALL(MPI_Comm_free, &comm);
  TRY(MPI_Session_create_errhandler, own, &handler);
  TRY(MPI_Session_set_errhandler, session, handler);
  TRY(MPI_Session_get_errhandler, session, &was);
  say("same: %d", was == handler);
  TRY(MPI_Session_call_errhandler, session, MPI_ERR_ARG);
  say("handled %d", handled);
  CALL(MPI_Errhandler_free, &was);
  CALL(MPI_Errhandler_free, &handler);
  TRY(MPI_Session_finalize, &session);
  say("null: %d", session == MPI_SESSION_NULL);
}

#ifdef MPICH
static int query(void* state, MPI_Status* status) {
  (void)state;
  status->MPI_SOURCE = status->MPI_TAG = 5;
  MPI_Status_set_elements(status, MPI_INT, 1);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int nothing(void* state) {
  (void)state;
  return MPI_SUCCESS;
}
static int cancel(void* state, int complete) {
  (void)state, (void)complete;
  return MPI_SUCCESS;
}
static int poll(void* state, MPI_Status* status) {
  (void)status;
  return MPI_Grequest_complete(*(MPI_Request*)state);
}
static int wait_for(int count, void** states, double limit, MPI_Status* status) {
  int i;
  (void)limit, (void)status;
  for (i = 0; i < count; i++) MPI_Grequest_complete(*(MPI_Request*)states[i]);
  return MPI_SUCCESS;
}

static void extensions(void) {
  MPIX_Grequest_class class_;
  MPI_Request request;
  MPI_Status status = fresh_status();
  int flag = 1, error = -1, code = -1;
  TRY(MPIX_Grequest_class_create, query, nothing, cancel, poll, wait_for, &class_);
  TRY(MPIX_Grequest_class_allocate, class_, &request, &request);
  TRY(MPI_Wait, &request, &status);
  say_status("of a class", &status, MPI_INT);
  TRY(MPIX_Grequest_start, query, nothing, cancel, poll, wait_for, &request, &request);
  TRY(MPI_Wait, &request, &status);
  TRY(MPI_Add_error_class, &error);
  TRY(MPI_Add_error_code, error, &code);
  TRY(MPI_Add_error_string, code, "for a while");
  TRY(MPIX_Delete_error_string, code);
  TRY(MPIX_Delete_error_code, code);
  TRY(MPIX_Delete_error_class, error);
  TRY(MPIX_GPU_query_support, MPIX_GPU_SUPPORT_CUDA, &flag);
  say("support: %d %d %d %d", flag, CALL(MPIX_Query_cuda_support), CALL(MPIX_Query_hip_support), CALL(MPIX_Query_ze_support));
}
#endif

int main(int argc, char** argv) {
  begin(argc, argv);
  exchanges();
  partitioned();
  sessions();
#ifdef MPICH
  extensions();
#endif
  return finish();
}
