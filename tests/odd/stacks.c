/* stacks.c: functions with probes on stacks of the program's own (ucontext), and on alternate signal stacks.
 * What runs while another stack is suspended belongs below the function that is open on its own stack.
 *
 *   stacks CASE     times are in steps of 20 ms */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "odd.h"

enum { stack_bytes = 64 * 1024 };

/* Sleeps that follow each other without a gap. */
static int64_t until_ns;
static int64_t clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}
static void step(int steps) {
  until_ns += 20000000ll * steps;
  while (clock_ns() < until_ns) {
    const struct timespec end = {until_ns / 1000000000, until_ns % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
  }
}

struct fiber {
  ucontext_t here, back;
  char *stack;
  int done;
};
static struct fiber *current;

static void yield(void) {
  struct fiber *fiber = current;
  swapcontext(&fiber->here, &fiber->back);
}
static void resume(struct fiber *fiber) {
  struct fiber *before = current;
  current = fiber;
  swapcontext(&fiber->back, &fiber->here);
  current = before;
}
static void start(struct fiber *fiber, void (*body)(void), char *stack) {
  memset(fiber, 0, sizeof *fiber);
  getcontext(&fiber->here);
  fiber->stack = stack;
  fiber->here.uc_stack.ss_sp = stack;
  fiber->here.uc_stack.ss_size = stack_bytes;
  fiber->here.uc_link = &fiber->back;
  makecontext(&fiber->here, body, 0);
}

/* A generator and its user: main/uses below main, generates and what it calls below uses, and what uses
 * calls between two values below uses, not below generates. */
FUNCTION void value(void) { step(1); }
FUNCTION void generates(void) {
  for (int i = 0; i < 3; i++) {
    value();
    yield();
    step(1);
  }
  current->done = 1;
}
FUNCTION void takes(void) { step(2); }
FUNCTION void uses(struct fiber *fiber) {
  for (;;) {
    resume(fiber);
    if (fiber->done) break;
    takes();
  }
}
FUNCTION int generator(void) {
  static char stack[stack_bytes];
  struct fiber fiber;
  start(&fiber, generates, stack);
  until_ns = clock_ns();
  uses(&fiber);
  takes();
  return 3;
}

/* A hundred tasks in turns, on stacks side by side, above and below each other in memory. Each calls deeper
 * at every turn, so that it is suspended at a different depth each time. */
FUNCTION void deepest(void) { yield(); }
FUNCTION void deep(int turn) {
  yield();
  if (turn % 2) deepest();
}
FUNCTION void task(void) {
  for (int turn = 0; turn < 6; turn++) deep(turn);
  current->done = 1;
}
FUNCTION void between(void) {}
FUNCTION int turns(int count, char *memory, int downwards) {
  struct fiber *fibers = calloc((size_t)count, sizeof *fibers);
  for (int i = 0; i < count; i++)
    start(&fibers[i], task, memory + (size_t)stack_bytes * (size_t)(downwards ? count - 1 - i : i));
  int left = count, rounds = 0;
  while (left > 0) {
    rounds++;
    for (int i = 0; i < count; i++)
      if (!fibers[i].done) {
        resume(&fibers[i]);
        between();
        left -= fibers[i].done;
      }
  }
  free(fibers);
  return rounds;
}
FUNCTION int round_robin(void) {
  char *memory = malloc((size_t)stack_bytes * 100);
  printf("%d\n", turns(100, memory, 0));
  printf("%d\n", turns(100, memory, 1));
  free(memory);
  return 3;
}
FUNCTION int mapped(void) {
  char *memory = mmap(NULL, (size_t)stack_bytes * 100, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  NEED(memory != MAP_FAILED);
  printf("%d\n", turns(100, memory, 0));
  munmap(memory, (size_t)stack_bytes * 100);
  return 3;
}

/* Straight from task to task, without the scheduler in between. */
static struct fiber ring[3];
static int at;
FUNCTION void hop(void) {
  struct fiber *from = &ring[at];
  at = (at + 1) % 3;
  swapcontext(&from->here, &ring[at].here);
}
FUNCTION void runner(void) {
  for (int i = 0; i < 4; i++) {
    step(1);
    hop();
  }
}
FUNCTION int symmetric(void) {
  static char stacks[3][stack_bytes];
  for (int i = 0; i < 3; i++) start(&ring[i], runner, stacks[i]);
  for (int i = 0; i < 3; i++) ring[i].here.uc_link = i < 2 ? &ring[i + 1].here : &ring[0].back;
  until_ns = clock_ns();
  swapcontext(&ring[0].back, &ring[0].here);
  return 3;
}

/* Many tasks that are given up in the middle, on memory that is used again. */
FUNCTION void half(void) {
  value();
  yield();
  value();
}
FUNCTION int given_up(void) {
  until_ns = clock_ns() - 1000000000000ll; /* no sleep */
  for (int i = 0; i < 10000; i++) {
    char *stack = malloc(stack_bytes);
    struct fiber fiber;
    start(&fiber, half, stack);
    resume(&fiber);
    free(stack);
    between();
  }
  return 3;
}

/* Killed while a task runs: two steps at least in `killed` itself, four in `takes`, two in `value`. */
FUNCTION void dies(void) {
  until_ns = clock_ns();
  value();
  yield();
  until_ns = clock_ns();
  value();
  kill(getpid(), SIGKILL);
}
FUNCTION int killed(void) {
  static char stack[stack_bytes];
  struct fiber fiber;
  start(&fiber, dies, stack);
  usleep(40000);
  for (;;) {
    until_ns = clock_ns();
    takes();
    resume(&fiber);
  }
}

/* More tasks suspended at once than the monitor keeps apart. */
FUNCTION int crowd(void) {
  enum { count = 20000 };
  char *memory = mmap(NULL, (size_t)stack_bytes * count, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  NEED(memory != MAP_FAILED);
  until_ns = clock_ns() - 1000000000000ll;
  struct fiber *fibers = calloc(count, sizeof *fibers);
  for (int i = 0; i < count; i++) {
    start(&fibers[i], half, memory + (size_t)stack_bytes * (size_t)i);
    resume(&fibers[i]);
  }
  between();
  for (int i = 0; i < count; i++) resume(&fibers[i]);
  between();
  return 3;
}

/* Recursion on a stack of its own, and large frames there. */
FUNCTION int recurses(int n) {
  volatile char room[3000];
  room[0] = (char)n;
  return n == 0 ? 0 : 1 + recurses(n - 1) + room[0] - (char)n;
}
FUNCTION void wide(void) {
  volatile char room[40000];
  room[0] = 1;
  between();
  room[39999] = room[0];
}
FUNCTION void body(void) {
  recurses(10);
  yield();
  wide();
  yield();
  recurses(10);
  current->done = 1;
}
FUNCTION int recursion(void) {
  static char stack[stack_bytes];
  struct fiber fiber;
  start(&fiber, body, stack);
  while (!fiber.done) {
    resume(&fiber);
    between();
  }
  return 3;
}

/* A handler on its own stack. */
static volatile sig_atomic_t caught;
FUNCTION void handled(void) { caught++; }
static void handler(int number) {
  (void)number;
  handled();
}
FUNCTION void raises(void) {
  for (int i = 0; i < 100; i++) {
    raise(SIGUSR1);
    between();
  }
}
FUNCTION int alternate(void) {
  static char stack[stack_bytes];
  const stack_t other = {stack, 0, sizeof stack};
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  NEED(sigaltstack(&other, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
  raises();
  printf("%d\n", (int)caught);
  return 3;
}

int main(int argc, char **argv) {
  static const struct odd_case cases[] = {
      {"generator", generator}, {"round_robin", round_robin}, {"mapped", mapped},
      {"symmetric", symmetric}, {"given_up", given_up}, {"crowd", crowd}, {"recursion", recursion},
      {"killed", killed}, {"alternate", alternate}};
  RUN_CASE(cases, argc > 1 ? argv[1] : "");
}
