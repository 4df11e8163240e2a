#include "monitor/core/held_threads.h"

#include <time.h>

#include "monitor/core/process.h"
#include "monitor/core/this_thread.h"

namespace andes::monitor {
namespace {

// Like process_lock, not in the image of the process. Taken before process_lock.
pthread_mutex_t holding = PTHREAD_MUTEX_INITIALIZER;

constexpr long rest_ns = 30'000; // the system adds some 50 us
constexpr int most_rests = 1000; // waiting for a thread on the slow path: some 100 ms together

void rest() {
  const timespec time = {0, rest_ns};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

template <class Each> void for_each_other(Each each) {
  for (std::uint32_t i = 0; i < the_process.location_count; ++i) {
    Location* location = the_process.locations[i];
    if (location && location != this_thread.location && location->in_use) each(*location);
  }
}

// From now on the location's thread enters by the slow path, and waits there.
void hold(Location& location) {
  __atomic_store_n(&location.held, true, __ATOMIC_RELAXED);
  location.hot->stack_low = beyond_all;
}

// Open visits are left by the slow path, too. Only while the thread is not on the slow path: there it may
// switch stacks.
void hold_frames(Location& location) {
  for (andes_frame* frame = location.bottom; frame <= location.hot->top; ++frame) frame->bits |= ANDES_FRAME_INSIDE;
}

// Called under process_lock, which is released for the pause: threads at work may need it.
void let_others_go_on() {
  pthread_mutex_unlock(&process_lock);
  rest();
  pthread_mutex_lock(&process_lock);
}

// The other threads: there are none; one is on the slow path or not held yet (busy); or all stand still.
enum class Others { none, busy, still };
Others hold_others() {
  Others others = Others::none;
  for_each_other([&others](Location& location) {
    if (!location.held || __atomic_load_n(&location.at_work, __ATOMIC_ACQUIRE)) others = Others::busy;
    else if (others == Others::none) others = Others::still;
    hold(location);
  });
  return others;
}

} // namespace

void lock_held_threads() { pthread_mutex_lock(&holding); }
void unlock_held_threads() { pthread_mutex_unlock(&holding); }
void reset_held_threads_in_child() { holding = PTHREAD_MUTEX_INITIALIZER; }

HeldThreads::HeldThreads() {
  pthread_mutex_lock(&holding);
  pthread_mutex_lock(&process_lock);
  Others others = hold_others();
  for (int rests = 0; others == Others::busy && rests < most_rests; ++rests) {
    let_others_go_on();
    others = hold_others();
  }
  if (others != Others::still) return;
  for_each_other(hold_frames);
  let_others_go_on();
  for_each_other(hold_frames); // also frames that were being pushed before
}

HeldThreads::~HeldThreads() {
  for (std::uint32_t i = 0; i < the_process.location_count; ++i) {
    Location* location = the_process.locations[i];
    if (!location || !location->held) continue;
    if (location->in_use && !location->suspended) location->hot->stack_low = location->stack_low;
    __atomic_store_n(&location->held, false, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&process_lock);
  pthread_mutex_unlock(&holding);
}

void wait_while_held(Location& location) {
  while (__atomic_load_n(&location.held, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&location.at_work, false, __ATOMIC_RELEASE);
    {
      const BlockedSignals blocked;
      pthread_mutex_lock(&holding);
      pthread_mutex_unlock(&holding);
    }
    __atomic_store_n(&location.at_work, true, __ATOMIC_RELEASE);
  }
}

} // namespace andes::monitor
