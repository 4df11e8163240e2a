/* graph_search.c: breadth-first searches of a Kronecker graph by active messages, as the reference of
 * Graph500 makes them. Every edge of the frontier is one short message: tiny functions, tens of millions a
 * second, most of which are a test and a copy, and some of which reach MPI. A step is one search.
 * The checksum is the sum of the distances from the roots, which no order of messages changes. */
#include "active_messages.h"
#include "corpus.h"

#include <string.h>

enum { SCALE = 14, EDGES_OF_A_VERTEX = 16 };
static const long vertices = 1L << SCALE;

static long *first_edge, *edges; /* of the vertices of this rank: vertex v is number v / ranks of rank v % ranks */
static int *distance;
static long *frontier, *next_frontier, frontier_size, next_size;
static int level, rank, ranks;

/* One edge of the initiator matrix (0.57, 0.19; 0.19, 0.05), names of the vertices scattered. */
static APART void make_edge(unsigned long *state, long *from, long *to) {
  long a = 0, b = 0;
  for (int bit = 0; bit < SCALE; ++bit) {
    double r = corpus_random(state);
    a = 2 * a + (r >= 0.76);
    b = 2 * b + ((r >= 0.57 && r < 0.76) || r >= 0.95);
  }
  *from = a * 40503 % vertices;
  *to = b * 40503 % vertices;
}

static void add_edge(long from, long to, long *place) {
  if (from % ranks != rank) return;
  if (edges) edges[place[from / ranks]] = to;
  ++place[from / ranks];
}

/* Twice the same edges: once to count those of each vertex, once to keep them. */
static void make_graph(void) {
  long own = vertices / ranks + 1, *place = calloc((size_t)own + 1, sizeof *place);
  first_edge = calloc((size_t)own + 1, sizeof *first_edge);
  for (int keep = 0; keep < 2; ++keep) {
    unsigned long state = 20;
    for (long i = 0; i < vertices * EDGES_OF_A_VERTEX; ++i) {
      long from, to;
      make_edge(&state, &from, &to);
      add_edge(from, to, place);
      add_edge(to, from, place);
    }
    if (keep) break;
    for (long v = 0; v < own; ++v) first_edge[v + 1] = first_edge[v] + place[v];
    memcpy(place, first_edge, (size_t)own * sizeof *place);
    edges = calloc((size_t)first_edge[own] + 1, sizeof *edges);
  }
  free(place);
  distance = malloc((size_t)own * sizeof *distance);
  frontier = malloc((size_t)own * sizeof *frontier);
  next_frontier = malloc((size_t)own * sizeof *next_frontier);
}

/* The handler of the messages. */
static void visit_vertex(const struct message *message) {
  long v = message->vertex / ranks;
  if (distance[v] >= 0) return;
  distance[v] = level + 1;
  next_frontier[next_size++] = v;
}

static APART void send_visit(long vertex, long from) {
  struct message message = {vertex, from};
  messages_send((int)(vertex % ranks), &message);
}

static APART void visit_neighbours(long v) {
  for (long e = first_edge[v]; e < first_edge[v + 1]; ++e) send_visit(edges[e], v * ranks + rank);
}

static APART long expand_level(void) {
  long size;
  next_size = 0;
  for (long i = 0; i < frontier_size; ++i) visit_neighbours(frontier[i]);
  messages_barrier();
  long *other = frontier;
  frontier = next_frontier;
  next_frontier = other;
  frontier_size = next_size;
  MPI_Allreduce(&frontier_size, &size, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return size;
}

static APART double search(long root) {
  double sum = 0;
  for (long v = 0; v <= vertices / ranks; ++v) distance[v] = -1;
  frontier_size = 0;
  if (root % ranks == rank) {
    distance[root / ranks] = 0;
    frontier[frontier_size++] = root / ranks;
  }
  level = 0;
  while (expand_level() > 0) ++level;
  for (long v = 0; v <= vertices / ranks; ++v) sum += distance[v] > 0 ? distance[v] : 0;
  return sum;
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  double sum = 0;
  rank = c.rank;
  ranks = c.ranks;
  make_graph();
  messages_start(visit_vertex);
  for (long i = 0; i < c.steps; ++i) sum += search(i * 7919 % vertices);
  return corpus_end(&c, "graph_search", sum);
}
