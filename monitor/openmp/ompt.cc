// LLVM's OpenMP runtime, and runtimes derived from it, report regions and waits through the tools interface of the
// OpenMP standard (OpenMP API 5.1, chapter 4, whose types and numbers are repeated here as far as they are needed).
// libomp looks for ompt_start_tool when it starts; libandes.so is preloaded, so libomp finds this one.
//
// Invariants: a tool of the user goes first; libomp itself obeys OMP_TOOL=disabled. The end of a member's last
// barrier is reported only when the member is needed for another region, so it is not used: team_wait.h.
#include <dlfcn.h>
#include <stdlib.h>

#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/life/learned_code.h"
#include "monitor/life/measuring.h"
#include "monitor/life/signals.h"
#include "monitor/life/threads.h"
#include "monitor/openmp/runtime_order.h"
#include "monitor/openmp/team.h"

namespace andes::monitor {
namespace {

union Data {
  std::uint64_t value;
  void* pointer;
};
using Callback = void (*)();
using Lookup = Callback (*)(const char* name);
using SetCallback = int (*)(int event, Callback callback);

struct Tool {
  int (*initialize)(Lookup lookup, int device, Data* data);
  void (*finalize)(Data* data);
  Data data;
};
using StartTool = Tool* (*)(unsigned version, const char* runtime);

enum Event : int {
  parallel_begin = 3,
  parallel_end = 4,
  task_create = 5,
  task_schedule = 6,
  implicit_task = 7,
  sync_region = 23,
  mutex_acquire = 26,
  mutex_acquired = 27,
  nest_lock = 28
};
enum Endpoint : int { scope_begin = 1, scope_end = 2 };
enum SyncRegion : int {
  barrier_any = 1,
  barrier_explicit = 3,
  wait_for_tasks = 5,
  taskgroup = 6,
  reduction = 7,
  barrier_of_region = 9
};
enum Mutex : int { mutex_lock = 1, mutex_nest_lock = 3, mutex_critical = 5, mutex_atomic = 6, mutex_ordered = 7 };
enum TaskStatus : int { task_complete = 1, task_cancelled = 3, task_detached = 4 };
constexpr int initial_task = 1, explicit_task = 4, untied_task = 0x10000000;

Fork* fork_of(const Data* region) { return region ? static_cast<Fork*>(region->pointer) : nullptr; }

ConstructCode called_from(const void* code) { return {reinterpret_cast<std::uintptr_t>(code), true}; }

void on_parallel_begin(Data*, const void*, Data* region, unsigned, int, const void* code) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  Location* location = inside ? team_thread() : nullptr;
  region->pointer = location ? fork_team(the_process, *location, called_from(code)) : nullptr;
  if (location) note_runtime(the_process, openmp_omp);
  runtime_tells(region->pointer);
}

void on_parallel_end(Data* region, Data*, int, const void*) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  Fork* fork = fork_of(region);
  runtime_told(fork);
  if (fork && inside && this_thread.location == fork->forker) join_team(the_process, *this_thread.location, *fork);
}

void on_implicit_task(int endpoint, Data* region, Data*, unsigned, unsigned, int flags) {
  if (flags & initial_task) return;
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside) return;
  if (endpoint == scope_begin) {
    const Fork* fork = fork_of(region);
    runtime_told(fork);
    Location* location = fork ? attach_thread() : nullptr;
    if (location && location != fork->forker) enter_team(the_process, *location, *fork);
  } else if (this_thread.location && this_thread.location->team.first == this_thread.location->team.region) {
    leave_team(the_process, *this_thread.location); // if its last barrier was not reported
  }
}

// A task's data: the address of its AddressSite, with two bits: a visit of the task is open; it is untied and
// runs in parts.
constexpr std::uint64_t visit_is_open = 1, runs_in_parts = 2;

AddressSite* task_of(const Data& data) {
  return reinterpret_cast<AddressSite*>(data.value & ~(visit_is_open | runs_in_parts));
}
bool has_open_visit(const Data* task) { return task && (task->value & visit_is_open); }
bool begins(const Data* task) { return task && task->value != 0 && !(task->value & visit_is_open); }

void on_task_create(Data*, const void*, Data* created, int flags, int, const void* code) {
  if (!(flags & explicit_task) || !code || !this_thread.location) return;
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside) return;
  runtime_told(created); // the data of another task may have stood there
  created->pointer = find_task(called_from(code));
  if (created->pointer && (flags & untied_task)) created->value |= runs_in_parts;
  runtime_tells(created);
}

/// The innermost visit of the task.
andes_frame* visit_of(const Location& location, const AddressSite& task) {
  andes_frame* frame = location.hot->top;
  while (frame > location.bottom && location.tree.node_at(frame->place).region != task.region) --frame;
  return frame > location.bottom ? frame : nullptr;
}

