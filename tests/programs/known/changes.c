/* Known answer: what is gained if a routine is changed.
 *
 *   changes CASE before|after      on 4 ranks
 *
 * Each case is a program of its own, in two versions: as it is, and with routines changed. In milliseconds on 4
 * ranks, by hand:
 *   case       change                 per round                                        rounds  before  after
 *   faster     solve x2               all: solve 160, sweep 80, barrier                     4     960    640
 *   hidden     assist x2              rank 1: assist 120, others: sweep 200, barrier        4     800    800
 *   setup      setup x2               rank 0: setup 240, broadcast, all: sweep 160          3    1200    840
 *   balance    balance work           rank r: work 80 (r + 1), barrier                      3     960    600
 *   parallel   parallel setup         as setup; after: 60 of setup on each rank             3    1200    660
 *   early      no-wait collect        rank 0: sweep 160, send, sweep 160; the others:
 *                                     receive, sweep 320; after: rank 0 sends first         3    1440    960
 *   pipeline   stage x2               rank r receives from r - 1, stage 80, sends to r + 1  5     640    320
 *   both       solve x2, balance work all: solve 160, rank r: work 80 (r + 1), barrier      2     960    560
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

static int rank, ranks, after;

static void solve(double milliseconds) { sleep_ms(milliseconds); }
static void sweep(double milliseconds) { sleep_ms(milliseconds); }
static void assist(double milliseconds) { sleep_ms(milliseconds); }
static void setup(double milliseconds) { sleep_ms(milliseconds); }
static void work(double milliseconds) { sleep_ms(milliseconds); }
static void stage(double milliseconds) { sleep_ms(milliseconds); }

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void distribute(void) {
  int parts = ranks;
  MPI_Bcast(&parts, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void faster(void) {
  solve(after ? 80 : 160);
  sweep(80);
  meet();
}

static void hidden(void) {
  if (rank == 1) assist(after ? 60 : 120);
  else sweep(200);
  meet();
}

static void from_setup(void) {
  if (rank == 0) setup(after ? 120 : 240);
  distribute();
  sweep(160);
  meet();
}

static void parallel(void) {
  if (after) setup(60);
  else if (rank == 0) setup(240);
  distribute();
  sweep(160);
  meet();
}

static void uneven(void) {
  work(after ? 200 : 80 * (rank + 1));
  meet();
}

static void both(void) {
  solve(after ? 80 : 160);
  uneven();
}

static void deliver(void) {
  int value = 1;
  for (int to = 1; to < ranks; ++to) MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}

static void collect(void) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void early(void) {
  if (rank == 0 && after) deliver();
  if (rank == 0) sweep(160);
  if (rank == 0 && !after) deliver();
  if (rank != 0) collect();
  sweep(160);
  if (rank != 0) sweep(160);
  meet();
}

static void pipeline(void) {
  int value = 0;
  if (rank > 0) MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  stage(after ? 40 : 80);
  if (rank < ranks - 1) MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
}

static const struct {
  const char* name;
  void (*round)(void);
  int rounds;
} cases[] = {{"faster", faster, 4}, {"hidden", hidden, 4}, {"setup", from_setup, 3}, {"balance", uneven, 3},
             {"parallel", parallel, 3}, {"early", early, 3}, {"pipeline", pipeline, 5}, {"both", both, 2}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  after = argc == 3 && strcmp(argv[2], "after") == 0;
  for (size_t i = 0; argc == 3 && i < sizeof cases / sizeof cases[0]; ++i)
    for (int round = 0; strcmp(argv[1], cases[i].name) == 0 && round < cases[i].rounds; ++round) cases[i].round();
  MPI_Finalize();
  return 0;
}
