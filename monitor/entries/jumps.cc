// Jumps to where setjmp was called (longjmp and its kin of the C library) arrive here first: the visits that a jump
// leaves end before it is made. Probes find such visits by their place on the stack alone, and not before another one
// begins further up (decision 2): what a function without a probe calls after the jump would stand below them.
//
// Where a jump leads is known of x86-64 and the GNU C library, which keeps the stack pointer that setjmp returns with
// in the seventh word of the buffer, mixed with a word of the thread's and rotated. Nothing but visits depends on it:
// what is no place further up on the stack that runs ends none.
#include <dlfcn.h>

#include "monitor/core/held_threads.h"
#include "monitor/core/process.h"
#include "monitor/core/side_stacks.h"
#include "monitor/core/this_thread.h"

namespace andes::monitor {
namespace {

using Jump = void (*)(void* buffer, int value);

constexpr const char* jump_names[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
Jump next_jumps[4]; // in the same order: those of the C library, or of a sanitizer

Jump find_jump(int which) { return reinterpret_cast<Jump>(dlsym(RTLD_NEXT, jump_names[which])); }

__attribute__((constructor)) void find_jumps() {
  for (int i = 0; i < 4; ++i) next_jumps[i] = find_jump(i);
}

/// The stack pointer behind the jump; 0: not known.
std::uintptr_t target_of([[maybe_unused]] const void* buffer) {
#if defined(__x86_64__) && defined(__GLIBC__)
  const std::uintptr_t kept = static_cast<const std::uintptr_t*>(buffer)[6];
  std::uintptr_t mixed_in;
  asm("mov %%fs:0x30, %0" : "=r"(mixed_in));
  return (kept >> 17 | kept << 47) ^ mixed_in;
#else
  return 0;
#endif
}

// Functions that setjmp's caller has called have their place at its stack pointer, at most.
void end_left_visits(std::uintptr_t target) {
  Location* const location = this_thread.location;
  const auto own = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (!location || target <= own) return;
  ReentryGuard inside;
  if (!inside) return;
  const AtWork at_work(*location);
  if (location->hot->off || !is_on_running_stack(*location, own) || !is_on_running_stack(*location, target)) return;
  drop_stale_frames(*location, target, 0, ticks_now(the_process.clock));
}

[[noreturn]] void jump(int which, void* buffer, int value) {
  end_left_visits(target_of(buffer));
  const Jump next = next_jumps[which] ? next_jumps[which] : find_jump(which); // null before this library has started
  next(buffer, value);
  __builtin_unreachable();
}

} // namespace
} // namespace andes::monitor

#define ANDES_JUMP extern "C" [[noreturn]] __attribute__((visibility("default"))) void
ANDES_JUMP longjmp(void* buffer, int value) { andes::monitor::jump(0, buffer, value); }
ANDES_JUMP _longjmp(void* buffer, int value) { andes::monitor::jump(1, buffer, value); }
ANDES_JUMP siglongjmp(void* buffer, int value) { andes::monitor::jump(2, buffer, value); }
ANDES_JUMP __longjmp_chk(void* buffer, int value) { andes::monitor::jump(3, buffer, value); }
