/* Messages of all kinds between three ranks, of sizes that tell them apart. Each rank prints, for its
 * receives in the order of their posting, "received BYTES...", so that a test can follow every receive
 * in the log to the send with the same channel and number, and find its bytes there. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { most = 4000 };
static char data[16][most];
static int rank, received[400], receives, next_size = 1;

/* The number of bytes of the next message from this rank: 3 k + rank, never twice. */
static int size_of_next(void) { return 3 * next_size++ + rank; }

static void to(int dest, int tag, MPI_Comm comm) {
  MPI_Send(data[15], size_of_next(), MPI_BYTE, dest, tag, comm);
}

struct open {
  MPI_Request request;
  int place; /* in `received` */
};

static struct open post(char* buffer, int source, int tag, MPI_Comm comm) {
  struct open open;
  open.place = receives++;
  MPI_Irecv(buffer, most, MPI_BYTE, source, tag, comm, &open.request);
  return open;
}

static void arrived(int place, MPI_Status* status) {
  MPI_Get_count(status, MPI_BYTE, &received[place]);
}

static void finish(struct open* open) {
  MPI_Status status;
  MPI_Wait(&open->request, &status);
  arrived(open->place, &status);
}

static void from(int source, int tag, MPI_Comm comm) {
  MPI_Status status;
  MPI_Recv(data[14], most, MPI_BYTE, source, tag, comm, &status);
  arrived(receives++, &status);
}

/* A receive from any source posted before one from a certain rank; the later completes first. */
static void wildcards(MPI_Comm comm, MPI_Comm other) {
  MPI_Message message;
  MPI_Status status;
  int flag = 0;
  if (rank == 0) {
    struct open any = post(data[0], MPI_ANY_SOURCE, 1, comm), certain = post(data[1], 1, 1, comm);
    finish(&certain);
    finish(&any);
    struct open one = post(data[0], MPI_ANY_SOURCE, 5, comm), two = post(data[1], MPI_ANY_SOURCE, 5, comm);
    finish(&two);
    finish(&one);
    from(MPI_ANY_SOURCE, MPI_ANY_TAG, comm);
    /* The first is found, but not completed, before the second is posted and completed. */
    any = post(data[0], MPI_ANY_SOURCE, MPI_ANY_TAG, comm);
    MPI_Recv(data[2], 0, MPI_BYTE, 1, 99, other, MPI_STATUS_IGNORE);
    received[receives++] = 0;
    from(2, 9, comm);
    finish(&any);
    /* Probed ones, behind one that is open. */
    any = post(data[0], MPI_ANY_SOURCE, 11, comm);
    MPI_Mprobe(MPI_ANY_SOURCE, 12, comm, &message, &status);
    receives++;
    MPI_Mrecv(data[1], most, MPI_BYTE, &message, &status);
    arrived(receives - 1, &status);
    while (!flag) MPI_Improbe(1, 11, comm, &flag, &message, &status); /* the second of tag 11 */
    one.place = receives++;
    MPI_Imrecv(data[1], most, MPI_BYTE, &message, &one.request);
    finish(&one);
    finish(&any);
    /* A cancelled one had nothing. */
    MPI_Request gone;
    MPI_Irecv(data[0], most, MPI_BYTE, MPI_ANY_SOURCE, 77, comm, &gone);
    two = post(data[1], 1, 77, comm);
    MPI_Cancel(&gone);
    MPI_Wait(&gone, MPI_STATUS_IGNORE);
    MPI_Send(data[2], 0, MPI_BYTE, 1, 78, other);
    finish(&two);
  } else if (rank == 1) {
    to(0, 1, comm);
    to(0, 1, comm);
    to(0, 5, comm);
    MPI_Send(data[2], size_of_next(), MPI_BYTE, 0, 6, comm);
    MPI_Ssend(data[2], size_of_next(), MPI_BYTE, 0, 8, comm);
    MPI_Send(data[2], 0, MPI_BYTE, 0, 99, other);
    MPI_Send(data[2], 0, MPI_BYTE, 2, 99, other);
    to(0, 12, comm);
    to(0, 11, comm);
    to(0, 11, comm);
    MPI_Recv(data[2], 0, MPI_BYTE, 0, 78, other, MPI_STATUS_IGNORE);
    received[receives++] = 0;
    to(0, 77, comm);
  } else {
    to(0, 5, comm);
    MPI_Recv(data[2], 0, MPI_BYTE, 1, 99, other, MPI_STATUS_IGNORE);
    received[receives++] = 0;
    to(0, 9, comm);
  }
  MPI_Barrier(comm);
}

