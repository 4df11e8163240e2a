#include "monitor/core/visit.h"

#include "monitor/core/calibrate.h"
#include "monitor/core/closed_regions.h"
#include "monitor/core/hidden_frames.h"
#include "monitor/sites/addresses.h"

namespace andes::monitor {

std::uint32_t number_of(Process& process, const andes_site& site) {
  return registry_number(process.registry, {site.name, site.file ? site.file : "", site.line, site.kind});
}

std::uint32_t region_of(Process& process, andes_site* site) {
  std::uint32_t number = __atomic_load_n(&site->region, __ATOMIC_ACQUIRE); // with the region itself
  if (number < ANDES_REGIONS || number == ANDES_REGION_OFF) return number;
  SignalSafeProcessLock locked;
  number = number_of(process, *site);
  if (site->version == andes_local_call)
    __atomic_store_n(&process.registry.regions[number].is_local, true, __ATOMIC_RELAXED);
  meet_site(process, site, number, true);
  return __atomic_load_n(&site->region, __ATOMIC_RELAXED);
}

namespace {

void charge_work(Location& location, std::uint64_t begin_ticks, std::uint64_t end_ticks) {
  note_work(location.losses, begin_ticks, end_ticks);
  charge_tool(location, end_ticks - begin_ticks);
}

// Calibrates and runs the governor, and windows if no thread does, on visits that the governor has asked to see.
void keep_budget(Process& process, Location& location, std::uint32_t node) {
  const std::uint64_t now_ticks = ticks_now(process.clock);
  if (!review(location.governor, location.tree, node, now_ticks)) return;
  if (has_switched(location.losses)) notice_switch(location.losses, now_ticks);
  calibrate_again(process, now_ticks);
  take_costs(location.governor, process.costs);
  follow_closings(process, location);
  ToClose to_close;
  OpenFrames open;
  if (!location.sides) open = {location.bottom + 1, location.hot->top + 1};
  sweep(location.governor, location.tree, open, now_ticks, to_close);
  if (to_close.count != 0) {
    close_regions(process, to_close, now_ticks);
    follow_closings(process, location);
  }
  if (location.governor.may_close && location.tree.record_count > 1) start_samples_early(process, now_ticks);
  if (are_windows_late(process, now_ticks)) // asks for the thread's processor time
    step_late_windows(process, location.thread_id, now_ticks);
  read_core_waits_now_and_then(location.losses, location.thread_id, now_ticks, process.costs.ticks_per_ms,
                               location.governor.budget);
  charge_work(location, now_ticks, ticks_now(process.clock));
}

// To be called at a visit that is due, after a switch: the timed one comes next.
void note_losses(const Process& process, Location& location) {
  const std::uint64_t now_ticks = ticks_now(process.clock);
  notice_switch(location.losses, now_ticks);
  read_core_waits_now_and_then(location.losses, location.thread_id, now_ticks, process.costs.ticks_per_ms,
                               location.governor.budget);
  charge_work(location, now_ticks, ticks_now(process.clock));
}

Child new_child(Process& process, Location& location, std::uint32_t parent, std::uint32_t region, std::uint32_t kind) {
  const std::uint64_t begin_ticks = ticks_now(process.clock);
  const Child child = make_child(location.tree, parent, region, kind);
  const std::uint64_t end_ticks = ticks_now(process.clock);
  if (!child.folded) {
    govern(location.governor, location.tree, child.node);
    location.tree.accounts[child.node].is_local =
        __atomic_load_n(&process.registry.regions[region].is_local, __ATOMIC_RELAXED);
    if (is_any_closed(process.windows) || may_be_hidden(process.registry.regions[region]))
      follow_visited_path(process, location, child.node);
  }
  charge_work(location, begin_ticks, end_ticks);
  return child;
}

// When the runtime announced the task, a visit was opened, since it was not known yet that the task has a probe. The
// task's probe takes the slow path at its first visit below that one: here the announced visit is taken back.
void make_way_for_probe(Location& location) {
  TeamState& team = location.team;
  if (!team.task || team.task != location.hot->top) return;
  andes_node& node = location.tree.node_at(team.task->place);
  if (node.region != team.task_site->region) return;
  add_at_once(node.countdown, 1);
  location.hot->top--;
  __atomic_store_n(&team.task_site->has_probe, true, __ATOMIC_RELAXED);
  team.task = nullptr;
}

// An MPI wrapper's frame is larger than this. So a function that begins less than this below the call's place was not
// called by it, but by the call's caller, with more arguments on the stack.
constexpr std::uintptr_t least_call_bytes = 56;

} // namespace

[[gnu::no_sanitize("address")]] bool call_is_left(const Location& location, std::uintptr_t stack, bool is_call) {
  const andes_frame& top = *location.hot->top;
  if (!ANDES_KIND_IS_MPI(location.tree.node_at(top.place).kind)) return false;
  if (&top == location.bottom || !is_on_running_stack(location, stack)) return false;
  const std::uintptr_t call = location.stack_low + top.stack;
  if (call == stack) return is_call; // a mark in a function without probes that the call has called has the same place
  if (call < stack + least_call_bytes) return true;
#ifdef __x86_64__
  // True if the call's return address has been overwritten. The thread's own stack is readable above `stack`,
  // side stacks may be gone.
  if (!location.sides) return reinterpret_cast<const std::uintptr_t*>(call)[-1] != top.caller;
#endif
  return false;
}

namespace {

// Removes frames that cannot be open any more when a visit begins at `stack`.
void settle_stack(const Process& process, Location& location, std::uint32_t region, std::uint32_t kind,
                  std::uintptr_t stack, std::uintptr_t caller) {
  if (!is_on_running_stack(location, stack)) switch_to_stack(location, stack, caller, region, ticks_now(process.clock));
  if (has_stale_frames(location, stack, caller)) drop_stale_frames(location, stack, caller, ticks_now(process.clock));
  while (call_is_left(location, stack, ANDES_KIND_IS_MPI(kind)))
    pop_frames(location, location.hot->top, ticks_now(process.clock));
}

struct Below {
  Child child;
  bool far; // below a closed region, not the innermost open call path
};

Below child_below(Process& process, Location& location, const Entered& entered) {
  const bool any_closed = is_any_closed(process.windows);
  const std::uint32_t inner = innermost(location);
  const Caller found = any_closed ? find_caller(process, location, entered) : Caller{inner};
  const std::uint32_t parent = found.node;
  bool far = parent != inner;
  if (!far) learn_call_site(process, location, entered, !found.doubtful);
  Child child;
  if (!find_child(location.tree, parent, entered.region, entered.kind, child))
    child = new_child(process, location, parent, entered.region, entered.kind);
  location.tree.accounts[child.node].search_ticks += found.search_ticks;
  // The call was made in a function without probes that is called from here and from a call path above: recursion.
  if (far && !child.folded && location.tree.limits.fold_recursion && is_above(location.tree, child.node, inner)) {
    child = {child.node, true, child.node == inner};
    far = false;
  }
  return {child, far};
}

} // namespace

andes_frame* open_visit(Process& process, Location& location, andes_site* site, std::uintptr_t stack,
                        std::uintptr_t caller) {
  const AtWork at_work(location);
  if (location.hot->off) return nullptr;
  const std::uint32_t region = region_of(process, site);
  if (region == ANDES_REGION_OFF) return nullptr;
  const std::uint64_t work = begin_window_work(process);
  settle_stack(process, location, region, site->kind, stack, caller);
  if (site->kind == ANDES_KIND_TASK) make_way_for_probe(location);
  const auto [child, far] = child_below(process, location, {region, site->kind, stack, caller});
  if (is_due(location.tree, child.node)) {
    if (waits_for_window(location.tree, child.node)) follow_visited_path(process, location, child.node);
    keep_budget(process, location, child.node);
  }
  if (is_sampled(location.tree.node(child.node)) && has_switched(location.losses)) note_losses(process, location);
  andes_frame* frame = push_frame(location, child, stack, caller, far);
  const double work_ticks = end_window_work(process, location, work);
  if (frame && (frame->bits & ANDES_FRAME_RECURSION)) take_out_of_timed(location, frame - 1, work_ticks);
  if (frame && is_timed(*frame)) frame->enter_ticks = ticks_now(process.clock);
  if (!frame) forget_empty_stack(location, ticks_now(process.clock));
  return frame;
}

std::uint32_t path_of_call(Process& process, Location& location, std::uint32_t region, std::uintptr_t stack,
                           std::uintptr_t caller) {
  const AtWork at_work(location);
  if (location.hot->off) return node_root;
  const std::uint64_t work = begin_window_work(process);
  const std::uint32_t kind = process.registry.regions[region].kind;
  settle_stack(process, location, region, kind, stack, caller);
  const std::uint32_t node = child_below(process, location, {region, kind, stack, caller}).child.node;
  forget_empty_stack(location, ticks_now(process.clock));
  end_window_work(process, location, work);
  return node;
}

} // namespace andes::monitor
