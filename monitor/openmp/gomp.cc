// Wrappers of libgomp: libandes.so exports the names of its entry points that open regions or wait (GCC's
// omp-builtins.def). The program's call is always carried out, with all its arguments and its result; calls that
// are not measured are passed on unchanged. Code of GCC may also run on LLVM's runtime, which has the same names:
// that runtime reports its events itself (ompt.cc), so its calls are passed on, too.
#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/life/threads.h"
#include "monitor/openmp/runtime_order.h"
#include "monitor/openmp/runtimes.h"
#include "monitor/openmp/task_trampolines.h"
#include "monitor/openmp/team.h"

#define ANDES_GOMP extern "C" __attribute__((visibility("default")))
#define CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace andes::monitor {
namespace {

using Function = void (*)(void*);

/// The data that a team is started with, in place of the program's function and data.
struct Part {
  void* first_word; // first word of the program's data: libgomp reads reductions there
  Function function;
  void* data;
  Fork* fork;
};

Fork* begin(std::uintptr_t function) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  Location* location = inside ? team_thread() : nullptr;
  if (!location) return nullptr;
  note_runtime(the_process, openmp_gomp);
  return fork_team(the_process, *location, {function, false});
}

void end(Fork& fork) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (inside && this_thread.location == fork.forker) join_team(the_process, *this_thread.location, fork);
}

bool enter(const Fork& fork) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  Location* location = inside ? attach_thread() : nullptr;
  if (location && location != fork.forker) enter_team(the_process, *location, fork);
  return location;
}

void leave(Fork* fork) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  Location& location = *this_thread.location;
  if (!inside) return;
  if (&location != fork->forker) leave_team(the_process, location);
  else fork->wait = open_wait(the_process, location, &implicit_barrier);
}

/// The function that each thread of a team runs.
void run_part(void* started_with) {
  runtime_told(started_with);
  const Part part = *static_cast<const Part*>(started_with);
  const bool measured = enter(*part.fork);
  part.function(part.data);
  if (measured) leave(part.fork);
  runtime_tells(started_with);
}

struct Joining {
  Fork& fork;
  const Part& part;
  ~Joining() {
    runtime_told(&part);
    end(fork);
  }
};

template <Gomp which, class Result = void, class... Rest>
[[gnu::always_inline]] inline Result run_region(std::uintptr_t caller, Function function, void* data, Rest... rest) {
  const RealFunction real = real_function(which, caller);
  const auto start = reinterpret_cast<Result (*)(Function, void*, Rest...)>(real.address);
  if (!start) { // no runtime has the function: run as a team of one
    function(data);
    return Result();
  }
  Fork* fork = real.measured ? begin(reinterpret_cast<std::uintptr_t>(function)) : nullptr;
  if (!fork) return start(function, data, rest...);
  Part part = {which == of_GOMP_parallel_reductions ? *static_cast<void**>(data) : nullptr, function, data, fork};
  const Joining joining{*fork, part};
  runtime_tells(&part);
  return start(run_part, &part, rest...);
}

template <Gomp which, class Result = void, class... Arguments>
[[gnu::always_inline]] inline Result run_wait(std::uintptr_t caller, andes_site* site, Arguments... arguments) {
  const RealFunction real = real_function(which, caller);
  const auto wait = reinterpret_cast<Result (*)(Arguments...)>(real.address);
  if (!wait) return Result();
  if (!real.measured || !this_thread.location) return wait(arguments...);
  ANDES_PROBE(site)
  return wait(arguments...);
}

// libgomp's GOMP_TASK_FLAG_DEPEND, and that of a taskloop whose tasks are not waited for.
constexpr unsigned task_depends = 1u << 3, task_nogroup = 1u << 11;

using CopyFunction = void (*)(void* copy, void* data);

template <class... Rest>
[[gnu::always_inline]] inline void run_task(std::uintptr_t caller, TaskFunction function, void* data, CopyFunction copy,
                                            long bytes, long alignment, bool deferred, unsigned flags, Rest... rest) {
  const RealFunction real = real_function(of_GOMP_task, caller);
  const auto start =
      reinterpret_cast<void (*)(TaskFunction, void*, CopyFunction, long, long, bool, unsigned, Rest...)>(real.address);
  if (!start) return;
  if (!real.measured || !this_thread.location)
    return start(function, data, copy, bytes, alignment, deferred, flags, rest...);
  if (deferred || !(flags & task_depends))
    return start(trampoline_of(function), data, copy, bytes, alignment, deferred, flags, rest...);
  ANDES_PROBE(&task_wait) // waits for its dependences
  start(trampoline_of(function), data, copy, bytes, alignment, deferred, flags, rest...);
}

/// A taskloop: the call that makes the tasks also waits for them, unless told not to.
template <Gomp which, class Number>
[[gnu::always_inline]] inline void run_taskloop(std::uintptr_t caller, TaskFunction function, void* data,
                                                CopyFunction copy, long bytes, long alignment, unsigned flags,
                                                unsigned long tasks, int priority, Number start, Number end,
                                                Number step) {
  const RealFunction real = real_function(which, caller);
  const auto run = reinterpret_cast<void (*)(TaskFunction, void*, CopyFunction, long, long, unsigned, unsigned long,
                                             int, Number, Number, Number)>(real.address);
  if (!run) return;
  const auto call = [&](TaskFunction body) {
    run(body, data, copy, bytes, alignment, flags, tasks, priority, start, end, step);
  };
  if (!real.measured || !this_thread.location) return call(function);
  if (flags & task_nogroup) return call(trampoline_of(function));
  ANDES_PROBE(&task_wait)
  call(trampoline_of(function));
}

