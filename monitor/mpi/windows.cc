// See windows.h.
#include "monitor/mpi/windows.h"

#include <cstdlib>
#include <cstring>

#include "monitor/mpi/fatal_errors.h"
#include "monitor/mpi/handle_bits.h"
#include "monitor/mpi/polling.h"
#include "monitor/mpi/sessions.h"

namespace andes::monitor::mpi {

bool any_locks;

namespace {

/// An open epoch with one rank of the world.
struct Epoch {
  Place place;
  int world;
  bool measured;          // the record of its first call exists
  bool accessed, flushed; // of a lock epoch
  bool pending; // accessed since its last flush at the target
};

struct Epochs {
  Epoch* list;
  int count, room;
};

} // namespace

struct Window {
  Window* next;
  MPI_Win handle;
  Comm comm; // the window's own entry among the communicators, with the members of its communicator
  Epochs accesses, exposures, locks;
  bool all_locked;
  Visit all_lock; // the call of MPI_Win_lock_all
  Epoch all; // from it to MPI_Win_unlock_all
  int turn; // the next of `locks` whose part in a flush of all is logged
};

namespace {

Window* windows;
unsigned char lock;

// Under the lock.
Window* window_of(MPI_Win win) {
  for (Window** link = &windows; *link; link = &(*link)->next)
    if ((*link)->handle == win) {
      Window* found = *link; // moved to the front: mostly the same window is used again
      *link = found->next;
      found->next = windows;
      return windows = found;
    }
  return nullptr;
}

void insert(Window* window) {
  Guard guard(lock);
  window->next = windows;
  windows = window;
}

Epoch* add(Epochs& epochs) {
  if (epochs.count == epochs.room) {
    const int wider = epochs.room ? 2 * epochs.room : 8;
    auto* list =
        static_cast<Epoch*>(realloc(static_cast<void*>(epochs.list), sizeof(Epoch) * static_cast<std::size_t>(wider)));
    if (!list) return nullptr;
    epochs.list = list;
    epochs.room = wider;
  }
  return &epochs.list[epochs.count++];
}

void write(const Visit& visit, const Epoch& epoch, EventKind kind, unsigned flags = 0) {
  if (visit && epoch.measured) append(visit.location, record_of(visit, kind, flags, 0), epoch.place);
}

void begin(const Visit& visit, const Window& window, Epoch& epoch, int world, int tag, ChannelEnd end, EventKind kind,
           unsigned flags) {
  epoch = {};
  epoch.world = world;
  epoch.measured = !!visit;
  epoch.place = next_place(channel_of(location_of(visit), window.comm, world, tag, end), call_of(visit));
  write(visit, epoch, kind, flags);
}

void begin(const Visit& visit, Window& window, Epochs& epochs, int world, int tag, ChannelEnd end, EventKind kind,
           unsigned flags = 0) {
  if (!is_logged(&window.comm, world)) return;
  Epoch* epoch = add(epochs);
  if (!epoch) return count_up(events->lost);
  begin(visit, window, *epoch, world, tag, end, kind, flags);
}

void log_synchronisation(const Visit& visit, const Window* window, int world = -1) {
  if (window && is_wanted(window_calls)) log_call(visit, window->comm, world, EventKind::window_call, 0);
}

void end_all(const Visit& visit, Epochs& epochs, EventKind kind) {
  for (int i = 0; i < epochs.count; i++) write(visit, epochs.list[i], kind);
  epochs.count = 0;
}

void begin_group(const Visit& visit, MPI_Group group, MPI_Win win, bool exposes) {
  if (!measuring || !events) return;
  Guard guard(lock);
  Window* window = window_of(win);
  int size = 0;
  log_synchronisation(visit, window);
  if (!window || PMPI_Group_size(group, &size) != MPI_SUCCESS) return;
  MPI_Group world = world_group();
  for (int i = 0; i < size; i++) {
    int rank = MPI_UNDEFINED;
    PMPI_Group_translate_ranks(group, 1, &i, world, &rank);
    if (rank == MPI_UNDEFINED) rank = -1;
    if (exposes) begin(visit, *window, window->exposures, rank, tag_exposure, ChannelEnd::target, EventKind::post);
    else begin(visit, *window, window->accesses, rank, tag_exposure, ChannelEnd::origin, EventKind::start);
  }
  PMPI_Group_free(&world);
}

// In gap_ticks, some 20 us: waits of calls that are shorter are not worth a record.
constexpr std::uint64_t long_call = 70;

/// Of one call: it may access any number of targets, and be called in each step of a program.
constexpr int most_logged_targets = 32;

bool is_long(const Visit& visit) { return visit && visit.ticks >= long_call * gap_ticks; }

/// Logs a long call within a lock epoch by itself, as there may be many and each may wait for the target.
void log_within(const Visit& visit, const Window& window, int world) {
  if (!is_logged(&window.comm, world)) return;
  log_next(visit, channel_of(visit.location, window.comm, world, tag_within, ChannelEnd::origin), EventKind::lock, 0,
           0);
}

/// Logs a long call that flushes all targets, of those that it has to wait for; where there are many each has its turn.
void log_within_all(const Visit& visit, Window& window) {
  const int first = window.turn, count = window.locks.count;
  for (int i = 0, logged = 0; i < count && logged < most_logged_targets; i++) {
    const int at = (first + i) % count;
    if (!window.locks.list[at].pending) continue;
    log_within(visit, window, window.locks.list[at].world);
    window.turn = at + 1;
    logged++;
  }
}

Epoch* lock_of(Window& window, int world) {
  for (int i = 0; i < window.locks.count; i++)
    if (window.locks.list[i].world == world) return &window.locks.list[i];
  return nullptr;
}

void free_window(Window* window) {
  free(window->accesses.list);
  free(window->exposures.list);
  free(window->locks.list);
  free(window);
}

} // namespace

void window_made(const Visit& visit, MPI_Comm comm, MPI_Win win) {
  if (measuring) watch_errors_of_window(win);
  if (!measuring || !events) return;
  Comm* parent = comm_of(comm);
  if (!parent) return;
  const std::uint32_t number = __atomic_add_fetch(&parent->windows, 1, __ATOMIC_RELAXED);
  auto* made = static_cast<Window*>(calloc(1, sizeof(Window)));
  if (!made) return count_up(events->lost);
  made->handle = win;
  made->comm = *parent;
  made->comm.collectives = 0;
  if (parent->id != 0) {
    Communicator entry = events->communicators[parent->index];
    entry.id = made->comm.id = event_hash(parent->id, number) | 1;
    entry.handle = handle_bits(win);
    made->comm.index = andes_communicator(&entry);
    if (made->comm.index == 0) made->comm.id = 0;
  }
  insert(made);
  if (is_wanted(communicator_calls)) log_call(visit, made->comm, -1, EventKind::communicator_call, 0);
  if (const std::uint32_t channel = collectives_of(&made->comm))
    log_next(visit, channel, EventKind::window_create, 0, 0);
}

Window* FreeWindow::withdraw(MPI_Win win) {
  Guard guard(lock);
  Window* window = window_of(win);
  if (window) windows = window->next;
  return window;
}

void FreeWindow::put_back(Window* window) { insert(window); }

void FreeWindow::freed(const Visit& visit, Window* window) {
  if (is_wanted(communicator_calls)) log_call(visit, window->comm, -1, EventKind::communicator_call, 0);
  if (const std::uint32_t channel = collectives_of(&window->comm))
    log_next(visit, channel, EventKind::window_free, 0, 0);
  if (window->comm.id != 0) events->communicators[window->comm.index].handle = 0;
  free_window(window);
}

void fence(const Visit& visit, MPI_Win win) {
  if (!measuring || !events) return;
  Guard guard(lock);
  Window* window = window_of(win);
  log_synchronisation(visit, window);
  if (const std::uint32_t channel = window ? collectives_of(&window->comm) : 0)
    log_next(visit, channel, EventKind::fence, 0, 0);
}

void access_begins(const Visit& visit, MPI_Group targets, MPI_Win win) { begin_group(visit, targets, win, false); }
void exposure_begins(const Visit& visit, MPI_Group origins, MPI_Win win) { begin_group(visit, origins, win, true); }

void access_ends(const Visit& visit, MPI_Win win) {
  if (!measuring || !events) return;
  Guard guard(lock);
  Window* window = window_of(win);
  log_synchronisation(visit, window);
  if (window) end_all(visit, window->accesses, EventKind::complete);
}
void exposure_ends(const Visit& visit, MPI_Win win) {
  if (!measuring || !events) return;
  Guard guard(lock);
  Window* window = window_of(win);
  log_synchronisation(visit, window);
  if (window) end_all(visit, window->exposures, EventKind::wait);
}

void locked(const Visit& visit, int lock_type, int target, MPI_Win win) {
  if (!measuring || !events || target == MPI_PROC_NULL) return;
  __atomic_store_n(&any_locks, true, __ATOMIC_RELAXED);
  Guard guard(lock);
  Window* window = window_of(win);
  if (!window) return;
  const int world = world_rank(&window->comm, target);
  log_synchronisation(visit, window, world);
  begin(visit, *window, window->locks, world, tag_lock, ChannelEnd::origin, EventKind::lock,
        lock_type == MPI_LOCK_EXCLUSIVE ? event_exclusive : 0);
}

void locked_all(const Visit& visit, MPI_Win win) {
  if (!measuring || !events) return;
  __atomic_store_n(&any_locks, true, __ATOMIC_RELAXED);
  Guard guard(lock);
  Window* window = window_of(win);
  if (!window) return;
  log_synchronisation(visit, window);
  window->all_locked = true;
  window->all_lock = visit;
  window->all = {};
  if (window->comm.id != 0)
    begin(visit, *window, window->all, -1, tag_lock_all, ChannelEnd::origin, EventKind::lock, 0);
}

void unlocked(const Visit& visit, int target, MPI_Win win) {
  if (!measuring || !events || target == MPI_PROC_NULL) return;
  Guard guard(lock);
  Window* window = window_of(win);
  if (!window) return;
  const int world = world_rank(&window->comm, target);
  log_synchronisation(visit, window, world);
  Epoch* epoch = lock_of(*window, world);
  if (!epoch) return;
  write(visit, *epoch, EventKind::unlock);
  *epoch = window->locks.list[--window->locks.count];
}

void unlocked_all(const Visit& visit, MPI_Win win) {
  if (!measuring || !events) return;
  Guard guard(lock);
  Window* window = window_of(win);
  if (!window) return;
  log_synchronisation(visit, window);
  end_all(visit, window->locks, EventKind::unlock);
  if (window->all_locked) write(visit, window->all, EventKind::unlock);
  window->all_locked = false;
}

void within_lock(const Visit& visit, int target, MPI_Win win, Within what) {
  if (!measuring || !events) return;
  Guard guard(lock);
  Window* window = window_of(win);
  if (!window || (window->locks.count == 0 && !window->all_locked)) return;
  const int world = world_rank(&window->comm, target);
  if (what != Within::access) log_synchronisation(visit, window, world);
  Epoch* epoch = lock_of(*window, world);
  if (!epoch && window->all_locked && what == Within::access) {
    begin(window->all_lock, *window, window->locks, world, tag_lock, ChannelEnd::origin, EventKind::lock);
    epoch = lock_of(*window, world);
  }
  if (!epoch) return;
  bool& seen = what == Within::access ? epoch->accessed : epoch->flushed;
  if (!seen) write(visit, *epoch, EventKind::access);
  seen = true;
  if (what != Within::local_flush) epoch->pending = what == Within::access;
  if (is_long(visit)) log_within(visit, *window, world);
}

void flushed_all(const Visit& visit, MPI_Win win, Within what) {
  if (!measuring || !events || !locks_met()) return;
  Guard guard(lock);
  Window* window = window_of(win);
  log_synchronisation(visit, window);
  if (window && is_long(visit)) log_within_all(visit, *window);
  for (int i = 0; window && i < window->locks.count; i++) {
    Epoch& epoch = window->locks.list[i];
    if (!epoch.flushed) write(visit, epoch, EventKind::access);
    epoch.flushed = true;
    if (what == Within::flush) epoch.pending = false;
  }
}

void log_access(const Visit& visit, int target, MPI_Win win, Bytes bytes) {
  if (!measuring || target == MPI_PROC_NULL) return;
  Guard guard(lock);
  if (Window* window = window_of(win))
    log_call(visit, window->comm, world_rank(&window->comm, target), EventKind::one_sided_call, bytes);
}

void synchronised(const Visit& visit, MPI_Win win) {
  if (!measuring || !events || !is_wanted(window_calls)) return;
  Guard guard(lock);
  log_synchronisation(visit, window_of(win));
}

void forget_windows() {
  while (Window* window = windows) {
    windows = window->next;
    free_window(window);
  }
}

} // namespace andes::monitor::mpi
