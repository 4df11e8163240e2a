#include "monitor/core/side_stacks.h"

#include <signal.h>
#include <string.h>

#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t slow_frames = 1024, spare_frames = 4; // see location.cc
constexpr std::uint32_t first_frames = 4096 / sizeof(andes_frame);
constexpr std::int64_t stack_bytes = 4096 + sizeof(PathOfStack); // least memory that a side stack touches
/// A visit and a visit that it calls are rarely farther apart on a stack; two stacks are rarely closer to each other.
constexpr std::uintptr_t call_bytes = 32 * 1024;
/// The begins of two stacks are at least this far apart.
constexpr std::uintptr_t smallest_stack = 2048;

bool start(Location& location) {
  if (location.sides) return location.sides->limit != 0;
  auto* sides = reserve_array<SideStacks>(1);
  if (!sides) return false;
  sides->frames_each = slow_frames + spare_frames + location.tree.limits.depth + 2;
  for (std::uint32_t limit = max_side_stacks; limit >= 64 && !sides->frames; limit /= 8)
    if ((sides->frames = reserve_array<andes_frame>(std::size_t{limit} * sides->frames_each))) sides->limit = limit;
  sides->own = {location.frames,
                nullptr,
                location.last_frame,
                nullptr,
                location.stack_low,
                location.stack_high,
                0,
                nullptr,
                true,
                false};
  sides->running = &sides->own;
  location.sides = sides;
  return sides->limit != 0;
}

/// Guards a change of the running stack, or of the data about stacks.
class Change {
public:
  explicit Change(SideStacks& sides) : sides_(sides) {
    sides_.changing = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  ~Change() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    sides_.changing = false;
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

private:
  SideStacks& sides_;
};

bool is_own(const Location& location, const PathOfStack& path) { return &path == &location.sides->own; }

bool is_of_own(const Location& location, const andes_frame* frame) {
  return frame >= location.frames && frame <= location.sides->own.last + spare_frames + location.tree.limits.depth;
}

andes_frame* frames_of(const SideStacks& sides, std::uint32_t path) {
  return sides.frames + std::size_t{path} * sides.frames_each;
}

std::uint64_t still(const Location& location, std::uint64_t now_ticks) {
  return location.suspended ? location.suspended_since_ticks : now_ticks;
}

/// Index of the first stack in `by_place` whose first frame is not below `stack`.
std::uint32_t position(const SideStacks& sides, std::uintptr_t stack) {
  std::uint32_t low = 0, high = sides.count;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (sides.by_place[middle]->high < stack) low = middle + 1;
    else high = middle;
  }
  return low;
}

andes_frame* top_of(const Location& location, const PathOfStack& path) {
  return &path == location.sides->running ? location.hot->top : path.top;
}

/// The stack that contains the address `stack`; null: no known stack.
PathOfStack* find(const Location& location, std::uintptr_t stack) {
  SideStacks& sides = *location.sides;
  if (stack >= sides.own.low && stack < sides.own.high) return &sides.own;
  const std::uint32_t at = position(sides, stack);
  if (at == sides.count) return nullptr;
  PathOfStack& path = *sides.by_place[at];
  const std::uintptr_t innermost = top_of(location, path)->stack + path.low;
  return stack + call_bytes >= innermost ? &path : nullptr;
}

/// The low bound of a side stack: some room below its innermost frame, but not beyond the next known stack.
std::uintptr_t low_of(const Location& location, const PathOfStack& path, std::uintptr_t innermost) {
  const SideStacks& sides = *location.sides;
  std::uintptr_t low = innermost > call_bytes ? innermost - call_bytes : 0;
  const auto stay_above = [&](std::uintptr_t high) {
    if (high < path.high && high >= low) low = high + 1;
  };
  stay_above(sides.own.high);
  if (const std::uint32_t at = position(sides, path.high); at > 0) stay_above(sides.by_place[at - 1]->high);
  return low;
}

