// Exceptions thrown and caught inside every construct that may hold one.
#include <cstdio>
#include <stdexcept>
#include <string>

static int may_throw(int n) {
  if (n % 3 == 0) throw std::runtime_error(std::to_string(n));
  return n;
}

int main() {
  int caught = 0, sum = 0;
#pragma omp parallel num_threads(4)
  {
    try {
      may_throw(0);
    } catch (const std::runtime_error&) {
#pragma omp atomic
      caught++;
    }
#pragma omp for
    for (int i = 0; i < 100; ++i) {
      try {
        const int value = may_throw(i);
#pragma omp critical
        sum += value;
      } catch (const std::exception& error) {
#pragma omp critical
        caught += std::stoi(error.what()) == i;
      }
    }
#pragma omp single
    try {
      may_throw(9);
    } catch (...) {
      sum += 10000;
    }
#pragma omp critical
    {
      try {
        throw sum;
      } catch (int what) {
        sum = what;
      }
    }
#pragma omp master
    for (int i = 0; i < 12; ++i)
#pragma omp task firstprivate(i) shared(caught)
      try {
        may_throw(i);
      } catch (...) {
#pragma omp atomic
        caught++;
      }
  }
  try {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 10; ++i) sum += i;
    may_throw(sum - sum % 3);
  } catch (const std::runtime_error& error) {
    std::printf("%s\n", error.what());
  }
  std::printf("%d %d\n", caught, sum);
}
