#include "monitor/entries/marks.h"

#include <stdio.h>

#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/entries/tagged_frame.h"
#include "monitor/entries/wrappers.h"
#include "monitor/life/threads.h"
#include "monitor/say/say.h"

namespace andes::monitor {
namespace {

NamedSite* learnt_name(const Name& name, std::uint32_t kind) {
  if (NamedSite* known = find_name(the_process.names, name, kind)) return known;
  SignalSafeProcessLock locked;
  return learn_name(the_process.names, the_process.registry, name, kind);
}

// Whether another step of a phase may become a call path of its own.
bool is_room_for_step(const Tree& tree, std::uint32_t phase) {
  const MonitorSettings& settings = the_process.settings;
  return tree.accounts[phase].steps < settings.phase_limit &&
         2 * tree.node_count<tree.limits.nodes&& static_cast<double>(tree.memory->left_bytes)> settings.tree_mb * 1e6 /
             2;
}

// The site of the step that begins now in the innermost phase; null: the step gets none.
andes_site* site_of_step(Location& location, const char* phase_name, const std::int64_t* number) {
  Tree& tree = location.tree;
  const std::uint32_t phase = innermost(location);
  const long long step = number ? *number : tree.visits(phase);
  char text[1040];
  snprintf(text, sizeof text, "%.1000s %lld", phase_name, step);
  NamedSite* named = find_name(the_process.names, name_of(text), ANDES_KIND_INSTANCE);
  Child known;
  if (named && find_child(tree, phase, named->region, ANDES_KIND_INSTANCE, known)) return &named->site;
  if (is_room_for_step(tree, phase)) {
    ++tree.accounts[phase].steps;
  } else {
    snprintf(text, sizeof text, "%.1000s (more)", phase_name);
    named = nullptr;
  }
  if (!named) named = learnt_name(name_of(text), ANDES_KIND_INSTANCE);
  return named ? &named->site : nullptr;
}

// Opens a visit as if it were inlined into the innermost one.
andes_frame* open_below(Location& location, andes_site* site) {
  const andes_frame& top = *location.hot->top;
  return open_visit(the_process, location, site, top.stack + location.stack_low, top.caller);
}

void open_step(Location& location, const char* phase_name, const std::int64_t* number) {
  andes_site* step = site_of_step(location, phase_name, number);
  andes_frame* frame = step ? open_below(location, step) : nullptr;
  if (frame) frame->bits |= ANDES_FRAME_STEP;
}

NamedSite* as_named(andes_site* site) { return reinterpret_cast<NamedSite*>(site); }

// The program may have switched stacks, and frames may be gone, without notice. Fortran calls do not give
// their stack position; Fortran does neither.
void look_at_stack(Location& location, std::uintptr_t stack, std::uintptr_t caller) {
  if (stack == 0) return;
  const std::uint64_t now_ticks = ticks_now(the_process.clock);
  if (!is_on_running_stack(location, stack)) switch_to_known_stack(location, stack, now_ticks);
  if (has_stale_frames(location, stack, caller)) drop_stale_frames(location, stack, caller, now_ticks);
}

bool is_open_mark(const Location& location, const andes_frame* frame, andes_site* site) {
  if (frame <= location.bottom || !(frame->bits & ANDES_FRAME_NAMED)) return false;
  const andes_node& node = location.tree.node_at(frame->place);
  return !site || node.region == as_named(site)->region || node.kind == ANDES_KIND_OVERFLOW;
}

const char* name_of_frame(const Location& location, const andes_frame* frame) {
  return the_process.registry.regions[location.tree.node_at(frame->place).region].name;
}

} // namespace

andes_site* named_site(const char* name, std::uintptr_t length, std::uint32_t kind) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside || !attach_thread()) return nullptr;
  NamedSite* named = learnt_name({name, length}, kind);
  return named ? &named->site : nullptr;
}

andes_frame* enter_phase(andes_site* site, const std::int64_t* number, std::uintptr_t stack, std::uintptr_t caller,
                         andes_view* view) {
  ReentryGuard inside;
  if (!inside) return nullptr;
  Location* location = view->regions != 0 ? this_thread.location : attach_module(view);
  andes_frame* frame = location ? open_visit(the_process, *location, site, stack, caller) : nullptr;
  if (!frame) return nullptr;
  KeepErrno keep_errno;
  open_step(*location, site->name, number);
  return tagged(frame);
}

void begin_mark(andes_site* site, const std::int64_t* number, std::uintptr_t stack, std::uintptr_t caller) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside || !attach_thread()) return;
  Location& location = *this_thread.location;
  look_at_stack(location, stack, caller);
  andes_frame* frame = open_below(location, site);
  if (!frame) {
    ++this_thread.unseen_begins;
    return;
  }
  frame->bits |= ANDES_FRAME_NAMED;
  if (site->kind == ANDES_KIND_PHASE) open_step(location, site->name, number);
}

void end_mark(andes_site* site, std::uintptr_t stack, std::uintptr_t caller) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside || !this_thread.location || !this_thread.location->in_use) return;
  Location& location = *this_thread.location;
  if (location.suspended && this_thread.unseen_begins > 0) {
    --this_thread.unseen_begins;
    return;
  }
  look_at_stack(location, stack, caller);
  andes_frame* frame = location.hot->top;
  if (frame->bits & ANDES_FRAME_STEP) --frame;
  if (is_open_mark(location, frame, site)) close_visit(the_process, location, frame);
  else if (this_thread.unseen_begins > 0) --this_thread.unseen_begins;
  else
    andes_say_once(said_mark,
                   "monitor: the end of the region \"%s\" is ignored, as the innermost open region is \"%s\"; end "
                   "regions in reverse order",
                   site ? site->name : "(any phase)", name_of_frame(location, frame));
}

void attach_value(andes_site* site, double value) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside || !attach_thread()) return;
  Location& location = *this_thread.location;
  if (location.suspended || !location.in_use) return;
  if (!attach_value(location.values, *location.tree.memory, innermost(location), as_named(site)->region, value))
    andes_say_once(said_value,
                   "monitor: values of andes_value are lost: more than %u pairs of name and call path, or no memory "
                   "left; raise the setting tree_mb",
                   max_values);
}

void control_measuring(int level) {
  {
    ReentryGuard inside;
    KeepErrno keep_errno;
    if (!inside || !attach_thread()) return;
  }
  andes_control(level);
}

int is_measuring() {
  ReentryGuard inside;
  KeepErrno keep_errno;
  return inside && attach_thread() && the_process.state == State::measuring;
}

} // namespace andes::monitor
