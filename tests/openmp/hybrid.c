/* Teams between calls of MPI: a region before MPI_Init, MPI_Pcontrol(0) around one of five regions whose thread t
 * works 10 (t + 1) ms and then calls MPI. Prints what came. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char** arguments) {
  int provided, rank;
  long sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
    usleep(10000);
    sum++;
  }
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 5; i++) {
    if (i == 2) MPI_Pcontrol(0);
    if (i == 3) MPI_Pcontrol(1);
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
      const int mine = omp_get_thread_num();
      int theirs = -1;
      usleep(10000 * (1 + mine));
      MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, mine, &theirs, 1, MPI_INT, 1 - rank, mine, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      sum += theirs;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%ld %d\n", sum, provided == MPI_THREAD_MULTIPLE);
  MPI_Finalize();
  return 0;
}
