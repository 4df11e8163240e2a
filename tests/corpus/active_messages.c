/* active_messages.c: see active_messages.h. Each destination has two buffers, one that is filled and one
 * that is on its way; who waits for either polls for messages of others meanwhile, so nothing blocks. What
 * a rank has for itself it handles at once, but for a rank without others, which sends to itself to make the
 * same calls. */
#include "active_messages.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 2048, MOST_RANKS = 64 }; /* 32 KiB a destination, as in the reference of Graph500 */

struct buffer {
  struct message filling[BUFFER], sending[BUFFER];
  int filled;
  MPI_Request request;
};

static struct buffer *buffers;
static message_handler *handler_of_all;
static int self, ranks, ended;

void messages_start(message_handler *handler) {
  handler_of_all = handler;
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
  buffers = calloc((size_t)ranks, sizeof *buffers);
  for (int i = 0; i < ranks; ++i) buffers[i].request = MPI_REQUEST_NULL;
}

static int sends_to(int rank) { return rank != self || ranks == 1; }

static void receive(const MPI_Status *found) {
  struct message inbox[BUFFER];
  int bytes;
  MPI_Get_count(found, MPI_BYTE, &bytes);
  MPI_Recv(inbox, bytes, MPI_BYTE, found->MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (bytes == 0) ++ended;
  for (int i = 0; i < bytes / (int)sizeof *inbox; ++i) handler_of_all(&inbox[i]);
}

static void poll(void) {
  int flag;
  MPI_Status found;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &found);
  if (flag) receive(&found);
}

/* Handlers send nothing, so a buffer cannot be filled anew while this function waits for it. */
static void flush(int rank) {
  struct buffer *to = &buffers[rank];
  for (int done = 0; !done;) {
    MPI_Test(&to->request, &done, MPI_STATUS_IGNORE);
    if (!done) poll();
  }
  memcpy(to->sending, to->filling, (size_t)to->filled * sizeof *to->filling);
  MPI_Isend(to->sending, to->filled * (int)sizeof *to->sending, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &to->request);
  to->filled = 0;
}

void messages_send(int rank, const struct message *message) {
  struct buffer *to = &buffers[rank];
  if (!sends_to(rank)) {
    handler_of_all(message);
    return;
  }
  to->filling[to->filled++] = *message;
  if (to->filled == BUFFER) {
    flush(rank);
    poll();
  }
}

void messages_barrier(void) {
  for (int i = 0; i < ranks; ++i) {
    if (!sends_to(i)) continue;
    if (buffers[i].filled) flush(i);
    flush(i); /* an empty message: the last one of this rank */
  }
  while (ended < ranks - !sends_to(self)) poll();
  for (int i = 0; i < ranks; ++i) MPI_Wait(&buffers[i].request, MPI_STATUS_IGNORE);
  ended = 0;
  MPI_Barrier(MPI_COMM_WORLD);
}