/// Barriers at the end of single and of loops call the same function as explicit ones: the innermost probe shows
/// the difference.
andes_site* site_of_barrier() {
  const Location* location = this_thread.location;
  const bool implicit = location && location->tree.node_at(location->hot->top->place).kind == ANDES_KIND_WORKSHARE;
  return implicit ? &implicit_barrier : &barrier;
}

} // namespace
} // namespace andes::monitor

using namespace andes::monitor;

#define ANDES_REGION(name)                                                                                             \
  ANDES_GOMP void name(Function function, void* data, unsigned threads, unsigned flags) {                              \
    run_region<of_##name>(CALLER, function, data, threads, flags);                                                     \
  }
#define ANDES_LOOP(name)                                                                                               \
  ANDES_GOMP void name(Function function, void* data, unsigned threads, long start, long end, long step, long chunk,   \
                       unsigned flags) {                                                                               \
    run_region<of_##name>(CALLER, function, data, threads, start, end, step, chunk, flags);                            \
  }
#define ANDES_RUNTIME_LOOP(name)                                                                                       \
  ANDES_GOMP void name(Function function, void* data, unsigned threads, long start, long end, long step,               \
                       unsigned flags) {                                                                               \
    run_region<of_##name>(CALLER, function, data, threads, start, end, step, flags);                                   \
  }
#define ANDES_WAIT(result, name, site)                                                                                 \
  ANDES_GOMP result name() { return run_wait<of_##name, result>(CALLER, site); }
#define ANDES_WAIT_FOR(name, type, site)                                                                               \
  ANDES_GOMP void name(type argument) { run_wait<of_##name>(CALLER, site, argument); }

#define ANDES_TASKLOOP(name, Number)                                                                                   \
  ANDES_GOMP void name(TaskFunction function, void* data, CopyFunction copy, long bytes, long alignment,               \
                       unsigned flags, unsigned long tasks, int priority, Number start, Number end, Number step) {     \
    run_taskloop<of_##name>(CALLER, function, data, copy, bytes, alignment, flags, tasks, priority, start, end, step); \
  }
// These functions take as many numbers as the loop nest is deep, but the number of arguments is not known: the
// registers are handed on, and as many words of the caller's stack as any program may use.
#define ANDES_DOACROSS(name, Number)                                                                                   \
  ANDES_GOMP void name(Number a, Number b, Number c, Number d, Number e, Number f, Number g, Number h, Number i,       \
                       Number j, Number k, Number l) {                                                                 \
    run_wait<of_##name>(CALLER, &ordered_wait, a, b, c, d, e, f, g, h, i, j, k, l);                                    \
  }

ANDES_REGION(GOMP_parallel)
ANDES_GOMP unsigned GOMP_parallel_reductions(Function function, void* data, unsigned threads, unsigned flags) {
  return run_region<of_GOMP_parallel_reductions, unsigned>(CALLER, function, data, threads, flags);
}
ANDES_GOMP void GOMP_parallel_sections(Function function, void* data, unsigned threads, unsigned count,
                                       unsigned flags) {
  run_region<of_GOMP_parallel_sections>(CALLER, function, data, threads, count, flags);
}
ANDES_LOOP(GOMP_parallel_loop_static)
ANDES_LOOP(GOMP_parallel_loop_dynamic)
ANDES_LOOP(GOMP_parallel_loop_guided)
ANDES_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
ANDES_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
ANDES_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
ANDES_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
ANDES_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

ANDES_WAIT(void, GOMP_barrier, site_of_barrier())
ANDES_WAIT(bool, GOMP_barrier_cancel, site_of_barrier())
ANDES_WAIT(void, GOMP_loop_end, &implicit_barrier)
ANDES_WAIT(bool, GOMP_loop_end_cancel, &implicit_barrier)
ANDES_WAIT(void, GOMP_sections_end, &implicit_barrier)
ANDES_WAIT(bool, GOMP_sections_end_cancel, &implicit_barrier)
ANDES_WAIT(void*, GOMP_single_copy_start, &implicit_barrier)
ANDES_WAIT_FOR(GOMP_workshare_task_reduction_unregister, bool, &implicit_barrier)
// Older compilers leave out the last arguments, and their libgomp does not read these.
ANDES_GOMP void GOMP_task(TaskFunction function, void* data, CopyFunction copy, long bytes, long alignment,
                          bool deferred, unsigned flags, void** depends, int priority, void* detach) {
  run_task(CALLER, function, data, copy, bytes, alignment, deferred, flags, depends, priority, detach);
}
ANDES_TASKLOOP(GOMP_taskloop, long)
ANDES_TASKLOOP(GOMP_taskloop_ull, unsigned long long)
ANDES_WAIT(void, GOMP_taskwait, &task_wait)
ANDES_WAIT_FOR(GOMP_taskwait_depend, void**, &task_wait)
ANDES_WAIT(void, GOMP_taskgroup_end, &task_wait)
ANDES_WAIT(void, GOMP_critical_start, &critical_wait)
ANDES_WAIT_FOR(GOMP_critical_name_start, void**, &critical_wait)
ANDES_WAIT(void, GOMP_atomic_start, &critical_wait)
ANDES_WAIT(void, GOMP_ordered_start, &ordered_wait)
ANDES_DOACROSS(GOMP_doacross_wait, long)
ANDES_DOACROSS(GOMP_doacross_ull_wait, unsigned long long)
ANDES_WAIT_FOR(omp_set_lock, void*, &lock_wait)
ANDES_WAIT_FOR(omp_set_lock_, void*, &lock_wait)
ANDES_WAIT_FOR(omp_set_nest_lock, void*, &lock_wait)
ANDES_WAIT_FOR(omp_set_nest_lock_, void*, &lock_wait)
