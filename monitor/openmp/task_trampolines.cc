#include "monitor/openmp/task_trampolines.h"

#include <utility>

#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/life/learned_code.h"
#include "monitor/openmp/team.h"
#include "monitor/say/say.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t trampoline_count = 256;

TaskFunction behind[trampoline_count]; // null: the trampoline is free

struct Visit {
  AddressSite* task;
  andes_frame* frame; // null: none
};

Visit begin(TaskFunction function) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside || !this_thread.location) return {};
  AddressSite* task = find_task({reinterpret_cast<std::uintptr_t>(function), false});
  return {task, task ? open_task(the_process, *this_thread.location, *task) : nullptr};
}

void end(const Visit& visit) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (inside && this_thread.location) close_task(the_process, *this_thread.location, *visit.task, visit.frame);
}

void pass(std::uint32_t trampoline, void* data) {
  const TaskFunction function = __atomic_load_n(&behind[trampoline], __ATOMIC_RELAXED);
  const Visit visit = begin(function);
  function(data);
  if (visit.frame) end(visit);
}

template <std::uint32_t trampoline> void enter(void* data) { pass(trampoline, data); }

template <std::uint32_t... trampoline> TaskFunction entry(std::uint32_t wanted,
                                                          std::integer_sequence<std::uint32_t, trampoline...>) {
  static constexpr TaskFunction entries[] = {enter<trampoline>...};
  return entries[wanted];
}

} // namespace

TaskFunction trampoline_of(TaskFunction function) {
  std::uint32_t at = first_slot(reinterpret_cast<std::uintptr_t>(function));
  for (std::uint32_t tries = 0; tries < trampoline_count; ++tries, ++at) {
    const std::uint32_t trampoline = at % trampoline_count;
    TaskFunction there = __atomic_load_n(&behind[trampoline], __ATOMIC_RELAXED);
    if (!there &&
        __atomic_compare_exchange_n(&behind[trampoline], &there, function, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      there = function;
    if (there == function) return entry(trampoline, std::make_integer_sequence<std::uint32_t, trampoline_count>());
  }
  andes_say_once(said_no_trampoline,
                 "OpenMP: more than %u task constructs; the others have no visits, and their time counts as waiting; "
                 "build with Clang and its OpenMP runtime to measure all",
                 trampoline_count);
  return function;
}

} // namespace andes::monitor
