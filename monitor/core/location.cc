#include "monitor/core/location.h"

#include <pthread.h>
#include <string.h>

#include "monitor/core/bounds.h"
#include "monitor/core/closed_recursion.h"
#include "monitor/core/side_stacks.h"
#include "monitor/core/team_wait.h"
#include "monitor/core/timed_visits.h"
#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t slow_frames = 16384; // folded ones; exact ones are bounded by the tree's depth
constexpr std::uint32_t spare_frames = 4;    // for MPI calls at the very top
constexpr std::uint32_t frames_at_once = 1024;

std::uint32_t frame_count(const Location& location) {
  return slow_frames + spare_frames + location.tree.limits.depth + 2;
}

// The time of a visit whose call path is no child of the one below it also counts for the call paths between.
// If the way up does not lead to that one, the time is moved away from the call path in which it passed.
void tell_between(Tree& tree, const andes_frame& below, const andes_node& node, std::uint64_t ticks) {
  const std::uint32_t from = tree.number(tree.node_at(below.place));
  std::uint32_t above = node.parent;
  for (; above != from && above != node_root; above = tree.node(above).parent)
    tree.node(above).inclusive_ticks += ticks;
  tree.accounts[from].moved_ticks -= static_cast<std::int64_t>(above != from ? ticks : 0);
  tree.accounts[above].moved_ticks += static_cast<std::int64_t>(above != from ? ticks : 0);
}

// MPI functions have events of their own; the monitor's own time, and time apart, are no calls.
bool is_function_call(std::uint32_t kind) {
  return !ANDES_KIND_IS_MPI(kind) && kind != ANDES_KIND_ROOT && kind != ANDES_KIND_TOOL &&
         kind != ANDES_KIND_OVERFLOW && kind != ANDES_KIND_APART;
}

void log_visit(Location& location, const andes_frame& frame, const andes_node& node, std::uint64_t ticks) {
  if (!is_function_call(node.kind)) return;
  EventRecord record = {};
  const std::uint64_t start_ticks = location.call_tables->start_ticks;
  record.enter_ticks = (frame.enter_ticks > start_ticks ? frame.enter_ticks - start_ticks : 0) & event_ticks_mask;
  record.kind = static_cast<std::uint64_t>(EventKind::function_call) & event_kind_mask;
  record.duration_ticks = static_cast<float>(ticks);
  record.node = location.tree.number(node) & 0xffffff;
  record.set_amount(node.kind);
  log_function_call(*location.call_tables, location.calls, record);
}

void end_visit(Location& location, andes_frame& frame, std::uint64_t now_ticks) {
  Tree& tree = location.tree;
  andes_frame& below = *(&frame - 1);
  andes_node& node = tree.node_at(frame.place);
  if (frame.bits & ANDES_FRAME_UNTIMED) {
    node.inside_ticks += frame.enter_ticks;
    tell_below(below, frame.enter_ticks);
    return;
  }
  if (frame.bits & ANDES_FRAME_SUSPENDED) now_ticks = location.suspended_since_ticks;
  const std::uint64_t ticks = now_ticks > frame.enter_ticks ? now_ticks - frame.enter_ticks : 0;
  if (__builtin_expect(location.call_tables != nullptr, 0)) log_visit(location, frame, node, ticks);
  const std::uint32_t from = tree.number(tree.node_at(below.place));
  if (frame.bits & ANDES_FRAME_CLOSING) open_way(tree, from, tree.number(node));
  if ((frame.bits & (ANDES_FRAME_SAMPLE | ANDES_FRAME_RECURSION)) && has_switched(location.losses))
    notice_switch(location.losses, now_ticks);
  if (frame.bits & ANDES_FRAME_RECURSION) {
    end_closed_recursion(location, frame, ticks);
    return;
  }
  if (frame.bits & ANDES_FRAME_SAMPLE) {
    const std::uint64_t inside = end_timed_visit(location, frame, ticks);
    node.inside_ticks += inside;
    tell_below(below, inside);
    return;
  }
  if (frame.bits & ANDES_FRAME_FOLDED) {
    tree.accounts[from].moved_ticks -= static_cast<std::int64_t>(ticks);
    tree.accounts[tree.number(node)].moved_ticks += static_cast<std::int64_t>(ticks);
  } else {
    node.inclusive_ticks += ticks;
    if (frame.bits & ANDES_FRAME_FAR) tell_between(tree, below, node, ticks);
  }
  tell_below(below, ticks);
}

// Whether the call path is recursive and was opened again, so that its visits are sampled: the visit of a block that is
// timed would stand for others, and has the time of all direct recursion in it. Exact visits do not mind.
bool is_sampled_recursion(const Tree& tree, std::uint32_t node) {
  return tree.is_pinned(node, pin_recursion) && is_sampled(tree.node(node)) &&
         !load_relaxed(tree.records[tree.node(node).record].windowed);
}

