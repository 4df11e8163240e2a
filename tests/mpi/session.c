/* session.c: MPI sessions (MPI 4). Usage: session HOW. In a ring each rank hands 4 bytes to the next one, three times.
 *   ring: in one session; status: the same, and every rank returns 3
 *   again: in one session, and in another one after it
 *   two: in one session, and in another one that is opened before the first ends
 *   init: in a session, and on MPI_COMM_WORLD while it is open
 *   late: rank 0 sends 800 bytes to rank 1 half a second late
 *   part: the last rank opens no session
 *   left: every rank ends by exit(0) in the session
 *   fault: rank 1 ends by SIGSEGV, while the others wait for it */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void ring(MPI_Comm comm) {
  int rank, size, sum = 0, value;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int turn = 0; turn < 3; turn++) {
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &value, 1, MPI_INT, (rank + size - 1) % size, 0, comm,
                 MPI_STATUS_IGNORE);
    sum += value;
  }
  printf("rank %d sum %d\n", rank, sum);
  fflush(stdout);
}

static MPI_Session begin(MPI_Comm *comm, int left_out) {
  MPI_Session session;
  MPI_Group all, group;
  int size, last;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  MPI_Group_size(all, &size);
  last = size - 1;
  MPI_Group_excl(all, left_out, &last, &group);
  MPI_Comm_create_from_group(group, "ring", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm);
  MPI_Group_free(&group);
  MPI_Group_free(&all);
  return session;
}

static void end(MPI_Session session, MPI_Comm comm) {
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

static void late(MPI_Comm comm) {
  char bytes[800] = "";
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Barrier(comm);
  if (rank == 0) {
    usleep(500000);
    MPI_Send(bytes, sizeof bytes, MPI_CHAR, 1, 0, comm);
  } else if (rank == 1) {
    MPI_Recv(bytes, sizeof bytes, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
  }
}

static void fault(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == 1) raise(SIGSEGV);
  MPI_Barrier(comm);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "ring";
  const char *number = getenv("PMI_RANK"), *ranks = getenv("PMI_SIZE");
  const int part = !strcmp(how, "part");
  MPI_Comm comm, other;
  MPI_Session session, beside;
  if (part && number && ranks && atoi(number) == atoi(ranks) - 1) return 0;
  session = begin(&comm, part);
  if (!strcmp(how, "late")) late(comm);
  else if (!strcmp(how, "fault")) fault(comm);
  else ring(comm);
  if (!strcmp(how, "left")) exit(0);
  if (!strcmp(how, "two")) {
    beside = begin(&other, 0);
    end(session, comm);
    session = beside;
    comm = other;
    ring(comm);
  }
  if (!strcmp(how, "init")) {
    MPI_Init(NULL, NULL);
    ring(MPI_COMM_WORLD);
    end(session, comm);
    MPI_Finalize();
    return 0;
  }
  end(session, comm);
  if (!strcmp(how, "again")) {
    session = begin(&comm, 0);
    ring(comm);
    end(session, comm);
  }
  return strcmp(how, "status") ? 0 : 3;
}
