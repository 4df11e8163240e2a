#include "monitor/core/hidden_frames.h"

#include "monitor/core/closed_callers.h"
#include "monitor/core/closed_regions.h"
#include "monitor/core/known_calls.h"
#include "monitor/core/known_inlines.h"
#include "monitor/core/known_table.h"
#include "monitor/core/process.h"
#include "monitor/system/functions.h"
#include "monitor/system/memory.h"
#include "monitor/system/return_address.h"

namespace andes::monitor {

namespace {

constexpr std::uint32_t path_slots = 8192; // a power of two

/// A call below the innermost open visit.
struct Call {
  std::uint32_t from, region; // the innermost open call path, and the region that is entered
  std::uintptr_t address, distance; // where the call returns to, and the distance of its frame below that of
      // the open visit

  bool operator==(const Call&) const = default;
};

struct KnownPath {
  Call call;
  std::uint32_t caller; // number of the call path that was found (the caller)
  std::uint32_t link_count : 29;
  std::uint32_t doubtful : 1; // see Caller
  std::uint32_t in_recursion : 1; // see Caller
  std::uint32_t unsure : 1; // one of its calls was not seen yet in the region that makes it: more may be between
  std::uint32_t calls_known, generation; // all_known(), and the counter of Windows, when it was found
  Link links[most_links];
  std::uint32_t child; // number of the region's call path below the caller; 0: not known yet
};

} // namespace

struct HiddenFrames {
  KnownCalls calls;
  KnownFrames frames;
  KnownInlines inlines;
  KnownTable<KnownPath, path_slots> paths;
  std::uint32_t replaced; // paths that others have taken the place of
  std::uint32_t unloaded; // modules whose addresses are forgotten
};

namespace {

bool is_any_unloaded(const Process& process, const HiddenFrames& hidden) {
  return is_any_unloaded(process.windows.unloaded, hidden.unloaded);
}

/// Paths may lead through what was unloaded by any of their addresses, and are soon found again.
void follow_unloading(const Process& process, HiddenFrames& hidden) {
  if (!is_any_unloaded(process, hidden)) return;
  const UnloadedSince unloaded(process.windows.unloaded, hidden.unloaded);
  forget(hidden.calls, unloaded);
  forget(hidden.frames, unloaded);
  forget(hidden.inlines, unloaded);
  hidden.paths.keep([](const KnownPath&) { return false; }, [](const KnownPath&) { return 0u; });
  hidden.unloaded = unloaded.seen(); // a signal handler may have left before
}

HiddenFrames* memory_of(const Process& process, Location& location) {
  if (location.hidden || !(location.hidden = reserve_array<HiddenFrames>(1))) return location.hidden;
  location.hidden->unloaded = __atomic_load_n(&process.windows.unloaded.count, __ATOMIC_ACQUIRE);
  location.hidden->calls.known.paid_bytes = location.hidden->paths.paid_bytes = first_table_bytes;
  location.hidden->frames.paid_bytes = step_table_bytes; // a part of least_tree_bytes, too
  return location.hidden;
}

/// Whether all nodes from `above` down to the node are of closed regions.
bool is_hidden_below(const Process& process, const Tree& tree, std::uint32_t node, std::uint32_t above) {
  for (; node != above; node = tree.node(node).parent)
    if (node == node_root || !is_closed(process.registry.regions[tree.node(node).region])) return false;
  return true;
}

/// The call path of a closed region below `parent`; made if there is none.
std::uint32_t hidden_child(Process& process, Location& location, std::uint32_t parent, std::uint32_t region) {
  Tree& tree = location.tree;
  const std::uint32_t kind = process.registry.regions[region].kind;
  Child child;
  if (find_child(tree, parent, region, kind, child)) return child.node;
  child = make_child(tree, parent, region, kind);
  if (!child.folded) {
    govern(location.governor, tree, child.node);
    follow_found_path(process, location, child.node);
  }
  return child.node;
}

/// The call path of a closed region that has no return address on the stack.
std::uint32_t hidden_inlined(Process& process, Location& location, std::uint32_t parent, std::uint32_t region) {
  const Tree& tree = location.tree;
  if (const std::uint32_t child = own_child(tree, parent, region); child != 0) return child;
  for (std::uint32_t node = parent + 1; node < tree.node_count; ++node)
    if (tree.node(node).region == region && is_hidden_below(process, tree, node, parent)) return node;
  return hidden_child(process, location, parent, region);
}

[[gnu::no_sanitize("address")]] bool still_stands(const KnownPath& path, std::uintptr_t stack) {
  for (std::uint32_t i = 0; i < path.link_count; ++i)
    if (unsigned_address(*reinterpret_cast<const std::uintptr_t*>(stack + path.links[i].offset)) !=
        path.links[i].address)
      return false;
  return true;
}

bool is_region_above(const Tree& tree, std::uint32_t node, std::uint32_t region) {
  for (; node >= first_free_node; node = tree.node(node).parent)
    if (tree.node(node).region == region) return true;
  return false;
}

/// The closed region and those around it in the function's code, out to `own`, which is not among them, or to the last
/// that is known; false: one of them is not closed.
bool add_around(const Process& process, const KnownInlines& inlines, std::uint32_t region, std::uintptr_t function,
                std::uint32_t own, NestedRegions& nested) {
  while (region != 0 && region != own) {
    if (nested.count == NestedRegions::most || !is_closed(process.registry.regions[region])) return false;
    nested.region[nested.count++] = region;
    region = around_region(inlines, region, function, nested);
  }
  return true;
}

/// Below `parent`, all but the first `skipped` ones.
std::uint32_t nested_child(Process& process, Location& location, std::uint32_t parent, const NestedRegions& nested,
                           std::uint32_t skipped) {
  for (std::uint32_t i = nested.count; i-- > skipped;)
    parent = hidden_child(process, location, parent, nested.region[i]);
  return parent;
}

/// From `parent` through the closed region and those around it in the function's code, which are also around the first
/// ones of `nested`. 0: they do not lead to the parent's region, or to one above it, which is recursion.
std::uint32_t through_inlined(Process& process, Location& location, std::uint32_t parent, std::uint32_t region,
                              std::uintptr_t function, NestedRegions nested) {
  const Tree& tree = location.tree;
  const std::uint32_t skipped = nested.count, own = tree.node(parent).region;
  if (!add_around(process, location.hidden->inlines, region, function, own, nested)) return 0;
  if (nested.count == skipped) return parent;
  const std::uint32_t last = nested.region[nested.count - 1];
  const bool leads_there = around_region(location.hidden->inlines, last, function, nested) == own;
  return leads_there || is_region_above(tree, parent, last) ? nested_child(process, location, parent, nested, skipped)
                                                            : 0;
}

/// From `parent` to the closed region, if any, that contains the call at `address`: a region that shares its
/// caller's frame or, where nothing else was found on the stack, a region that was called from an unknown place.
std::uint32_t through_inside(Process& process, Location& location, std::uint32_t parent, std::uintptr_t address,
                             bool nothing_found) {
  std::uint32_t region = 0;
  any_call(location.hidden->calls, address, [&](const KnownCall& site) {
    if (!site.inside || !is_closed(process.registry.regions[site.region])) return false;
    region = site.region;
    return true;
  });
  if (region == 0 || location.tree.node(parent).region == region) return parent;
  if (is_inlined(location.hidden->inlines, region)) {
    const std::uintptr_t function = known_frame(location.hidden->frames, address, *location.tree.memory).function;
    const std::uint32_t node = through_inlined(process, location, parent, region, function, {});
    if (node != 0) return node;
  }
  const std::uint32_t child = own_child(location.tree, parent, region);
  if (child != 0 || !nothing_found) return child != 0 ? child : parent;
  return hidden_inlined(process, location, parent, region);
}

/// The call path of the closed regions, if any, in whose function's code the probe of the entered one stands.
struct OwnCode {
  std::uint32_t caller; // what was given, or below it
  bool by_call; // the same for each visit by this call
};

/// The probe is in the frame of the innermost open visit, `from`.
std::uint32_t through_open_code(Process& process, Location& location, std::uint32_t from, const Entered& entered) {
  HiddenFrames& hidden = *location.hidden;
  if (!is_inlined(hidden.inlines, entered.region)) return from;
  const ProbePlace place = place_of_probe(hidden.frames, entered, *location.tree.memory);
  const std::uint32_t around = around_probe(hidden.inlines, entered.region, place.address);
  if (around == 0) return from;
  const std::uint32_t node =
      through_inlined(process, location, from, around, place.function, {.count = 1, .region = {entered.region}});
  return node != 0 ? node : from;
}

/// The probe is in the frame of a function that was called from `caller`.
OwnCode through_own_code(Process& process, Location& location, std::uint32_t caller, const Entered& entered) {
  HiddenFrames& hidden = *location.hidden;
  if (ANDES_KIND_IS_MPI(entered.kind) || entered.kind == ANDES_KIND_IO) return {caller, true};
  const ProbePlace place = place_of_probe(hidden.frames, entered, *location.tree.memory);
  if (place.function == 0) return {caller, true};
  NestedRegions nested = {.count = 1, .region = {entered.region}};
  const std::uint32_t of_region = around_region(hidden.inlines, entered.region, place.function, nested);
  std::uint32_t around = around_probe(hidden.inlines, entered.region, place.address);
  if (around == 0) around = of_region;
  const OwnCode found = {caller, around == of_region && target_of_call(entered.caller) != 0};
  // That of the function itself is certain, whatever else is known.
  const std::uint32_t own = closed_region_of(process, hidden.calls, hidden.inlines, place.function, entered.region);
  if (!add_around(process, hidden.inlines, around, place.function, own, nested)) nested.count = 1;
  if (own != 0 && nested.count < NestedRegions::most) nested.region[nested.count++] = own;
  return {nested_child(process, location, caller, nested, 1), found.by_call};
}

/// Whether it is known which region makes the call.
bool is_seen_inside(const KnownCalls& calls, std::uintptr_t address) {
  return any_call(calls, address, [](const KnownCall& known) { return known.inside; });
}

Call call_of(const Location& location, const Entered& entered) {
  const std::uintptr_t open = location.stack_low + location.hot->top->stack;
  return {innermost(location), entered.region, entered.caller, open - entered.stack};
}

std::uint32_t all_known(const HiddenFrames& hidden) { return hidden.calls.known.count + hidden.inlines.count; }

/// The slot of the call's path or, if it is not `known`, the one to put it into: where none is free, that of another
/// path, so that those of earlier phases do not keep the present ones out.
std::uint16_t& slot_of(HiddenFrames& hidden, const Call& call, std::uintptr_t stack, bool& known) {
  const std::uint64_t key =
      call.address ^ call.distance << 20 ^ std::uint64_t{call.from} << 40 ^ std::uint64_t{call.region} << 8;
  const std::uint32_t first = hash_of(key);
  known = false;
  std::uint16_t* slot = find_slot(hidden.paths.index, first, [&](std::uint16_t number) {
    const KnownPath& path = hidden.paths.at(number);
    if (path.call != call || !still_stands(path, stack)) return false;
    // Where no closed function was found between, with the calls known then, one may be now.
    known = (path.caller != call.from && !path.unsure) || path.calls_known == all_known(hidden);
    return true;
  });
  if (slot) return *slot;
  return hidden.paths.index[(first + hidden.replaced++ % most_table_tries) % path_slots];
}

// Charges what it took to find a caller; returns what is left to the call path that is entered. In windows it is part
// of the slow path that is measured (window_cost.h), and the budget of the windows pays for it.
std::uint64_t charge_search(const Process& process, Location& location, std::uint64_t ticks) {
  if (load_relaxed(process.windows.open)) return 0;
  charge_tool(location, ticks);
  return ticks;
}

/// What a visit shows of the call that leads to it.
KnownCall call_to(HiddenFrames& hidden, const Entered& entered, Budget& memory) {
  KnownCall call = {.address = entered.caller, .distance = 0, .region = entered.region, .entered = 0, .inside = 0};
  if (is_learnt(hidden.calls, call)) return call;
  const auto lead_to = [&call](std::uintptr_t target) {
    const auto distance = static_cast<std::int64_t>(target - call.address);
    const bool fits = target != 0 && distance == static_cast<std::int32_t>(distance);
    if (fits) call.distance = static_cast<std::int32_t>(distance);
    return fits;
  };
  // What a call leads to may jump on, to one function or another.
  call.entered = lead_to(function_of_probe(hidden.frames, entered, memory));
  if (!call.entered) lead_to(target_of_call(call.address));
  return call;
}

// A visit was found to be made by the innermost one, `parent`: no closed function stands between. While a window is
// open none begins to, as all are open, and the call path needs no slow path (decision 316).
void show_while_open(Location& location, std::uint32_t parent, std::uint32_t region) {
  Tree& tree = location.tree;
  const std::uint32_t child = own_child(tree, parent, region);
  if (child == 0 || !takes_slow_path(tree.accounts[child])) return;
  const std::uint32_t record = tree.node(child).record;
  if (record != 0 && tree.records[record].windowed) show_in_window(tree, child);
}

Caller search_caller(Process& process, Location& location, const Entered& entered, std::uint32_t from) {
  if (from == node_more) return {from}; // beyond the limits: no closed function has a call path below it
  if (!location.hidden || location.sides || entered.caller == 0) return {from};
  follow_unloading(process, *location.hidden);
  Tree& tree = location.tree;
  const std::uintptr_t open = location.stack_low + location.hot->top->stack;
  if (const std::uint32_t child = own_child(tree, from, entered.region);
      child != 0 && !takes_slow_path(tree.accounts[child]))
    return {from};
  if (entered.stack >= open) { // inlined into it, maybe with a closed one between
    const std::uint32_t caller = through_open_code(process, location, from, entered);
    if (caller == from) return {from, 0, !load_relaxed(process.windows.open)};
    return {caller, charge_search(process, location, static_cast<std::uint64_t>(load_relaxed(process.costs.sample)))};
  }
  const std::uint32_t generation = __atomic_load_n(&process.windows.generation, __ATOMIC_RELAXED);
  KnownPath path = {.call = call_of(location, entered),
                    .caller = 0,
                    .link_count = 0,
                    .doubtful = 0,
                    .in_recursion = 0,
                    .unsure = 0,
                    .calls_known = all_known(*location.hidden),
                    .generation = generation,
                    .links = {},
                    .child = 0};
  bool known = false;
  std::uint16_t& slot = slot_of(*location.hidden, path.call, entered.stack, known);
  if (KnownPath* const before = known ? &location.hidden->paths.at(slot) : nullptr;
      before && (before->generation == generation || is_hidden_below(process, tree, before->caller, from))) {
    before->generation = generation;
    before->child = own_child(tree, before->caller, entered.region);
    return {before->caller, charge_search(process, location, location.governor.known_search_ticks),
            before->doubtful != 0, before->in_recursion != 0};
  }
  const std::uint64_t searched =
      charge_search(process, location, static_cast<std::uint64_t>(load_relaxed(process.costs.sample)));
  const ClosedCallers found =
      closed_callers(process, location, location.hidden->calls, location.hidden->frames, entered);
  std::uint32_t caller = from;
  const std::uint32_t closed = found.links - (found.in_recursion ? 1 : 0); // links that lead to a closed function
  for (std::uint32_t i = closed; i-- > 0;) { // the outermost first
    caller = through_inside(process, location, caller, found.link[i].address, false);
    caller = hidden_child(process, location, caller, found.region[i]);
  }
  caller = through_inside(process, location, caller, entered.caller, closed == 0);
  const OwnCode own = through_own_code(process, location, caller, entered);
  caller = own.caller;
  if (!is_hidden_below(process, tree, caller, from))
    return {caller, searched, found.doubtful, found.in_recursion}; // recursion: it leads back to a call path above
  path.caller = caller;
  path.link_count = found.links;
  path.doubtful = found.doubtful;
  path.in_recursion = found.in_recursion;
  path.unsure = !is_seen_inside(location.hidden->calls, entered.caller);
  for (std::uint32_t i = 0; i < found.links; ++i)
    path.unsure |= !is_seen_inside(location.hidden->calls, found.link[i].address);
  for (std::uint32_t i = 0; i < found.links; ++i) path.links[i] = found.link[i];
  if (caller != 0 && own.by_call) location.hidden->paths.put(slot, path, *tree.memory);
  if (caller != from)
    if (const std::uint32_t direct = own_child(tree, from, entered.region); direct != 0)
      force_slow_path(tree, direct, true);
  return {caller, searched, found.doubtful, found.in_recursion};
}

/// Whether visits may be inlined into a closed function that is not the call path's parent.
bool may_be_inlined(const Process& process, const Location& location, std::uint32_t node) {
  if (!location.hidden) return false;
  const Tree& tree = location.tree;
  const std::uint32_t parent = tree.node(tree.node(node).parent).region;
  bool in_closed = false;
  const bool in_parent = any_probe(location.hidden->inlines, tree.node(node).region, [&](const KnownInline& known) {
    in_closed |= is_closed(process.registry.regions[known.around]);
    return known.around == parent;
  });
  return in_closed && !in_parent;
}

/// The entered function is inlined into the innermost one: there is no call.
void learn_inlined(const Process& process, HiddenFrames& hidden, Location& location, const Entered& entered) {
  const std::uint32_t from = innermost(location), around = location.tree.node(from).region;
  if (own_child(location.tree, from, entered.region) != 0) return; // met before
  // Recursion has no call path of its own.
  if (is_region_above(location.tree, from, entered.region) && is_inlined(hidden.inlines, entered.region, around))
    return;
  Budget& memory = *location.tree.memory;
  const ProbePlace place = place_of_probe(hidden.frames, entered, memory);
  if (!learn(hidden.inlines, {place.address, place.function, entered.region, around}, memory)) return;
  // Call paths of it that began before this was known.
  Tree& tree = location.tree;
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node)
    if (tree.node(node).region == entered.region && may_be_inlined(process, location, node))
      force_slow_path(tree, node, true);
}

} // namespace

