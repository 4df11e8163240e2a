// lives.cc: threads that come and go in all ways. Each case prints what its answers are, by the program's own
// counts and clock: "visits NAME N" (of all call paths that end in NAME), "wall NUMBER S" (of a thread's
// lives together), "locations N", each with the tolerance that the test gives it.
//
//   lives CASE [NUMBER]
#include <pthread.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#include "program.h"

namespace {

// A probe of its own for each function that counts: small ones are kept by --select all.
volatile long sink;
FUNCTION void step() { sink = sink + 1; }
FUNCTION void computes(int steps) {
  for (int i = 0; i < steps; i++) step();
}

void visits(const char* name, long count) { std::printf("visits %s %ld\n", name, count); }
void locations(int count) { std::printf("locations %d\n", count); }

pthread_t start(void* (*body)(void*), void* argument, std::size_t stack_bytes = 0, bool detached = false) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack_bytes) pthread_attr_setstacksize(&attributes, stack_bytes);
  if (detached) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  need(pthread_create(&thread, &attributes, body, argument) == 0, "pthread_create");
  pthread_attr_destroy(&attributes);
  return thread;
}
void join(pthread_t thread) { pthread_join(thread, nullptr); }

// One after the other: one location, used again.
FUNCTION void* short_life(void*) {
  computes(3);
  return nullptr;
}
int sequential(int count) {
  for (int i = 0; i < count; i++) join(start(short_life, nullptr));
  visits("short_life", count);
  visits("step", 3L * count);
  locations(2);
  return 0;
}

// Lives with gaps between them: the wall time of the location is that of the lives.
double lived_s;
FUNCTION void* long_life(void*) {
  const double begin_s = now_s();
  sleeps(0.005);
  lived_s += now_s() - begin_s;
  return nullptr;
}
int gaps(int count) {
  for (int i = 0; i < count; i++) {
    join(start(long_life, nullptr));
    sleeps(0.01);
  }
  visits("long_life", count);
  visits("sleeps", 2L * count);
  std::printf("wall 1 %.9f\n", lived_s);
  locations(2);
  return 0;
}

// All alive at once.
pthread_barrier_t barrier;
FUNCTION void* at_barrier(void*) {
  computes(10);
  pthread_barrier_wait(&barrier);
  computes(10);
  pthread_barrier_wait(&barrier);
  return nullptr;
}
int at_once(int count) {
  pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(count));
  std::vector<pthread_t> threads;
  for (int i = 0; i < count; i++) threads.push_back(start(at_barrier, nullptr, 64 << 10));
  for (const pthread_t thread : threads) join(thread);
  visits("at_barrier", count);
  visits("step", 20L * count);
  locations(count + 1);
  return 0;
}

// More than have a place: those that have one are exact, and one line says so.
int crowd(int count) {
  pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(count));
  std::vector<pthread_t> threads;
  for (int i = 0; i < count; i++) threads.push_back(start(at_barrier, nullptr, 64 << 10));
  for (const pthread_t thread : threads) join(thread);
  return 0;
}

// A pool with a queue.
class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; i++) threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void put(std::function<void()> task) {
    std::lock_guard<std::mutex> guard(mutex_);
    tasks_.push(std::move(task));
    ready_.notify_one();
  }

