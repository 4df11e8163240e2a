/* A hybrid program whose times are known: threads sleep to deadlines on one clock for all of its processes, so
 * that any number of them needs no cores. A unit is UNIT_MS.
 *
 *   known factors       two processes with two threads, T = 11 units:
 *     process 0: serial 0-2, MPI until 5, region 5-11: thread 0 in critical until 7, computes until 11; thread 1
 *                computes until 6, waits for critical until 7, is in it until 8, computes until 9, waits at the end
 *     process 1: serial 0-1, region 1-5: until a barrier at 3 thread 0 computes 1 unit and thread 1 both, behind it
 *                thread 0 computes 2 and thread 1 none; MPI until 11
 *   known scale         any size: 2 units in each process alone, 18 shared by all threads of all processes
 *   known funneled | serialized | multiple
 *                       MPI in a region, by two processes r of n threads j. Serial 0-4; a region until a = 4 + 2 n in which
 *                       a thread computes 2 (j + 1); then a region with MPI:
 *     funneled          thread 0 computes r, is in MPI until a + 1, computes until a + 4; the others compute until a + 3
 *     serialized        one thread after the other, ordered: process 1 computes 1 and sends, process 0 waits for that in
 *                       MPI; behind it they compute until a + n
 *     multiple          all threads at the same time: in process 1 they compute 2 and send, in process 0 they wait for that
 *                       in MPI; all compute until a + 4 */
#include <mpi.h>
#include <omp.h>
#include <string.h>
#include <time.h>

enum { UNIT_MS = 40 };

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double origin_s;

static void until(double units) {
  const double at = origin_s + 1e-3 * UNIT_MS * units;
  const struct timespec t = {(time_t)at, (long)(1e9 * (at - (double)(time_t)at))};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0) continue;
}

static void critical_step(void) {
#pragma omp parallel num_threads(2)
  {
    const int first = omp_get_thread_num() == 0;
    if (!first) until(6);
#pragma omp critical(shared)
    until(first ? 7 : 8);
    until(first ? 11 : 9);
  }
}

static void uneven_step(void) {
#pragma omp parallel num_threads(2)
  {
    const int first = omp_get_thread_num() == 0;
    until(first ? 2 : 3);
#pragma omp barrier
    if (first) until(5);
  }
}

static void factors(int rank) {
  until(rank == 0 ? 2 : 1);
  if (rank == 1) uneven_step();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) critical_step();
  MPI_Barrier(MPI_COMM_WORLD);
}

static void scale(int ranks) {
  until(2);
#pragma omp parallel
  until(2 + 18.0 / (ranks * omp_get_num_threads()));
}

static void exchange(int rank, int tag) {
  int one = 1, other;
  MPI_Sendrecv(&one, 1, MPI_INT, 1 - rank, tag, &other, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void funneled(int rank, int begin) {
#pragma omp parallel
  {
    const int first = omp_get_thread_num() == 0;
    if (first) {
      until(begin + rank);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    until(first ? begin + 4 : begin + 3);
  }
}

static void serialized(int rank, int begin, int threads) {
#pragma omp parallel
  {
#pragma omp for ordered schedule(static, 1) nowait
    for (int turn = 0; turn < threads; ++turn) {
#pragma omp ordered
      {
        if (rank == 1) until(begin + turn + 1);
        exchange(rank, turn);
      }
    }
    until(begin + threads);
  }
}

static void multiple(int rank, int begin) {
#pragma omp parallel
  {
    if (rank == 1) until(begin + 2);
    exchange(rank, omp_get_thread_num());
    until(begin + 4);
  }
}

static void mpi_in_regions(const char *mode, int rank) {
  const int threads = omp_get_max_threads(), begin = 4 + 2 * threads;
  until(4);
#pragma omp parallel
  until(4 + 2 * (omp_get_thread_num() + 1));
  if (strcmp(mode, "funneled") == 0)
    funneled(rank, begin);
  else if (strcmp(mode, "serialized") == 0)
    serialized(rank, begin, threads);
  else
    multiple(rank, begin);
}

static int level_of(const char *mode) {
  return strcmp(mode, "multiple") == 0     ? MPI_THREAD_MULTIPLE
         : strcmp(mode, "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                           : MPI_THREAD_FUNNELED;
}

int main(int argc, char **argv) {
  int provided, rank, ranks;
  const char *mode = argc > 1 ? argv[1] : "scale";
  MPI_Init_thread(&argc, &argv, level_of(mode), &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  origin_s = now_s();
  MPI_Bcast(&origin_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (strcmp(mode, "factors") == 0)
    factors(rank);
  else if (strcmp(mode, "scale") == 0)
    scale(ranks);
  else
    mpi_in_regions(mode, rank);
  MPI_Finalize();
  return 0;
}
