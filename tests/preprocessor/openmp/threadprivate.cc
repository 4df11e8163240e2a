// Variables of each thread, kept from region to region and copied in, one of them in a class.
#include <cstdio>
#include <omp.h>

static int seed = 3;
#pragma omp threadprivate(seed)
struct State {
  static long steps;
#pragma omp threadprivate(steps)
};
long State::steps = 0;

int main() {
  omp_set_dynamic(0);
  seed = 11;
  State::steps = 5;
  long total = 0;
#pragma omp parallel num_threads(4) copyin(seed) copyin(State::steps)
  {
    seed += omp_get_thread_num();
    State::steps += seed;
  }
#pragma omp parallel num_threads(4) reduction(+ : total) default(none)
  {
    static int calls = 0;
#pragma omp atomic
    calls++;
    total += 100 * seed + State::steps + (calls > 4);
  }
  std::printf("%ld %d %ld\n", total, seed, State::steps);
}
