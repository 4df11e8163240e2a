// Constructs in lambdas, and lambdas in constructs.
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

template <class F> void for_each(int n, const F& f) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i) f(i);
}

int main() {
  std::vector<long> all(300);
  for_each(300, [&](int i) { all[std::size_t(i)] = i; });
  const auto sum = [&all]() {
    long result = 0;
#pragma omp parallel for reduction(+ : result)
    for (std::size_t i = 0; i < all.size(); ++i) result += all[i];
    return result;
  };
  const auto generic = [](auto n, auto f) {
    decltype(n) result = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(i) shared(result, f)
      {
#pragma omp critical
        result += f(i);
      }
    }
    return result;
  };
  std::function<int(int)> recursive = [&](int n) {
    int left = 0, right = 0;
    if (n < 2) return n;
#pragma omp task shared(left, recursive)
    left = recursive(n - 1);
#pragma omp task shared(right, recursive)
    right = recursive(n - 2);
#pragma omp taskwait
    return left + right;
  };
  int fibonacci = 0;
#pragma omp parallel
  {
#pragma omp master
    fibonacci = recursive(11);
  }
  std::printf("%ld %g %d %d\n", sum(), generic(0.5 - 0.5, [](int i) { return i / 2.0; }),
              generic(0, [](int i) { return i; }), fibonacci);
}
