// The compilers' own hooks (-finstrument-functions of GCC, Clang and gfortran) as probes: a function is
// known by its address alone; the calls at its entry and exit pass only this address and its return
// address. The C library has empty hooks, so programs link and run without the monitor.
//
// The exit hook finds the frame that the entry hook has pushed by region, return address and place on the stack;
// so for a visit without a frame (direct recursion, limits, switched off, inside the monitor) it does nothing.
// Frames left without notice (longjmp; exceptions, with Clang) are dropped by their place, as with probes.
//
// The place is the canonical address of the function's frame. On x86 it lies just above the return address, on AArch64
// as far above it as the unwind tables say (frames.h).
// The return address is looked for on the stack: where the frame pointer says, else at the same distance above
// the hook's own frame as last time, else by a search. Functions whose frames are too large for the search, and
// functions on other stacks than their thread's, get the place where they called the hook: good enough except
// for frames left without notice. The hook's own place is no alternative: functions called from one place have
// frames of different sizes, so a function that was left by longjmp may look like the caller of the next one.
#include <dlfcn.h>

#include "monitor/core/calibrate.h"
#include "monitor/core/function_samples.h"
#include "monitor/core/process.h"
#include "monitor/core/this_thread.h"
#include "monitor/core/unloading.h"
#include "monitor/core/visit.h"
#include "monitor/interface/hooks.h"
#include "monitor/life/learned_code.h"
#include "monitor/life/threads.h"
#include "monitor/openmp/runtimes.h"
#include "monitor/system/frames.h"
#include "monitor/system/relaxed.h"
#include "monitor/system/return_address.h"

#define ANDES_HOOK extern "C" __attribute__((visibility("default"), no_instrument_function))

namespace andes::monitor {
namespace {

constexpr std::uint32_t not_found = 1; // frame_bytes of a function that was searched in vain
constexpr std::uintptr_t search_bytes = 1 << 16;

/// A call of a hook.
struct Hook {
  std::uintptr_t function, caller;
  const std::uintptr_t* frame; // of the hook: holds the function's frame pointer and the hook's return address
#if defined(__x86_64__) // this record lies at the end of the hook's frame
  std::uintptr_t end() const { return reinterpret_cast<std::uintptr_t>(frame + 2); }
#else // at its begin, on AArch64
  const void* frame_end;
  std::uintptr_t end() const { return reinterpret_cast<std::uintptr_t>(frame_end); }
#endif
};
#if defined(__x86_64__)
#define ANDES_FRAME_OF_HOOK static_cast<const std::uintptr_t*>(__builtin_frame_address(0))
#else
#define ANDES_FRAME_OF_HOOK static_cast<const std::uintptr_t*>(__builtin_frame_address(0)), __builtin_dwarf_cfa()
#endif

/// Whether the return address stands just below `place`, which may be any value.
[[gnu::always_inline]] inline bool is_frame(const Location& location, const Hook& hook, std::uintptr_t place) {
  return place % sizeof place == 0 && place > hook.end() && place <= location.stack_high &&
         unsigned_address(reinterpret_cast<const std::uintptr_t*>(place)[-1]) == hook.caller;
}

/// From above the function's return address to the canonical address of its frame.
[[gnu::always_inline]] inline std::uintptr_t above_return([[maybe_unused]] const AddressSite& known) {
#if defined(__x86_64__)
  return 0;
#else
  return load_relaxed(known.above_return);
#endif
}

[[gnu::noinline]] std::uintptr_t search(const Location& location, AddressSite& known, const Hook& hook) {
  const std::uintptr_t room = location.stack_high - hook.end();
  const std::uintptr_t most = room < search_bytes ? room : search_bytes;
  std::uintptr_t bytes = sizeof bytes;
  while (bytes <= most && !is_frame(location, hook, hook.end() + bytes)) bytes += sizeof bytes;
  const bool found = bytes <= most;
  __atomic_store_n(&known.frame_bytes, found ? static_cast<std::uint32_t>(bytes) : not_found, __ATOMIC_RELAXED);
  return found ? hook.end() + bytes + above_return(known) : hook.end();
}

/// The place of the frame of the function that called the hook.
[[gnu::always_inline]] inline std::uintptr_t place_of_frame(const Location& location, AddressSite& known,
                                                            const Hook& hook) {
  // A tail call: the function's last instruction jumped to the hook.
  if (unsigned_address(hook.frame[1]) == hook.caller) return hook.end();
  if (hook.end() < location.stack_low || hook.end() >= location.stack_high) return hook.end();
  const std::uintptr_t by_pointer = hook.frame[0] + 2 * sizeof by_pointer;
  if (is_frame(location, hook, by_pointer)) return by_pointer + above_return(known);
  const std::uint32_t bytes = __atomic_load_n(&known.frame_bytes, __ATOMIC_RELAXED);
  if (bytes == not_found) return hook.end();
  return is_frame(location, hook, hook.end() + bytes) ? hook.end() + bytes + above_return(known)
                                                      : search(location, known, hook);
}

std::uint16_t find_above_return([[maybe_unused]] const Hook& hook) {
#if defined(__x86_64__)
  return 0; // the call has stored it, at the end of the frame
#else // the function has, anywhere in its frame
  const int bytes = -frame_rule(unsigned_address(hook.frame[1])).returns - static_cast<int>(sizeof hook.caller);
  return static_cast<std::uint16_t>(bytes > 0 && bytes <= UINT16_MAX ? bytes : 0);
#endif
}

[[gnu::noinline, gnu::cold]] AddressSite* meet(const Hook& hook) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside || !attach_thread()) return nullptr;
  static bool calibrated;
  if (!__atomic_exchange_n(&calibrated, true, __ATOMIC_RELAXED) && learn_scratch(hooked_function()))
    calibrate_hooks(the_process);
  AddressSite* known = learn_function(hook.function);
  if (known) store_relaxed(known->above_return, find_above_return(hook));
  return known;
}

