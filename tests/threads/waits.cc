// waits.cc: a thread waits for others by each function of the C library, for delays that they make. Prints what its
// answers are, by the program's own counts and clock: "visits NAME N", and "waited NAME S" of the thread beside the
// main one alone.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "program.h"

namespace {

constexpr double delay_s = 0.06;

void report(const char* name, int visits, double begin_s) {
  std::printf("visits %s %d\nwaited %s %.9f\n", name, visits, name, now_s() - begin_s);
}

timespec after_delay(clockid_t clock) {
  timespec until;
  clock_gettime(clock, &until);
  until.tv_nsec += static_cast<long>(1e9 * delay_s);
  if (until.tv_nsec >= 1000000000) until.tv_sec += 1, until.tv_nsec -= 1000000000;
  return until;
}

std::mutex mutex;
std::condition_variable condition;
bool is_set;
int waits_begun; // those that the main thread ends

pthread_barrier_t barrier;
sem_t semaphore;

void about_to_wait() { __atomic_add_fetch(&waits_begun, 1, __ATOMIC_RELEASE); }

FUNCTION void waits_for_condition() {
  std::unique_lock<std::mutex> held(mutex);
  int waits = 0;
  about_to_wait();
  const double begin_s = now_s();
  for (; !is_set; ++waits) condition.wait(held);
  report("pthread_cond_wait", waits, begin_s);
}

FUNCTION void waits_in_vain() {
  std::unique_lock<std::mutex> held(mutex);
  double begin_s = now_s();
  const timespec until = after_delay(CLOCK_REALTIME);
  int waits = 1;
  while (pthread_cond_timedwait(condition.native_handle(), mutex.native_handle(), &until) == 0) ++waits;
  report("pthread_cond_timedwait", waits, begin_s);
  begin_s = now_s();
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(delay_s);
  for (waits = 1; condition.wait_until(held, end) != std::cv_status::timeout; ++waits) {}
  report("pthread_cond_clockwait", waits, begin_s);
}

FUNCTION void waits_for_semaphore() {
  about_to_wait();
  double begin_s = now_s();
  need(sem_wait(&semaphore) == 0, "sem_wait");
  report("sem_wait", 1, begin_s);
  for (int i = 0; i < 1000; ++i) { // free ones are no wait
    sem_post(&semaphore);
    errno = 77;
    need(sem_wait(&semaphore) == 0 && errno == 77, "sem_wait on a free one");
  }
  begin_s = now_s();
  const timespec until = after_delay(CLOCK_REALTIME);
  need(sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT, "sem_timedwait");
  report("sem_timedwait", 1, begin_s);
}

FUNCTION void* ends_late(void*) {
  sleeps(delay_s);
  return nullptr;
}

FUNCTION void waits_for_the_end() {
  pthread_t other;
  pthread_create(&other, nullptr, ends_late, nullptr);
  const double begin_s = now_s();
  need(pthread_join(other, nullptr) == 0, "pthread_join");
  report("pthread_join", 3, begin_s); // the main thread's two among them
}

FUNCTION void* waiter(void*) {
  waits_for_condition();
  waits_in_vain();
  about_to_wait();
  const double begin_s = now_s();
  pthread_barrier_wait(&barrier);
  report("pthread_barrier_wait", 2, begin_s); // the main thread's among them
  waits_for_semaphore();
  waits_for_the_end();
  return nullptr;
}

// A thread that is cancelled while it waits. What it waits for has its visits; so have its handler and its function.
pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t own_condition = PTHREAD_COND_INITIALIZER;
bool has_begun;
FUNCTION void cleans(void*) { pthread_mutex_unlock(&own_mutex); }
FUNCTION void* is_cancelled(void*) {
  pthread_mutex_lock(&own_mutex);
  __atomic_store_n(&has_begun, true, __ATOMIC_RELEASE);
  pthread_cleanup_push(cleans, nullptr);
  const timespec never = {1L << 40, 0};
  while (pthread_cond_timedwait(&own_condition, &own_mutex, &never) == 0) {}
  pthread_cleanup_pop(1);
  return nullptr;
}

int cancelled() {
  pthread_t thread;
  pthread_create(&thread, nullptr, is_cancelled, nullptr);
  while (!__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE)) sleeps(0.001);
  pthread_mutex_lock(&own_mutex); // it waits then
  pthread_mutex_unlock(&own_mutex);
  void* result = nullptr;
  need(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED, "cancelled");
  std::printf("visits is_cancelled 1\nvisits cleans 1\n");
  return 0;
}

/// The other thread has begun so many waits, the last of them a while ago.
void lets_it_wait(int waits) {
  while (__atomic_load_n(&waits_begun, __ATOMIC_ACQUIRE) < waits) sleeps(0.001);
  sleeps(delay_s);
}

} // namespace

int main(int argc, char**) {
  if (argc > 1) return cancelled();
  pthread_barrier_init(&barrier, nullptr, 2);
  sem_init(&semaphore, 0, 0);
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, waiter, nullptr);
  lets_it_wait(1);
  {
    std::lock_guard<std::mutex> held(mutex);
    is_set = true;
  }
  condition.notify_one();
  lets_it_wait(2);
  pthread_barrier_wait(&barrier);
  lets_it_wait(3);
  sem_post(&semaphore);
  pthread_join(threads[0], nullptr);
  pthread_create(&threads[1], nullptr, ends_late, nullptr);
  pthread_join(threads[1], nullptr);
  return 0;
}
