#include "monitor/openmp/task_doors.h"

#include <utility>

#include "monitor/core/here.h"
#include "monitor/core/visit.h"
#include "monitor/openmp/team.h"

namespace andes {
namespace {

constexpr std::uint32_t door_count = 256;

TaskFunction behind[door_count]; // null: the door is free

struct Visit {
  AddressSite* task;
  andes_frame* frame; // null: none
};

Visit begin(TaskFunction function) {
  Inside inside;
  KeepErrno keep_errno;
  if (!inside || !here.location) return {};
  AddressSite* task = find_task({reinterpret_cast<std::uintptr_t>(function), false});
  return {task, task ? open_task(the_process, *here.location, *task) : nullptr};
}

void end(const Visit& visit) {
  Inside inside;
  KeepErrno keep_errno;
  if (inside && here.location) close_task(the_process, *here.location, *visit.task, visit.frame);
}

void pass(std::uint32_t door, void* data) {
  const TaskFunction function = __atomic_load_n(&behind[door], __ATOMIC_RELAXED);
  const Visit visit = begin(function);
  function(data);
  if (visit.frame) end(visit);
}

template <std::uint32_t door> void enter(void* data) { pass(door, data); }

template <std::uint32_t... door> TaskFunction entry(std::uint32_t wanted, std::integer_sequence<std::uint32_t, door...>) {
  static constexpr TaskFunction entries[] = {enter<door>...};
  return entries[wanted];
}

} // namespace

TaskFunction door_of(TaskFunction function) {
  std::uint32_t at = first_slot(reinterpret_cast<std::uintptr_t>(function));
  for (std::uint32_t tries = 0; tries < door_count; ++tries, ++at) {
    const std::uint32_t door = at % door_count;
    TaskFunction there = __atomic_load_n(&behind[door], __ATOMIC_RELAXED);
    if (!there && __atomic_compare_exchange_n(&behind[door], &there, function, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      there = function;
    if (there == function) return entry(door, std::make_integer_sequence<std::uint32_t, door_count>());
  }
  andes_say_once(said_no_door,
                 "OpenMP: more than %u task constructs; the others are no visits, and their time is that of the wait they run "
                 "in; a program built by Clang, with its own runtime, has them all", door_count);
  return function;
}

} // namespace andes
