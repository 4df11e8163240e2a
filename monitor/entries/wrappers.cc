#include "monitor/entries/wrappers.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "monitor/core/far_visits.h"
#include "monitor/core/held_threads.h"
#include "monitor/core/process.h"
#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/life/learned_code.h"
#include "monitor/life/measuring.h"
#include "monitor/life/signals.h"
#include "monitor/life/threads.h"
#include "monitor/system/memory.h"

#define ANDES_EXPORT extern "C" __attribute__((visibility("default")))

using namespace andes::monitor;

namespace {

// Whether the call has not returned yet: its return address still stands at its place, further up the stack.
bool is_open(const andes_layer& call) {
  return this_thread.location && call.stack < this_thread.location->stack_high &&
         call.stack > reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) &&
         *reinterpret_cast<const std::uintptr_t*>(call.stack) == call.caller;
}

// Counting begins anew: in this thread now, in the other threads at their next reading.
void restart_counting() {
  for_each_location([](Location& location) { __atomic_store_n(&location.counting.drop, true, __ATOMIC_RELAXED); });
  if (this_thread.location) count(*this_thread.location);
}

// Whether the visit is of an MPI call. A call of the C library is of kind io, too; a signal handler may interrupt it.
bool is_of_mpi(const andes_node& node) {
  return ANDES_KIND_IS_MPI(node.kind) &&
         (node.kind != ANDES_KIND_IO || strncmp(the_process.registry.regions[node.region].name, "MPI_", 4) == 0);
}

} // namespace

ANDES_EXPORT andes_location_data* andes_location_here() {
  ReentryGuard inside;
  KeepErrno keep_errno;
  Location* location = inside ? attach_thread() : nullptr;
  return location && location->in_use && !location->suspended ? location : nullptr;
}

ANDES_EXPORT bool andes_call_is_left(std::uintptr_t stack) {
  return this_thread.location && call_is_left(*this_thread.location, stack, true);
}

ANDES_EXPORT andes_site* andes_call_site(andes_site* call, std::uintptr_t caller) {
  if (this_thread.location && !the_process.settings.call_sites) return call; // settings are read by then
  ReentryGuard inside;
  KeepErrno keep_errno;
  const auto site_of = [&](std::uintptr_t address) {
    AddressSite* known = find_address(the_process.addresses, address, call);
    if (!known && inside && attach_thread() && the_process.settings.call_sites) known = learn_call(address, call);
    return known;
  };
  AddressSite* known = site_of(caller);
  if (known && known->of_layer && is_open(andes_layer_call)) known = site_of(andes_layer_call.caller);
  return known ? &known->site : call;
}

ANDES_EXPORT bool andes_is_program_call(std::uintptr_t stack) {
  const Location* location = this_thread.location;
  if (this_thread.inside != 0 || !location || !location->in_use || location->suspended) return false;
  const andes_frame* top = location->hot->top;
  return !is_of_mpi(location->tree.node_at(top->place)) || top->stack <= stack - location->stack_low ||
         call_is_left(*location, stack, true);
}

ANDES_EXPORT std::uint64_t andes_ticks_now() { return ticks_now(the_process.clock); }

ANDES_EXPORT std::uint32_t andes_region_of(const andes_site* call) {
  SignalSafeProcessLock locked;
  return number_of(the_process, *call);
}

ANDES_EXPORT andes_node* andes_call_path(std::uint32_t region, std::uintptr_t stack, std::uintptr_t caller) {
  if (this_thread.location) {
    Location& known = *this_thread.location;
    const std::uint32_t kind = the_process.registry.regions[region].kind;
    if (const std::uint32_t node = far_path(the_process, known, {region, kind, stack, caller}); node != 0) {
      charge_known_call(the_process, known, node);
      return &known.tree.node(node);
    }
  }
  ReentryGuard inside;
  KeepErrno keep_errno;
  Location* location = inside ? attach_thread() : nullptr;
  const std::uint32_t node = location ? path_of_call(the_process, *location, region, stack, caller) : node_root;
  return node != node_root ? &location->tree.node(node) : nullptr;
}

ANDES_EXPORT std::uint64_t andes_poll_gap_ticks() {
  const KeepFloatingPoint keep_floating_point;
  constexpr double gap_ns = 250; // what a loop and some local calls take; less than what is worth computing there
  const ProbeCosts& costs = the_process.costs;
  return static_cast<std::uint64_t>(gap_ns * costs.ticks_per_ms / 1e6 + costs.pair);
}

ANDES_EXPORT std::uint64_t andes_core_wait_ticks() {
  ReentryGuard inside;
  const Location* location = this_thread.location;
  if (!inside || !location) return 0;
  return static_cast<std::uint64_t>(core_waits(location->thread_id).ns * the_process.costs.ticks_per_ms / 1e6);
}

ANDES_EXPORT std::uint64_t andes_core_ticks() {
  const KeepFloatingPoint keep_floating_point;
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  const double ms = static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  return static_cast<std::uint64_t>(ms * the_process.costs.ticks_per_ms) + 1;
}

ANDES_EXPORT bool andes_call_sites_wanted() { return call_sites_wanted(); }

__thread andes_layer andes_layer_call __attribute__((tls_model("initial-exec")));

