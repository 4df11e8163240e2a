/* molecular.c: like CoMD: molecules in cells of a box, a Lennard-Jones force by pairs of cells (a function of
 * a microsecond for each), atoms that move from cell to cell by small functions called for every atom, and
 * timers around all phases, which call MPI_Wtime. Ranks have slabs in z and exchange their outer cells.
 * A step is one step of time. The checksum is the potential energy in the end. */
#include "corpus.h"

#include <math.h>

enum { N = 8, MOST = 24, ATOMS_OF_A_CELL = 6, TIMERS = 6 };

struct cell {
  int atoms;
  double position[MOST][3], velocity[MOST][3], force[MOST][3];
};

static struct cell *cells;
static int planes;
static double timers[TIMERS], started[TIMERS], potential;
static long calls[TIMERS];
static const struct corpus *all;
enum { FORCE, VELOCITY, POSITION, REDISTRIBUTE, HALO, TOTAL };

static APART void timer_start(int timer) { started[timer] = MPI_Wtime(); }
static APART void timer_stop(int timer) {
  timers[timer] += MPI_Wtime() - started[timer];
  ++calls[timer];
}

/* In x and y the box is a ring, in z there is a plane of cells more on either side. */
static APART struct cell *cell_at(int x, int y, int z) {
  return &cells[((z + 1) * N + (y + N) % N) * N + (x + N) % N];
}

static APART int neighbours_of(struct cell *found[27], int x, int y, int z) {
  int n = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) found[n++] = cell_at(x + dx, y + dy, z + dz);
  return n;
}

/* Positions are within a cell of size 1, so `shift` is where the other cell is seen from this one. */
static APART double force_of_pair(struct cell *here, const struct cell *there, const double shift[3]) {
  double energy = 0;
  for (int i = 0; i < here->atoms; ++i)
    for (int j = 0; j < there->atoms; ++j) {
      double d[3], r2 = 0;
      for (int k = 0; k < 3; ++k) {
        d[k] = here->position[i][k] - there->position[j][k] - shift[k];
        r2 += d[k] * d[k];
      }
      if (r2 > 1 || r2 == 0) continue;
      double s = 0.04 / (r2 + 0.04), s6 = s * s * s, pull = s6 * (s6 - 0.5);
      energy += s6 * (s6 - 1);
      for (int k = 0; k < 3; ++k) here->force[i][k] += pull * d[k];
    }
  return energy;
}

static APART void force(void) {
  potential = 0;
  for (int z = 0; z < planes; ++z)
    for (int y = 0; y < N; ++y)
      for (int x = 0; x < N; ++x) {
        struct cell *here = cell_at(x, y, z), *found[27];
        int n = neighbours_of(found, x, y, z);
        for (int i = 0; i < here->atoms; ++i)
          for (int k = 0; k < 3; ++k) here->force[i][k] = 0;
        for (int m = 0; m < n; ++m) {
          const double shift[3] = {m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1};
          potential += force_of_pair(here, found[m], shift);
        }
      }
}

static APART void advance_velocity(double dt) {
  for (int i = N * N; i < (planes + 1) * N * N; ++i)
    for (int j = 0; j < cells[i].atoms; ++j)
      for (int k = 0; k < 3; ++k) cells[i].velocity[j][k] += dt * cells[i].force[j][k];
}

/* Atoms are reflected at the faces of their cell but in x, where they move on. */
static APART int advance_atom(struct cell *cell, int i, double dt) {
  for (int k = 0; k < 3; ++k) {
    double *p = &cell->position[i][k];
    *p += dt * cell->velocity[i][k];
    if (k > 0 && (*p < 0 || *p >= 1)) {
      cell->velocity[i][k] *= -1;
      *p = *p < 0 ? 0 : 0.999999;
    }
  }
  return cell->position[i][0] < 0 ? -1 : cell->position[i][0] >= 1;
}

static APART void put_atom(struct cell *to, const struct cell *from, int i) {
  int j = to->atoms++;
  if (j >= MOST) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int k = 0; k < 3; ++k) {
    to->position[j][k] = from->position[i][k];
    to->velocity[j][k] = from->velocity[i][k];
    to->force[j][k] = from->force[i][k];
  }
  to->position[j][0] -= floor(to->position[j][0]);
}

static APART void move_atom(struct cell *cell, int i, struct cell *to) {
  put_atom(to, cell, i);
  struct cell last = *cell;
  --cell->atoms;
  if (i == cell->atoms) return;
  for (int k = 0; k < 3; ++k) {
    cell->position[i][k] = last.position[last.atoms - 1][k];
    cell->velocity[i][k] = last.velocity[last.atoms - 1][k];
    cell->force[i][k] = last.force[last.atoms - 1][k];
  }
}

static APART void redistribute(double dt) {
  for (int z = 0; z < planes; ++z)
    for (int y = 0; y < N; ++y)
      for (int x = 0; x < N; ++x)
        for (int i = 0; i < cell_at(x, y, z)->atoms; ++i) {
          int way = advance_atom(cell_at(x, y, z), i, dt);
          if (way != 0 && cell_at(x + way, y, z)->atoms < MOST)
            move_atom(cell_at(x, y, z), i--, cell_at(x + way, y, z));
        }
}

static APART void halo_exchange(void) {
  const int size = N * N * (int)sizeof *cells;
  MPI_Sendrecv(cell_at(0, 0, planes - 1), size, MPI_BYTE, corpus_after(all), 1, cell_at(0, 0, -1), size, MPI_BYTE,
               corpus_before(all), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(cell_at(0, 0, 0), size, MPI_BYTE, corpus_before(all), 2, cell_at(0, 0, planes), size, MPI_BYTE,
               corpus_after(all), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static APART void time_step(double dt) {
  timer_start(VELOCITY);
  advance_velocity(dt);
  timer_stop(VELOCITY);
  timer_start(REDISTRIBUTE);
  redistribute(dt);
  timer_stop(REDISTRIBUTE);
  timer_start(HALO);
  halo_exchange();
  timer_stop(HALO);
  timer_start(FORCE);
  force();
  timer_stop(FORCE);
}

static APART double sum_energy(void) {
  double total;
  MPI_Allreduce(&potential, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  unsigned long state = 5 + (unsigned long)c.rank;
  all = &c;
  planes = N / c.ranks > 0 ? N / c.ranks : 1;
  cells = calloc((size_t)(planes + 2) * N * N, sizeof *cells);
  for (int i = N * N; i < (planes + 1) * N * N; ++i) {
    cells[i].atoms = ATOMS_OF_A_CELL;
    for (int j = 0; j < ATOMS_OF_A_CELL; ++j)
      for (int k = 0; k < 3; ++k) {
        cells[i].position[j][k] = corpus_random(&state);
        cells[i].velocity[j][k] = corpus_random(&state) - 0.5;
      }
  }
  timer_start(TOTAL);
  for (long i = 0; i < c.steps; ++i) {
    time_step(0.01);
    if (i % 10 == 0 && sum_energy() > 1e30) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  timer_stop(TOTAL);
  return corpus_end(&c, "molecular", potential);
}
