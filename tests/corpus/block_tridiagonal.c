/* block_tridiagonal.c: like BT of the NAS parallel benchmarks: alternating directions, in each of them
 * block-tridiagonal systems along the lines of a cube, by functions on 5 x 5 blocks that are called for
 * every cell (15 to 250 ns each). Ranks have slabs in z and exchange faces once a step.
 * A step is one step of time. The checksum is the sum of all values in the end. */
#include "corpus.h"

enum { N = 24, V = 5 };
typedef double block[V][V];
typedef double vector[V];

static int planes; /* of this rank, with one more on either side */
static vector *u, *rhs;
static block below[N], middle[N], above[N];
static const struct corpus *all;

static vector *cell(vector *field, int x, int y, int z) { return &field[((z + 1) * N + y) * N + x]; }

/* b -= a x */
static APART void matvec_sub(block a, vector x, vector b) {
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j) b[i] -= a[i][j] * x[j];
}

/* c -= a b */
static APART void matmul_sub(block a, block b, block c) {
  for (int i = 0; i < V; ++i)
    for (int k = 0; k < V; ++k)
      for (int j = 0; j < V; ++j) c[i][j] -= a[i][k] * b[k][j];
}

/* Gauss-Jordan: c = lhs^-1 c, r = lhs^-1 r; lhs is diagonally dominant. */
static APART void binvcrhs(block lhs, block c, vector r) {
  for (int p = 0; p < V; ++p) {
    double pivot = 1 / lhs[p][p];
    for (int j = p + 1; j < V; ++j) lhs[p][j] *= pivot;
    for (int j = 0; j < V; ++j) c[p][j] *= pivot;
    r[p] *= pivot;
    for (int i = 0; i < V; ++i) {
      if (i == p) continue;
      double factor = lhs[i][p];
      for (int j = p + 1; j < V; ++j) lhs[i][j] -= factor * lhs[p][j];
      for (int j = 0; j < V; ++j) c[i][j] -= factor * c[p][j];
      r[i] -= factor * r[p];
    }
  }
}

static APART void binvrhs(block lhs, vector r) {
  block unused = {{0}};
  binvcrhs(lhs, unused, r);
}

static APART void lhs_line(vector *const line[], int n) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < V; ++i)
      for (int j = 0; j < V; ++j) {
        double jacobian = 0.01 * (*line[k])[i] * (*line[k])[j];
        below[k][i][j] = k > 0 ? -jacobian - (i == j) * 0.4 : 0;
        above[k][i][j] = k + 1 < n ? jacobian - (i == j) * 0.4 : 0;
        middle[k][i][j] = (i == j) * 2.0 + jacobian;
      }
}

static APART void solve_line(vector *const line[], int n) {
  binvcrhs(middle[0], above[0], *line[0]);
  for (int k = 1; k < n; ++k) {
    matvec_sub(below[k], *line[k - 1], *line[k]);
    matmul_sub(below[k], above[k - 1], middle[k]);
    if (k + 1 < n)
      binvcrhs(middle[k], above[k], *line[k]);
    else
      binvrhs(middle[k], *line[k]);
  }
  for (int k = n - 2; k >= 0; --k) matvec_sub(above[k], *line[k + 1], *line[k]);
}

static APART void x_solve(void) {
  vector *state[N], *line[N];
  for (int z = 0; z < planes; ++z)
    for (int y = 0; y < N; ++y) {
      for (int x = 0; x < N; ++x) state[x] = cell(u, x, y, z), line[x] = cell(rhs, x, y, z);
      lhs_line(state, N);
      solve_line(line, N);
    }
}

static APART void y_solve(void) {
  vector *state[N], *line[N];
  for (int z = 0; z < planes; ++z)
    for (int x = 0; x < N; ++x) {
      for (int y = 0; y < N; ++y) state[y] = cell(u, x, y, z), line[y] = cell(rhs, x, y, z);
      lhs_line(state, N);
      solve_line(line, N);
    }
}

/* Lines end at the faces of the slab. */
static APART void z_solve(void) {
  vector *state[N], *line[N];
  for (int y = 0; y < N; ++y)
    for (int x = 0; x < N; ++x) {
      for (int z = 0; z < planes; ++z) state[z] = cell(u, x, y, z), line[z] = cell(rhs, x, y, z);
      lhs_line(state, planes);
      solve_line(line, planes);
    }
}

static APART void copy_faces(void) {
  MPI_Request r[4];
  MPI_Status statuses[4];
  const int face = N * N * V;
  MPI_Irecv(cell(u, 0, 0, -1), face, MPI_DOUBLE, corpus_before(all), 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(cell(u, 0, 0, planes), face, MPI_DOUBLE, corpus_after(all), 2, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(cell(u, 0, 0, planes - 1), face, MPI_DOUBLE, corpus_after(all), 1, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(cell(u, 0, 0, 0), face, MPI_DOUBLE, corpus_before(all), 2, MPI_COMM_WORLD, &r[3]);
  MPI_Waitall(4, r, statuses);
}

static APART void compute_rhs(void) {
  for (int z = 0; z < planes; ++z)
    for (int y = 0; y < N; ++y)
      for (int x = 0; x < N; ++x)
        for (int i = 0; i < V; ++i) {
          double sum = (*cell(u, x, y, z - 1))[i] + (*cell(u, x, y, z + 1))[i];
          sum += (*cell(u, x, y > 0 ? y - 1 : y, z))[i] + (*cell(u, x, y < N - 1 ? y + 1 : y, z))[i];
          sum += (*cell(u, x > 0 ? x - 1 : x, y, z))[i] + (*cell(u, x < N - 1 ? x + 1 : x, y, z))[i];
          (*cell(rhs, x, y, z))[i] = 0.1 * (sum - 6 * (*cell(u, x, y, z))[i]);
        }
}

static APART void add(void) {
  for (long i = 0; i < (long)planes * N * N; ++i)
    for (int j = 0; j < V; ++j) u[N * N + i][j] += rhs[N * N + i][j];
}

static APART void adi(void) {
  copy_faces();
  compute_rhs();
  x_solve();
  y_solve();
  z_solve();
  add();
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  unsigned long state = 7 + (unsigned long)c.rank;
  double sum = 0;
  all = &c;
  planes = N / c.ranks > 0 ? N / c.ranks : 1;
  const long cells = (long)(planes + 2) * N * N;
  u = calloc((size_t)cells, sizeof *u);
  rhs = calloc((size_t)cells, sizeof *rhs);
  for (long i = 0; i < cells; ++i)
    for (int j = 0; j < V; ++j) u[i][j] = corpus_random(&state);
  for (long i = 0; i < c.steps; ++i) adi();
  for (long i = 0; i < (long)planes * N * N; ++i)
    for (int j = 0; j < V; ++j) sum += u[N * N + i][j];
  return corpus_end(&c, "block_tridiagonal", sum);
}