// Whether another frame may be pushed by the slow path.
bool room_for_frame(Location& location, bool is_mpi) {
  andes_frame* top = location.hot->top;
  // The fast path may push as many frames on top as the tree is deep.
  if (location.bottom == location.frames)
    ensure_backed(location.backed_frames, top + 2 + location.tree.deepest + spare_frames);
  if (top >= location.last_frame + (is_mpi ? spare_frames : 0)) return false;
  if (top < location.paid_frame) return true;
  if (!location.tree.memory->take(frames_at_once * sizeof(andes_frame))) return is_mpi;
  location.paid_frame += frames_at_once;
  return true;
}

// Sets the frame below which room_for_frame() would say yes without doing anything.
void set_short_frames(Location& location) {
  location.short_frames = location.last_frame < location.paid_frame ? location.last_frame : location.paid_frame;
  if (location.bottom != location.frames || !location.backed_frames.begin) return;
  auto* backed =
      reinterpret_cast<andes_frame*>(location.backed_frames.next) - (2 + location.tree.deepest + spare_frames);
  if (backed < location.short_frames) location.short_frames = backed;
}

} // namespace

Stack stack_of_this_thread() {
  Stack stack;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  void* low = nullptr;
  std::size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0 && bytes != 0) {
    stack.low = reinterpret_cast<std::uintptr_t>(low);
    stack.high = stack.low + bytes;
  }
  pthread_attr_destroy(&attributes);
  return stack;
}

bool location_start(Location& location, const TreeLimits& limits, Budget& memory, std::uint32_t root_region,
                    const Stack& stack, std::uint64_t now_ticks) {
  if (!tree_start(location.tree, limits, root_region, memory)) return false;
  location.hot = location.tree.hot;
  location.hot->data = static_cast<andes_location_data*>(&location);
  location.traffic_limit = location.tree.limits.nodes;
  location.traffic = reserve_array<andes_traffic>(location.traffic_limit);
  location.frames = reserve_array<andes_frame>(frame_count(location));
  if (!location.traffic || !location.frames) return false;
  if (limits.backed) {
    location.backed_traffic = backed_array(location.traffic, location.traffic_limit);
    location.backed_frames = backed_array(location.frames, frame_count(location));
    ensure_backed(location.backed_frames, location.frames + 1 + spare_frames + location.tree.deepest);
  }
  location.traffic_count = 1;
  location.last_frame = location.frames + slow_frames;
  location.paid_frame = location.frames + frames_at_once; // part of least_tree_bytes
  location.first_ticks = now_ticks;
  location_resume(location, stack, now_ticks);
  return true;
}

void location_free(Location& location) {
  if (location.traffic) unreserve(location.traffic, location.traffic_limit * sizeof(andes_traffic));
  if (location.frames) unreserve(location.frames, frame_count(location) * sizeof(andes_frame));
  if (location.sides) free_side_stacks(location);
  tree_free(location.tree);
}

void location_resume(Location& location, const Stack& stack, std::uint64_t now_ticks) {
  location.stack_low = stack.low;
  location.stack_high = stack.high;
  location.bottom = location.frames;
  if (location.sides) set_own_bounds(location, stack);
  andes_node& root = location.tree.node(node_root);
  location.frames[0] = {now_ticks, root.place, 0, location.stack_high - location.stack_low, 0, 0};
  root.countdown--;
  set_top(location, location.frames);
  location.hot->stack_low = location.stack_low;
  location.hot->off = 0;
  location.suspended = false;
  store_relaxed(location.in_use, true);
}

void drop_stale_frames(Location& location, std::uintptr_t stack, std::uintptr_t caller, std::uint64_t now_ticks) {
  if (!is_on_running_stack(location, stack)) return; // a side stack for which there was no room
  while (location.hot->top != location.bottom && has_stale_frames(location, stack, caller))
    pop_frames(location, location.hot->top, now_ticks);
}

