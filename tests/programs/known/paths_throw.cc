// Known answer: call paths in C++, with exceptions through frames, members, constructors and
// destructors, lambdas and templates. Prints what the call tree must hold:
//   path both PATH VISITS
//
//   paths_throw
#include <cstdio>
#include <stdexcept>

#include <mpi.h>

namespace {

volatile int sink;

class Counter {
public:
  explicit Counter(int start);
  ~Counter();
  void step();

private:
  int value_;
};

__attribute__((noinline)) Counter::Counter(int start) : value_(start) { sink = sink + value_; }
__attribute__((noinline)) Counter::~Counter() { sink = sink - value_; }
__attribute__((noinline)) void Counter::step() { ++value_; }

__attribute__((noinline)) void thrower(int i) {
  sink = sink + 1;
  if (i % 2 == 0) throw std::runtime_error("known");
}

__attribute__((noinline)) void through(int i) {
  const Counter counter(i); // destroyed by return and by exception alike
  thrower(i);
  sink = sink + 1;
}

__attribute__((noinline)) void handler() { sink = sink + 2; }

__attribute__((noinline)) void catcher(int times) {
  for (int i = 0; i < times; ++i) {
    try {
      through(i);
    } catch (const std::runtime_error&) {
      handler();
    }
  }
}

__attribute__((noinline)) void user() {
  Counter counter(3);
  for (int i = 0; i < 4; ++i) counter.step();
}

__attribute__((noinline)) int rethrower() {
  try {
    thrower(0);
  } catch (...) {
    throw;
  }
  return 1;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, caught = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  catcher(5);
  user();
  for (int i = 0; i < 2; ++i) {
    try {
      rethrower();
    } catch (const std::runtime_error&) {
      ++caught;
    }
  }
  if (rank == 0)
    std::printf("path both main 1\n"
                "path both main/catcher 1\n"
                "path both main/catcher/through 5\n"
                "path both main/catcher/through/Counter::Counter 5\n"
                "path both main/catcher/through/thrower 5\n"
                "path both main/catcher/through/Counter::~Counter 5\n"
                "path both main/catcher/handler 3\n"
                "path both main/user/Counter::step 4\n"
                "path both main/user/Counter::~Counter 1\n"
                "path both main/rethrower 2\n"
                "path both main/rethrower/thrower 2\n");
  std::fflush(stdout);
  MPI_Finalize();
  return caught == 2 ? 0 : 1;
}
