// Constructs in templates of functions and classes, instantiated several times, with if constexpr.
#include <array>
#include <cstdio>
#include <type_traits>

template <class T, int n> struct Block {
  std::array<T, n> values{};
  template <class F> void fill(F f) {
#pragma omp parallel for num_threads(n % 3 + 1)
    for (int i = 0; i < n; ++i) values[std::size_t(i)] = f(i);
  }
  T sum() const {
    T result{};
    if constexpr (std::is_floating_point_v<T>) {
#pragma omp parallel for reduction(+ : result)
      for (int i = 0; i < n; ++i) result += values[std::size_t(i)];
    } else {
#pragma omp parallel
      {
#pragma omp for
        for (const T& value : values) {
#pragma omp critical (block)
          result += value;
        }
      }
    }
    return result;
  }
};

template <class... Ts> int count(Ts... ts) {
  int all = 0;
#pragma omp parallel sections reduction(+ : all)
  {
#pragma omp section
    ((all += ts), ...);
#pragma omp section
    all += int(sizeof...(ts));
  }
  return all;
}

int main() {
  Block<double, 40> a;
  Block<int, 41> b;
  a.fill([](int i) { return i / 4.0; });
  b.fill([](int i) { return i * i; });
  std::printf("%g %d %d %d\n", a.sum(), b.sum(), count(1, 2, 3), count());
}
