#include "monitor/recover/open_visits.h"

#include <algorithm>

namespace andes::monitor {
namespace {

bool is_node(const Tree& tree, std::uint32_t place) {
  return place >= ANDES_ROOT && (place - ANDES_ROOT) % sizeof(andes_node) == 0 &&
         (place - ANDES_ROOT) / sizeof(andes_node) < tree.node_count;
}

bool is_exact(const andes_frame& frame) {
  return !(frame.bits & (ANDES_FRAME_UNTIMED | ANDES_FRAME_SAMPLE | ANDES_FRAME_FOLDED | ANDES_FRAME_FAR));
}

/// Whether `frame` can stand on `below`, entered at `enter_ticks` or later.
bool fits(const Tree& tree, const andes_frame& below, const andes_frame& frame, std::uint64_t enter_ticks,
          std::uint64_t end_ticks) {
  constexpr std::uint32_t known = ANDES_FRAME_FOLDED | ANDES_FRAME_SUSPENDED | ANDES_FRAME_INSIDE | ANDES_FRAME_SAMPLE |
                                  ANDES_FRAME_UNTIMED | ANDES_FRAME_FAR | ANDES_FRAME_NAMED | ANDES_FRAME_STEP |
                                  ANDES_FRAME_CLOSING | ANDES_FRAME_RECURSION;
  if ((frame.bits & ~known) != 0 || !is_node(tree, frame.place)) return false;
  const andes_node& node = tree.node_at(frame.place);
  if (node.place == place_of(node_root)) return false;
  // Its node may hang anywhere below the thread's root, or below call paths of closed regions.
  const bool far = (frame.bits & ANDES_FRAME_FAR) != 0;
  if (far ? below.place != place_of(node_root) && !is_above(tree, tree.number(tree.node_at(below.place)), node.parent)
          : !(frame.bits & ANDES_FRAME_FOLDED) && place_of(node.parent) != below.place)
    return false;
  if ((frame.bits & (ANDES_FRAME_SAMPLE | ANDES_FRAME_RECURSION)) && node.record == 0) return false;
  if ((frame.bits & ANDES_FRAME_RECURSION) && !(frame.bits & ANDES_FRAME_FOLDED)) return false;
  if (!is_timed(frame)) return frame.enter_ticks < most_ticks; // here it holds time of visits below
  return frame.enter_ticks >= enter_ticks && frame.enter_ticks <= end_ticks;
}

/// Time of `parent`'s calls that have ended.
std::uint64_t time_of_callees(const Tree& tree, std::uint32_t parent) {
  std::uint64_t ticks = 0;
  for (std::uint32_t i = parent + 1; i < tree.node_count; ++i)
    if (tree.node(i).parent == parent) ticks += tree.node(i).inclusive_ticks;
  return ticks;
}

/// Time of the node's visits that have ended.
std::uint64_t time_of_visits(const Tree& tree, std::uint32_t node) {
  return tree.node(node).inclusive_ticks +
         static_cast<std::uint64_t>(std::max<std::int64_t>(0, tree.accounts[node].moved_ticks));
}

/// Inclusive time of each node, at least that of its calls: calls are recorded before the calling visit
/// ends; on a side stack (side_stacks.h) and in a damaged image even if it never ends.
std::vector<std::uint64_t> covered_times(const Tree& tree) {
  std::vector<std::uint64_t> times(tree.node_count), callees(tree.node_count);
  for (std::uint32_t i = tree.node_count; i-- > 0;) {
    const andes_node& node = tree.node(i);
    times[i] = node.inclusive_ticks;
    const std::int64_t rest = static_cast<std::int64_t>(times[i] - callees[i]) + tree.accounts[i].moved_ticks;
    if (node.record == 0 && rest < 0) times[i] -= static_cast<std::uint64_t>(rest);
    if (i != node_root) callees[node.parent] += times[i];
  }
  return times;
}

/// The earliest possible end of the calls made in a thread's open visits: of ended calls the durations are
/// known, and in old frames only the times of entry.
std::uint64_t end_of_callees(const Location& location, const OpenVisits& open) {
  const Tree& tree = location.tree;
  const std::vector<std::uint64_t> times = covered_times(tree);
  std::vector<std::uint64_t> callees(tree.node_count);
  for (std::uint32_t i = 1; i < tree.node_count; ++i) callees[tree.node(i).parent] += times[i];
  std::uint64_t end_ticks = 0;
  const std::size_t whole = count_valid_frames(location, open, most_ticks * 64);
  for (std::size_t i = 0; i < whole; ++i) {
    const andes_frame& frame = open.frames[i];
    if (!is_exact(frame) || (frame.bits & ANDES_FRAME_SUSPENDED)) continue;
    const std::uint32_t node = tree.number(tree.node_at(frame.place));
    if (tree.node(node).record != 0) continue; // not all of its visits were timed
    const std::uint64_t visits = time_of_visits(tree, node);
    if (callees[node] > visits) end_ticks = std::max(end_ticks, frame.enter_ticks + (callees[node] - visits));
  }
  return end_ticks;
}

void cover_callees(Tree& tree) {
  const std::vector<std::uint64_t> times = covered_times(tree);
  for (std::uint32_t i = 0; i < tree.node_count; ++i) tree.node(i).inclusive_ticks = times[i];
}

/// Whether the caller's time is enough for its callees if `frame` were closed.
bool has_room(const Tree& tree, const andes_frame& caller, const andes_frame& frame, std::uint64_t end_ticks) {
  if (!is_exact(caller) || !is_exact(frame) || ((caller.bits | frame.bits) & ANDES_FRAME_SUSPENDED)) return true;
  const std::uint32_t parent = tree.number(tree.node_at(caller.place));
  if (tree.node(parent).record != 0) return true; // not all of its visits were timed
  return time_of_callees(tree, parent) + (end_ticks - frame.enter_ticks) <=
         time_of_visits(tree, parent) + (end_ticks - caller.enter_ticks);
}

/// With damaged times the location's life may be shorter than its measured times: then it is extended to them.
void mend_life(Location& location) {
  if (location.last_ticks <= location.first_ticks) {
    const std::uint64_t lived = std::max<std::uint64_t>(location.tree.node(node_root).inclusive_ticks, 1);
    location.first_ticks = location.last_ticks > lived ? location.last_ticks - lived : 0;
    location.last_ticks = std::max(location.last_ticks, location.first_ticks + 1);
  }
  if (location.off_ticks >= location.last_ticks - location.first_ticks) location.off_ticks = 0;
}

void close_location(RecoveredProcess& process, Location& location, OpenVisits& open) {
  const std::uint64_t start_ticks = process.process.clock.start.ticks, end_ticks = process.end_ticks;
  const auto inside = [&](std::uint64_t ticks) { return std::clamp(ticks, start_ticks, end_ticks); };
  location.first_ticks = inside(location.first_ticks);
  location.last_ticks = std::max(inside(location.last_ticks), location.first_ticks);
  location.suspended_since_ticks = inside(location.suspended_since_ticks);
  if (!location.in_use) {
    open.frames.clear();
    cover_callees(location.tree);
    mend_life(location);
    return;
  }
  open.frames.resize(count_valid_frames(location, open, end_ticks));
  if (open.frames.empty()) // the root's frame is lost, but it is known to be open
    open.frames.push_back({location.first_ticks, place_of(node_root), 0, 0, 0, 0});
  location.frames = location.bottom = open.frames.data();
  location.hot->top = location.frames + (open.frames.size() - 1);
  location.hot->data = &location;
  location.governor.costs = process.process.costs; // needed for visits that are timed as samples
  if (open.first_of_team != 0 && open.first_of_team < open.frames.size())
    location.team.first = location.frames + open.first_of_team;
  close_frames(location, end_ticks);
  cover_callees(location.tree);
  mend_life(location);
}

} // namespace

std::uint64_t last_event(const RecoveredProcess& recovered) {
  const Process& process = recovered.process;
  std::uint64_t last = std::max(process.clock.start.ticks, process.clock.init.ticks);
  const auto take = [&](std::uint64_t ticks) {
    if (ticks < most_ticks * 64) last = std::max(last, ticks);
  };
  take(recovered.ending.ticks);
  for (std::uint32_t i = 0; i < process.snapshot_count; ++i) take(process.snapshots[i].ticks);
  for (std::uint32_t i = 0; i < process.location_count; ++i) {
    const Location& location = *process.locations[i];
    take(recovered.open[i].latest_ticks);
    take(location.last_ticks);
    take(end_of_callees(location, recovered.open[i]));
    for (std::uint32_t at = 0; at < location.log.count; ++at) {
      const EventRecord& record = location.log.records[at];
      take(process.clock.start.ticks + record.enter_ticks + static_cast<std::uint64_t>(record.duration_ticks));
    }
  }
  return last;
}

std::size_t count_valid_frames(const Location& location, const OpenVisits& open, std::uint64_t end_ticks) {
  const Tree& tree = location.tree;
  const std::vector<andes_frame>& frames = open.frames;
  if (frames.empty() || frames[0].place != place_of(node_root) || !is_timed(frames[0]) ||
      frames[0].enter_ticks > end_ticks)
    return 0;
  std::uint64_t enter_ticks = frames[0].enter_ticks;
  std::size_t whole = 1;
  for (; whole < frames.size(); ++whole) {
    if (!fits(tree, frames[whole - 1], frames[whole], enter_ticks, end_ticks)) break;
    if (is_timed(frames[whole])) enter_ticks = frames[whole].enter_ticks;
  }
  // Only the innermost frame may be of a visit that was already counted as ended.
  if (whole > 1 && whole == frames.size() && !has_room(tree, frames[whole - 2], frames[whole - 1], end_ticks)) --whole;
  return whole;
}

namespace {

/// Finds the locations that opened the teams that members wait with.
void find_forkers(RecoveredProcess& recovered) {
  for (std::uint32_t member = 0; member < recovered.process.location_count; ++member)
    for (std::uint32_t i = 0; i < recovered.process.location_count; ++i)
      if (recovered.open[member].forker != 0 && recovered.open[member].forker == recovered.open[i].location)
        recovered.process.locations[member]->team.forker = recovered.process.locations[i];
}

} // namespace

void close_process(RecoveredProcess& recovered) {
  Process& process = recovered.process;
  find_forkers(recovered);
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    close_location(recovered, *process.locations[i], recovered.open[i]);
  process.end_ticks = recovered.end_ticks;
  process.state = State::finished;
  const std::vector<andes_frame>& main = recovered.open[0].frames;
  const Tree& tree = process.locations[0]->tree;
  if (!main.empty()) recovered.innermost = tree.number(tree.node_at(main.back().place));
}

} // namespace andes::monitor