[[gnu::noinline]] void enter_slow(Location& location, AddressSite& known, std::uintptr_t stack, std::uintptr_t caller) {
  ReentryGuard inside;
  if (!inside) {
    note_missed(&known.site);
    return;
  }
  const andes_frame* frame = open_visit(the_process, location, &known.site, stack, caller);
  if (!frame) return;
  const std::uint32_t node = location.tree.number(location.tree.node_at(frame->place));
  location.tree.accounts[node].by_hooks = true;
  if (location.tree.accounts[node].function == function_not_asked) note_function(location, node, known.address);
}

bool is_of(const Location& location, const andes_frame& frame, const AddressSite& known, std::uintptr_t caller) {
  return frame.caller == caller && location.tree.node_at(frame.place).region == known.region;
}

/// For an exit whose frame is not on top, or does not exist. An earlier call may have left a copy of the return
/// address on the stack, so a frame may have been recorded too deep: such a frame is used if there is no better one.
[[gnu::noinline]] void leave_slow(Location& location, const AddressSite& known, std::uintptr_t stack,
                                  std::uintptr_t caller) {
  ReentryGuard inside;
  if (inside) switch_to_known_stack(location, stack, ticks_now(the_process.clock));
  stack -= location.stack_low;
  andes_frame* found = nullptr;
  for (andes_frame* frame = location.hot->top; frame > location.bottom && frame->stack <= stack; --frame) {
    if (!is_of(location, *frame, known, caller)) continue;
    found = frame;
    if (frame->stack == stack) break;
  }
  if (found) close_visit(the_process, location, found, !inside);
}

bool is_over() { return state_now(the_process) == State::finished; }

