// select: default
// flags: -std=c++17 -Wall -Wextra
// flags: -std=c++20 -O2 -Wall
// What is marked inline and short goes, whatever it calls; what calls MPI, and what leads there, stays.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define MPI_COMM_WORLD 0
extern "C" int MPI_Barrier(int) { return 0; } //- small (0 operations, no loops, no calls)
extern "C" int MPI_Comm_size(int, int* size);
extern "C" __attribute__((weak)) int MPI_Comm_size(int, int* size) { return *size = 1; } //- small (2 operations, no loops, no calls)
int open_cost(int n);

inline int forwards(int n) { return std::rand() % 2 + n; } //- marked inline and short (3 operations, no loops, no MPI)
static int forwards_too(int n) { return open_cost(n) + 1; } //+ forwards_too
__attribute__((always_inline)) static inline int forced(int n) { return std::puts("") + n; } //- marked inline and short (2 operations, no loops, no MPI)
__attribute__((always_inline)) static inline int insists(int n) { //- always_inline: its code and time belong to its caller
  while (n > 9) n = open_cost(n);
  return n;
}
inline int calls_one_that_insists(int n) { return insists(n); } //+ calls_one_that_insists
inline int over_and_over(int n) { //+ over_and_over
  while (n > 9) n = open_cost(n);
  return n;
}
inline int only_forwards(int n) { return over_and_over(n); } //- only forwards to a function with a probe (1 operation)
inline int wraps_a_wrapper(int n) { return forwards(n) * 2; } //- marked inline and short (5 operations, no loops, no MPI)
static int calls_a_wrapper(int n) { return forwards(n); } //+ calls_a_wrapper
inline int long_one(int n) { //+ long_one
  int a = n + 1, b = a * 2, c = b - a, d = c ^ b, e = d | c, f = e & a, g = f + b, h = g * c;
  a += open_cost(h), b -= a, c *= b, d ^= c, e |= d, f &= e, g += f, h -= g, a ^= h, b += a;
  return a + b + c + d + e + f + g + h;
}
inline void synchronise() { MPI_Barrier(MPI_COMM_WORLD); } //+ synchronise
inline void step() { synchronise(); } //+ step
__attribute__((always_inline)) static inline void insists_on_mpi(int n) { //+ insists_on_mpi
  while (n-- > 0) synchronise();
}
template <class T> inline int size_of(T& size) { return MPI_Comm_size(MPI_COMM_WORLD, &size); } //+ size_of
inline int in_a_lambda() { //+ in_a_lambda
  const auto call = [] { return MPI_Barrier(MPI_COMM_WORLD); }; //+ in_a_lambda::{lambda:42}
  return call();
}
namespace mpi {
int rank(int n) { return open_cost(n); } //+ mpi::rank
} // namespace mpi
inline int ask_library(int n) { return mpi::rank(n); } //+ ask_library

class Stack {
public:
  void push(int value) { values_.push_back(value); } //- marked inline and short (2 operations, no loops, no MPI)
  int pop(); // below
  bool empty() const { return values_.empty(); } //- small (2 operations, no loops, no calls)
  int sum() const { //+ Stack::sum
    int sum = 0;
    for (const int value : values_) sum += value;
    return sum;
  }

private:
  std::vector<int> values_;
};
int Stack::pop() { //+ Stack::pop
  const int last = values_.back();
  values_.pop_back();
  return last;
}
int open_cost(int n) { //+ open_cost
  std::printf("%d\n", n);
  return n / 2;
}

int main() { //+ main
  Stack stack;
  int size = 0;
  step();
  insists_on_mpi(size + 2);
  size = calls_one_that_insists(99);
  stack.push(forwards(3) + forced(5) + only_forwards(40) + wraps_a_wrapper(7) + forwards_too(1));
  stack.push(calls_a_wrapper(2) + long_one(4) + size_of(size) + in_a_lambda() + ask_library(6));
  std::printf("%d %d %d\n", stack.sum(), stack.pop(), int(stack.empty()));
}
