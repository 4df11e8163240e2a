/* conjugate_gradient.c: like CG of the NAS parallel benchmarks: a random sparse symmetric matrix, made by
 * small functions that are called for every element and every random number, and conjugate gradients of 25
 * iterations, with products of some 100 us and dot products over all ranks. A step is one outer iteration.
 * The checksum is the sum of the last solution and of its residual. */
#include "corpus.h"

#include <math.h>

enum { ROWS = 1400, ELEMENTS_OF_A_ROW = 14, ITERATIONS = 25 };

static int first[ROWS + 1], *column;
static double *element;
static double x[ROWS], z[ROWS], p[ROWS], q[ROWS], r[ROWS];
static int low, high; /* rows of this rank */
static const struct corpus *all;

static APART double random_value(unsigned long *state) { return corpus_random(state); }

static APART int random_column(unsigned long *state) { return (int)(ROWS * random_value(state)); }

static APART int is_new(const int *columns, int n, int candidate) {
  for (int i = 0; i < n; ++i)
    if (columns[i] == candidate) return 0;
  return 1;
}

/* A row's columns, all different. */
static APART void make_row(unsigned long *state, int row, int columns[ELEMENTS_OF_A_ROW]) {
  int n = 0;
  columns[n++] = row;
  while (n < ELEMENTS_OF_A_ROW) {
    int candidate = random_column(state);
    if (is_new(columns, n, candidate)) columns[n++] = candidate;
  }
}

static APART void add_element(int *place, int row, int col, double value) {
  if (element) {
    column[place[row]] = col;
    element[place[row]] = value;
  }
  ++place[row];
}

/* The sum of outer products is symmetric; diagonal elements make it positive. */
static APART void make_matrix(void) {
  static int place[ROWS + 1];
  for (int keep = 0; keep < 2; ++keep) {
    unsigned long state = 31;
    for (int row = 0; row < ROWS; ++row) {
      int columns[ELEMENTS_OF_A_ROW];
      make_row(&state, row, columns);
      add_element(place, row, row, 2.5 * ELEMENTS_OF_A_ROW);
      for (int i = 1; i < ELEMENTS_OF_A_ROW; ++i) {
        double value = random_value(&state) - 0.5;
        add_element(place, row, columns[i], value);
        add_element(place, columns[i], row, value);
      }
    }
    if (keep) break;
    for (int row = 0; row < ROWS; ++row) {
      first[row + 1] = first[row] + place[row];
      place[row] = first[row];
    }
    column = malloc(sizeof *column * (size_t)first[ROWS]);
    element = malloc(sizeof *element * (size_t)first[ROWS]);
  }
}

static APART double dot(const double *a, const double *b) {
  double sum = 0, total;
  for (int i = low; i < high; ++i) sum += a[i] * b[i];
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

/* Each rank needs all of `a`: the rows of the others. */
static APART void gather(double *a) {
  int counts[64], at[64];
  for (int i = 0; i < all->ranks; ++i) {
    at[i] = ROWS * i / all->ranks;
    counts[i] = ROWS * (i + 1) / all->ranks - at[i];
  }
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, a, counts, at, MPI_DOUBLE, MPI_COMM_WORLD);
}

static APART void multiply(double *to, const double *from) {
  for (int row = low; row < high; ++row) {
    double sum = 0;
    for (int k = first[row]; k < first[row + 1]; ++k) sum += element[k] * from[column[k]];
    to[row] = sum;
  }
}

static APART void add_scaled(double *to, double scale, const double *from) {
  for (int i = low; i < high; ++i) to[i] += scale * from[i];
}

static APART double conj_grad(void) {
  for (int i = low; i < high; ++i) {
    z[i] = 0;
    r[i] = p[i] = x[i];
  }
  double rho = dot(r, r);
  for (int n = 0; n < ITERATIONS; ++n) {
    gather(p);
    multiply(q, p);
    double alpha = rho / dot(p, q), before = rho;
    add_scaled(z, alpha, p);
    add_scaled(r, -alpha, q);
    rho = dot(r, r);
    for (int i = low; i < high; ++i) p[i] = r[i] + rho / before * p[i];
  }
  return sqrt(rho);
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  double residual = 0, sum = 0;
  all = &c;
  if (c.ranks > 64) MPI_Abort(MPI_COMM_WORLD, 2);
  low = ROWS * c.rank / c.ranks;
  high = ROWS * (c.rank + 1) / c.ranks;
  make_matrix();
  for (int i = 0; i < ROWS; ++i) x[i] = 1;
  for (long i = 0; i < c.steps; ++i) {
    residual = conj_grad();
    double scale = 1 / sqrt(dot(z, z));
    for (int row = low; row < high; ++row) x[row] = scale * z[row];
  }
  for (int row = low; row < high; ++row) sum += z[row];
  return corpus_end(&c, "conjugate_gradient", sum + residual);
}