void learn_call_site(const Process& process, Location& location, const Entered& entered, bool is_callers) {
  const Governor& governor = location.governor;
  if (governor.budget <= 0 || !governor.may_close) return; // no region is ever closed
  if (entered.caller == 0 || entered.region == region_scratch || innermost(location) == node_more) return;
  HiddenFrames* hidden = memory_of(process, location);
  if (!hidden) return;
  follow_unloading(process, *hidden);
  const andes_frame& top = *location.hot->top;
  Budget& memory = *location.tree.memory;
  if (entered.stack - location.stack_low == top.stack && entered.caller == top.caller) {
    if (&top != location.bottom && is_callers) learn_inlined(process, *hidden, location, entered);
    return;
  }
  if (!ANDES_KIND_IS_MPI(entered.kind)) learn(hidden->calls, call_to(*hidden, entered, memory), memory);
  if (&top == location.bottom || !is_callers) return;
  const std::uint32_t region = location.tree.node_at(top.place).region;
  learn(hidden->calls, {.address = entered.caller, .distance = 0, .region = region, .entered = 0, .inside = 1}, memory);
}

Caller find_caller(Process& process, Location& location, const Entered& entered) {
  const std::uint32_t from = innermost(location);
  const Caller found = search_caller(process, location, entered, from);
  if (load_relaxed(process.windows.open) && found.node == from && !found.doubtful && !found.in_recursion)
    show_while_open(location, from, entered.region);
  return found;
}

