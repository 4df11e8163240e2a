/* lower_upper.c: like LU of the NAS parallel benchmarks: symmetric successive over-relaxation in planes,
 * the lower sweep from one corner and the upper one from the other: for each plane the Jacobian (jacld,
 * jacu) and a solve (blts, buts) of 30 to 150 us, between them a receive from one side and a send to the
 * other, so that the ranks, strips in y, work as a pipeline. A step is one iteration.
 * The checksum is the sum of all values in the end. */
#include "corpus.h"

enum { N = 33, V = 5 };
typedef double vector[V];

static int rows; /* of this rank in y, one more on either side */
static vector *u, *rhs, *diagonal, *from_x, *from_y, *from_z;
static const struct corpus *all;

static long at(int x, int y, int z) { return ((long)z * (rows + 2) + y + 1) * N + x; }

/* The four parts of the Jacobian of one plane. */
static APART void jacobian_of_cell(long in_plane, long i, double side) {
  double scale = 0;
  for (int v = 0; v < V; ++v) scale += u[i][v] * u[i][v];
  for (int v = 0; v < V; ++v) {
    double q = 0.05 * u[i][v] / (1 + scale);
    diagonal[in_plane][v] = 1.0 / (1.5 + 0.1 * scale);
    from_x[in_plane][v] = 0.10 + side * q;
    from_y[in_plane][v] = 0.12 + side * q;
    from_z[in_plane][v] = 0.14 - side * q;
  }
}

static APART void jacld(int z) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < N; ++x) jacobian_of_cell(at(x, y, 0), at(x, y, z), 1);
}

static APART void jacu(int z) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < N; ++x) jacobian_of_cell(at(x, y, 0), at(x, y, z), -1);
}

/* The row of a neighbour's values beside this rank's in plane z, before a sweep comes to the plane. */
static APART void exchange_receive(int z, int upwards) {
  if (upwards)
    MPI_Recv(rhs[at(0, -1, z)], N * V, MPI_DOUBLE, corpus_before(all), z, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Recv(rhs[at(0, rows, z)], N * V, MPI_DOUBLE, corpus_after(all), z, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static APART void exchange_send(int z, int upwards) {
  if (upwards)
    MPI_Send(rhs[at(0, rows - 1, z)], N * V, MPI_DOUBLE, corpus_after(all), z, MPI_COMM_WORLD);
  else
    MPI_Send(rhs[at(0, 0, z)], N * V, MPI_DOUBLE, corpus_before(all), z, MPI_COMM_WORLD);
}

static APART void blts(int z) {
  exchange_receive(z, 1);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < N; ++x) {
      long p = at(x, y, 0), i = at(x, y, z);
      for (int v = 0; v < V; ++v) {
        double t = rhs[i][v] + from_z[p][v] * rhs[at(x, y, z - 1)][v] + from_y[p][v] * rhs[at(x, y - 1, z)][v];
        if (x > 0) t += from_x[p][v] * rhs[i - 1][v];
        rhs[i][v] = t * diagonal[p][v];
      }
    }
  exchange_send(z, 1);
}

static APART void buts(int z) {
  exchange_receive(z, 0);
  for (int y = rows - 1; y >= 0; --y)
    for (int x = N - 1; x >= 0; --x) {
      long p = at(x, y, 0), i = at(x, y, z);
      for (int v = 0; v < V; ++v) {
        double t = from_z[p][v] * rhs[at(x, y, z + 1)][v] + from_y[p][v] * rhs[at(x, y + 1, z)][v];
        if (x + 1 < N) t += from_x[p][v] * rhs[i + 1][v];
        rhs[i][v] = (rhs[i][v] + t) * diagonal[p][v];
      }
    }
  exchange_send(z, 0);
}

static APART void compute_rhs(void) {
  for (int z = 1; z < N - 1; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 1; x < N - 1; ++x)
        for (int v = 0; v < V; ++v) {
          long i = at(x, y, z);
          rhs[i][v] = 0.05 * (u[i - 1][v] + u[i + 1][v] + u[at(x, y, z - 1)][v] + u[at(x, y, z + 1)][v] - 4 * u[i][v]);
        }
}

static APART double l2norm(void) {
  double sum = 0, total;
  for (int z = 1; z < N - 1; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < N; ++x)
        for (int v = 0; v < V; ++v) sum += rhs[at(x, y, z)][v] * rhs[at(x, y, z)][v];
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

static APART void update(void) {
  for (int z = 1; z < N - 1; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < N; ++x)
        for (int v = 0; v < V; ++v) u[at(x, y, z)][v] += rhs[at(x, y, z)][v];
}

static APART void ssor(long steps) {
  for (long i = 0; i < steps; ++i) {
    compute_rhs();
    for (int z = 1; z < N - 1; ++z) {
      jacld(z);
      blts(z);
    }
    for (int z = N - 2; z > 0; --z) {
      jacu(z);
      buts(z);
    }
    update();
    if (i % 10 == 0 && l2norm() > 1e30) MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static vector *field(void) { return calloc((size_t)at(0, 0, N + 1), sizeof(vector)); }

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  unsigned long state = 11 + (unsigned long)c.rank;
  double sum = 0;
  all = &c;
  rows = N / c.ranks + (c.rank < N % c.ranks);
  u = field();
  rhs = field();
  diagonal = field();
  from_x = field();
  from_y = field();
  from_z = field();
  for (long i = 0; i < at(0, 0, N); ++i)
    for (int v = 0; v < V; ++v) u[i][v] = corpus_random(&state);
  ssor(c.steps);
  for (int z = 0; z < N; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < N; ++x)
        for (int v = 0; v < V; ++v) sum += u[at(x, y, z)][v];
  return corpus_end(&c, "lower_upper", sum);
}
