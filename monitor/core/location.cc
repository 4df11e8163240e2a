#include "monitor/core/location.h"

#include <pthread.h>
#include <string.h>

#include "monitor/core/bounds.h"
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

constexpr int most_around = 64; // visits around another one that are looked at: recursion may be deep

SampleRecord* closed_record(Tree& tree, const andes_frame& frame) {
  const std::uint32_t record = tree.node_at(frame.place).record;
  return record != 0 && load_relaxed(tree.records[record].windowed) ? &tree.records[record] : nullptr;
}

// Calls each(visit) for this one and those around it, from the inside out, until it returns false. On a side stack,
// whose frames are others, only for this one.
template <class Each> void for_each_around(const Location& location, andes_frame* frame, Each each) {
  for (int left = most_around; left > 0 && each(*frame) && !location.sides; --left)
    if (--frame <= location.bottom) return;
}

// Whether recursion into the closed region of `node` is a visit of its own in its estimate. An exact visit around it
// contains it already: then its time is moved.
bool is_estimated_recursion(const Location& location, const andes_node& node) {
  const Tree& tree = location.tree;
  if (node.record == 0 || !load_relaxed(tree.records[node.record].windowed) || location.sides) return false;
  int left = most_around;
  for (const andes_frame* around = location.hot->top; around > location.bottom; --around) {
    if (tree.node_at(around->place).depth < node.depth) break; // the region's first visit began before the window
    if (--left == 0 || !(around->bits & (ANDES_FRAME_SAMPLE | ANDES_FRAME_UNTIMED | ANDES_FRAME_RECURSION)))
      return false;
    if (around->place == node.place && !(around->bits & ANDES_FRAME_FOLDED)) break;
  }
  return true;
}

// Looks at the closed regions below an open, timed visit since the last look. What they took is part of the visit and
// of those around it.
void look_below(Location& location, andes_frame* frame) {
  Tree& tree = location.tree;
  if (!(frame->bits & (ANDES_FRAME_SAMPLE | ANDES_FRAME_RECURSION)) || !closed_record(tree, *frame)) return;
  const double ticks = ticks_below(tree, tree.number(tree.node_at(frame->place)), location.governor.costs);
  if (ticks == 0) return;
  for_each_around(location, frame, [&](andes_frame& around) {
    SampleRecord* record = closed_record(tree, around);
    if (around.bits & ANDES_FRAME_RECURSION)
      around.inside_ticks += static_cast<std::uint64_t>(static_cast<std::int64_t>(ticks));
    else if ((around.bits & ANDES_FRAME_SAMPLE) && record) record->below_ticks += ticks;
    return true;
  });
}

// Direct recursion is counted by the probe, without a frame: its visits are part of the timed visit around it, whose
// time is that of all of them. Those before an inner visit with a frame of its own stand in the frame's bits, modulo
// 2^22: within a window there are fewer.
constexpr std::uint32_t visits_shift = 10;
static_assert(ANDES_FRAME_RECURSION < 1u << visits_shift);

// Visits of direct recursion in the timed visit that ends.
std::uint64_t visits_within(Tree& tree, andes_frame& frame, SampleRecord& record) {
  const std::int64_t now = tree.visits(record.node), since = now - load_relaxed(record.visits_told);
  store_relaxed(record.visits_told, now);
  const std::int64_t all = since + (frame.bits >> visits_shift);
  return all > 1 ? static_cast<std::uint64_t>(all - 1) : 0;
}

// The innermost visit of that call path, this one or around it. Null: there is none, or it began before the window.
andes_frame* visit_around(const Location& location, andes_frame* frame, const andes_node& node) {
  andes_frame* found = nullptr;
  for_each_around(location, frame, [&](andes_frame& around) {
    if (around.place == node.place) found = &around;
    const bool is_above = !(around.bits & ANDES_FRAME_FOLDED) && location.tree.node_at(around.place).depth < node.depth;
    return !found && !is_above;
  });
  return found;
}

bool is_timed_in_window(const andes_frame* frame) { return frame && (frame->bits & ANDES_FRAME_SAMPLE); }