std::uint32_t known_call(const Process& process, const Location& location, const Entered& entered) {
  if (!location.hidden || is_any_unloaded(process, *location.hidden)) return 0;
  bool known = false;
  const std::uint16_t slot = slot_of(*location.hidden, call_of(location, entered), entered.stack, known);
  if (!known) return 0;
  const KnownPath& path = location.hidden->paths.at(slot);
  return path.generation == __atomic_load_n(&process.windows.generation, __ATOMIC_RELAXED) ? path.child : 0;
}

void charge_known_call(const Process& process, Location& location, std::uint32_t node) {
  const std::uint64_t ticks = location.governor.known_call_ticks;
  if (load_relaxed(process.windows.open)) add_relaxed(location.window_work_ticks, ticks); // a short path: not measured
  location.tree.accounts[node].search_ticks += charge_search(process, location, ticks);
}

namespace {

// A closed region above that is recursive may stand between the node and its parent, too: its visit there has no call
// path of its own, and what it calls one below the first visit.
bool may_be_below_recursion(const Process& process, const Tree& tree, std::uint32_t node) {
  const std::uint32_t region = tree.node(node).region, parent = tree.node(node).parent;
  for (std::uint32_t above = parent; above >= first_free_node; above = tree.node(above).parent)
    if (above != parent && tree.is_pinned(above, pin_recursion) &&
        is_closed(process.registry.regions[tree.node(above).region]) && own_child(tree, above, region) != 0)
      return true;
  return false;
}

} // namespace

void force_slow_path_beside(const Process& process, Location& location, std::uint32_t node) {
  Tree& tree = location.tree;
  if (may_be_below_recursion(process, tree, node) || may_be_inlined(process, location, node))
    force_slow_path(tree, node, true);
  std::uint32_t above = tree.node(node).parent;
  while (above >= first_free_node && is_closed(process.registry.regions[tree.node(above).region]))
    above = tree.node(above).parent;
  if (above == tree.node(node).parent) return;
  if (const std::uint32_t direct = own_child(tree, above, tree.node(node).region); direct != 0)
    force_slow_path(tree, direct, true);
}

void update_forced_slow_paths(const Process& process, Location& location) {
  Tree& tree = location.tree;
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node)
    if (tree.accounts[node].slow_path != SlowPath::as_usual) force_slow_path(tree, node, false);
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node)
    force_slow_path_beside(process, location, node);
}

} // namespace andes::monitor
