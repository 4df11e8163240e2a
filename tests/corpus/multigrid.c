/* multigrid.c: like MG of the NAS parallel benchmarks: V cycles over cubes of 32^3 points down to 2^3, the
 * same six functions at each level, from milliseconds at the finest to some 100 ns at the coarsest, with an
 * exchange of faces after each. Each rank has a cube; faces in z go to other ranks. A step is one cycle.
 * The checksum is the norm of the solution in the end. */
#include "corpus.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 5, FINEST = 32 };

static double *u[LEVELS], *r[LEVELS], *v;
static const struct corpus *all;

static int size_of(int level) { return (FINEST >> (LEVELS - 1 - level)) + 2; }
static long points(int level) { return (long)size_of(level) * size_of(level) * size_of(level); }
/* Of the operator: cells twice as wide couple a quarter as much to their neighbours. */
static double diagonal_of(int level) { return 6 + 0.1 * (1 << 2 * (LEVELS - 1 - level)); }
#define AT(a, z, y, x) a[((long)(z) * n + (y)) * n + (x)]

static APART void zero(double *a, int level) { memset(a, 0, sizeof *a * (size_t)points(level)); }

static APART void copy_face(double *a, int n, int from, int to) {
  memcpy(&AT(a, to, 0, 0), &AT(a, from, 0, 0), sizeof *a * (size_t)n * (size_t)n);
}

/* Periodic within the rank in x and y; in z the neighbours' planes, periodic over the ranks. */
static APART void exchange(double *a, int level) {
  const int n = size_of(level), m = n - 2;
  for (int z = 1; z <= m; ++z) {
    for (int y = 1; y <= m; ++y) {
      AT(a, z, y, 0) = AT(a, z, y, m);
      AT(a, z, y, m + 1) = AT(a, z, y, 1);
    }
    for (int x = 0; x <= m + 1; ++x) {
      AT(a, z, 0, x) = AT(a, z, m, x);
      AT(a, z, m + 1, x) = AT(a, z, 1, x);
    }
  }
  if (all->ranks == 1) {
    copy_face(a, n, m, 0);
    copy_face(a, n, 1, m + 1);
    return;
  }
  const int up = (all->rank + 1) % all->ranks, down = (all->rank + all->ranks - 1) % all->ranks;
  MPI_Sendrecv(&AT(a, m, 0, 0), n * n, MPI_DOUBLE, up, 1, &AT(a, 0, 0, 0), n * n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&AT(a, 1, 0, 0), n * n, MPI_DOUBLE, down, 2, &AT(a, m + 1, 0, 0), n * n, MPI_DOUBLE, up, 2,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static APART double neighbours(const double *a, int n, int z, int y, int x) {
  return AT(a, z - 1, y, x) + AT(a, z + 1, y, x) + AT(a, z, y - 1, x) + AT(a, z, y + 1, x) + AT(a, z, y, x - 1) +
         AT(a, z, y, x + 1);
}

/* to = b - A a */
static APART void residual(double *to, const double *b, const double *a, int level) {
  const int n = size_of(level);
  const double diagonal = diagonal_of(level);
  for (int z = 1; z < n - 1; ++z)
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x) {
        double sum = AT(a, z - 1, y, x) + AT(a, z + 1, y, x) + AT(a, z, y - 1, x) + AT(a, z, y + 1, x) +
                     AT(a, z, y, x - 1) + AT(a, z, y, x + 1);
        AT(to, z, y, x) = AT(b, z, y, x) - (diagonal * AT(a, z, y, x) - sum);
      }
  exchange(to, level);
}

static APART void smooth(double *a, const double *b, int level) {
  const int n = size_of(level);
  const double weight = 0.6 / diagonal_of(level);
  for (int z = 1; z < n - 1; ++z)
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x)
        AT(a, z, y, x) += weight * (AT(b, z, y, x) + 0.05 * neighbours(b, n, z, y, x));
  exchange(a, level);
}

static APART void restrict_to(double *coarse, const double *fine, int level) {
  const int n = size_of(level), m = size_of(level + 1);
  for (int z = 1; z < n - 1; ++z)
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x) {
        double sum = 0;
        for (int i = 0; i < 8; ++i)
          sum += fine[((long)(2 * z - i / 4) * m + 2 * y - i / 2 % 2) * m + 2 * x - i % 2];
        AT(coarse, z, y, x) = sum / 2;
      }
  exchange(coarse, level);
}

static APART void interpolate(double *fine, const double *coarse, int level) {
  const int n = size_of(level), m = size_of(level + 1);
  for (int z = 1; z < m - 1; ++z)
    for (int y = 1; y < m - 1; ++y)
      for (int x = 1; x < m - 1; ++x)
        fine[((long)z * m + y) * m + x] += 0.5 * AT(coarse, (z + 1) / 2, (y + 1) / 2, (x + 1) / 2);
  exchange(fine, level + 1);
}

static APART double norm(const double *a, int level) {
  const int n = size_of(level);
  double sum = 0, total;
  for (int z = 1; z < n - 1; ++z)
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x) sum += AT(a, z, y, x) * AT(a, z, y, x);
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(total);
}

static APART void cycle(void) {
  const int top = LEVELS - 1;
  residual(r[top], v, u[top], top);
  for (int level = top - 1; level >= 0; --level) restrict_to(r[level], r[level + 1], level);
  zero(u[0], 0);
  smooth(u[0], r[0], 0);
  for (int level = 1; level < top; ++level) {
    zero(u[level], level);
    interpolate(u[level], u[level - 1], level - 1);
    residual(r[level], r[level], u[level], level);
    smooth(u[level], r[level], level);
  }
  interpolate(u[top], u[top - 1], top - 1);
  residual(r[top], v, u[top], top);
  smooth(u[top], r[top], top);
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  unsigned long state = 17 + (unsigned long)c.rank;
  all = &c;
  for (int level = 0; level < LEVELS; ++level) {
    u[level] = calloc((size_t)points(level), sizeof(double));
    r[level] = calloc((size_t)points(level), sizeof(double));
  }
  v = calloc((size_t)points(LEVELS - 1), sizeof(double));
  for (long i = 0; i < points(LEVELS - 1); ++i) v[i] = corpus_random(&state) - 0.5;
  for (long i = 0; i < c.steps; ++i) {
    cycle();
    if (norm(r[LEVELS - 1], LEVELS - 1) > 1e30) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return corpus_end(&c, "multigrid", norm(u[LEVELS - 1], LEVELS - 1));
}