/// Like andes_enter of probe.h, but the site and the place on the stack are looked up.
[[gnu::always_inline]] inline void enter(const Hook& hook) {
  AddressSite* known = find_address(the_process.addresses, hook.function, nullptr);
  if (!known && (is_over() || !(known = meet(hook)))) return;
  const std::uint32_t region = __atomic_load_n(&known->site.region, __ATOMIC_RELAXED);
  Location* location = this_thread.location;
  if (region == ANDES_REGION_OFF) return;
  if (!location && (is_over() || !meet(hook) || !(location = this_thread.location))) return;
  andes_location* hot = location->hot;
  if (hot->off) return;
  andes_frame* top = hot->top;
  const std::uintptr_t place = place_of_frame(*location, *known, hook), stack = place - hot->stack_low;
  const andes_entry& entry = *ANDES_ENTRY_AT(hot, top->place, region);
  andes_node* node = ANDES_NODE_AT(hot, entry.child & ~ANDES_ENTRY_MASK);
  const std::uint32_t bits = load_relaxed(node->bits); // windows set them, too
  if (entry.parent != top->place || (entry.child & (ANDES_ENTRY_DIRECT | ANDES_ENTRY_FOLDED)) || node->countdown <= 0 ||
      !(stack < top->stack || (stack == top->stack && top->caller == hook.caller)) ||
      (bits != ANDES_FRAME_UNTIMED && !the_process.fast_visits)) {
    enter_slow(*location, *known, place, hook.caller);
    return;
  }
  add_at_once(node->countdown, -1);
  andes_frame* const frame = put_on_top(*hot, {0, node->place, bits, stack, hook.caller, 0});
  if (bits != ANDES_FRAME_UNTIMED) frame->enter_ticks = ANDES_TICKS();
}

/// Like andes_leave.
[[gnu::always_inline]] inline void leave(const Hook& hook) {
  Location* location = this_thread.location;
  AddressSite* known = find_address(the_process.addresses, hook.function, nullptr);
  if (!known || !location) return;
  andes_location* hot = location->hot;
  andes_frame* top = hot->top;
  const bool fits = is_of(*location, *top, *known, hook.caller);
  if (!fits && __atomic_load_n(&known->site.region, __ATOMIC_RELAXED) == ANDES_REGION_OFF) return;
  const std::uintptr_t place = place_of_frame(*location, *known, hook);
  if (!fits || top->stack != place - hot->stack_low) {
    leave_slow(*location, *known, place, hook.caller);
  } else if (top->bits == 0 && the_process.fast_visits) {
    ANDES_NODE_AT(hot, top->place)->inclusive_ticks += ANDES_TICKS() - top->enter_ticks;
    set_top(*location, top - 1);
  } else if (top->bits == ANDES_FRAME_UNTIMED && top->enter_ticks == 0) {
    set_top(*location, top - 1);
  } else {
    ReentryGuard inside;
    close_visit(the_process, *location, top, !inside);
  }
}

} // namespace
} // namespace andes::monitor

using namespace andes::monitor;

ANDES_HOOK void __cyg_profile_func_enter(void* function, void* caller) {
  enter({reinterpret_cast<std::uintptr_t>(function), reinterpret_cast<std::uintptr_t>(caller), ANDES_FRAME_OF_HOOK});
}

ANDES_HOOK void __cyg_profile_func_exit(void* function, void* caller) {
  leave({reinterpret_cast<std::uintptr_t>(function), reinterpret_cast<std::uintptr_t>(caller), ANDES_FRAME_OF_HOOK});
}

/// The program's calls of dlclose arrive here: the addresses of an unloaded module are forgotten, since the next module
/// may have its functions at the same addresses. Rejected: asking the loader at each visit (too expensive) or when an
/// address is new (too late).
ANDES_HOOK int dlclose(void* handle) {
  static int (*real)(void*);
  auto found = __atomic_load_n(&real, __ATOMIC_RELAXED);
  if (!found) {
    found = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_NEXT, "dlclose"));
    if (!found) return -1;
    __atomic_store_n(&real, found, __ATOMIC_RELAXED);
  }
  LoadedObjects* const before = begin_unloading(the_process);
  const int result = found(handle);
  {
    KeepErrno keep_errno;
    end_unloading(the_process, before);
  }
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside) return result;
  forget_unloaded();
  forget_unloaded_runtimes();
  return result;
}
