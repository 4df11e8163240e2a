// The same question with the accessors in a header: particles that move, through iterators, getters
// and setters, more than 10^9 calls of them a second. Prints as tiny.c does. What has a loop is not
// inlined, as if it stood in another file: in one function with a probe inside its outer loop, GCC
// keeps fewer values of the inner one in registers.
//
//   choice_accessors ROUNDS
#include "choice_accessors.h"

#include <cstdio>
#include <cstdlib>
#include <time.h>

namespace {

__attribute__((noinline)) void advance(Particles& particles, double step) {
  for (Particle& one : particles) {
    one.set_place(one.place() + step * one.speed());
    one.set_speed(one.speed() - step * one.place());
  }
}

__attribute__((noinline)) double energy(Particles& particles) {
  double sum = 0;
  for (const Particle& one : particles)
    sum += one.place() * one.place() + one.speed() * one.speed();
  return sum;
}

double simulate(Particles& particles, int rounds) {
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    advance(particles, 1e-3);
    sum += energy(particles);
  }
  return sum;
}

} // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 100;
  Particles particles(2048); // 32 KiB: what a larger array costs hangs on the pages that a run gets
  simulate(particles, 10); // warms up
  timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  const double sum = simulate(particles, rounds);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  std::printf("hot %lld %.9g\n",
              static_cast<long long>(end.tv_sec - begin.tv_sec) * 1000000000 +
                  (end.tv_nsec - begin.tv_nsec),
              sum);
}
