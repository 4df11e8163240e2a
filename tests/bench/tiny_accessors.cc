// The same question in C++: a relaxation on a grid that reaches its data through accessors, which
// check their indices, and computes with small vectors. Prints as tiny.c does.
//
//   tiny_accessors ROUNDS
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <time.h>
#include <vector>

#ifndef TINY
#define TINY
#endif

namespace {

// Cold: jumps to it are long ones wherever it is. A short jump that a probe behind the loop makes a long one can move the
// loop's end into another cache line, which costs a third of its speed on some processors.
[[noreturn, gnu::cold]] void no_row(int i) { throw std::out_of_range("no row " + std::to_string(i)); }

struct Cell {
  double heat = 0, flow = 0;
  TINY Cell operator+(const Cell& other) const { return {heat + other.heat, flow + other.flow}; }
  TINY Cell scaled(double factor) const { return {heat * factor, flow * factor}; }
};

class Grid {
public:
  Grid(int rows, int columns)
      : rows_(rows), columns_(columns), cells_(std::size_t(rows) * std::size_t(columns)) {}
  TINY int rows() const { return rows_; }
  TINY int columns() const { return columns_; }
  TINY const Cell& at(int i, int j) const { return cells_[index(i, j)]; }
  TINY Cell& at(int i, int j) { return cells_[index(i, j)]; }

private:
  TINY std::size_t index(int i, int j) const {
    if (i < 0 || i >= rows_) no_row(i);
    return std::size_t(i) * std::size_t(columns_) + std::size_t(j);
  }
  int rows_, columns_;
  std::vector<Cell> cells_;
};

// No branch: how well one is predicted depends on where in the program it stands.
TINY double difference(const Cell& a, const Cell& b) { return std::fabs(a.heat - b.heat); }

TINY double relax_cell(Grid& grid, int i, int j) {
  const Cell mean = (grid.at(i - 1, j) + grid.at(i + 1, j)).scaled(0.5);
  const double change = difference(mean, grid.at(i, j));
  grid.at(i, j) = mean;
  return change;
}

double relax(Grid& grid, int rounds) {
  double change = 0;
  for (int round = 0; round < rounds; ++round)
    for (int i = 1; i < grid.rows() - 1; ++i)
      for (int j = 1; j < grid.columns() - 1; ++j) change += relax_cell(grid, i, j);
  return change;
}

} // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 100;
  Grid grid(64, 64);
  for (int j = 0; j < grid.columns(); ++j) grid.at(0, j) = {100.0, 1.0};
  relax(grid, rounds / 10); // warms up
  timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  const double change = relax(grid, rounds);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  std::printf("hot %lld %.9g\n",
              static_cast<long long>(end.tv_sec - begin.tv_sec) * 1000000000 +
                  (end.tv_nsec - begin.tv_nsec),
              change);
}
