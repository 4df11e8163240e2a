// early.cc: functions with probes before main and after it: constructors and destructors of static
// objects, of a shared library too (early_library.cc), atexit, destructors of threads' objects, and
// _exit, quick_exit in the middle of them.
//
//   early CASE
#include <pthread.h>
#include <unistd.h>

#include "odd.h"

extern "C" int library_counter();

namespace {

int steps;
FUNCTION void step() { steps++; }

struct Global {
  Global() { step(); }
  ~Global() {
    step();
    step();
  }
} global;
struct Local {
  ~Local() { step(); }
};
thread_local Local local;

FUNCTION void at_exit() {
  step();
  printf("%d\n", steps);
}
FUNCTION void at_quick_exit_() {
  printf("quick %d\n", steps);
  fflush(stdout);
}
FUNCTION void* worker(void*) {
  static_cast<void>(&local);
  [[maybe_unused]] volatile Local* used = &local;
  step();
  return nullptr;
}

__attribute__((constructor(101))) void first() { step(); }
__attribute__((destructor(101))) void after_all() { step(); }

FUNCTION int plain() {
  atexit(at_exit);
  pthread_t thread;
  for (int i = 0; i < 5; i++) {
    pthread_create(&thread, nullptr, worker, nullptr);
    pthread_join(thread, nullptr);
  }
  printf("library %d\n", library_counter());
  return 3;
}
FUNCTION int exits() {
  atexit(at_exit);
  exit(5);
}
FUNCTION int quick() {
  at_quick_exit(at_quick_exit_);
  quick_exit(6);
}
FUNCTION int immediately() { _exit(7); }

} // namespace

int main(int argc, char** argv) {
  static const odd_case cases[] = {
      {"plain", plain}, {"exits", exits}, {"quick", quick}, {"immediately", immediately}};
  RUN_CASE(cases, argc > 1 ? argv[1] : "");
}
