// See polling.h.
#include "monitor/mpi/polling.h"

namespace andes::monitor::mpi {

__thread PollingLoop polling __attribute__((tls_model("initial-exec")));
std::uint64_t gap_ticks;

namespace {

constexpr std::uint64_t long_gaps = 1'250; // in gap_ticks: some tenths of a millisecond, many times what asking takes
constexpr std::uint64_t unknown_poll = 5;   // likewise: what a poll takes before the first one was timed
constexpr std::uint64_t switch_gaps = 1000; // likewise: what it costs at most to have lost the core for a while
constexpr std::uint64_t long_loop = 500'000; // likewise: some tenth of a second
constexpr std::uint64_t most_of_poll = 500; // likewise: that a poll computes; longer ones have yielded the core
constexpr std::uint64_t uncounted_part = 8; // of a time without a core the kernel may leave out so much

std::uint64_t longer(std::uint64_t one, std::uint64_t other) { return one > other ? one : other; }
std::uint64_t shorter(std::uint64_t one, std::uint64_t other) { return one < other ? one : other; }

/// Time since the last call of this function, or since the loop became long, in which other threads had the core.
std::uint64_t lost_ticks(PollingLoop& loop) {
  const std::uint64_t before = loop.core_wait_ticks;
  loop.core_wait_ticks = andes_core_wait_ticks() + 1;
  return before == 0 ? 0 : loop.core_wait_ticks - before;
}

std::uint64_t most_without_core(PollingLoop& loop) {
  const std::uint64_t lost = lost_ticks(loop);
  return lost + lost / uncounted_part + switch_gaps * gap_ticks;
}

/// What a poll takes, as far as it is known.
std::uint64_t poll_of(const PollingLoop& loop) {
  return loop.poll_ticks != 0 ? loop.poll_ticks : unknown_poll * gap_ticks;
}

/// Accounts for the time up to `until_ticks`, when no poll is under way. `library_ticks`: of the location then.
void advance(PollingLoop& loop, andes_location_data& location, std::uint64_t until_ticks, std::uint64_t library_ticks) {
  bool rare = false; // polls that each can look what time it is
  if (loop.begin_ticks == 0 || loop.library_ticks != library_ticks) {
    if (loop.begin_ticks != 0) // another call of MPI has ended the loop before: loops of that length do end
      location.polls.longest_ticks = longer(location.polls.longest_ticks, loop.seen_ticks - loop.first_ticks);
    loop.begin_ticks = loop.first_ticks = until_ticks;
    loop.due_ticks = until_ticks + long_loop * gap_ticks;
    loop.to_ask = 0;
    loop.core_wait_ticks = 0;
    loop.computes = true; // until it is seen that it does not
  } else {
    const std::uint64_t poll = poll_of(loop);
    const std::uint64_t own_gap = longer(gap_ticks, poll);
    const std::uint64_t passed = until_ticks - loop.seen_ticks;
    std::uint64_t most = loop.untimed * poll + (loop.untimed + 1) * own_gap;
    if (passed <= long_gaps * gap_ticks) loop.computes = passed > most;
    else if (!loop.computes) most += most_without_core(loop);
    const std::uint64_t own = passed <= most ? passed : loop.untimed * poll;
    loop.begin_ticks += passed - own;
    location.library_ticks += own;
    loop.between_ticks += passed;
    rare = passed > (loop.untimed + 1) * long_gaps * gap_ticks;
  }
  loop.polls += loop.untimed;
  loop.untimed = 0;
  loop.look_at = rare ? 1 : polls_between_looks;
  if (until_ticks - loop.begin_ticks > long_gaps * gap_ticks && loop.core_wait_ticks == 0) lost_ticks(loop);
}

std::uint64_t computed_ticks(const PollingLoop& loop) { return loop.begin_ticks - loop.first_ticks; }

/// The arena is told that the loop, which is long, has gone on until `now_ticks`.
void tell(PollingLoop& loop, PollLoop& told, std::uint64_t now_ticks) {
  const std::uint64_t core_ticks = andes_core_ticks(), wait_ticks = andes_core_wait_ticks();
  told.seen_ticks = now_ticks;
  loop.due_ticks = now_ticks + long_loop * gap_ticks;
  if (told.first_ticks != loop.first_ticks) {
    told.span_ticks = told.busy_ticks = 0;
    told.first_ticks = loop.first_ticks;
    loop.told_ticks = loop.ask_ticks = now_ticks;
    loop.told_computed_ticks = computed_ticks(loop);
    loop.told_core_ticks = core_ticks;
    loop.told_wait_ticks = wait_ticks;
    loop.polls = loop.between_ticks = 0;
  } else {
    const std::uint64_t computed = computed_ticks(loop) - loop.told_computed_ticks;
    const std::uint64_t span = now_ticks - loop.told_ticks, wait = wait_ticks - loop.told_wait_ticks;
    // Of the time with a core the polls have taken their part, and what a loop takes for itself. Time without one may
    // lie in polls, too: Open MPI yields the core where there are more ranks than cores.
    const std::uint64_t core = core_ticks != 0 ? core_ticks - loop.told_core_ticks : span;
    const std::uint64_t poll = shorter(poll_of(loop), most_of_poll * gap_ticks);
    const std::uint64_t own = loop.polls * (poll + longer(gap_ticks, poll));
    told.span_ticks = wait < span ? span - wait : 1;
    told.busy_ticks =
        shorter(shorter(longer(computed, loop.between_ticks), core > own ? core - own : 0), told.span_ticks);
  }
  if (now_ticks < loop.ask_ticks) return;
  loop.ask_ticks = now_ticks + (now_ticks - loop.first_ticks);
  loop.to_ask = polls_to_ask;
}

/// Behind a look: whether this poll is to declare what it asks for, and so looks the next one.
bool is_asked(PollingLoop& loop, andes_location_data& location) {
  if (loop.seen_ticks >= loop.due_ticks) tell(loop, location.polls, loop.seen_ticks);
  if (loop.to_ask == 0) return false;
  --loop.to_ask;
  loop.timed = polls_between_looks + 1; // no count: the next poll looks
  loop.look_at = 1;
  return true;
}

void see(PollingLoop& loop, const andes_location_data& location, std::uint64_t until_ticks) {
  loop.seen_ticks = until_ticks;
  loop.library_ticks = location.library_ticks;
}

// Follows the short ones: long ones are those in which the library had something to do, or the monitor.
void learn(PollingLoop& loop, std::uint64_t ticks) {
  if (loop.poll_ticks == 0) loop.poll_ticks = ticks;
  else if (ticks < loop.poll_ticks) loop.poll_ticks -= (loop.poll_ticks - ticks) / 8;
  else loop.poll_ticks += loop.poll_ticks / 64;
  loop.own_gap_ticks = longer(gap_ticks, loop.poll_ticks);
  loop.long_gap_ticks = long_gaps * gap_ticks;
}

void forget(PollingLoop& loop) {
  loop.begin_ticks = 0;
  loop.untimed = 0;
  loop.look_at = 1;
}

/// The loop as one call that ends at `exit_ticks`; the last poll began at `enter_ticks`, up to which it is accounted
/// for.
Visit close(PollingLoop& loop, andes_node* node, andes_location_data* location, std::uint64_t enter_ticks,
            std::uint64_t exit_ticks) {
  const std::uint64_t begin_ticks = loop.begin_ticks;
  loop.waited = begin_ticks < enter_ticks;
  node->is_polled = 1;
  location->polls.first_ticks = 0;
  location->polls.longest_ticks = longer(location->polls.longest_ticks, exit_ticks - loop.first_ticks);
  forget(loop);
  return {node, location, begin_ticks, exit_ticks - begin_ticks};
}

} // namespace

bool look_at_loop() {
  PollingLoop& loop = polling;
  andes_location_data* location = location_here();
  if (!location || location->hot->off) {
    forget(loop);
    return false;
  }
  const std::uint64_t now_ticks = andes_ticks_now();
  advance(loop, *location, now_ticks, location->library_ticks);
  see(loop, *location, now_ticks);
  return is_asked(loop, *location);
}

bool continue_loop(const Visit& visit) {
  PollingLoop& loop = polling;
  advance(loop, *visit.location, visit.enter_ticks, visit.location->library_ticks - visit.ticks);
  see(loop, *visit.location, visit.enter_ticks + visit.ticks);
  visit.node->is_polled = 1;
  // The last of polls_between_looks has counted itself; one that looks earlier, or is asked, has not.
  loop.polls += loop.timed > polls_between_looks ? 1 : loop.timed == polls_between_looks ? loop.timed : loop.timed + 1;
  loop.timed = 0;
  learn(loop, visit.ticks);
  return is_asked(loop, *visit.location);
}

Visit end_loop(const Visit& visit) {
  PollingLoop& loop = polling;
  if (!visit) {
    forget(loop);
    return visit;
  }
  advance(loop, *visit.location, visit.enter_ticks, visit.location->library_ticks - visit.ticks);
  return close(loop, visit.node, visit.location, visit.enter_ticks, visit.enter_ticks + visit.ticks);
}

andes_node* closed_path(const andes_site& site, std::uint32_t& region, std::uintptr_t stack, std::uintptr_t caller) {
  if (inside(stack)) return nullptr;
  std::uint32_t number = __atomic_load_n(&region, __ATOMIC_RELAXED);
  if (number == 0) {
    number = andes_region_of(&site);
    __atomic_store_n(&region, number, __ATOMIC_RELAXED);
  }
  return andes_call_path(number, stack, caller);
}

Visit closed_loop(const andes_site& site, std::uint32_t& region, std::uintptr_t stack, std::uintptr_t caller) {
  PollingLoop& loop = polling;
  loop.waited = false;
  if (inside(stack)) return {};
  const std::uint64_t now_ticks = andes_ticks_now();
  andes_node* node = closed_path(site, region, stack, caller);
  if (!node) {
    forget(loop);
    return {};
  }
  auto* location = static_cast<andes_location_data*>(andes_here.location->data);
  if (loop.begin_ticks == 0) return {node, location, now_ticks, 0};
  ++loop.untimed; // this one
  advance(loop, *location, now_ticks, location->library_ticks);
  return close(loop, node, location, now_ticks, now_ticks);
}

} // namespace andes::monitor::mpi
