// jumps.cc: ways out of functions that the functions do not see: longjmp, siglongjmp out of a handler,
// exceptions through many frames, through C and rethrown, the end of a thread in the middle.
//
//   jumps CASE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "odd.h"

extern "C" void c_frame(void (*call)(int), int n); // jumps_c.c

namespace {

jmp_buf place;
sigjmp_buf signal_place;
volatile int counter;

FUNCTION void after() { counter = counter + 1; }

FUNCTION void dives(int n) {
  if (n == 0) longjmp(place, 1);
  volatile char room[100];
  room[0] = static_cast<char>(n);
  dives(n - 1);
  room[1] = room[0];
}
FUNCTION void catches() {
  if (setjmp(place) == 0) dives(20);
  after();
}
FUNCTION int long_jumps() {
  for (int i = 0; i < 50; i++) {
    catches();
    after();
  }
  return 3;
}

void out_of_handler(int) { siglongjmp(signal_place, 1); }
FUNCTION void faults() {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}
FUNCTION void raises() { raise(SIGUSR1); }
FUNCTION int signal_jumps() {
  struct sigaction action = {};
  action.sa_handler = out_of_handler;
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGSEGV, &action, nullptr);
  for (int i = 0; i < 50; i++) {
    if (sigsetjmp(signal_place, 1) == 0) raises();
    after();
    if (sigsetjmp(signal_place, 1) == 0) faults();
    after();
  }
  return 3;
}
// The same on a stack of the handler's own.
FUNCTION int signal_jumps_alternate() {
  static char stack[65536];
  stack_t other = {};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = out_of_handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
  for (int i = 0; i < 50; i++) {
    if (sigsetjmp(signal_place, 1) == 0) raises();
    after();
  }
  return 3;
}

struct Cleanup {
  ~Cleanup() { after(); }
};
FUNCTION void throws(int n) {
  Cleanup cleanup;
  if (n == 0) throw std::runtime_error("deep");
  throws(n - 1);
}
FUNCTION void rethrows(int n) {
  try {
    if (n == 0) throws(3);
    else rethrows(n - 1);
  } catch (const std::exception&) {
    after();
    throw;
  }
}
FUNCTION int exceptions() {
  int caught = 0;
  for (int i = 0; i < 20; i++) {
    try {
      throws(200);
    } catch (const std::exception&) {
      caught++;
    }
    try {
      rethrows(5);
    } catch (...) {
      caught++;
    }
  }
  printf("%d\n", caught);
  return 3;
}
FUNCTION void thrower(int n) {
  if (n == 0) throw 7;
  c_frame(thrower, n - 1);
}
FUNCTION int through_c() {
  int caught = 0;
  for (int i = 0; i < 20; i++) {
    try {
      thrower(4);
    } catch (int) {
      caught++;
    }
    after();
  }
  printf("%d\n", caught);
  return 3;
}
FUNCTION void unexpected() noexcept { throws(2); }
FUNCTION int terminates() {
  std::set_terminate([] {
    printf("terminating\n");
    fflush(stdout);
    exit(4);
  });
  unexpected();
  return 3;
}

FUNCTION void* leaves(void*) {
  Cleanup cleanup;
  after();
  pthread_exit(nullptr);
}
FUNCTION void* waits(void*) {
  Cleanup cleanup;
  after();
  for (;;) pause();
}
FUNCTION int thread_ends() {
  for (int i = 0; i < 10; i++) {
    pthread_t one, two;
    pthread_create(&one, nullptr, leaves, nullptr);
    pthread_join(one, nullptr);
    pthread_create(&two, nullptr, waits, nullptr);
    while (counter < 3 * i + 3) usleep(100); // `one` has left two
    pthread_cancel(two);
    pthread_join(two, nullptr);
    counter = 3 * (i + 1);
  }
  return 3;
}

// Threads with the smallest stacks that the system allows.
FUNCTION int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1) + counter * 0; }
void* small(void*) {
  depth(20);
  return nullptr;
}
FUNCTION int small_stacks() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  NEED(pthread_attr_setstacksize(&attributes, 16384) == 0);
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    NEED(pthread_create(&thread, &attributes, small, nullptr) == 0);
    pthread_join(thread, nullptr);
  }
  return 3;
}

// main leaves by itself; the process ends with its last thread.
void* last(void*) {
  usleep(20000);
  after();
  printf("last\n");
  return nullptr;
}
FUNCTION int main_leaves() {
  pthread_t thread;
  pthread_create(&thread, nullptr, last, nullptr);
  after();
  pthread_exit(nullptr);
}

// A thread is at work when the process ends.
void* endless(void*) {
  for (;;) after();
}
FUNCTION int ends_under_threads() {
  pthread_t thread;
  pthread_create(&thread, nullptr, endless, nullptr);
  usleep(20000);
  return 3;
}

} // namespace

int main(int argc, char** argv) {
  static const odd_case cases[] = {{"long_jumps", long_jumps},
                                   {"signal_jumps", signal_jumps},
                                   {"signal_jumps_alternate", signal_jumps_alternate},
                                   {"exceptions", exceptions},
                                   {"through_c", through_c},
                                   {"terminates", terminates},
                                   {"thread_ends", thread_ends},
                                   {"small_stacks", small_stacks},
                                   {"main_leaves", main_leaves},
                                   {"ends_under_threads", ends_under_threads}};
  RUN_CASE(cases, argc > 1 ? argv[1] : "");
}
