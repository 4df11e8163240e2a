#include "monitor/core/process.h"

namespace andes::monitor {

Process the_process;
pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;

void stamp_snapshot(std::uint64_t now_ticks) {
  if (the_process.state != State::measuring) return;
  const std::uint32_t number = __atomic_fetch_add(&the_process.snapshot_count, 1, __ATOMIC_RELAXED);
  if (number < max_snapshots) the_process.snapshots[number] = {now_ticks};
  if (ArenaHeader* header = the_process.arena.header)
    __atomic_store_n(&header->snapshot_count, number + 1, __ATOMIC_RELEASE);
}

} // namespace andes::monitor
