// Start and end of the process. The library is preloaded into every process that a launcher starts,
// sh and ls included: so the constructor only reads the environment and the clock; nothing is
// reserved, opened or said before the first probe or MPI call (or, in the process that `andes run`
// or `andes exec` started itself, before its end).
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "monitor/core/calibrate.h"
#include "monitor/core/held_threads.h"
#include "monitor/core/layout.h"
#include "monitor/core/process.h"
#include "monitor/core/this_thread.h"
#include "monitor/life/ending.h"
#include "monitor/life/measuring.h"
#include "monitor/life/threads.h"
#include "monitor/say/say.h"
#include "monitor/system/own_library.h"

namespace andes::monitor {
namespace {

// Whether the process may still map the memory that its end needs: for the library, its data, a deeper stack.
// Beyond the limit of address space (RLIMIT_AS) not even the stack grows, and the MPI library would crash.
bool has_address_space() {
  constexpr std::size_t end_bytes = std::size_t{32} << 20;
  void* room = mmap(nullptr, end_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, end_bytes);
  return true;
}

// The finishing library lies beside this one. RTLD_LOCAL keeps its C++ library and SQLite to itself.
FinishOutcome run_finishing_library(const andes_transport* transport) {
  FinishOutcome outcome;
  const char* own = own_library_path();
  const char* slash = strrchr(own, '/');
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%.*s/libandes-finish.so", slash ? static_cast<int>(slash - own) : 1, slash ? own : ".");
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  using Finish = void (*)(const Process*, const andes_transport*, FinishOutcome*);
  auto finish = library ? reinterpret_cast<Finish>(dlsym(library, "andes_finish_run")) : nullptr;
  if (!finish) {
    snprintf(outcome.trouble, sizeof outcome.trouble, "%.200s: cannot be loaded (%.200s)", path, dlerror());
    return outcome;
  }
  const auto* layout = static_cast<const std::uint64_t*>(dlsym(library, "andes_finish_layout"));
  if (!layout || *layout != monitor_layout()) {
    snprintf(outcome.trouble, sizeof outcome.trouble, "%.200s: belongs to another build; rebuild or reinstall andes",
             path);
    return outcome;
  }
  the_process.lines_are_said = may_speak();
  finish(&the_process, transport, &outcome);
  return outcome;
}

// Ends the measured interval; false: nothing was measured.
bool end_measuring() {
  const HeldThreads others;
  if (the_process.state != State::measuring && the_process.state != State::off) return false;
  if (this_thread.location) stop_counting(*this_thread.location);
  the_process.end_ticks = ticks_now(the_process.clock);
  for (std::uint32_t i = 0; i < the_process.location_count; ++i) // at once: what follows may wait for a core, too
    if (the_process.locations[i] && the_process.locations[i]->in_use)
      read_core_waits(the_process.locations[i]->losses, the_process.locations[i]->thread_id);
  end_windows(the_process, the_process.end_ticks);
  for (std::uint32_t i = 0; i < the_process.location_count; ++i) {
    if (!the_process.locations[i]) continue;
    give_up_counting(*the_process.locations[i]);
    close_frames(*the_process.locations[i], the_process.end_ticks);
  }
  the_process.clock.end = take_anchor(the_process.clock);
  calibrate(the_process);
  the_process.state = State::finished;
  return true;
}

__attribute__((constructor)) void start_process() {
  the_process.process_id = getpid();
  note_standard_error();
  const char* chosen = getenv("ANDES_PID");
  the_process.chosen = chosen && atol(chosen) == the_process.process_id;
  the_process.clock.start = take_anchor(the_process.clock);
}

// Ranks that used MPI sessions alone have never met: their arenas stay, and whoever puts them together makes the run.
// One that ends in a session has not come to its end.
// A program without MPI gives a run only if `andes run` or `andes exec` started it. The results of an MPI program
// that never reached MPI_Finalize are incomplete: they give no run file rather than a wrong one, but the arena stays.
__attribute__((destructor)) void end_process() {
  if (the_process.process_id != getpid()) return;
  const KeepFloatingPoint keep_floating_point;
  if (the_process.mpi.present) {
    if (ends_by_mpi(the_process.arena.header)) return; // its visits stay open: they show where it ended
    if (!end_measuring()) return; // MPI_Finalize has done it
    if (the_process.mpi.sessions && !is_session_open()) end_of_sessions();
    else end_without_finalize();
  } else if (the_process.chosen) {
    if (the_process.state == State::idle && !attach_thread()) return;
    finish_process(nullptr);
  } else {
    arena_remove();
  }
}

} // namespace

bool finish_process(const andes_transport* transport) {
  const KeepErrno keep_errno;
  const KeepFloatingPoint keep_floating_point;
  const KeepLongDouble keep_long_double;
  if (!end_measuring()) return true;
  arena_end(EndKind::finalizing, 0, the_process.end_ticks);
  if (!has_address_space()) {
    conclude({.trouble = "no address space for the end of the run; raise the limit (ulimit -v)"});
    return false;
  }
  if (transport)
    synchronise_at_end(the_process.clock_sync, the_process.global_clock, the_process.clock, *transport,
                       the_process.settings.gather_timeout_s);
  conclude(run_finishing_library(transport));
  return true;
}

} // namespace andes::monitor