ANDES_EXPORT std::uint32_t andes_traffic_new(andes_location_data* data, andes_node* node) {
  ReentryGuard inside; // the arena grows: its files are not the program's
  KeepErrno keep_errno;
  auto* location = static_cast<Location*>(data);
  if (location->traffic_count == location->traffic_limit || !location->tree.memory->take(sizeof(andes_traffic)))
    return 0;
  const std::uint32_t index = location->traffic_count++;
  ensure_backed(location->backed_traffic, location->traffic + index + 1);
  return node->traffic = index;
}

ANDES_EXPORT bool andes_peers_new(andes_location_data* data) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  auto* peers = reserve_array<andes_peer>(static_cast<std::size_t>(the_process.mpi.size));
  if (!peers) return false;
  arena_map(peers, static_cast<std::size_t>(the_process.mpi.size) * sizeof *peers);
  data->ranks = static_cast<std::uint32_t>(the_process.mpi.size);
  data->peers = peers;
  return true;
}

ANDES_EXPORT bool andes_synchronise(const andes_transport* transport) {
  constexpr double longest_s = 60; // all ranks leave MPI_Init at about the same time
  ReentryGuard inside;
  KeepErrno keep_errno;
  attach_thread(); // also chooses the clock; the other ranks wait for this one even if it cannot be measured
  const double timeout_s = the_process.settings.gather_timeout_s;
  return synchronise_at_init(the_process.clock_sync, the_process.global_clock, the_process.clock, *transport,
                             timeout_s < longest_s ? timeout_s : longest_s);
}

ANDES_EXPORT void andes_interval_begin(const andes_mpi_facts* facts) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!attach_thread()) return;
  const HeldThreads others;
  MpiFacts& mpi = the_process.mpi;
  const bool has_begun = mpi.present;
  mpi.present = true;
  mpi.sessions = facts->of_sessions != 0;
  mpi.rank = facts->rank;
  mpi.size = facts->size;
  mpi.spawned = facts->spawned != 0;
  mpi.version = facts->version;
  mpi.subversion = facts->subversion;
  mpi.eager = facts->eager;
  snprintf(mpi.library, sizeof mpi.library, "%s", facts->library);
  if (char* line_end = strchr(mpi.library, '\n')) *line_end = 0;
  if (has_begun) return;
  the_process.clock.init = take_anchor(the_process.clock);
  if (mpi.sessions) assume_one_clock(the_process.clock_sync, the_process.global_clock, the_process.clock.init);
  // The wrapper reads the time stamp counter, whatever clock the monitor uses.
  mpi.init_ticks = the_process.clock.kind == ClockKind::tsc ? the_process.clock.init.ticks - facts->init_ticks : 0;
  watch_signals();
  if (mpi.rank == 0) say_troubles(the_process.counters);
  if (the_process.settings.from_start) return;
  const std::uint64_t now_ticks = ticks_now(the_process.clock);
  for_each_location([&](Location& location) { restart_times(location, now_ticks); });
  restart_windows(the_process, now_ticks);
  for_each_location([](Location& location) { restart_core_losses(location.losses, location.thread_id); });
  restart_counting();
}

ANDES_EXPORT void andes_give_up() {
  ReentryGuard inside;
  KeepErrno keep_errno;
  SignalSafeProcessLock locked;
  the_process.state = State::finished;
  arena_remove();
}

ANDES_EXPORT EventTables* andes_events() { return the_process.events.log_bytes != 0 ? &the_process.events : nullptr; }

ANDES_EXPORT std::uint32_t andes_channel(andes_location_data* location, const ChannelName* name, std::uint64_t key) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  ProcessLock locked;
  const std::uint32_t channel = find_channel(the_process.events, *name, key);
  if (location && channel != 0) cache_channel(location->log, *name, channel);
  return channel;
}

ANDES_EXPORT std::uint32_t andes_communicator(const Communicator* communicator) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  ProcessLock locked;
  return add_communicator(the_process.events, *communicator);
}

ANDES_EXPORT void* andes_keep(std::size_t bytes) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  ProcessLock locked;
  return keep_bytes(the_process.registry, bytes);
}

ANDES_EXPORT bool andes_log_room(EventLog* log) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  ProcessLock locked;
  return make_room(the_process.events, *log);
}

ANDES_EXPORT void andes_control(int level) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (level == 2) {
    SignalSafeProcessLock locked;
    stamp_snapshot(ticks_now(the_process.clock));
    return;
  }
  const HeldThreads others;
  end_samples_of_state(the_process);
  const std::uint64_t now_ticks = ticks_now(the_process.clock);
  if (level == 0 && the_process.state == State::measuring) {
    the_process.state = State::off;
    if (this_thread.location) count(*this_thread.location);
    for_each_location([&](Location& location) { switch_off(location, now_ticks); });
  } else if (level == 1 && the_process.state == State::off) {
    the_process.state = State::measuring;
    for_each_location([&](Location& location) { switch_on(location, now_ticks); });
    restart_counting();
  }
}

ANDES_EXPORT bool andes_finish(const andes_transport* transport) {
  ReentryGuard inside;
  return finish_process(transport);
}

ANDES_EXPORT bool andes_wanted() { return monitor_wanted(); }