/* Every pair, every way to send and to complete; partners out of order. */
static void crowd(MPI_Comm comm) {
  enum { each = 4 };
  struct open opened[2 * each];
  MPI_Request requests[2 * each], sends[2 * each];
  MPI_Status statuses[2 * each], status;
  int indices[2 * each], flag, done, index, count = 0;
  for (int way = 0; way < 6; way++) {
    count = 0;
    for (int k = 0; k < each; k++)
      for (int peer = 0; peer < 3; peer++)
        if (peer != rank) {
          opened[count] = post(data[count], peer, k % 2, comm);
          requests[count] = opened[count].request;
          count++;
        }
    count = 0;
    for (int k = 0; k < each; k++)
      for (int peer = 2; peer >= 0; peer--)
        if (peer != rank) {
          int size = size_of_next();
          if (way % 2)
            MPI_Isend(data[15], size, MPI_BYTE, peer, k % 2, comm, &sends[count]);
          else
            MPI_Issend(data[15], size, MPI_BYTE, peer, k % 2, comm, &sends[count]);
          count++;
        }
    for (int left = count; left > 0;) {
      switch (way) {
      case 0:
        MPI_Waitall(count, requests, statuses);
        for (int i = 0; i < count; i++) arrived(opened[i].place, &statuses[i]);
        left = 0;
        break;
      case 1:
        MPI_Waitany(count, requests, &index, &status);
        arrived(opened[index].place, &status);
        left--;
        break;
      case 2:
        MPI_Waitsome(count, requests, &done, indices, statuses);
        for (int i = 0; i < done; i++) arrived(opened[indices[i]].place, &statuses[i]);
        left -= done;
        break;
      case 3:
        MPI_Testall(count, requests, &flag, statuses);
        for (int i = 0; flag && i < count; i++) arrived(opened[i].place, &statuses[i]);
        if (flag) left = 0;
        break;
      case 4:
        MPI_Testany(count, requests, &index, &flag, &status);
        if (flag) {
          arrived(opened[index].place, &status);
          left--;
        }
        break;
      default:
        MPI_Test(&requests[left - 1], &flag, &status);
        if (flag) arrived(opened[--left].place, &status);
      }
    }
    MPI_Waitall(count, sends, MPI_STATUSES_IGNORE);
  }
}

static void persistent(MPI_Comm comm) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  const int next = (rank + 1) % 3, before = (rank + 2) % 3;
  MPI_Recv_init(data[0], most, MPI_BYTE, before, 21, comm, &requests[0]);
  MPI_Send_init(data[1], size_of_next(), MPI_BYTE, next, 21, comm, &requests[1]);
  for (int i = 0; i < 3; i++) {
    if (i == 0) {
      MPI_Start(&requests[0]);
      MPI_Start(&requests[1]);
    } else {
      MPI_Startall(2, requests);
    }
    MPI_Waitall(2, requests, statuses);
    arrived(receives++, &statuses[0]);
    MPI_Waitall(2, requests, statuses); /* not active: nothing */
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Status status;
  MPI_Sendrecv(data[0], size_of_next(), MPI_BYTE, next, 22, data[1], most, MPI_BYTE, before, 22, comm,
               &status);
  arrived(receives++, &status);
  MPI_Sendrecv(data[0], size_of_next(), MPI_BYTE, rank, 23, data[1], most, MPI_BYTE, rank, 23, comm,
               &status); /* to itself */
  arrived(receives++, &status);
  MPI_Sendrecv(data[0], 5, MPI_BYTE, MPI_PROC_NULL, 24, data[1], most, MPI_BYTE, MPI_PROC_NULL, 24,
               comm, &status);
}

/* Switched off on one rank: its numbers go on. Prints what is not in its log. */
static void switched_off(MPI_Comm comm) {
  MPI_Barrier(comm);
  if (rank == 1) MPI_Pcontrol(0);
  for (int i = 0; i < 3; i++) {
    if (rank == 0) to(1, 31, comm);
    if (rank == 1) {
      MPI_Request request;
      MPI_Irecv(data[0], most, MPI_BYTE, i == 1 ? MPI_ANY_SOURCE : 0, 31, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      size_of_next();
    }
    MPI_Allreduce(MPI_IN_PLACE, data[3], 1, MPI_INT, MPI_MAX, comm);
  }
  if (rank == 1) MPI_Pcontrol(1);
  if (rank == 0) to(1, 31, comm);
  if (rank == 1) from(0, 31, comm);
  MPI_Barrier(comm);
}

int main(int argc, char** argv) {
  MPI_Comm comm, other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  wildcards(MPI_COMM_WORLD, other);
  wildcards(comm, MPI_COMM_WORLD);
  crowd(MPI_COMM_WORLD);
  crowd(other);
  persistent(comm);
  switched_off(MPI_COMM_WORLD);
  for (int r = 0; r < 3; r++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (r != rank) continue;
    printf("received %d", rank);
    for (int i = 0; i < receives; i++) printf(" %d", received[i]);
    printf("\n");
    fflush(stdout);
  }
  MPI_Comm_free(&comm);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
