/* Completion: wait and test for one, any, some, all; requests that are null, inactive, cancelled, freed, failed,
 * generalised; statuses given and ignored. Rank 0 and 1 talk; every order is forced by synchronous sends. */
#include "observe.h"

enum { many = 4 };
static int got[many][4];

static void post(MPI_Request* requests, int tag, int room) {
  int i;
  for (i = 0; i < many; i++) CALL(MPI_Irecv, got[i], room, MPI_INT, 0, tag + i, MPI_COMM_WORLD, &requests[i]);
}
static void fresh(MPI_Status* statuses) {
  int i;
  for (i = 0; i < many; i++) statuses[i] = fresh_status();
}
static void say_statuses(const char* what, const MPI_Status* statuses, int count) {
  int i;
  for (i = 0; i < count; i++) say_status(what, &statuses[i], MPI_INT);
}
static void say_nulls(const MPI_Request* requests) {
  int i, null[many];
  for (i = 0; i < many; i++) null[i] = requests[i] == MPI_REQUEST_NULL;
  say_numbers("null", null, many);
}
/* The messages have arrived when the last, which the receiver waits for, has. */
static void send_all(int tag, int count) {
  int data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, i;
  for (i = 0; i < many; i++) CALL(MPI_Ssend, data, count + i, MPI_INT, 1, tag + i, MPI_COMM_WORLD);
  CALL(MPI_Send, NULL, 0, MPI_INT, 1, 999, MPI_COMM_WORLD);
}
static void arrived(void) { CALL(MPI_Recv, NULL, 0, MPI_INT, 0, 999, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void completions(void) {
  MPI_Request requests[many];
  MPI_Status statuses[many], status;
  int flag, index, done, indices[many], i, ignored;
  for (ignored = 0; ignored < 2; ignored++) {
    if (rank == 0) {
      for (i = 0; i < 7; i++) {
        CALL(MPI_Recv, NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        send_all(100, 1);
      }
      continue;
    }
    if (rank != 1) continue;
    for (i = 0; i < 7; i++) {
      post(requests, 100, 4);
      fresh(statuses);
      status = fresh_status();
      if (i == 0) { /* before anything can have been sent */
        TRY(MPI_Test, &requests[0], &flag, &status);
        say("test: %d", flag);
        TRY(MPI_Testall, many, requests, &flag, ignored ? MPI_STATUSES_IGNORE : statuses);
        say("testall: %d", flag);
        TRY(MPI_Testany, many, requests, &index, &flag, &status);
        say("testany: %d, none: %d", flag, index == MPI_UNDEFINED);
        TRY(MPI_Testsome, many, requests, &done, indices, statuses);
        say("testsome: %d", done);
        TRY(MPI_Request_get_status, requests[0], &flag, &status);
        say("get_status: %d", flag);
        fresh(statuses);
        status = fresh_status();
      }
      CALL(MPI_Send, NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
      arrived();
      if (i == 0) TRY(MPI_Waitall, many, requests, ignored ? MPI_STATUSES_IGNORE : statuses);
      if (i == 1) {
        TRY(MPI_Testall, many, requests, &flag, ignored ? MPI_STATUSES_IGNORE : statuses);
        say("testall: %d", flag);
      }
      if (i == 2) {
        TRY(MPI_Waitsome, many, requests, &done, indices, ignored ? MPI_STATUSES_IGNORE : statuses);
        say("waitsome: %d", done);
        say_numbers("indices", indices, done);
      }
      if (i == 3) {
        TRY(MPI_Testsome, many, requests, &done, indices, ignored ? MPI_STATUSES_IGNORE : statuses);
        say("testsome: %d", done);
        say_numbers("indices", indices, done);
      }
      for (index = 0; i == 4 && index != MPI_UNDEFINED;) {
        status = fresh_status();
        TRY(MPI_Waitany, many, requests, &index, ignored ? MPI_STATUS_IGNORE : &status);
        say("waitany: %d", index == MPI_UNDEFINED ? -1 : index);
        if (!ignored) say_status("any", &status, MPI_INT);
      }
      for (index = 0; i == 5 && index != MPI_UNDEFINED;) {
        status = fresh_status();
        TRY(MPI_Testany, many, requests, &index, &flag, ignored ? MPI_STATUS_IGNORE : &status);
        say("testany: %d %d", index == MPI_UNDEFINED ? -1 : index, flag);
        if (!ignored) say_status("any", &status, MPI_INT);
      }
      for (done = 0; i == 6 && done < many; done++) {
        TRY(MPI_Request_get_status, requests[done], &flag, ignored ? MPI_STATUS_IGNORE : &statuses[done]);
        say("get_status: %d", flag);
        if (!ignored) say_status("get_status", &statuses[done], MPI_INT);
        TRY(MPI_Test, &requests[done], &flag, ignored ? MPI_STATUS_IGNORE : &statuses[done]);
        say("test: %d", flag);
      }
      if (!ignored) say_statuses("statuses", statuses, many);
      say_nulls(requests);
    }
  }
}

static void nothing_to_complete(void) {
  MPI_Request requests[many];
  MPI_Status statuses[many], status = fresh_status();
  int flag = -1, index = -7, done = -7, indices[many] = {0}, i;
  for (i = 0; i < many; i++) requests[i] = MPI_REQUEST_NULL;
  TRY(MPI_Wait, &requests[0], &status);
  say_status("wait of null", &status, MPI_INT);
  status = fresh_status();
  TRY(MPI_Test, &requests[0], &flag, &status);
  say_status("test of null", &status, MPI_INT);
  say("flag %d", flag);
  TRY(MPI_Request_get_status, MPI_REQUEST_NULL, &flag, &status);
  TRY(MPI_Waitany, many, requests, &index, &status);
  say("waitany: %d", index == MPI_UNDEFINED);
  say_status("waitany of null", &status, MPI_INT);
  TRY(MPI_Testany, many, requests, &index, &flag, &status);
  say("testany: %d %d", index == MPI_UNDEFINED, flag);
  TRY(MPI_Waitsome, many, requests, &done, indices, MPI_STATUSES_IGNORE);
  say("waitsome: %d", done == MPI_UNDEFINED);
  TRY(MPI_Testsome, many, requests, &done, indices, statuses);
  say("testsome: %d", done == MPI_UNDEFINED);
  fresh(statuses);
  TRY(MPI_Waitall, many, requests, statuses);
  say_statuses("waitall of null", statuses, many);
  TRY(MPI_Testall, many, requests, &flag, MPI_STATUSES_IGNORE);
  say("testall: %d", flag);
  TRY(MPI_Waitall, 0, NULL, MPI_STATUSES_IGNORE);
  TRY(MPI_Testall, 0, NULL, &flag, MPI_STATUSES_IGNORE);
  TRY(MPI_Waitany, 0, NULL, &index, MPI_STATUS_IGNORE);
  say("waitany of none: %d", index == MPI_UNDEFINED);
  TRY(MPI_Startall, 0, NULL);
  TRY(MPI_Waitall, -1, requests, MPI_STATUSES_IGNORE);
  TRY(MPI_Request_free, &requests[0]);
  TRY(MPI_Cancel, &requests[0]);
  TRY(MPI_Wait, NULL, &status);
  TRY(MPI_Request_free, NULL);
  TRY(MPI_Start, NULL);
}

/* Active and inactive persistent ones and null ones together. */
static void mixture(void) {
  MPI_Request requests[many];
  MPI_Status statuses[many];
  int data = 9 + rank, flag, index, i;
  const int other = 1 - rank;
  if (rank > 1) return;
  CALL(MPI_Recv_init, got[0], 4, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[0]);
  CALL(MPI_Send_init, &data, 1, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[1]);
  CALL(MPI_Recv_init, got[2], 4, MPI_INT, other, 6, MPI_COMM_WORLD, &requests[2]); /* never started */
  requests[3] = MPI_REQUEST_NULL;
  for (i = 0; i < 3; i++) {
    fresh(statuses);
    TRY(MPI_Startall, 2, requests);
    if (i == 0) TRY(MPI_Waitall, many, requests, statuses);
    if (i == 1) TRY(MPI_Waitall, many, requests, MPI_STATUSES_IGNORE);
    for (flag = 0; i == 2 && !flag;) PMPI_Testall(many, requests, &flag, statuses); /* unseen by the monitor */
    if (i != 1) say_statuses("mixture", statuses, 1);
    if (i != 1) say_statuses("mixture", statuses + 2, 2);
    say_nulls(requests);
  }
  TRY(MPI_Testany, many, requests, &index, &flag, MPI_STATUS_IGNORE);
  say("testany of inactive: %d %d", index == MPI_UNDEFINED, flag);
  TRY(MPI_Test, &requests[2], &flag, &statuses[0]);
  say("test of inactive: %d", flag);
  say_status("inactive", &statuses[0], MPI_INT);
  for (i = 0; i < 3; i++) TRY(MPI_Request_free, &requests[i]);
  say_nulls(requests);
}

/* Messages too long among others, completed by every call, with statuses and without. */
static void failures(void) {
  MPI_Request requests[many];
  MPI_Status statuses[many], status;
  int i, j, done, index, flag, indices[many];
  for (i = 0; i < 9; i++) {
    if (rank == 0) {
      CALL(MPI_Recv, NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      send_all(200, 1);
    }
    if (rank != 1) continue;
    post(requests, 200, 2); /* the messages have 1, 2, 3, 4 */
    CALL(MPI_Send, NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    arrived();
    fresh(statuses);
    say("failure %d", i);
    done = 0;
    if (i == 0) TRY(MPI_Waitall, many, requests, statuses);
    if (i == 1) TRY(MPI_Waitall, many, requests, MPI_STATUSES_IGNORE);
    if (i == 2) TRY(MPI_Waitsome, many, requests, &done, indices, statuses);
    if (i == 3) TRY(MPI_Waitsome, many, requests, &done, indices, MPI_STATUSES_IGNORE);
    if (i == 4) TRY(MPI_Testall, many, requests, &flag, statuses);
    if (i == 5) TRY(MPI_Testall, many, requests, &flag, MPI_STATUSES_IGNORE);
    if (i == 6) TRY(MPI_Testsome, many, requests, &done, indices, MPI_STATUSES_IGNORE);
    for (j = 0; i == 7 && j < many; j++) {
      status = fresh_status();
      TRY(MPI_Waitany, many, requests, &index, &status);
      say("waitany: %d, source %d tag %d", index == MPI_UNDEFINED ? -1 : index, status.MPI_SOURCE, status.MPI_TAG);
    }
    for (j = 0; i == 8 && j < many; j++) {
      TRY(MPI_Testany, many, requests, &index, &flag, MPI_STATUS_IGNORE);
      say("testany: %d %d", index == MPI_UNDEFINED ? -1 : index, flag);
    }
    if (i == 0 || i == 4)
      for (j = 0; j < many; j++)
        say("status %d: source %d tag %d error %s", j, statuses[j].MPI_SOURCE, statuses[j].MPI_TAG,
            statuses[j].MPI_ERROR == untouched ? "untouched" : class_name(statuses[j].MPI_ERROR));
    if (i == 2 || i == 3 || i == 6) {
      say("done: %d", done == MPI_UNDEFINED ? -1 : done);
      if (i == 2 && done != MPI_UNDEFINED)
        for (j = 0; j < done; j++) say("error %s", class_name(statuses[j].MPI_ERROR));
    }
    say_nulls(requests);
    for (j = 0; j < many; j++)
      if (requests[j] != MPI_REQUEST_NULL) PMPI_Wait(&requests[j], MPI_STATUS_IGNORE);
  }
}

static void cancelled_and_freed(void) {
  MPI_Request request, requests[2];
  MPI_Status status, statuses[2];
  int flag = -1, number = 3, i;
  TRY(MPI_Irecv, got[0], 1, MPI_INT, MPI_ANY_SOURCE, 301, MPI_COMM_WORLD, &request);
  TRY(MPI_Cancel, &request);
  status = fresh_status();
  TRY(MPI_Wait, &request, &status);
  TRY(MPI_Test_cancelled, &status, &flag);
  say("cancelled: %d", flag);
  TRY(MPI_Recv_init, got[0], 1, MPI_INT, 0, 302, MPI_COMM_WORLD, &request);
  TRY(MPI_Start, &request);
  TRY(MPI_Cancel, &request);
  TRY(MPI_Wait, &request, &status);
  TRY(MPI_Test_cancelled, &status, &flag);
  say("cancelled: %d", flag);
  TRY(MPI_Request_free, &request);
  for (i = 0; i < 2; i++) CALL(MPI_Irecv, got[i], 1, MPI_INT, MPI_ANY_SOURCE, 303, MPI_COMM_WORLD, &requests[i]);
  for (i = 0; i < 2; i++) CALL(MPI_Cancel, &requests[i]);
  TRY(MPI_Waitall, 2, requests, statuses);
  for (i = 0; i < 2; i++) {
    CALL(MPI_Test_cancelled, &statuses[i], &flag);
    say("cancelled: %d", flag);
  }
  if (rank == 0) { /* freed while it is open */
    TRY(MPI_Isend, &number, 1, MPI_INT, 1, 304, MPI_COMM_WORLD, &request);
    TRY(MPI_Request_free, &request);
    say("null: %d", request == MPI_REQUEST_NULL);
  }
  if (rank == 1) {
    TRY(MPI_Recv, got[0], 1, MPI_INT, 0, 304, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    TRY(MPI_Send_init, &number, 1, MPI_INT, 0, 305, MPI_COMM_WORLD, &request);
    TRY(MPI_Start, &request);
    TRY(MPI_Request_free, &request); /* an active one too */
  }
  if (rank == 0) TRY(MPI_Recv, got[0], 1, MPI_INT, 1, 305, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
}

static int calls_of_query, calls_of_free, calls_of_cancel;
static int query(void* state, MPI_Status* status) {
  calls_of_query++;
  MPI_Status_set_elements(status, MPI_INT, *(int*)state);
  MPI_Status_set_cancelled(status, *(int*)state == 3);
  status->MPI_SOURCE = 11;
  status->MPI_TAG = 12;
  return *(int*)state == 4 ? MPI_ERR_OTHER : MPI_SUCCESS;
}
static int free_(void* state) {
  (void)state;
  calls_of_free++;
  return MPI_SUCCESS;
}
static int cancel(void* state, int complete) {
  calls_of_cancel += 1 + 10 * complete;
  (void)state;
  return MPI_SUCCESS;
}

static void generalised(void) {
  int state[4] = {2, 3, 4, 5}, flag, i;
  MPI_Request request, requests[3];
  MPI_Status status = fresh_status(), statuses[3];
  TRY(MPI_Grequest_start, query, free_, cancel, &state[0], &request);
  TRY(MPI_Test, &request, &flag, &status);
  say("complete: %d", flag);
  TRY(MPI_Grequest_complete, request);
  TRY(MPI_Request_get_status, request, &flag, &status);
  say("complete: %d", flag);
  status = fresh_status();
  TRY(MPI_Wait, &request, &status);
  say_status("generalised", &status, MPI_INT);
  TRY(MPI_Grequest_start, query, free_, cancel, &state[1], &request);
  TRY(MPI_Cancel, &request);
  TRY(MPI_Grequest_complete, request);
  TRY(MPI_Wait, &request, &status);
  say_status("generalised, cancelled", &status, MPI_INT);
  TRY(MPI_Grequest_start, query, free_, cancel, &state[2], &request);
  TRY(MPI_Grequest_complete, request);
  TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
  for (i = 0; i < 3; i++) statuses[i] = fresh_status();
  TRY(MPI_Grequest_start, query, free_, cancel, &state[0], &requests[0]);
  TRY(MPI_Irecv, got[0], 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[1]);
  requests[2] = MPI_REQUEST_NULL;
  TRY(MPI_Grequest_complete, requests[0]);
  TRY(MPI_Waitall, 3, requests, statuses);
  for (i = 0; i < 3; i++) say_status("generalised among others", &statuses[i], MPI_INT);
  say("query %d, free %d, cancel %d", calls_of_query, calls_of_free, calls_of_cancel);
  status = fresh_status();
  CALL(MPI_Status_set_elements, &status, MPI_DOUBLE, 3);
  CALL(MPI_Status_set_cancelled, &status, 0);
  status.MPI_SOURCE = status.MPI_TAG = 1;
  say_status("set", &status, MPI_DOUBLE);
  CALL(MPI_Status_set_elements_x, &status, MPI_DOUBLE, (MPI_Count)4);
  say_status("set", &status, MPI_DOUBLE);
}

int main(int argc, char** argv) {
  begin(argc, argv);
  completions();
  nothing_to_complete();
  mixture();
  failures();
  cancelled_and_freed();
  generalised();
  return finish();
}
