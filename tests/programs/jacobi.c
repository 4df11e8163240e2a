/* Jacobi iteration for Laplace's equation on the unit square, in strips of rows.
 *
 *   jacobi SIZE ITERATIONS [late|early] [--counts]
 *
 * Two orders of communication. `late`: compute, send the edges, receive the neighbours' edges.
 * `early`: send the edges, compute the inside while they travel, receive, compute the edges.
 *
 * The answer is known. x^2 - y^2 is harmonic, for the five-point difference as well; to it the
 * start adds sin(pi x) sin(pi y), an eigenvector of the iteration with the eigenvalue cos(pi h).
 * So after k iterations the grid holds x^2 - y^2 + cos(pi h)^k sin(pi x) sin(pi y), whatever the
 * number of ranks, and the program compares every point with that.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"

enum { up_tag = 1, down_tag = 2, check_every = 100 };

struct strip {
  int size;         /* interior points in a row, interior rows of the whole grid */
  int first;        /* number of the first row of this strip, from 1 */
  int rows;         /* rows of this strip; rows 0 and rows + 1 are the neighbours' */
  int above, below; /* ranks, or MPI_PROC_NULL */
  double* now;
  double* next;
};

struct arguments {
  int size, iterations, early, counts;
};

static int bad_arguments(void) {
  fprintf(stderr, "usage: jacobi SIZE ITERATIONS [late|early] [--counts]\n");
  return 2;
}

static int read_arguments(int argc, char** argv, struct arguments* a) {
  if (argc < 3) return 0;
  memset(a, 0, sizeof *a);
  a->size = atoi(argv[1]);
  a->iterations = atoi(argv[2]);
  for (int i = 3; i < argc; ++i) {
    if (strcmp(argv[i], "early") == 0)
      a->early = 1;
    else if (strcmp(argv[i], "--counts") == 0)
      a->counts = 1;
    else if (strcmp(argv[i], "late") != 0)
      return 0;
  }
  return a->size > 0 && a->iterations >= 0;
}

/* One row of the solution; `mode` is the share of the eigenvector that is left. */
static void solution_row(double* out, const double* sine, int size, int row, double mode) {
  double h = 1.0 / (size + 1), y = row * h;
  COUNT_VISIT();
  for (int j = 0; j <= size + 1; ++j) {
    double x = j * h;
    out[j] = x * x - y * y + mode * sine[j] * sine[row];
  }
}

static double* make_sines(int size) {
  COUNT_VISIT();
  double* sine = malloc(sizeof(double) * (size_t)(size + 2));
  if (!sine) return NULL;
  for (int i = 0; i <= size + 1; ++i) sine[i] = sin(M_PI * i / (size + 1));
  sine[size + 1] = 0.0;
  return sine;
}

static int make_strip(struct strip* s, int size, int rank, int ranks, const double* sine) {
  COUNT_VISIT();
  s->size = size;
  s->first = (int)((long long)size * rank / ranks) + 1;
  s->rows = (int)((long long)size * (rank + 1) / ranks) + 1 - s->first;
  s->above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  s->below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  size_t width = (size_t)size + 2, points = width * (size_t)(s->rows + 2);
  s->now = malloc(points * sizeof(double));
  s->next = malloc(points * sizeof(double));
  if (!s->now || !s->next) return 0;
  for (int i = 0; i < s->rows + 2; ++i)
    solution_row(s->now + (size_t)i * width, sine, size, s->first - 1 + i, 1.0);
  memcpy(s->next, s->now, points * sizeof(double));
  return 1;
}

static void free_strip(struct strip* s) {
  COUNT_VISIT();
  free(s->now);
  free(s->next);
}

