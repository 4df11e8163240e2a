#include "monitor/life/measuring.h"

#include <pthread.h>

#include "monitor/core/calibrate.h"
#include "monitor/core/in_papi.h"
#include "monitor/core/layout.h"
#include "monitor/core/process.h"
#include "monitor/life/fork.h"
#include "monitor/life/signals.h"
#include "monitor/life/threads.h"
#include "monitor/say/say.h"

namespace andes::monitor {
namespace {

std::uint64_t choosing_ticks;

// Copies the settings' texts: the program may change its environment.
void keep_settings() {
  MonitorSettings& settings = the_process.settings;
  const char** const texts[] = {&settings.out, &settings.rules, &settings.arena, &settings.counters,
                                &settings.papi_library};
  for (const char** text : texts)
    if (**text) *text = keep_text(the_process.registry, *text);
}

} // namespace

void give_up_measuring(const char* why) {
  andes_say_once(said_no_memory, "monitor: %s; this process is not measured", why);
  the_process.state = State::finished;
  arena_remove();
}

std::uint64_t take_choosing_ticks() {
  const std::uint64_t ticks = choosing_ticks;
  choosing_ticks = 0;
  return ticks;
}

bool start_measuring() {
  if (the_process.state != State::idle) return the_process.state != State::finished;
  if (!monitor_wanted()) {
    the_process.state = State::finished;
    return false;
  }
  the_process.settings = read_settings();
  arena_start(the_process.arena, {&the_process, sizeof the_process, monitor_layout()}, the_process.settings.arena);
  choose_clock(the_process.clock, the_process.settings.tsc_allowed);
  if (!registry_start(the_process.registry)) {
    give_up_measuring("no memory for its tables");
    return false;
  }
  keep_settings();
  the_process.tree_memory.left_bytes = static_cast<std::int64_t>(the_process.settings.tree_mb * 1e6);
  event_tables_start(the_process.events, static_cast<std::uint64_t>(the_process.settings.log_mb * 1e6),
                     the_process.clock.start.ticks, the_process.settings.logged_calls, the_process.settings.left_out);
  if (*the_process.settings.counters) {
    const std::uint64_t begin_ticks = ticks_now(the_process.clock);
    const InPapi in_papi;
    choose_counters(the_process.counters, the_process.settings.counters, the_process.settings.papi_library);
    choosing_ticks = ticks_now(the_process.clock) - begin_ticks;
  }
  the_process.fast_visits = the_process.clock.kind == ClockKind::tsc && !sees_all_visits(the_process);
  calibrate(the_process);
  if (the_process.arena.header) pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  if (the_process.chosen && !may_use_mpi()) {
    watch_signals();
    say_troubles(the_process.counters);
  }
  watch_thread_ends();
  the_process.state = State::measuring;
  return true;
}

} // namespace andes::monitor
