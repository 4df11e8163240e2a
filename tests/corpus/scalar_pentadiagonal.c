/* scalar_pentadiagonal.c: like SP of the NAS parallel benchmarks: alternating directions with scalar
 * pentadiagonal systems along the lines of a cube, functions of one line (some us) and of the whole slab
 * (some 100 us), ranks with slabs in z that exchange faces once a step. A step is one step of time.
 * The checksum is the sum of all values in the end. */
#include "corpus.h"

#include <math.h>

enum { N = 24, V = 5 };
typedef double vector[V];

static int planes;
static vector *u, *rhs;
static double *speed;
static const struct corpus *all;

static long at(int x, int y, int z) { return ((long)(z + 1) * N + y) * N + x; }

static APART void copy_faces(void) {
  const int face = N * N * V;
  MPI_Sendrecv(u[at(0, 0, planes - 1)], face, MPI_DOUBLE, corpus_after(all), 1, u[at(0, 0, -1)], face, MPI_DOUBLE,
               corpus_before(all), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(u[at(0, 0, 0)], face, MPI_DOUBLE, corpus_before(all), 2, u[at(0, 0, planes)], face, MPI_DOUBLE,
               corpus_after(all), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static APART void compute_rhs(void) {
  for (int z = 0; z < planes; ++z)
    for (int y = 0; y < N; ++y)
      for (int x = 0; x < N; ++x) {
        long i = at(x, y, z), n[6] = {at(x > 0 ? x - 1 : x, y, z), at(x < N - 1 ? x + 1 : x, y, z),
                                      at(x, y > 0 ? y - 1 : y, z), at(x, y < N - 1 ? y + 1 : y, z),
                                      at(x, y, z - 1), at(x, y, z + 1)};
        double square = 0;
        for (int v = 0; v < V; ++v) {
          double sum = 0;
          for (int k = 0; k < 6; ++k) sum += u[n[k]][v];
          rhs[i][v] = 0.1 * (sum - 6 * u[i][v]);
          square += u[i][v] * u[i][v];
        }
        speed[i] = sqrt(square);
      }
}

/* The changes of variables between the directions. */
static APART void rotate(double c) {
  for (long i = at(0, 0, 0); i < at(0, 0, planes); ++i) {
    double a = rhs[i][0], b = rhs[i][4];
    rhs[i][0] = c * a + 0.5 * b;
    rhs[i][4] = c * b - 0.5 * a;
  }
}
static APART void txinvr(void) { rotate(0.8); }
static APART void ninvr(void) { rotate(0.85); }
static APART void pinvr(void) { rotate(0.9); }
static APART void tzetar(void) { rotate(0.95); }

static APART void lhs_line(double lhs[N][V], const long line[], int n) {
  for (int k = 0; k < n; ++k) {
    double s = 0.1 * speed[line[k]];
    lhs[k][0] = lhs[k][4] = 0.01;
    lhs[k][1] = -0.2 - s;
    lhs[k][2] = 2.0 + s;
    lhs[k][3] = -0.2;
  }
}

/* Gaussian elimination of two rows below each, then back. */
static APART void solve_line(double lhs[N][V], const long line[], int n) {
  for (int k = 0; k < n; ++k) {
    double pivot = 1 / lhs[k][2];
    lhs[k][3] *= pivot;
    lhs[k][4] *= pivot;
    for (int v = 0; v < V; ++v) rhs[line[k]][v] *= pivot;
    for (int below = 1; below <= 2 && k + below < n; ++below) {
      double factor = lhs[k + below][2 - below];
      lhs[k + below][3 - below] -= factor * lhs[k][3];
      lhs[k + below][4 - below] -= factor * lhs[k][4];
      for (int v = 0; v < V; ++v) rhs[line[k + below]][v] -= factor * rhs[line[k]][v];
    }
  }
  for (int k = n - 2; k >= 0; --k)
    for (int v = 0; v < V; ++v) {
      rhs[line[k]][v] -= lhs[k][3] * rhs[line[k + 1]][v];
      if (k + 2 < n) rhs[line[k]][v] -= lhs[k][4] * rhs[line[k + 2]][v];
    }
}

static APART void x_solve(void) {
  double lhs[N][V];
  long line[N];
  for (int z = 0; z < planes; ++z)
    for (int y = 0; y < N; ++y) {
      for (int x = 0; x < N; ++x) line[x] = at(x, y, z);
      lhs_line(lhs, line, N);
      solve_line(lhs, line, N);
    }
  ninvr();
}

static APART void y_solve(void) {
  double lhs[N][V];
  long line[N];
  for (int z = 0; z < planes; ++z)
    for (int x = 0; x < N; ++x) {
      for (int y = 0; y < N; ++y) line[y] = at(x, y, z);
      lhs_line(lhs, line, N);
      solve_line(lhs, line, N);
    }
  pinvr();
}

static APART void z_solve(void) {
  double lhs[N][V];
  long line[N];
  for (int y = 0; y < N; ++y)
    for (int x = 0; x < N; ++x) {
      for (int z = 0; z < planes; ++z) line[z] = at(x, y, z);
      lhs_line(lhs, line, planes);
      solve_line(lhs, line, planes);
    }
  tzetar();
}

static APART void add(void) {
  for (long i = at(0, 0, 0); i < at(0, 0, planes); ++i)
    for (int v = 0; v < V; ++v) u[i][v] = 0.999 * u[i][v] + rhs[i][v];
}

static APART void adi(void) {
  copy_faces();
  compute_rhs();
  txinvr();
  x_solve();
  y_solve();
  z_solve();
  add();
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  unsigned long state = 23 + (unsigned long)c.rank;
  double sum = 0;
  all = &c;
  planes = N / c.ranks > 0 ? N / c.ranks : 1;
  const size_t cells = (size_t)(planes + 2) * N * N;
  u = calloc(cells, sizeof *u);
  rhs = calloc(cells, sizeof *rhs);
  speed = calloc(cells, sizeof *speed);
  for (size_t i = 0; i < cells; ++i)
    for (int v = 0; v < V; ++v) u[i][v] = corpus_random(&state);
  for (long i = 0; i < c.steps; ++i) adi();
  for (long i = at(0, 0, 0); i < at(0, 0, planes); ++i)
    for (int v = 0; v < V; ++v) sum += u[i][v];
  return corpus_end(&c, "scalar_pentadiagonal", sum);
}