static void relax_rows(const struct strip* s, int from, int to) {
  COUNT_VISIT();
  size_t width = (size_t)s->size + 2;
  for (int i = from; i <= to; ++i) {
    const double* above = s->now + (size_t)(i - 1) * width;
    const double* row = above + width;
    const double* below = row + width;
    double* out = s->next + (size_t)i * width;
    for (int j = 1; j <= s->size; ++j)
      out[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
  }
}

static void send_edge(double* row, const struct strip* s, int to, int tag, MPI_Request* request) {
  COUNT_VISIT();
  MPI_Isend(row, s->size + 2, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, request);
  if (to == MPI_PROC_NULL)
    counts_visit("MPI_Isend");
  else
    counts_send("MPI_Isend", 1, to, (s->size + 2) * (long long)sizeof(double));
}

static void send_edges(const struct strip* s, MPI_Request requests[2]) {
  COUNT_VISIT();
  size_t width = (size_t)s->size + 2;
  send_edge(s->now + width, s, s->above, up_tag, &requests[0]);
  send_edge(s->now + (size_t)s->rows * width, s, s->below, down_tag, &requests[1]);
}

static void receive_edge(double* row, const struct strip* s, int from, int tag) {
  COUNT_VISIT();
  MPI_Recv(row, s->size + 2, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (from == MPI_PROC_NULL)
    counts_visit("MPI_Recv");
  else
    counts_receive("MPI_Recv", 1, (s->size + 2) * (long long)sizeof(double));
}

static void receive_edges(const struct strip* s) {
  COUNT_VISIT();
  size_t width = (size_t)s->size + 2;
  receive_edge(s->now, s, s->above, down_tag);
  receive_edge(s->now + (size_t)(s->rows + 1) * width, s, s->below, up_tag);
}

static void complete_sends(MPI_Request requests[2]) {
  COUNT_VISIT();
  MPI_Status statuses[2]; /* GCC warns of MPI_STATUSES_IGNORE with MPICH's declaration */
  MPI_Waitall(2, requests, statuses);
  counts_visit("MPI_Waitall");
}

static void swap_grids(struct strip* s) {
  double* now = s->now;
  s->now = s->next;
  s->next = now;
}

static void iterate_late(struct strip* s) {
  COUNT_VISIT();
  MPI_Request requests[2];
  relax_rows(s, 1, s->rows);
  swap_grids(s);
  send_edges(s, requests);
  receive_edges(s);
  complete_sends(requests);
}

static void iterate_early(struct strip* s) {
  COUNT_VISIT();
  MPI_Request requests[2];
  send_edges(s, requests);
  relax_rows(s, 2, s->rows - 1);
  receive_edges(s);
  relax_rows(s, 1, 1);
  if (s->rows > 1) relax_rows(s, s->rows, s->rows);
  complete_sends(requests);
  swap_grids(s);
}

/* Largest change of the last iteration over all ranks. */
static double change(const struct strip* s) {
  COUNT_VISIT();
  size_t width = (size_t)s->size + 2;
  double largest = 0.0, all = 0.0;
  for (size_t i = 1; i <= (size_t)s->rows; ++i)
    for (size_t j = 1; j < width - 1; ++j) {
      double d = fabs(s->now[i * width + j] - s->next[i * width + j]);
      if (d > largest) largest = d;
    }
  MPI_Allreduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  counts_call("MPI_Allreduce", sizeof(double), sizeof(double));
  return all;
}

static double solve(struct strip* s, const struct arguments* a) {
  COUNT_VISIT();
  double last = 0.0;
  for (int k = 1; k <= a->iterations; ++k) {
    if (a->early)
      iterate_early(s);
    else
      iterate_late(s);
    if (k % check_every == 0 || k == a->iterations) last = change(s);
  }
  return last;
}

/* Largest distance from the known answer, on rank 0. The other grid is overwritten. */
static double check(const struct strip* s, const double* sine, int iterations) {
  COUNT_VISIT();
  double mode = pow(cos(M_PI / (s->size + 1)), iterations), largest = 0.0, all = 0.0;
  size_t width = (size_t)s->size + 2;
  for (int i = 1; i <= s->rows; ++i) {
    const double* row = s->now + (size_t)i * width;
    solution_row(s->next, sine, s->size, s->first - 1 + i, mode);
    for (int j = 1; j <= s->size; ++j) {
      double d = fabs(row[j] - s->next[j]);
      if (d > largest) largest = d;
    }
  }
  MPI_Reduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  counts_call("MPI_Reduce", sizeof(double), s->above == MPI_PROC_NULL ? sizeof(double) : 0);
  return all;
}

int main(int argc, char** argv) {
  int rank, ranks, status = 0;
  struct arguments a;
  struct strip s;
  COUNT_VISIT();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!read_arguments(argc, argv, &a) || a.size < ranks) {
    if (rank == 0) bad_arguments();
    MPI_Finalize();
    return 2;
  }
  double* sine = make_sines(a.size);
  if (!sine || !make_strip(&s, a.size, rank, ranks, sine)) {
    fprintf(stderr, "jacobi: no memory for %d x %d points\n", a.size, a.size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  double last = solve(&s, &a);
  double error = check(&s, sine, a.iterations);
  if (rank == 0) {
    status = !(error < 1e-11);
    printf("jacobi: %d x %d, %d iterations: change %.12e, error %.3e: %s\n", a.size, a.size,
           a.iterations, last, error, status ? "WRONG" : "right");
  }
  free_strip(&s);
  free(sine);
  if (a.counts) counts_print(rank);
  MPI_Finalize();
  return status;
}
