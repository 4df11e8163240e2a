/* What a test program counts of itself, to be compared exactly with what was measured.
 *
 * Functions count their visits with COUNT_VISIT; calls of MPI their visits, bytes and messages
 * as docs/mpi.md defines them. `counts_print` writes one line for each name
 *   count RANK NAME VISITS BYTES_SENT BYTES_RECEIVED MESSAGES_SENT MESSAGES_RECEIVED
 * and one for each rank that point-to-point messages went to
 *   message SOURCE DESTINATION MESSAGES BYTES
 * in one write, each rank 40 ms after the one before: launchers forward what arrives in pieces, and
 * pieces of two ranks at once mix within lines. Not safe for threads. Its own functions
 * are marked against instrumentation, so none of this appears in the call tree.
 */
#ifndef ANDES_TESTS_COUNTS_H
#define ANDES_TESTS_COUNTS_H
#include <stdio.h>
#include <string.h>
#include <time.h>

#define COUNTS_UNUSED __attribute__((unused, no_instrument_function))
enum { counts_names = 96, counts_ranks = 64, counts_text = 16384 };

struct counts_row {
  const char* name;
  long long visits, bytes_sent, bytes_received, messages_sent, messages_received;
};
struct counts_peer {
  long long messages, bytes;
};
static struct counts_row counts_rows[counts_names];
static struct counts_peer counts_peers[counts_ranks];
static int counts_used;

/* The row of `name`, a string that lives as long as the program. */
COUNTS_UNUSED static struct counts_row* counts_of(const char* name) {
  for (int i = 0; i < counts_used; ++i)
    if (counts_rows[i].name == name || strcmp(counts_rows[i].name, name) == 0)
      return &counts_rows[i];
  if (counts_used == counts_names) {
    fprintf(stderr, "counts.h: more than %d names\n", (int)counts_names);
    return &counts_rows[counts_names - 1];
  }
  counts_rows[counts_used].name = name;
  return &counts_rows[counts_used++];
}

COUNTS_UNUSED static void counts_visit(const char* name) { counts_of(name)->visits++; }

/* A call of MPI that is no point-to-point message: its visit and its bytes. */
COUNTS_UNUSED static void counts_call(const char* name, long long sent, long long received) {
  struct counts_row* row = counts_of(name);
  row->visits++;
  row->bytes_sent += sent;
  row->bytes_received += received;
}

/* A message sent to `rank` of the world by a call already counted, or counted here by `visits`. */
COUNTS_UNUSED static void counts_send(const char* name, int visits, int rank, long long bytes) {
  struct counts_row* row = counts_of(name);
  row->visits += visits;
  row->messages_sent++;
  row->bytes_sent += bytes;
  counts_peers[rank].messages++;
  counts_peers[rank].bytes += bytes;
}

COUNTS_UNUSED static void counts_receive(const char* name, int visits, long long bytes) {
  struct counts_row* row = counts_of(name);
  row->visits += visits;
  row->messages_received++;
  row->bytes_received += bytes;
}

#define COUNT_VISIT() counts_visit(__func__)

COUNTS_UNUSED static void counts_print(int rank) {
  static char text[counts_text];
  size_t used = 0;
  for (int i = 0; i < counts_used; ++i) {
    const struct counts_row* r = &counts_rows[i];
    used += (size_t)snprintf(
        text + used, sizeof text - used, "count %d %s %lld %lld %lld %lld %lld\n", rank, r->name,
        r->visits, r->bytes_sent, r->bytes_received, r->messages_sent, r->messages_received);
  }
  for (int to = 0; to < counts_ranks; ++to)
    if (counts_peers[to].messages > 0)
      used += (size_t)snprintf(text + used, sizeof text - used, "message %d %d %lld %lld\n", rank,
                               to, counts_peers[to].messages, counts_peers[to].bytes);
  const struct timespec turn = {rank * 40 / 1000, rank * 40 % 1000 * 1000000L};
  fflush(stdout);
  nanosleep(&turn, NULL);
  fwrite(text, 1, used, stdout);
  fflush(stdout);
}

#endif
