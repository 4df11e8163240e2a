// See polling.h.
#include "monitor/mpi/polling.h"

namespace andes::monitor::mpi {

__thread PollingLoop polling __attribute__((tls_model("initial-exec")));
std::uint64_t gap_ticks;

namespace {

// In gap_ticks, which are some 0.3 us:
constexpr std::uint64_t long_gaps = 140;      // 40 us: many times what asking takes, and less than the shortest sleep
constexpr std::uint64_t long_interrupt = 280; // 80 us: in virtual machines one takes 50 to 60
constexpr std::uint64_t unknown_poll = 3;     // what a poll takes before the first one was timed
constexpr std::uint64_t switch_gaps = 80;     // 25 us: what it takes at most to fall asleep and to wake up
constexpr std::uint64_t uncounted_core = 16;  // and a sixteenth of the sleep
constexpr std::uint64_t young_loop = 600;     // 0.2 ms
constexpr std::uint64_t reading_gaps = 3'500; // 1 ms: a reading that is older is renewed
constexpr std::uint64_t uncounted_waits = 500; // 150 us: so much of a wait for a core the kernel may fail to count
constexpr std::uint64_t uncounted_part = 8;   // and an eighth of it
constexpr std::uint64_t most_pause = 8'500;   // 2.5 ms: longer sleeps stand for work
constexpr std::uint64_t yield_gaps = 8;       // 2 us: what yielding a core takes that nobody else wants
constexpr std::uint64_t long_loop = 250'000;  // some tenth of a second
constexpr std::uint64_t most_of_poll = 250;   // that a poll computes; longer ones have yielded the core

std::uint64_t longer(std::uint64_t one, std::uint64_t other) { return one > other ? one : other; }
std::uint64_t shorter(std::uint64_t one, std::uint64_t other) { return one < other ? one : other; }
std::uint64_t without(std::uint64_t all, std::uint64_t part) { return all > part ? all - part : 0; }

/// What a poll takes, as far as it is known.
std::uint64_t poll_of(const PollingLoop& loop) {
  return loop.poll_ticks != 0 ? loop.poll_ticks : unknown_poll * gap_ticks;
}

/// Time since the last call of this function in which other threads had the core.
std::uint64_t lost_ticks(CoreUse& core) {
  const std::uint64_t before = core.waited_ticks, now = andes_core_wait_ticks() + 1;
  if (now < before) return 0; // the kernel could not be asked
  core.waited_ticks = now;
  return before == 0 ? 0 : now - before;
}

/// Reads the thread's clock at the end of a poll. Returns for how long it has had a core since the last reading.
std::uint64_t read_core(CoreUse& core, std::uint64_t exit_ticks) {
  const std::uint64_t before = core.had_ticks;
  core.had_ticks = andes_core_ticks();
  core.read_at_ticks = exit_ticks;
  return core.had_ticks - before;
}

/// Behind a poll of `poll_ticks`, asks the kernel what it has counted until now, if the next gap may be a long one:
/// what was lost before, in polls too, is not lost in that gap. Returns whether it has asked.
bool prepare_for_long_gap(PollingLoop& loop, std::uint64_t exit_ticks, std::uint64_t poll_ticks) {
  CoreUse& core = loop.core;
  const bool is_old = exit_ticks - loop.first_ticks > young_loop * gap_ticks;
  const bool may_pause = is_old || core.pauses || core.paused;
  const std::uint64_t since_ticks = exit_ticks - core.read_at_ticks;
  if (!may_pause) return false;
  if (core.had_ticks == 0) {
    read_core(core, exit_ticks);
    lost_ticks(core);
    return true;
  }
  if (since_ticks <= reading_gaps * gap_ticks && poll_ticks <= long_gaps * gap_ticks) return false;
  if (without(since_ticks, read_core(core, exit_ticks)) > uncounted_waits * gap_ticks) lost_ticks(core);
  return true;
}

/// What the thread has computed in `gaps` gaps that took `passed` ticks, long ones: all of it, if the kernel was not
/// asked before. `own`: what polls between them and the loop itself take at most. A poll of `poll_ticks` has followed.
std::uint64_t computed_in(PollingLoop& loop, std::uint64_t passed, std::uint64_t gaps, std::uint64_t own,
                          std::uint64_t poll_ticks) {
  loop.core.pauses = true;
  if (loop.core.had_ticks == 0) return passed;
  const std::uint64_t polls_before = loop.seen_ticks - loop.core.read_at_ticks;
  const std::uint64_t of_polls = polls_before + shorter(poll_ticks, most_of_poll * gap_ticks);
  const std::uint64_t core = without(read_core(loop.core, loop.seen_ticks + passed + poll_ticks), of_polls);
  const std::uint64_t rest = without(passed, core);
  const std::uint64_t of_switches = switch_gaps * gap_ticks + rest / uncounted_core;
  const std::uint64_t computed = core > own + of_switches ? shorter(core, passed) : 0;
  if (rest <= (computed != 0 ? uncounted_waits : gaps * most_pause) * gap_ticks) return computed;
  const std::uint64_t lost = lost_ticks(loop.core);
  if (rest > lost + lost / uncounted_part + (uncounted_waits + gaps * most_pause) * gap_ticks) return passed;
  return computed > lost / uncounted_part ? computed + shorter(lost, rest) : computed;
}

/// What the thread took at most in `gaps` gaps to yield a core that nobody else wanted, once in each.
std::uint64_t yielding_ticks(const PollingLoop& loop, const andes_location_data& location, std::uint64_t gaps) {
  return shorter(location.yields - loop.yields, gaps) * yield_gaps * gap_ticks;
}

/// Of many short gaps together one batch that takes too long may have had an interrupt: such time counts as computation
/// once it is more than an eighth of the loop, which has lasted for `lasted_ticks`. Returns what counts now.
std::uint64_t computed_by_chance(CoreUse& core, std::uint64_t ticks, std::uint64_t lasted_ticks) {
  core.chance_ticks += ticks;
  if (core.chance_ticks <= lasted_ticks / uncounted_part) return 0;
  const std::uint64_t counted = core.chance_ticks;
  core.chance_ticks = 0;
  return counted;
}

/// Accounts for the time up to `until_ticks`, when no poll is under way; then one comes that takes `poll_ticks`.
/// `library_ticks`: of the location then.
void advance(PollingLoop& loop, andes_location_data& location, std::uint64_t until_ticks, std::uint64_t library_ticks,
             std::uint64_t poll_ticks) {
  bool rare = false; // polls that each can look what time it is
  if (loop.begin_ticks == 0 || loop.library_ticks != library_ticks) {
    if (loop.begin_ticks != 0) // another call of MPI has ended the loop before: loops of that length do end
      location.polls.longest_ticks = longer(location.polls.longest_ticks, loop.seen_ticks - loop.first_ticks);
    loop.begin_ticks = loop.first_ticks = until_ticks;
    loop.due_ticks = until_ticks + long_loop * gap_ticks;
    loop.to_ask = 0;
    loop.core.had_ticks = loop.core.waited_ticks = loop.core.chance_ticks = 0;
    loop.core.paused = loop.core.pauses;
    loop.core.pauses = false;
    loop.computes = true; // until it is seen that it does not
    rare = loop.core.paused;
  } else {
    const std::uint64_t poll = poll_of(loop), polls = loop.untimed * poll;
    const std::uint64_t gaps = loop.untimed + 1;
    const std::uint64_t own = polls + gaps * longer(gap_ticks, poll) + yielding_ticks(loop, location, gaps);
    const std::uint64_t passed = until_ticks - loop.seen_ticks;
    const bool is_long = passed > own && passed > long_gaps * gap_ticks;
    const std::uint64_t busy = is_long ? computed_in(loop, passed, gaps, own, poll_ticks) : passed;
    const bool is_chance = busy <= long_interrupt * gap_ticks && loop.untimed > 1 && !loop.computes;
    loop.computes = busy > own;
    std::uint64_t computed = loop.computes ? busy - polls : 0;
    if (computed != 0 && is_chance) computed = computed_by_chance(loop.core, computed, until_ticks - loop.first_ticks);
    loop.begin_ticks += computed;
    location.library_ticks += passed - computed;
    loop.between_ticks += passed;
    rare = passed > gaps * long_gaps * gap_ticks;
  }
  loop.polls += loop.untimed;
  loop.untimed = 0;
  loop.look_at = rare ? 1 : polls_between_looks;
}

std::uint64_t computed_ticks(const PollingLoop& loop) { return loop.begin_ticks - loop.first_ticks; }

/// The arena is told that the loop, which is long, has gone on until `now_ticks`.
void tell(PollingLoop& loop, PollReport& told, std::uint64_t now_ticks) {
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
    const std::uint64_t span = now_ticks - loop.told_ticks, wait = without(wait_ticks, loop.told_wait_ticks);
    // Of the time with a core the polls have taken their part, and what a loop takes for itself. Time without one may
    // lie in polls, too: Open MPI yields the core where there are more ranks than cores.
    const std::uint64_t core = core_ticks - loop.told_core_ticks;
    const std::uint64_t poll = shorter(poll_of(loop), most_of_poll * gap_ticks);
    const std::uint64_t own = loop.polls * (poll + longer(gap_ticks, poll));
    told.span_ticks = wait < span ? span - wait : 1;
    told.busy_ticks = shorter(shorter(longer(computed, loop.between_ticks), without(core, own)), told.span_ticks);
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

/// A poll of `poll_ticks` has ended, in vain; what the kernel is asked then is time of the loop.
void see(PollingLoop& loop, andes_location_data& location, std::uint64_t exit_ticks, std::uint64_t poll_ticks) {
  loop.seen_ticks = exit_ticks;
  loop.yields = location.yields;
  if (prepare_for_long_gap(loop, exit_ticks, poll_ticks)) {
    loop.seen_ticks = longer(exit_ticks, andes_ticks_now());
    location.library_ticks += loop.seen_ticks - exit_ticks;
  }
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

/// Whether the thread did no more in the gap than yield its core.
bool yielded(const PollingLoop& loop, const andes_location_data& location, std::uint64_t gap) {
  return gap <= yielding_ticks(loop, location, 1) + loop.own_gap_ticks;
}

bool look_at_loop() {
  PollingLoop& loop = polling;
  andes_location_data* location = location_here();
  if (!location || location->hot->off) {
    forget(loop);
    return false;
  }
  const std::uint64_t now_ticks = andes_ticks_now();
  advance(loop, *location, now_ticks, location->library_ticks, 0);
  see(loop, *location, now_ticks, 0);
  return is_asked(loop, *location);
}

bool continue_loop(const Visit& visit) {
  PollingLoop& loop = polling;
  advance(loop, *visit.location, visit.enter_ticks, visit.location->library_ticks - visit.ticks, visit.ticks);
  see(loop, *visit.location, visit.enter_ticks + visit.ticks, visit.ticks);
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
  advance(loop, *visit.location, visit.enter_ticks, visit.location->library_ticks - visit.ticks, visit.ticks);
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
  advance(loop, *location, now_ticks, location->library_ticks, 0);
  return close(loop, node, location, now_ticks, now_ticks);
}

} // namespace andes::monitor::mpi
