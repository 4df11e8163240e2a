// Reductions that the program declares, in a template too.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Range {
  double low = 1e9, high = -1e9;
  void take(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  void join(const Range& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};
#pragma omp declare reduction(join : Range : omp_out.join(omp_in)) initializer(omp_priv = Range())

template <class T> T extremes(const std::vector<double>& values) {
#pragma omp declare reduction(meet : T : omp_out.join(omp_in)) initializer(omp_priv = T())
  T range;
#pragma omp parallel default(none) shared(values, range)
  {
#pragma omp for reduction(meet : range) schedule(dynamic, 3)
    for (std::size_t i = 0; i < values.size(); ++i) range.take(values[i]);
  }
  return range;
}

int main() {
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) values.push_back((i * 37) % 501 - 90);
  Range range;
#pragma omp parallel for reduction(join : range)
  for (std::size_t i = 0; i < values.size(); ++i) range.take(values[i]);
  const Range other = extremes<Range>(values);
  std::printf("%g %g %g %g\n", range.low, range.high, other.low, other.high);
}