/// Moves the time since the last call of this function, if a side stack runs: the time passed below the
/// innermost visit of the thread's own stack, and belongs to the call path below which the side stack hangs.
void settle(Location& location, std::uint64_t now_ticks) {
  SideStacks& sides = *location.sides;
  PathOfStack& path = *sides.running;
  if (is_own(location, path)) return;
  Tree& tree = location.tree;
  const auto ticks = static_cast<std::int64_t>(now_ticks - path.since_ticks);
  path.since_ticks = now_ticks;
  if (ticks <= 0) return;
  tree.accounts[tree.number(tree.node_at(sides.own.top->place))].moved_ticks -= ticks;
  tree.accounts[tree.number(tree.node_at(path.frames->place))].moved_ticks += ticks;
}

/// Makes the frames' places relative to another low address.
void set_low(PathOfStack& path, const andes_frame* top, std::uintptr_t low) {
  for (andes_frame* frame = path.frames; frame <= top; ++frame) frame->stack += path.low - low;
  path.low = low;
}

void park(Location& location, std::uint64_t now_ticks) {
  SideStacks& sides = *location.sides;
  PathOfStack& path = *sides.running;
  count(location);
  settle(location, now_ticks);
  path.top = location.hot->top;
  path.paid = location.paid_frame;
  if (is_own(location, path)) location.own_top = path.top;
  if (is_own(location, path) || !location.suspended) return;
  for (andes_frame* frame = path.frames; frame <= path.top; ++frame)
    frame->bits &= ~static_cast<std::uint32_t>(ANDES_FRAME_SUSPENDED);
}

void run(Location& location, PathOfStack& path) {
  location.hot->stack_low = beyond_all; // a probe in a signal handler takes the slow path, and gives up
  location.sides->running = &path;
  location.bottom = path.frames;
  location.last_frame = path.last;
  location.paid_frame = path.paid;
  location.short_frames = nullptr;
  location.stack_low = path.low;
  location.stack_high = path.high;
  set_top(location, path.top);
  if (!location.suspended) location.hot->stack_low = path.low;
}

void resume(Location& location, PathOfStack& path, std::uint64_t now_ticks) {
  if (!is_own(location, path)) {
    set_low(path, path.top, low_of(location, path, path.top->stack + path.low));
    const std::uint64_t parked = now_ticks - path.since_ticks;
    path.since_ticks = now_ticks;
    for (andes_frame* frame = path.frames + 1; frame <= path.top; ++frame) {
      if (is_timed(*frame)) frame->enter_ticks += parked;
      if (location.suspended) frame->bits |= ANDES_FRAME_SUSPENDED;
    }
  }
  run(location, path);
}

void switch_to(Location& location, PathOfStack& path, std::uint64_t now_ticks) {
  if (&path == location.sides->running) return;
  now_ticks = still(location, now_ticks);
  park(location, now_ticks);
  resume(location, path, now_ticks);
}

void remove(SideStacks& sides, PathOfStack& path) {
  std::uint32_t at = position(sides, path.high);
  while (sides.by_place[at] != &path) ++at;
  memmove(sides.by_place + at, sides.by_place + at + 1, (--sides.count - at) * sizeof *sides.by_place);
  sides.unused[sides.met - sides.count - 1] = &path;
  path.in_use = false;
}

/// Ends the open visits of a parked side stack: the program will not return to it.
void abandon(Location& location, PathOfStack& path) {
  end_visits(location, path.frames + 1, path.top, path.since_ticks);
  remove(*location.sides, path);
}

PathOfStack* unused_path(Location& location) {
  SideStacks& sides = *location.sides;
  if (sides.met > sides.count) return sides.unused[sides.met - sides.count - 1];
  // Stacks may take as much of the memory as they leave for call paths.
  if (sides.met == sides.limit || location.tree.memory->left_bytes < stack_bytes * (sides.met + 2) ||
      !location.tree.memory->take(stack_bytes))
    return nullptr;
  PathOfStack& path = sides.all[sides.met];
  path.frames = frames_of(sides, sides.met);
  sides.unused[0] = &path;
  ++sides.met;
  return &path;
}