private:
  FUNCTION void run() {
    for (;;) {
      std::unique_lock<std::mutex> guard(mutex_);
      ready_.wait(guard, [this] { return closed_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const auto task = std::move(tasks_.front());
      tasks_.pop();
      guard.unlock();
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  bool closed_ = false;
};
int pool(int tasks) {
  {
    Pool workers(4);
    for (int i = 0; i < tasks; i++) workers.put([i] { computes(i % 5); });
  }
  long steps = 0;
  for (int i = 0; i < tasks; i++) steps += i % 5;
  visits("Pool::run", 4);
  visits("computes", tasks);
  visits("step", steps);
  return 0;
}

// All libraries' ways to make a thread.
int c11(void*) {
  computes(2);
  return 0;
}
int kinds(int rounds) {
  for (int i = 0; i < rounds; i++) {
    thrd_t thread;
    need(thrd_create(&thread, c11, nullptr) == thrd_success, "thrd_create");
    thrd_join(thread, nullptr);
    std::thread([] { computes(2); }).join();
    std::async(std::launch::async, [] { computes(2); }).get();
  }
  visits("step", 6L * rounds);
  visits("c11", rounds);
  locations(2);
  return 0;
}

// Visits that are open when a thread ends itself or is ended.
FUNCTION void leaves(int depth) {
  step();
  if (depth > 0) leaves(depth - 1);
  pthread_exit(nullptr);
}
FUNCTION void* exits(void*) {
  leaves(3);
  return nullptr;
}
FUNCTION void waits() {
  step();
  pthread_barrier_wait(&barrier);
  for (;;) pause();
}
FUNCTION void* is_cancelled(void*) {
  waits();
  return nullptr;
}
int unfinished(int count) {
  pthread_barrier_init(&barrier, nullptr, 2);
  for (int i = 0; i < count; i++) {
    join(start(exits, nullptr));
    const pthread_t thread = start(is_cancelled, nullptr);
    pthread_barrier_wait(&barrier);
    pthread_cancel(thread);
    join(thread);
  }
  visits("exits", count);
  visits("leaves", 4L * count);
  visits("is_cancelled", count);
  visits("waits", count);
  visits("step", 5L * count);
  locations(2);
  return 0;
}

// What a thread's own objects do when it ends is its own.
pthread_key_t key;
FUNCTION void destroys(void* value) {
  step();
  if (value != &key) pthread_setspecific(key, &key); // once more
}
struct Object {
  FUNCTION ~Object() { step(); }
};
thread_local Object object;
FUNCTION void* owns(void* own) {
  [[maybe_unused]] volatile Object* used = &object;
  pthread_setspecific(key, own);
  step();
  return nullptr;
}
int destructors(int count) {
  pthread_key_create(&key, destroys);
  int own;
  for (int i = 0; i < count; i++) join(start(owns, &own));
  visits("owns", count);
  visits("destroys", 2L * count);
  visits("Object::~Object", count);
  visits("step", 4L * count);
  locations(2);
  return 0;
}

// Threads that are still there when the process ends: computing, asleep, blocked. They are closed where they
// are, and what they do until the process is gone changes nothing.
std::atomic<long> running;
FUNCTION void* runs_for_ever(void*) {
  running++;
  for (;;) computes(1);
}
FUNCTION void* sleeps_for_ever(void*) {
  running++;
  for (;;) sleeps(1000);
}
FUNCTION void* naps_for_ever(void*) {
  running++;
  for (;;) sleeps(0.0001);
}
int outlives(int count) {
  for (int i = 0; i < count; i++) {
    start(runs_for_ever, nullptr, 0, true);
    start(sleeps_for_ever, nullptr, 0, true);
    start(naps_for_ever, nullptr, 0, true);
  }
  while (running < 3L * count) sched_yield();
  const double begin_s = now_s();
  sleeps(0.2);
  visits("runs_for_ever", count);
  visits("sleeps_for_ever", count);
  visits("naps_for_ever", count);
  for (int i = 1; i <= 3 * count; i++) std::printf("wall_at_least %d %.9f\n", i, now_s() - begin_s);
  locations(3 * count + 1);
  return 0;
}

// The main thread ends before the others do.
FUNCTION void* last(void*) {
  sleeps(0.2);
  computes(5);
  visits("last", 1);
  visits("step", 5);
  std::fflush(stdout);
  return nullptr;
}
int main_leaves(int) {
  start(last, nullptr, 0, true);
  sleeps(0.1);
  locations(2);
  std::fflush(stdout);
  pthread_exit(nullptr);
}

// A thread that a constructor has made, before main.
std::atomic<bool> enough;
std::atomic<long> rounds_before_main;
FUNCTION void* early(void*) {
  while (!enough) {
    computes(100);
    rounds_before_main++;
  }
  return nullptr;
}
pthread_t early_thread;
__attribute__((constructor)) void before_main() {
  if (getenv("LIVES_EARLY")) early_thread = start(early, nullptr);
}
int early_ends(int) {
  sleeps(0.05);
  enough = true;
  join(early_thread);
  visits("early", 1);
  visits("step", 100 * rounds_before_main);
  locations(2);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  struct Case {
    const char* name;
    int (*run)(int);
    int number;
  };
  static const Case cases[] = {{"sequential", sequential, 1000}, {"gaps", gaps, 20},
                               {"at_once", at_once, 200},        {"crowd", crowd, 5000},
                               {"pool", pool, 1000},             {"kinds", kinds, 50},
                               {"unfinished", unfinished, 50},   {"destructors", destructors, 50},
                               {"outlives", outlives, 2},        {"main_leaves", main_leaves, 0},
                               {"early_ends", early_ends, 0}};
  for (const Case& one : cases)
    if (argc > 1 && std::strcmp(one.name, argv[1]) == 0) return one.run(argc > 2 ? std::atoi(argv[2]) : one.number);
  return 98;
}
