#include "monitor/life/ending.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/arena/arena_place.h"
#include "monitor/core/process.h"
#include "monitor/say/say.h"

namespace andes::monitor {
namespace {

bool session_open; // atomic

// The directory for images of arenas without files: beside the run file. The variable parts of that path are
// left out.
void image_directory(char (&path)[PATH_MAX]) {
  char name[name_bytes];
  own_directory_name(name);
  const char* out = the_process.settings.out;
  const char* end = out + strcspn(out, "%");
  while (end > out && end[-1] != '/') --end;
  snprintf(path, sizeof path, "%.*s%s", static_cast<int>(end - out), out, name);
}

// Keeps the arena and says where it is, once for each host. `andes run`, if it has started the job,
// reports how ranks ended; it does not know about the monitor's own trouble.
void leave_arena(const char* why, bool is_trouble) {
  const Arena& arena = the_process.arena;
  char directory[PATH_MAX] = "";
  bool first = true, kept = true;
  bool recovered = getenv("ANDES_JOB") != nullptr; // `andes run` recovers it: it looks into the job's directory
  if (arena.room) {
    snprintf(directory, sizeof directory, "%.*s", static_cast<int>(strrchr(arena.path, '/') - arena.path), arena.path);
    std::uint32_t nothing = 0;
    first = __atomic_compare_exchange_n(&arena.room->said, &nothing, mark_of(why), false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
  } else {
    image_directory(directory);
    first = mkdir(directory, 0700) == 0;
    kept = arena_write(directory);
    recovered = false;
  }
  if (!kept) andes_say_once(said_left, "%s; the measured data are lost: no room in %s", why, directory);
  else if (first && !recovered)
    andes_say_once(said_left, "%s; 'andes recover %s' makes a run file of the measured data", why, directory);
  else if (first && is_trouble) andes_say_once(said_left, "%s; andes run tries to recover the run", why);
}

void leave_arena_of_rank(const char* how) {
  char why[64];
  snprintf(why, sizeof why, "rank %d: %s", the_process.mpi.rank, how);
  leave_arena(why, false);
}

} // namespace

void conclude(const FinishOutcome& outcome) {
  Arena& arena = the_process.arena;
  if (!outcome.safe) {
    arena_end(EndKind::given_up, 0, the_process.end_ticks);
    leave_arena(outcome.trouble, true);
    return;
  }
  if (arena.room && the_process.mpi.present) note_written(*arena.room, the_process.clock_sync.world);
  arena_end(EndKind::written, 0, the_process.end_ticks);
  arena_remove();
}

void end_of_sessions() {
  if (!the_process.arena.header) return;
  arena_end(EndKind::sessions_over, 0, the_process.end_ticks);
  leave_arena_of_rank("MPI sessions alone");
}

bool is_session_open() { return __atomic_load_n(&session_open, __ATOMIC_RELAXED); }

void end_without_finalize() {
  const ArenaHeader* header = the_process.arena.header;
  if (!header) return;
  arena_end(EndKind::exit, 0, the_process.end_ticks);
  leave_arena_of_rank(the_process.mpi.sessions ? "ended in an MPI session" : "ended without MPI_Finalize");
}

} // namespace andes::monitor

using namespace andes::monitor;

extern "C" __attribute__((visibility("default"))) void andes_abort(int code) {
  if (!the_process.arena.header) return;
  arena_end(EndKind::mpi_abort, code, ticks_now(the_process.clock));
  leave_arena_of_rank("MPI_Abort");
}

extern "C" __attribute__((visibility("default"))) void andes_session_open(bool open) {
  __atomic_store_n(&session_open, open, __ATOMIC_RELAXED);
}

extern "C" __attribute__((visibility("default"))) void andes_mpi_error(int error_class, const char* text) {
  ArenaHeader* header = the_process.arena.header;
  if (!header || state_now(the_process) == State::finished || ends_by_mpi(header)) return;
  snprintf(header->ending_text, sizeof header->ending_text, "%s", text);
  arena_end(EndKind::mpi_error, error_class, ticks_now(the_process.clock));
  leave_arena_of_rank("an error of MPI");
}
