/* Known answer: Gibbs' sampler of Acosta and Fernandez, as the first paper on ANDES tells of it.
 *
 *   gibbs_shares [TOTAL_MS]      (4000)
 *
 * The chains are dealt to the ranks and nothing is communicated but the results. The paper measured on 4 processors a
 * speedup of 3.72, a serial fraction of 2 % and a load balance of 0.96, and explained it so: a chain's length depends on
 * chance, and the chains of four processors were heavier in sum than those of one. So here: on p ranks the chains take
 * TOTAL (1 + 0.0325 (p - 1)/3) in sum, and the ranks' shares spread evenly from 0.9583 to 1.0417 of the mean. At 4 ranks:
 *   load balance 1/1.0417 = 0.96, T = TOTAL/4 x 1.0325 x 1.0417, speedup 3.72, serial fraction
 *   (1/3.72 - 1/4)/(3/4) = 0.025: 0.0325/3 = 0.011 more computation in sum, 1.0325 x 0.0417/3 = 0.014 waiting.
 */
#include <mpi.h>
#include <stdlib.h>

#include "clock.h"

static void run_chains(double milliseconds) { sleep_ms(milliseconds); }

static void collect_results(void) {
  double own = 1, sum = 0;
  MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double total_ms = argc > 1 ? atof(argv[1]) : 4000.0;
  double uneven = ranks > 1 ? 0.9583 + 0.0834 * rank / (ranks - 1) : 1;
  run_chains(total_ms / ranks * (1 + 0.0325 * (ranks - 1) / 3) * uneven);
  collect_results();
  MPI_Finalize();
  return 0;
}