/// A thread changes from one task to another, which it may have left before. If it leaves an untied task and no new
/// task begins, a part of the untied task has ended: the next part may run in another thread.
void on_task_schedule(Data* from, int status, Data* to) {
  if (!this_thread.location) return;
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside) return;
  runtime_told(to);
  Location& location = *this_thread.location;
  const bool ended = status == task_complete || status == task_cancelled || status == task_detached ||
                     (from && (from->value & runs_in_parts) && !begins(to));
  if (ended && has_open_visit(from)) {
    from->value &= ~visit_is_open;
    if (andes_frame* frame = visit_of(location, *task_of(*from)))
      close_task(the_process, location, *task_of(*from), frame);
  }
  if (begins(to) && open_task(the_process, location, *task_of(*to))) to->value |= visit_is_open;
  runtime_tells(from); // another thread may continue the task
}

void begin_wait(andes_site* site) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (inside && this_thread.location) open_wait(the_process, *this_thread.location, site);
}

/// Ends a wait: its visit is the innermost one then.
void end_wait(std::uint32_t kind) {
  ReentryGuard inside;
  KeepErrno keep_errno;
  if (!inside || !this_thread.location) return;
  Location& location = *this_thread.location;
  andes_frame* top = location.hot->top;
  if (location.tree.node_at(top->place).kind == kind && top != location.team.region)
    close_visit(the_process, location, top);
}

void on_barrier_of_region(int endpoint, const Data* region) {
  const Fork* fork = fork_of(region);
  Location* location = this_thread.location;
  if (endpoint != scope_begin) {
    if (location && location->team.phase != TeamPhase::waiting) end_wait(ANDES_KIND_BARRIER);
  } else if (fork && location && location == fork->forker) {
    begin_wait(&implicit_barrier);
  } else if (fork && location) {
    ReentryGuard inside;
    KeepErrno keep_errno;
    if (inside) leave_team(the_process, *location);
    runtime_tells(fork);
  }
}

void on_sync_region(int kind, int endpoint, Data* region, Data*, const void*) {
  if (endpoint != scope_begin && endpoint != scope_end) return; // begin and end are reported in one call
  if (kind == barrier_of_region) return on_barrier_of_region(endpoint, region);
  if (kind == reduction) return; // part of a barrier that is reported as well
  if (endpoint == scope_end) return end_wait(ANDES_KIND_BARRIER);
  begin_wait(kind == wait_for_tasks || kind == taskgroup       ? &task_wait
             : kind == barrier_any || kind == barrier_explicit ? &barrier
                                                               : &implicit_barrier);
}

void on_mutex_acquire(int kind, unsigned, unsigned, std::uint64_t, const void*) {
  switch (kind) {
  case mutex_lock:
  case mutex_nest_lock: return begin_wait(&lock_wait);
  case mutex_critical:
  case mutex_atomic: return begin_wait(&critical_wait);
  case mutex_ordered: return begin_wait(&ordered_wait);
  default: return; // only tests whether a lock is free
  }
}

void on_mutex_acquired(int kind, std::uint64_t, const void*) {
  if (kind == mutex_lock || kind == mutex_nest_lock || kind == mutex_critical || kind == mutex_atomic ||
      kind == mutex_ordered)
    end_wait(ANDES_KIND_LOCK);
}

/// The thread holds the lock already.
void on_nest_lock(int endpoint, std::uint64_t, const void*) {
  if (endpoint == scope_begin) end_wait(ANDES_KIND_LOCK);
}

int initialize(Lookup lookup, int, Data*) {
  const auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  if (!set) return 0;
  set(parallel_begin, reinterpret_cast<Callback>(on_parallel_begin));
  set(parallel_end, reinterpret_cast<Callback>(on_parallel_end));
  set(implicit_task, reinterpret_cast<Callback>(on_implicit_task));
  set(task_create, reinterpret_cast<Callback>(on_task_create));
  set(task_schedule, reinterpret_cast<Callback>(on_task_schedule));
  set(sync_region, reinterpret_cast<Callback>(on_sync_region));
  set(mutex_acquire, reinterpret_cast<Callback>(on_mutex_acquire));
  set(mutex_acquired, reinterpret_cast<Callback>(on_mutex_acquired));
  set(nest_lock, reinterpret_cast<Callback>(on_nest_lock));
  return 1;
}

void finalize(Data*) {}

/// Whether this process may be measured later.
bool may_be_measured() {
  return monitor_wanted() && (the_process.chosen || the_process.state == State::measuring || may_use_mpi());
}

} // namespace
} // namespace andes::monitor

using namespace andes::monitor;

extern "C" __attribute__((visibility("default"))) void* ompt_start_tool(unsigned version, const char* runtime) {
  const auto other = reinterpret_cast<StartTool>(dlsym(RTLD_NEXT, "ompt_start_tool"));
  // libomp has an ompt_start_tool of its own, which looks for further tools and finds none.
  if (other)
    if (Tool* theirs = other(version, runtime)) return theirs;
  const char* libraries = getenv("OMP_TOOL_LIBRARIES");
  if ((libraries && *libraries) || !may_be_measured()) return nullptr;
  static Tool tool = {initialize, finalize, {0}};
  return &tool;
}
