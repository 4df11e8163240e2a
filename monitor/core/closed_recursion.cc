#include "monitor/core/closed_recursion.h"

#include "monitor/core/timed_visits.h"

namespace andes::monitor {
namespace {

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

// Takes ticks out of this visit and those around it, of those that are timed in a window, until within(visit) is false.
template <class Within>
void take_out_of_those_around(Location& location, andes_frame* frame, std::int64_t ticks, Within within) {
  for_each_around(location, frame, [&](andes_frame& around) {
    if (!within(around)) return false;
    SampleRecord* record = closed_record(location.tree, around);
    if (around.bits & ANDES_FRAME_RECURSION) around.inside_ticks += static_cast<std::uint64_t>(ticks);
    else if ((around.bits & ANDES_FRAME_SAMPLE) && record) record->recursion_ticks += ticks;
    return true;
  });
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

} // namespace

std::uint32_t bits_of_closed_recursion(const Location& location, const andes_node& node, std::uint32_t own_bits) {
  if (!is_estimated_recursion(location, node)) return 0;
  // Within a visit that is not timed visits of recursion are not, either: they are not alike, and those that happen to
  // come behind the next timed visit's place cannot stand for all.
  const andes_frame* same = visit_around(location, location.hot->top, node);
  return ANDES_FRAME_RECURSION | (!same || is_timed_in_window(same) ? own_bits & ANDES_FRAME_SAMPLE : 0);
}

// While it is open `inside_ticks` are all that is not its own; what is left may be negative, as closed regions below it
// count by their means.
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
  take_out_of_those_around(location, &frame - 1, own,
                           [&](const andes_frame& around) { return tree.node_at(around.place).depth >= depth; });
  if (frame.bits & ANDES_FRAME_SAMPLE) end_sample(location, frame, own, 0);
  else if (SampleRecord* record = closed_record(tree, frame))
    store_relaxed(record->visits_told, tree.visits(record->node));
}

std::uint64_t end_timed_visit(Location& location, andes_frame& frame, std::uint64_t ticks) {
  SampleRecord& record = location.tree.records[location.tree.node_at(frame.place).record];
  look_below(location, &frame);
  const std::uint64_t inside = frame.inside_ticks < ticks ? frame.inside_ticks : ticks;
  frame.inside_ticks = 0; // the fast path relies on it
  end_sample(location, frame, static_cast<std::int64_t>(ticks - inside) - record.recursion_ticks, record.below_ticks);
  record.recursion_ticks = 0;
  record.below_ticks = 0;
  return inside;
}

void leave_to_hidden(const Location& location, SampleRecord& record) {
  if (visit_around(location, location.hot->top, location.tree.node(record.node))) return;
  store_relaxed(record.visits_told, load_relaxed(record.visits_told) + 1);
}

void take_out_of_timed(Location& location, andes_frame* frame, double ticks) {
  const auto whole = static_cast<std::int64_t>(ticks);
  if (whole <= 0 || frame <= location.bottom) return;
  take_out_of_those_around(location, frame, whole, [](const andes_frame&) { return true; });
}

} // namespace andes::monitor