/// The call path below which a new stack hangs whose first visit is to `region`: the innermost one. Exception:
/// if `region` is already among the call paths from the thread's own stack to here, the new task is a peer of
/// that one and hangs where it does.
std::uint32_t place_of_path(const Location& location, std::uint32_t region) {
  const SideStacks& sides = *location.sides;
  const std::uint32_t here = location.hot->top->place;
  if (is_own(location, *sides.running)) return here;
  const Tree& tree = location.tree;
  const std::uint32_t own = tree.number(tree.node_at(sides.own.top->place));
  for (std::uint32_t i = innermost(location); i != own && tree.node(i).parent != ANDES_NOWHERE; i = tree.node(i).parent)
    if (tree.node(i).region == region) return place_of(tree.node(i).parent);
  return here;
}

/// Whether the thread runs a signal handler on an alternate stack and `stack` is an address on it.
bool is_of_handlers(std::uintptr_t stack) {
  stack_t of_handlers;
  return sigaltstack(nullptr, &of_handlers) == 0 && of_handlers.ss_flags & SS_ONSTACK &&
         stack - reinterpret_cast<std::uintptr_t>(of_handlers.ss_sp) <= of_handlers.ss_size;
}

/// Begins a new side stack, whose first visit, to `region`, stands at `stack`.
void begin(Location& location, std::uintptr_t stack, std::uint32_t region, std::uint64_t now_ticks) {
  SideStacks& sides = *location.sides;
  PathOfStack* unused = unused_path(location);
  if (!unused) return;
  PathOfStack& path = *unused;
  const std::uint32_t place = place_of_path(location, region);
  now_ticks = still(location, now_ticks);
  PathOfStack* before = sides.running;
  park(location, now_ticks);
  const std::uint32_t at = position(sides, stack);
  memmove(sides.by_place + at + 1, sides.by_place + at, (sides.count - at) * sizeof *sides.by_place);
  sides.by_place[at] = &path;
  ++sides.count;
  path = {path.frames, path.frames, path.frames + slow_frames, path.frames + first_frames, 0, stack, now_ticks,
          before,      true,        is_of_handlers(stack)};
  path.low = low_of(location, path, stack);
  path.frames[0] = {now_ticks, place, 0, stack - path.low + 1, 0, 0};
  run(location, path);
}

} // namespace

void set_own_bounds(Location& location, const Stack& stack) {
  location.sides->own.low = stack.low;
  location.sides->own.high = stack.high;
}

void free_side_stacks(Location& location) {
  SideStacks& sides = *location.sides;
  if (sides.frames) unreserve(sides.frames, std::size_t{sides.limit} * sides.frames_each * sizeof(andes_frame));
  unreserve(&sides, sizeof sides);
  location.sides = nullptr;
}

void switch_to_stack(Location& location, std::uintptr_t stack, std::uintptr_t caller, std::uint32_t region,
                     std::uint64_t now_ticks) {
  if (!start(location)) return;
  SideStacks& sides = *location.sides;
  const Change change(sides);
  PathOfStack* path = find(location, stack);
  if (path == sides.running) { // deeper than most calls reach
    if (is_own(location, *path) || stack >= location.stack_low) return;
    set_low(*path, location.hot->top, low_of(location, *path, stack));
    location.stack_low = path->low;
    if (!location.suspended) location.hot->stack_low = path->low;
    return;
  }
  const auto is_given_up = [&] { // the visits open on it are over: the same function begins again
    return path->of_handlers || (stack == path->high && path->frames[1].caller == caller &&
                                 location.tree.node_at(path->frames[1].place).region == region);
  };
  if (path && !is_own(location, *path) && is_given_up()) {
    abandon(location, *path);
    path = nullptr;
  }
  if (path) {
    switch_to(location, *path, now_ticks);
    return;
  }
  if (const std::uint32_t at = position(sides, stack);
      at > 0 && stack - sides.by_place[at - 1]->high < smallest_stack) {
    PathOfStack& below = *sides.by_place[at - 1];
    if (&below == sides.running) switch_to(location, sides.own, now_ticks);
    abandon(location, below);
  }
  begin(location, stack, region, now_ticks);
}