void end_sample(Location& location, andes_frame& frame, std::int64_t ticks, double below) {
  Tree& tree = location.tree;
  const std::uint32_t node = tree.number(tree.node_at(frame.place));
  SampleRecord& record = tree.records[tree.node(node).record];
  TimedVisit visit = {.begin_ticks = frame.enter_ticks,
                      .ticks = static_cast<double>(ticks),
                      .below = below,
                      .interrupted = is_interrupted(location.losses, frame.enter_ticks),
                      .is_recursion = (frame.bits & ANDES_FRAME_RECURSION) != 0};
  if (load_relaxed(record.windowed)) {
    visit.within = visits_within(tree, frame, record);
    visit.ticks -= static_cast<double>(visit.within) * counted_cost(location.governor.costs);
    visit.is_inside_timed =
        visit.is_recursion && is_timed_in_window(visit_around(location, &frame - 1, tree.node(node)));
  }
  sample_ended(tree, node, visit);
}

// Recursion into a closed region is seen in windows only, so its time is not moved: it is a visit of its own, and no
// part of those around it that are timed, out to the region's first one. What was called before it is theirs. While it
// is open `inside_ticks` are all that is not its own; what is left may be negative, as closed regions below it count by
// their means.
void begin_closed_recursion(Location& location, andes_frame* frame) {
  Tree& tree = location.tree;
  SampleRecord& record = tree.records[tree.node_at(frame->place).record];
  const std::int64_t before = tree.visits(record.node) - 1;
  andes_frame* const same = visit_around(location, frame - 1, tree.node(record.node));
  if (is_timed_in_window(same))
    same->bits += static_cast<std::uint32_t>(before - load_relaxed(record.visits_told)) << visits_shift;
  store_relaxed(record.visits_told, before);
  const std::uint32_t depth = tree.node_at(frame->place).depth;
  for_each_around(location, frame - 1, [&](andes_frame& around) {
    const bool is_within = tree.node_at(around.place).depth >= depth;
    if (is_within) look_below(location, &around);
    return is_within;
  });
}

void end_closed_recursion(Location& location, andes_frame& frame, std::uint64_t ticks) {
  Tree& tree = location.tree;
  look_below(location, &frame);
  const auto own = static_cast<std::int64_t>(ticks - frame.inside_ticks);
  frame.inside_ticks = 0;
  const std::uint32_t depth = tree.node_at(frame.place).depth;
  for_each_around(location, &frame - 1, [&](andes_frame& around) {
    SampleRecord* record = closed_record(tree, around);
    if (tree.node_at(around.place).depth < depth) return false;
    if (around.bits & ANDES_FRAME_RECURSION) around.inside_ticks += static_cast<std::uint64_t>(own);
    else if ((around.bits & ANDES_FRAME_SAMPLE) && record) record->recursion_ticks += own;
    return true;
  });
  if (frame.bits & ANDES_FRAME_SAMPLE) end_sample(location, frame, own, 0);
  else if (SampleRecord* record = closed_record(tree, frame))
    store_relaxed(record->visits_told, tree.visits(record->node));
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
    SampleRecord& record = tree.records[node.record];
    look_below(location, &frame);
    const std::uint64_t inside = frame.inside_ticks < ticks ? frame.inside_ticks : ticks;
    frame.inside_ticks = 0; // the fast path relies on it
    end_sample(location, frame, static_cast<std::int64_t>(ticks - inside) - record.recursion_ticks, record.below_ticks);
    record.recursion_ticks = 0;
    record.below_ticks = 0;
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

// Counts a visit as part of one that began before the window, which is not timed; unless it is part of a timed one.
void leave_to_hidden(const Location& location, SampleRecord& record) {
  if (visit_around(location, location.hot->top, location.tree.node(record.node))) return;
  store_relaxed(record.visits_told, load_relaxed(record.visits_told) + 1);
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
  if (child.folded && is_estimated_recursion(location, node)) {
    // Within a visit that is not timed visits of recursion are not, either: they are not alike, and those that happen
    // to come behind the next timed visit's place cannot stand for all.
    const andes_frame* same = visit_around(location, location.hot->top, node);
    bits |= ANDES_FRAME_RECURSION | (!same || is_timed_in_window(same) ? own_bits & ANDES_FRAME_SAMPLE : 0);
  }
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

void take_out_of_timed(Location& location, andes_frame* frame, double ticks) {
  const auto whole = static_cast<std::int64_t>(ticks);
  if (whole <= 0 || frame <= location.bottom) return;
  for_each_around(location, frame, [&](andes_frame& around) {
    SampleRecord* record = closed_record(location.tree, around);
    if (around.bits & ANDES_FRAME_RECURSION) around.inside_ticks += static_cast<std::uint64_t>(whole);
    else if ((around.bits & ANDES_FRAME_SAMPLE) && record) record->recursion_ticks += whole;
    return true;
  });
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
