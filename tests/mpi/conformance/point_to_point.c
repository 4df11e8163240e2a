/* Sends in every mode, blocking, non-blocking and persistent, to every kind of receive and probe; the odd cases:
 * no bytes, nobody, any source and tag, MPI_BOTTOM, statuses given and ignored, messages too long. */
#include "observe.h"

static char room[1 << 16];

static void mode(int which, const int* data, int tag) {
  if (which == 0) TRY_BIG(MPI_Send, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
  if (which == 1) TRY_BIG(MPI_Bsend, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
  if (which == 2) TRY_BIG(MPI_Ssend, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
  if (which == 3) TRY_BIG(MPI_Rsend, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
}

static void start(int which, const int* data, int tag, MPI_Request* request) {
  if (which == 0) TRY_BIG(MPI_Isend, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, request);
  if (which == 1) TRY_BIG(MPI_Ibsend, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, request);
  if (which == 2) TRY_BIG(MPI_Issend, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, request);
  if (which == 3) TRY_BIG(MPI_Irsend, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, request);
}

static void make(int which, const int* data, int tag, MPI_Request* request) {
  if (which == 0) TRY_BIG(MPI_Send_init, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, request);
  if (which == 1) TRY_BIG(MPI_Bsend_init, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, request);
  if (which == 2) TRY_BIG(MPI_Ssend_init, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, request);
  if (which == 3) TRY_BIG(MPI_Rsend_init, data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, request);
}

static void modes(void) {
  const int data[4] = {1, 2, 3, 4};
  int which, round;
  for (which = 0; which < 4; which++) {
    if (rank == 0) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Status status = fresh_status();
      CALL(MPI_Barrier, MPI_COMM_WORLD); /* ready sends find their receives */
      mode(which, data, 10 + which);
      start(which, data, 20 + which, &request);
      TRY(MPI_Wait, &request, &status);
      say("wait of a send: cancelled %s, request is null: %d", class_name(status.MPI_ERROR == untouched ? 0 : status.MPI_ERROR),
          request == MPI_REQUEST_NULL);
      make(which, data, 30 + which, &request);
      for (round = 0; round < 2; round++) {
        TRY(MPI_Start, &request);
        TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
      }
      say("persistent request stays: %d", request != MPI_REQUEST_NULL);
      TRY(MPI_Request_free, &request);
      say("and is null: %d", request == MPI_REQUEST_NULL);
    } else if (rank == 1) {
      int got[4][4] = {{0}}, i;
      MPI_Request requests[4];
      MPI_Status statuses[4];
      TRY_BIG(MPI_Irecv, got[0], 4, MPI_INT, 0, 10 + which, MPI_COMM_WORLD, &requests[0]);
      TRY_BIG(MPI_Irecv, got[1], 4, MPI_INT, MPI_ANY_SOURCE, 20 + which, MPI_COMM_WORLD, &requests[1]);
      for (i = 2; i < 4; i++) TRY_BIG(MPI_Irecv, got[i], 4, MPI_INT, 0, 30 + which, MPI_COMM_WORLD, &requests[i]);
      for (i = 0; i < 4; i++) statuses[i] = fresh_status();
      CALL(MPI_Barrier, MPI_COMM_WORLD);
      TRY(MPI_Waitall, 4, requests, statuses);
      for (i = 0; i < 4; i++) {
        say_status("mode", &statuses[i], MPI_INT);
        say_numbers("got", got[i], 4);
      }
    } else {
      CALL(MPI_Barrier, MPI_COMM_WORLD);
    }
  }
}

static void receives(void) {
  int number = 100 + rank, got[8] = {0}, flag = 0;
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Status status = fresh_status();
  MPI_Message message;
  MPI_Request request;
  TRY_BIG(MPI_Sendrecv, &number, 1, MPI_INT, right, 1, got, 8, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
  say_status("sendrecv", &status, MPI_INT);
  say_numbers("got", got, 1);
  status = fresh_status();
  TRY_BIG(MPI_Sendrecv_replace, &number, 1, MPI_INT, right, 2, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  say_status("sendrecv_replace", &status, MPI_INT);
  say("got %d", number);
  TRY_BIG(MPI_Sendrecv, &number, 1, MPI_INT, right, 3, got, 8, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  TRY_BIG(MPI_Sendrecv, &number, 1, MPI_INT, MPI_PROC_NULL, 3, got, 8, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  say_status("sendrecv with nobody", &status, MPI_INT);
  TRY_BIG(MPI_Sendrecv_replace, &number, 1, MPI_INT, rank, 4, rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  if (rank == 0) { /* one after the other, so that the order is known */
    int i;
    for (i = 0; i < 9; i++) CALL(MPI_Ssend, got, i % 3, MPI_INT, 1, 40 + i, MPI_COMM_WORLD);
  } else if (rank == 1) {
    int count = -1;
    status = fresh_status();
    TRY_BIG(MPI_Recv, got, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    say_status("recv of nothing", &status, MPI_INT);
    TRY_BIG(MPI_Recv, got, 8, MPI_INT, 0, 41, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    status = fresh_status();
    TRY(MPI_Probe, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    say_status("probe", &status, MPI_INT);
    CALL(MPI_Get_count, &status, MPI_INT, &count);
    TRY_BIG(MPI_Recv, got, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    TRY(MPI_Probe, 0, 43, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (flag = 0; !flag;) { /* its calls depend on time: not counted */
      status = fresh_status();
      PMPI_Iprobe(0, 43, MPI_COMM_WORLD, &flag, &status);
    }
    TRY(MPI_Iprobe, 0, 43, MPI_COMM_WORLD, &flag, &status);
    say("iprobe: %d", flag);
    say_status("iprobe", &status, MPI_INT);
    TRY(MPI_Iprobe, 0, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    say("iprobe of what is not there: %d", flag);
    TRY_BIG(MPI_Recv, got, 8, MPI_INT, 0, 43, MPI_COMM_WORLD, &status);
    status = fresh_status();
    TRY(MPI_Mprobe, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    say_status("mprobe", &status, MPI_INT);
    status = fresh_status();
    TRY_BIG(MPI_Mrecv, got, 8, MPI_INT, &message, &status);
    say_status("mrecv", &status, MPI_INT);
    say("message is null: %d", message == MPI_MESSAGE_NULL);
    TRY(MPI_Mprobe, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    TRY_BIG(MPI_Imrecv, got, 8, MPI_INT, &message, &request);
    status = fresh_status();
    TRY(MPI_Wait, &request, &status);
    say_status("imrecv", &status, MPI_INT);
    PMPI_Probe(0, 46, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    flag = 0;
    status = fresh_status();
    TRY(MPI_Improbe, 0, 46, MPI_COMM_WORLD, &flag, &message, &status);
    say("improbe: %d", flag);
    say_status("improbe", &status, MPI_INT);
    TRY_BIG(MPI_Mrecv, got, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
    TRY(MPI_Improbe, 0, 99, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    say("improbe of what is not there: %d", flag);
    TRY_BIG(MPI_Recv_init, got, 8, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    TRY(MPI_Startall, 1, &request);
    status = fresh_status();
    TRY(MPI_Wait, &request, &status);
    say_status("persistent", &status, MPI_INT);
    TRY(MPI_Start, &request);
    TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
    TRY(MPI_Wait, &request, &status);
    say_status("inactive", &status, MPI_INT);
    TRY(MPI_Request_free, &request);
  }
  CALL(MPI_Barrier, MPI_COMM_WORLD);
}

static void nobody(void) {
  int data[2] = {5, 6}, flag = 0;
  MPI_Status status = fresh_status();
  MPI_Message message;
  MPI_Request request;
  TRY_BIG(MPI_Send, data, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  TRY_BIG(MPI_Ssend, data, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  TRY_BIG(MPI_Recv, data, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  say_status("recv from nobody", &status, MPI_INT);
  status = fresh_status();
  TRY(MPI_Probe, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  say_status("probe of nobody", &status, MPI_INT);
  TRY(MPI_Iprobe, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &status);
  say("iprobe of nobody: %d", flag);
  TRY(MPI_Mprobe, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
  say_status("mprobe of nobody", &status, MPI_INT);
  say("no process: %d", message == MPI_MESSAGE_NO_PROC);
  status = fresh_status();
  TRY_BIG(MPI_Mrecv, data, 2, MPI_INT, &message, &status);
  say_status("mrecv from nobody", &status, MPI_INT);
  TRY(MPI_Improbe, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &message, &status);
  TRY_BIG(MPI_Imrecv, data, 2, MPI_INT, &message, &request);
  TRY(MPI_Wait, &request, &status);
  say_status("imrecv from nobody", &status, MPI_INT);
  TRY_BIG(MPI_Isend, data, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
  TRY_BIG(MPI_Irecv, data, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  status = fresh_status();
  TRY(MPI_Wait, &request, &status);
  say_status("irecv from nobody", &status, MPI_INT);
  TRY_BIG(MPI_Recv_init, data, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  TRY(MPI_Start, &request);
  TRY(MPI_Wait, &request, &status);
  TRY(MPI_Request_free, &request);
  TRY_BIG(MPI_Send_init, data, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  TRY(MPI_Start, &request);
  TRY(MPI_Wait, &request, &status);
  TRY(MPI_Request_free, &request);
  say_numbers("data", data, 2);
}

/* By absolute address: a type whose displacements are addresses. */
static void bottom(void) {
  int first = 7 + rank, second = 70 + rank, lengths[2] = {1, 1};
  MPI_Aint places[2];
  MPI_Datatype types[2] = {MPI_INT, MPI_INT}, type;
  MPI_Status status = fresh_status();
  CALL(MPI_Get_address, &first, &places[0]);
  CALL(MPI_Get_address, &second, &places[1]);
  CALL(MPI_Type_create_struct, 2, lengths, places, types, &type);
  CALL(MPI_Type_commit, &type);
  if (rank == 0) TRY_BIG(MPI_Send, MPI_BOTTOM, 1, type, 1, 5, MPI_COMM_WORLD);
  if (rank == 1) {
    TRY_BIG(MPI_Recv, MPI_BOTTOM, 1, type, 0, 5, MPI_COMM_WORLD, &status);
    say_status("bottom", &status, type);
    say("got %d %d", first, second);
  }
  CALL(MPI_Type_free, &type);
}

static void errors(void) {
  int data[16] = {0}, flag;
  MPI_Status status = fresh_status();
  MPI_Request request;
  if (rank == 0) {
    int i;
    for (i = 0; i < 5; i++) CALL(MPI_Ssend, data, 16, MPI_INT, 1, 60 + i, MPI_COMM_WORLD);
  } else if (rank == 1) {
    TRY_BIG(MPI_Recv, data, 1, MPI_INT, 0, 60, MPI_COMM_WORLD, &status);
    say("source %d tag %d", status.MPI_SOURCE, status.MPI_TAG);
    TRY_BIG(MPI_Recv, data, 1, MPI_INT, 0, 61, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    TRY_BIG(MPI_Irecv, data, 1, MPI_INT, 0, 62, MPI_COMM_WORLD, &request);
    TRY(MPI_Wait, &request, &status);
    say("source %d tag %d", status.MPI_SOURCE, status.MPI_TAG);
    TRY_BIG(MPI_Irecv, data, 1, MPI_INT, 0, 63, MPI_COMM_WORLD, &request);
    TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);
    say("request is null: %d", request == MPI_REQUEST_NULL);
    TRY_BIG(MPI_Sendrecv, data, 1, MPI_INT, MPI_PROC_NULL, 0, data, 1, MPI_INT, 0, 64, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  TRY_BIG(MPI_Send, data, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  TRY_BIG(MPI_Send, data, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  TRY_BIG(MPI_Send, data, 1, MPI_INT, 0, -5, MPI_COMM_WORLD);
  TRY_BIG(MPI_Send, data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD);
  TRY_BIG(MPI_Recv, data, 1, MPI_INT, -77, 0, MPI_COMM_WORLD, &status);
  TRY_BIG(MPI_Isend, data, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD, &request);
  TRY_BIG(MPI_Irecv, data, -2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  TRY_BIG(MPI_Send_init, data, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &request);
  TRY(MPI_Probe, size, 0, MPI_COMM_WORLD, &status);
  TRY(MPI_Iprobe, size, 0, MPI_COMM_WORLD, &flag, &status);
#ifdef MPICH /* looks at the pointers it is given */
  TRY(MPI_Mprobe, size, 0, MPI_COMM_WORLD, NULL, &status);
  TRY_BIG(MPI_Mrecv, data, 1, MPI_INT, NULL, &status);
  TRY_BIG(MPI_Imrecv, data, 1, MPI_INT, NULL, &request);
#endif
}

int main(int argc, char** argv) {
  void* buffer;
#ifdef LARGE
  MPI_Count bytes;
#else
  int bytes;
#endif
  begin(argc, argv);
  TRY_BIG(MPI_Buffer_attach, room, (Count)sizeof room);
  modes();
  receives();
  nobody();
  bottom();
  errors();
  TRY_BIG(MPI_Buffer_detach, &buffer, &bytes);
  say("detached: %d, %ld bytes", buffer == (void*)room, (long)bytes);
  return finish();
}