void switch_to_stack_of(Location& location, const andes_frame* frame, std::uint64_t now_ticks) {
  if (!location.sides) return;
  SideStacks& sides = *location.sides;
  const Change change(sides);
  if (frame >= sides.frames && frame < sides.frames + std::size_t{sides.met} * sides.frames_each) {
    PathOfStack& path = sides.all[(frame - sides.frames) / sides.frames_each];
    if (path.in_use) switch_to(location, path, now_ticks);
  } else if (frame > location.frames && is_of_own(location, frame)) {
    switch_to(location, sides.own, now_ticks);
  }
}

void switch_to_known_stack(Location& location, std::uintptr_t stack, std::uint64_t now_ticks) {
  if (!location.sides || is_on_running_stack(location, stack)) return;
  const Change change(*location.sides);
  if (PathOfStack* path = find(location, stack)) switch_to(location, *path, now_ticks);
}

void forget_empty_stack(Location& location, std::uint64_t now_ticks) {
  if (location.bottom == location.frames || location.hot->top != location.bottom) return;
  SideStacks& sides = *location.sides;
  const Change change(sides);
  PathOfStack& path = *sides.running;
  switch_to(location, path.before->in_use && path.before != &path ? *path.before : sides.own, now_ticks);
  remove(sides, path);
}

void repair_side_stacks(Location& location) {
  if (!location.sides || !location.sides->changing) return;
  SideStacks& sides = *location.sides;
  if (is_own(location, *sides.running) && is_of_own(location, location.hot->top)) sides.own.top = location.hot->top;
  if (is_of_own(location, location.paid_frame) && location.paid_frame > sides.own.paid)
    sides.own.paid = location.paid_frame;
  for (std::uint32_t i = 0; i < sides.met; ++i) {
    sides.all[i].frames = frames_of(sides, i);
    sides.all[i].in_use = false;
    sides.unused[i] = &sides.all[i];
  }
  sides.count = 0;
  run(location, sides.own);
  sides.changing = false;
}

void close_side_stacks(Location& location, std::uint64_t now_ticks) {
  if (!location.sides) return;
  SideStacks& sides = *location.sides;
  switch_to(location, sides.own, now_ticks);
  while (sides.count > 0) abandon(location, *sides.by_place[sides.count - 1]);
}

void restart_side_stacks(Location& location, std::uint64_t now_ticks) {
  if (!location.sides) return;
  SideStacks& sides = *location.sides;
  const auto restart = [&](PathOfStack& path) {
    path.since_ticks = now_ticks;
    for (andes_frame* frame = path.frames; frame <= top_of(location, path); ++frame) {
      frame->enter_ticks = is_timed(*frame) ? now_ticks : 0;
      frame->inside_ticks = 0;
    }
  };
  restart(sides.own);
  for (std::uint32_t i = 0; i < sides.count; ++i) restart(*sides.by_place[i]);
}

void suspend_side_stacks(Location& location, std::uint64_t now_ticks) {
  if (!location.sides) return;
  SideStacks& sides = *location.sides;
  settle(location, now_ticks);
  if (!is_own(location, *sides.running))
    for (andes_frame* frame = location.frames; frame <= sides.own.top; ++frame) frame->bits |= ANDES_FRAME_SUSPENDED;
}

void resume_side_stacks(Location& location, std::uint64_t off_ticks) {
  if (!location.sides) return;
  SideStacks& sides = *location.sides;
  if (is_own(location, *sides.running)) return;
  sides.running->since_ticks += off_ticks;
  for (andes_frame* frame = location.frames; frame <= sides.own.top; ++frame) {
    frame->bits &= ~static_cast<std::uint32_t>(ANDES_FRAME_SUSPENDED);
    if (is_timed(*frame)) frame->enter_ticks += off_ticks;
  }
}

} // namespace andes::monitor
