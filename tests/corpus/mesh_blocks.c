/* mesh_blocks.c: like miniAMR: a stencil over many small blocks of cells. One function of some 100 ns has
 * more than half of the time, is called for every line of every block, and has three callers; packing and
 * unpacking of faces are functions of one face of one block. Ranks have blocks in a row and exchange the
 * faces between them. A step is one stage over all variables.
 * The checksum is the sum of all cells in the end. */
#include "corpus.h"

#include <string.h>

enum { BLOCKS = 64, CELLS = 10, WIDTH = CELLS + 2, VARIABLES = 6 };
typedef double cells[WIDTH][WIDTH][WIDTH];

static struct block {
  cells variables[VARIABLES];
} blocks[BLOCKS];
static cells work;
static double ghost_low[VARIABLES * CELLS * CELLS], ghost_high[VARIABLES * CELLS * CELLS];
static double face_low[VARIABLES * CELLS * CELLS], face_high[VARIABLES * CELLS * CELLS];
static const struct corpus *all;

/* Some 100 ns: one line of one variable of one block. */
static APART void stencil_line(double *to, cells from, int z, int y, double weight) {
  for (int x = 1; x <= CELLS; ++x) {
    double sum = 0;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += from[z + dz][y + dy][x + dx];
    to[x] = from[z][y][x] + weight * (sum - 27 * from[z][y][x]);
  }
}

static APART void keep_work(cells to) {
  for (int z = 1; z <= CELLS; ++z)
    for (int y = 1; y <= CELLS; ++y) memcpy(&to[z][y][1], &work[z][y][1], CELLS * sizeof(double));
}

static APART void stencil_smooth(cells variable) {
  for (int z = 1; z <= CELLS; ++z)
    for (int y = 1; y <= CELLS; ++y) stencil_line(work[z][y], variable, z, y, 0.01);
  keep_work(variable);
}

static APART void stencil_sharp(cells variable) {
  for (int z = 1; z <= CELLS; ++z)
    for (int y = 1; y <= CELLS; ++y) stencil_line(work[z][y], variable, z, y, 0.02);
  keep_work(variable);
}

static APART void stencil_edge(cells variable) {
  for (int z = 1; z <= CELLS; z += CELLS - 1)
    for (int y = 1; y <= CELLS; ++y) {
      stencil_line(work[z][y], variable, z, y, 0.005);
      memcpy(&variable[z][y][1], &work[z][y][1], CELLS * sizeof(double));
    }
}

static APART void pack_face(double *to, cells variable, int z) {
  for (int y = 1; y <= CELLS; ++y)
    for (int x = 1; x <= CELLS; ++x) *to++ = variable[z][y][x];
}

static APART void unpack_face(const double *from, cells variable, int z) {
  for (int y = 1; y <= CELLS; ++y)
    for (int x = 1; x <= CELLS; ++x) variable[z][y][x] = *from++;
}

static APART void on_proc_comm(int b, int v) {
  double face[CELLS * CELLS];
  pack_face(face, blocks[b].variables[v], CELLS);
  unpack_face(face, blocks[b + 1].variables[v], 0);
  pack_face(face, blocks[b + 1].variables[v], 1);
  unpack_face(face, blocks[b].variables[v], CELLS + 1);
}

static APART void comm(void) {
  MPI_Request r[4];
  MPI_Status statuses[4];
  const int size = VARIABLES * CELLS * CELLS, face = CELLS * CELLS;
  MPI_Irecv(ghost_low, size, MPI_DOUBLE, corpus_before(all), 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(ghost_high, size, MPI_DOUBLE, corpus_after(all), 2, MPI_COMM_WORLD, &r[1]);
  for (int v = 0; v < VARIABLES; ++v) {
    pack_face(&face_low[v * face], blocks[0].variables[v], 1);
    pack_face(&face_high[v * face], blocks[BLOCKS - 1].variables[v], CELLS);
  }
  MPI_Isend(face_high, size, MPI_DOUBLE, corpus_after(all), 1, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(face_low, size, MPI_DOUBLE, corpus_before(all), 2, MPI_COMM_WORLD, &r[3]);
  for (int b = 0; b + 1 < BLOCKS; ++b)
    for (int v = 0; v < VARIABLES; ++v) on_proc_comm(b, v);
  MPI_Waitall(4, r, statuses);
  for (int v = 0; v < VARIABLES; ++v) {
    unpack_face(&ghost_low[v * face], blocks[0].variables[v], 0);
    unpack_face(&ghost_high[v * face], blocks[BLOCKS - 1].variables[v], CELLS + 1);
  }
}

static APART void stencil_calc(long stage) {
  for (int b = 0; b < BLOCKS; ++b)
    for (int v = 0; v < VARIABLES; ++v) {
      if ((b + v + stage) % 2)
        stencil_smooth(blocks[b].variables[v]);
      else
        stencil_sharp(blocks[b].variables[v]);
      stencil_edge(blocks[b].variables[v]);
    }
}

static APART double sum_of_block(const struct block *block) {
  double sum = 0;
  for (int v = 0; v < VARIABLES; ++v)
    for (int z = 1; z <= CELLS; ++z)
      for (int y = 1; y <= CELLS; ++y)
        for (int x = 1; x <= CELLS; ++x) sum += block->variables[v][z][y][x];
  return sum;
}

static APART double check_sum(void) {
  double sum = 0, total;
  for (int b = 0; b < BLOCKS; ++b) sum += sum_of_block(&blocks[b]);
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  unsigned long state = 3 + (unsigned long)c.rank;
  double sum = 0;
  all = &c;
  for (int b = 0; b < BLOCKS; ++b)
    for (int v = 0; v < VARIABLES; ++v)
      for (int i = 0; i < WIDTH * WIDTH * WIDTH; ++i) (&blocks[b].variables[v][0][0][0])[i] = corpus_random(&state);
  for (long i = 0; i < c.steps; ++i) {
    comm();
    stencil_calc(i);
    if (i % 10 == 0 && check_sum() > 1e30) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (int b = 0; b < BLOCKS; ++b) sum += sum_of_block(&blocks[b]);
  return corpus_end(&c, "mesh_blocks", sum);
}