andes_frame* push_frame(Location& location, const Child& child, std::uintptr_t stack, std::uintptr_t caller, bool far) {
  Tree& tree = location.tree;
  andes_node& node = tree.node(child.node);
  if (is_due(tree, child.node) && is_sampled_recursion(tree, child.node)) make_exact(tree, child.node);
  const std::uint32_t own_bits = load_relaxed(node.bits); // windows set them, too
  std::uint32_t bits = child.folded ? ANDES_FRAME_FOLDED | (own_bits & ANDES_FRAME_INSIDE) : own_bits;
  if (child.folded) bits |= bits_of_closed_recursion(location, node, own_bits);
  const bool begins_sample = is_sampled(node) && is_due(tree, child.node);
  if (far && !(bits & ANDES_FRAME_UNTIMED)) bits |= ANDES_FRAME_FAR;
  add_at_once(node.countdown, -1);
  if (begins_sample) begin_sample(tree, child.node);
  const bool is_mpi = ANDES_KIND_IS_MPI(node.kind);
  // A function that is inlined into itself still gets a frame here: a compiler's hook finds it by its place alone.
  const andes_frame& top = *location.hot->top;
  const bool apart = top.stack != stack - location.stack_low || top.caller != caller;
  // Recursion into a call path that has no visit of its own here: the time is part of that call path's estimate.
  const bool is_around_hidden = far && child.folded;
  if (is_around_hidden && node.record != 0) leave_to_hidden(location, tree.records[node.record]);
  if ((child.direct && apart) || is_around_hidden || !room_for_frame(location, is_mpi)) return nullptr;
  count(location);
  if (child.folded && close_way(tree, innermost(location), child.node)) bits |= ANDES_FRAME_CLOSING;
  andes_frame* frame = ++location.hot->top;
  __atomic_signal_fence(__ATOMIC_SEQ_CST); // a signal handler's visits stand above this frame and do not change it
  *frame = {0, node.place, bits, stack - location.stack_low, caller, 0};
  location.hot->innermost = node.place;
  set_short_frames(location);
  mark_first_visit(location, frame);
  if (bits & ANDES_FRAME_RECURSION) begin_closed_recursion(location, frame);
  return frame;
}

void end_visits(Location& location, andes_frame* bottom, andes_frame* top, std::uint64_t now_ticks) {
  for (; top >= bottom; --top) end_visit(location, *top, now_ticks);
}

void pop_frames(Location& location, andes_frame* frame, std::uint64_t now_ticks) {
  if (frame <= location.bottom) return;
  if (location.hot->top >= frame) count(location);
  for (andes_frame* top; (top = location.hot->top) >= frame;) {
    end_visit(location, *top, now_ticks);
    set_top(location, top - 1);
  }
}

void close_to_probes(Location& location) {
  location.hot->stack_low = beyond_all; // see andes_location::stack_low
  location.hot->off = 1;
}

void switch_off(Location& location, std::uint64_t now_ticks) {
  if (location.suspended || !location.in_use) return;
  account_ended_waits(location, now_ticks);
  location.suspended = true;
  location.suspended_since_ticks = now_ticks;
  close_to_probes(location);
  for (andes_frame* frame = location.bottom; frame <= location.hot->top; ++frame) frame->bits |= ANDES_FRAME_SUSPENDED;
  suspend_side_stacks(location, now_ticks);
}

void switch_on(Location& location, std::uint64_t now_ticks) {
  if (!location.suspended || !location.in_use) return;
  account_ended_waits(location, now_ticks);
  resume_team(location, now_ticks);
  const std::uint64_t off = now_ticks - location.suspended_since_ticks;
  location.off_ticks += off;
  for (andes_frame* frame = location.bottom; frame <= location.hot->top; ++frame) {
    frame->bits &= ~static_cast<std::uint32_t>(ANDES_FRAME_SUSPENDED);
    if (is_timed(*frame)) frame->enter_ticks += off;
  }
  resume_side_stacks(location, off);
  location.suspended = false;
  location.hot->stack_low = location.stack_low;
  location.hot->off = 0;
}

void restart_times(Location& location, std::uint64_t now_ticks) {
  if (location.in_use) account_ended_waits(location, now_ticks);
  forget_times(location.tree);
  resume_team(location, now_ticks);
  governor_restart(location.governor, now_ticks);
  if (!location.in_use) return;
  for (andes_frame* frame = location.bottom; frame <= location.hot->top; ++frame) {
    frame->enter_ticks = is_timed(*frame) ? now_ticks : 0;
    frame->inside_ticks = 0;
  }
  restart_side_stacks(location, now_ticks);
  if (location.suspended) location.suspended_since_ticks = now_ticks;
  location.off_ticks = 0;
  location.first_ticks = now_ticks;
  location.calls.count = 0;
}

void close_frames(Location& location, std::uint64_t now_ticks) {
  if (!location.in_use) return;
  store_relaxed<std::uint64_t*>(location.losses.mark, nullptr); // the calling thread may be another one
  location.last_ticks = now_ticks;
  if (location.suspended) {
    location.off_ticks += now_ticks - location.suspended_since_ticks;
    now_ticks = location.suspended_since_ticks;
  }
  account_ended_waits(location, now_ticks);
  close_side_stacks(location, now_ticks);
  pop_frames(location, location.frames + 1, now_ticks);
  const std::uint64_t begin_ticks = location.frames[0].enter_ticks;
  location.tree.node(node_root).inclusive_ticks += now_ticks > begin_ticks ? now_ticks - begin_ticks : 0;
  close_to_probes(location);
  forget_team(location.team);
  store_relaxed(location.in_use, false);
}

} // namespace andes::monitor

static_assert(sizeof(andes_node) == 64, "a node is one cache line");
static_assert(ANDES_ROOT % 64 == 0, "and lies on one");
static_assert(sizeof(andes_frame) == 40 && sizeof(andes_site) == 32 && sizeof(andes_view) == 16,
              "layouts that instrumented code is compiled against");
