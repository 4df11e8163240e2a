#include "monitor/openmp/team.h"

#include "monitor/core/function_samples.h"
#include "monitor/core/team_wait.h"
#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/life/learned_code.h"
#include "monitor/life/signals.h"
#include "monitor/life/threads.h"

namespace andes::monitor {

andes_site implicit_barrier = ANDES_SITE("(implicit barrier)", "", 0, ANDES_KIND_BARRIER);
andes_site barrier = ANDES_SITE("(barrier)", "", 0, ANDES_KIND_BARRIER);
andes_site task_wait = ANDES_SITE("(taskwait)", "", 0, ANDES_KIND_BARRIER);
andes_site critical_wait = ANDES_SITE("(wait for critical)", "", 0, ANDES_KIND_LOCK);
andes_site lock_wait = ANDES_SITE("(wait for lock)", "", 0, ANDES_KIND_LOCK);
andes_site ordered_wait = ANDES_SITE("(wait for ordered)", "", 0, ANDES_KIND_LOCK);

namespace {

andes_site apart = ANDES_SITE("(between parallel regions)", "", 0, ANDES_KIND_APART);

std::uint32_t child_of(Tree& tree, std::uint32_t parent, std::uint32_t region, std::uint32_t kind) {
  const std::uint32_t known = own_child(tree, parent, region);
  return known != 0 ? known : make_child(tree, parent, region, kind).node;
}

/// The member's copy of a forker's call path; beyond the limits the node for all further call paths.
std::uint32_t mirror(Tree& tree, const Tree& there, std::uint32_t path) {
  const andes_node& node = there.node(path);
  if (node.kind == ANDES_KIND_ROOT) // the forker's chain may contain another root, if it was a member itself
                                    // when it forked
    return node.region == tree.node(node_root).region ? node_root
                                                      : child_of(tree, node_root, node.region, ANDES_KIND_ROOT);
  if (node.kind == ANDES_KIND_OVERFLOW) return node_more;
  const std::uint32_t parent = mirror(tree, there, node.parent);
  return parent == node_more ? node_more : child_of(tree, parent, node.region, node.kind);
}

std::uint32_t mirrored_path(Location& location, const Fork& fork) {
  const auto hash = reinterpret_cast<std::uintptr_t>(fork.forker) / 64 + fork.node;
  MirroredPath& known = location.team.paths[hash % kept_paths];
  if (known.here == 0 || known.forker != fork.forker || known.there != fork.node)
    known = {fork.forker, fork.node, mirror(location.tree, fork.forker->tree, fork.node)};
  return known.here;
}

/// The node of the time apart; 0: none.
std::uint32_t apart_node(Process& process, Location& location) {
  const std::uint32_t region = region_of(process, &apart);
  return region == ANDES_REGION_OFF ? 0 : child_of(location.tree, node_root, region, ANDES_KIND_APART);
}

bool is_parallel(const Location& location, const andes_frame& frame) {
  return location.tree.node_at(frame.place).kind == ANDES_KIND_PARALLEL;
}

/// Opens a visit of any node, with the stack place of the thread's root: no running function has a higher place.
andes_frame* open_far(Location& location, std::uint32_t node, std::uint64_t now_ticks) {
  const bool folded = node == node_more;
  andes_frame* frame = push_frame(location, {node, folded, false}, location.stack_high, 0);
  if (!frame) return nullptr;
  frame->enter_ticks = now_ticks;
  if (!folded) frame->bits |= ANDES_FRAME_FAR;
  return frame;
}

} // namespace

Location* team_thread() {
  if (this_thread.location) return this_thread.location;
  const State state = state_now(the_process);
  if (state == State::finished || (state == State::idle && !the_process.chosen && !may_use_mpi())) return nullptr;
  return attach_thread();
}

andes_frame* open_wait(Process& process, Location& location, andes_site* site) {
  const andes_frame& top = *location.hot->top;
  return open_visit(process, location, site, top.stack + location.stack_low, top.caller);
}

Fork* fork_team(Process& process, Location& location, ConstructCode code) {
  TeamState& team = location.team;
  if (location.hot->off || team.fork_count == most_forks) return nullptr;
  Fork& fork = team.forks[team.fork_count];
  fork = {&location, 0, team.teams + 1, nullptr, nullptr, team.region, code.is_call ? 0 : code.address};
  const andes_frame* top = location.hot->top;
  if (top == team.region || !is_parallel(location, *top)) { // no probe has opened the region
    AddressSite* known = code.address ? find_parallel(code) : nullptr; // libomp's own regions of a league have no
                                                                       // code address
    if (known) fork.opened = open_wait(process, location, &known->site);
  }
  fork.node = innermost(location);
  if (is_parallel(location, *location.hot->top)) note_region_function(location, fork.node, fork.function);
  team.region = location.hot->top;
  team.teams++;
  team.fork_count++;
  return &fork;
}

void join_team(Process& process, Location& location, Fork& fork) {
  TeamState& team = location.team;
  note_join(team, fork.team, ticks_now(process.clock));
  if (fork.wait) close_visit(process, location, fork.wait);
  if (fork.opened) close_visit(process, location, fork.opened);
  team.region = fork.region_before;
  team.fork_count = static_cast<std::uint32_t>(&fork - team.forks);
}

void enter_team(Process& process, Location& location, const Fork& fork) {
  const AtWork at_work(location);
  TeamState& team = location.team;
  if (!location.in_use) return; // the thread outlives the measured interval
  if (team.apart_node == 0) team.apart_node = apart_node(process, location);
  const std::uint64_t now_ticks = ticks_now(process.clock);
  {
    TeamHeld held(team);
    end_team_wait(location, true, now_ticks);
    add_apart(location, now_ticks);
    team.phase = TeamPhase::inside;
    team.forker = fork.forker;
    team.team = fork.team;
  }
  team.first = location.hot->off ? nullptr : open_far(location, mirrored_path(location, fork), now_ticks);
  team.region = team.first;
  if (team.first && is_parallel(location, *team.first))
    note_region_function(location, innermost(location), fork.function);
}

void leave_team(Process& process, Location& location) {
  const AtWork at_work(location);
  TeamState& team = location.team;
  if (team.phase != TeamPhase::inside) return;
  const std::uint64_t now_ticks = ticks_now(process.clock);
  team.done_ticks = now_ticks;
  if (team.first && team.first < location.hot->top) pop_frames(location, team.first + 1, now_ticks);
  andes_frame* wait = nullptr;
  if (team.first && !location.hot->off) wait = open_wait(process, location, &implicit_barrier);
  TeamHeld held(team);
  if (wait) {
    wait->enter_ticks = now_ticks;
    team.phase = TeamPhase::waiting;
    return;
  }
  if (team.first) pop_frames(location, team.first, now_ticks);
  team.first = team.region = nullptr;
  begin_apart(location, now_ticks);
}

andes_frame* open_task(Process& process, Location& location, AddressSite& task) {
  TeamState& team = location.team;
  team.task = nullptr; // this visit is opened by the monitor, not by a probe
  if (__atomic_load_n(&task.has_probe, __ATOMIC_RELAXED)) return nullptr;
  andes_frame* frame = open_wait(process, location, &task.site);
  team.task = frame;
  team.task_site = &task;
  return frame;
}

void close_task(Process& process, Location& location, const AddressSite& task, andes_frame* frame) {
  location.team.task = nullptr;
  if (!__atomic_load_n(&task.has_probe, __ATOMIC_RELAXED)) close_visit(process, location, frame);
}

} // namespace andes::monitor
