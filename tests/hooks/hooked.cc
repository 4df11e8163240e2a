// Functions with the compilers' hooks: members, templates, lambdas, recursion of all kinds, ways out that
// tell nobody, frames of all sizes, threads, a signal handler. test_hooks.py knows the visits.
#include <alloca.h>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>

#define OUTLINE __attribute__((noinline))

namespace sim {
inline namespace v1 {
struct Grid {
  explicit Grid(int m) : n(m) {}
  OUTLINE int step(int k);
  int n;
};
int Grid::step(int k) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++) sum = sum + i * k;
  return sum;
}
template <class T> OUTLINE T twice(T x) {
  asm volatile("");
  return x + x;
}
} // namespace v1
} // namespace sim

static jmp_buf back;
OUTLINE int leap(int depth) {
  volatile char room[200];
  room[0] = 1;
  if (depth == 0) longjmp(back, 1);
  return leap(depth - 1) + room[0];
}
OUTLINE int large() {
  volatile char room[3000];
  room[5] = 2;
  return room[5];
}
OUTLINE int huge() {
  volatile char room[200000];
  room[5] = 2;
  return room[5];
}
OUTLINE int sized(int bytes) {
  volatile char *room = static_cast<char *>(alloca(static_cast<std::size_t>(bytes)));
  room[0] = 1;
  return sim::twice<int>(room[0]);
}
OUTLINE int thrower(int k) {
  if (k % 2) throw std::runtime_error("odd");
  return k;
}
OUTLINE int passes(int k) { return thrower(k) + 1; }
OUTLINE int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
OUTLINE int odd(int n);
OUTLINE int even(int n) {
  asm volatile("");
  return n == 0 ? 1 : odd(n - 1);
}
OUTLINE int odd(int n) {
  asm volatile("");
  return n == 0 ? 0 : even(n - 1);
}
static inline int small(int x) { return x + 1; }
OUTLINE int around(int x) { return small(x) + small(x + 1); }

static volatile int signals;
OUTLINE void count_signal() { signals = signals + 1; }
OUTLINE void handler(int) { count_signal(); }
OUTLINE void *in_thread(void *) {
  for (int i = 0; i < 5; i++) large();
  return nullptr;
}
OUTLINE void leaves_the_process(int code) { std::exit(code); }

int main() {
  sim::Grid grid(100);
  volatile int total = 0;
  for (int i = 0; i < 100; i++) total = total + grid.step(i) + sim::twice(i) + (int)sim::twice(1.5);
  for (int i = 0; i < 10; i++) {
    if (!setjmp(back)) leap(5);
    total = total + large();
  }
  for (int i = 0; i < 4; i++) total = total + huge() + sized(100 * (i + 1));
  for (int i = 0; i < 10; i++) try {
      total = total + passes(i);
    } catch (...) {
      total = total + large();
    }
  auto lambda = [&](int x) { return x + total; };
  for (int i = 0; i < 5; i++) total = total + lambda(i);
  total = total + fib(15) + even(20) + around(1);
  std::signal(SIGUSR1, handler);
  for (int i = 0; i < 3; i++) std::raise(SIGUSR1);
  pthread_t thread;
  for (int i = 0; i < 2; i++) {
    pthread_create(&thread, nullptr, in_thread, nullptr);
    pthread_join(thread, nullptr);
  }
  std::puts("done");
  leaves_the_process(3);
}
