// flags: -std=c++20 -O2 -Wall -Wextra -Wshadow -pedantic -Wno-unknown-pragmas -Werror
// flags: -std=c++17 -Wall -Wextra -Wno-unknown-pragmas
// loops: all
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct Grid {
  explicit Grid(int n) : cells(n) { for (int& cell : cells) cell = int(&cell - &cells[0]); } //+ Grid::Grid //+ Grid::Grid::{loop}
  int sum() const { //+ Grid::sum
    int s = 0;
    for (const int cell : cells) { //+ Grid::sum::{loop}
      if (cell == 7) continue;
      s += cell;
    }
    return s;
  }
  int at(int i) const { return cells.at(i); } //+ Grid::at(int) const
  int at(int i, int n) const { //+ Grid::at(int, int) const
    while (i >= n) i -= n; //+ Grid::at::{loop}
    return cells[i];
  }
  std::vector<int> cells;
};

struct Noisy {
  explicit Noisy(const char* text) : name(text) {} //+ Noisy::Noisy
  ~Noisy() { std::printf("~%s ", name.c_str()); } //+ Noisy::~Noisy
  std::string name;
};

template <class T>
T total(const std::vector<T>& all) { //+ total
  T s{};
  for (const T& one : all) s += one; //+ total::{loop}
  if constexpr (sizeof(T) > 4) {
    for (const T& one : all) s -= one / 2; //+ total::{loop}
  } else
    for (const T& one : all) s -= one / 3; //+ total::{loop}
  return s;
}

static int exceptions(int n) { //+ exceptions
  int s = 0;
  for (int i = 0; i < n; ++i) { //+ exceptions::{loop}
    try {
      for (int j = 0; j < 9; ++j) { //+ exceptions::{loop}
        Noisy noisy("j");
        if (j == 2) break;
        if (i * j == 3) throw std::runtime_error("three");
        if (i == 4) return s;
      }
    } catch (const std::runtime_error&) {
      while (s % 10) ++s; //+ exceptions::{loop}
    }
    ++s;
  }
  return s;
}

constexpr int constant(int n) { //- constexpr or consteval
  int s = 0;
  for (int i = 0; i < n; ++i) s += i; //- its function: constexpr or consteval
  return s;
}
static_assert(constant(4) == 6);

static int lambdas(int n) { //+ lambdas
  const auto sum = [n](int from) { //+ lambdas::{lambda:70}
    int s = 0;
    for (int i = from; i < n; ++i) s += i; //+ lambdas::{lambda:70}::{loop}
    return s;
  };
  static constexpr auto square = [](int x) { int s = 0; for (int i = 0; i < x; ++i) s += x; return s; }; //- lambda that a constant expression may call //- its function: lambda that a constant expression may call
  static_assert(square(3) == 9);
  int s = 0;
  for (int i = 0, last = [&] { int k = 0; while (k < n) k += 2; return k; }(); i < last; ++i) //+ lambdas::{loop} //+ lambdas::{lambda:78} //+ lambdas::{lambda:78}::{loop}
    s += sum(i) + square(i);
  return s;
}

static int marked(int n) try { //+ marked
  int s = 0;
#pragma andes phase "advance" //+ advance
  for (int i = 0; i < n; ++i) {
    Noisy noisy("i");
#pragma andes region "throws" //+ throws
    try {
      if (i == 3) throw 3;
    } catch (int) {
      ++s;
    }
#pragma andes region "new" //+ new
    s += Grid{i + 1}.sum();
#pragma andes region "attribute" //+ attribute
    [[likely]] ++s;
    [[likely]] while (s > 90) s -= 30; //+ marked::{loop}
  }
#pragma andes region "throw" //+ throw
  throw s;
} catch (int s) {
  for (int i = 0; i < n; ++i) s += i; //+ marked::{loop}
  return s;
}

int main() { //+ main
  for (int n = 1; n < 9; ++n) { //+ main::{loop}
    const Grid grid(n);
    std::printf("%d %d %d ", grid.sum(), grid.at(0), grid.at(17, n));
    std::printf("%d %ld ", total(grid.cells), total(std::vector<long>(n, 9)));
    std::printf("%d %d %d %d\n", exceptions(n), constant(n), lambdas(n), marked(n));
  }
}
