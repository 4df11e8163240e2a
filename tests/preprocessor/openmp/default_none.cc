// The same in C++: members, templates, lambdas, references, local classes.
#include <cstdio>
#include <vector>

class Grid {
public:
  explicit Grid(int n) : n_(n), values_(std::size_t(n) * std::size_t(n)) {}
  double& at(int i, int j) { return values_[std::size_t(i * n_ + j)]; }
  double sweep() {
    double sum = 0;
#pragma omp parallel default(none) shared(sum)
    {
#pragma omp for
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j) at(i, j) = i - 2 * j;
      struct Local {
        static double half(double x) {
          for (int i = 0; i < 2; ++i) x *= i ? 2 : 0.25;
          return x;
        }
      };
      const auto add = [&](double x) {
        for (int i = 0; i < 2; ++i) {
#pragma omp critical (sum)
          sum += x;
        }
      };
#pragma omp for nowait
      for (int i = 0; i < n_; ++i) add(Local::half(at(i, i)));
    }
    return sum;
  }

private:
  int n_;
  std::vector<double> values_;
};

template <class T> T total(const std::vector<T>& all, const T& start) {
  T sum = start;
#pragma omp parallel for default(none) shared(all) reduction(+ : sum)
  for (auto it = all.begin(); it < all.end(); ++it) sum += *it;
#pragma omp parallel default(none) shared(sum)
#pragma omp single
  for (int i = 0; i < 3; ++i)
#pragma omp task default(none) shared(sum)
  {
#pragma omp critical
    sum += T(1);
  }
  return sum;
}

int main() {
  Grid grid(20);
  std::printf("%g %d %g\n", grid.sweep(), total(std::vector<int>(50, 3), 4),
              total(std::vector<double>(9, 0.5), 0.25));
}
