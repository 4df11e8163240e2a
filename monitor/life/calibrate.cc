#include "monitor/life/calibrate.h"

#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/interface/hooks.h"
#include "monitor/life/learned_code.h"

namespace andes::monitor {
namespace {

constexpr int batches = 11;
constexpr int fast_calls = 100, slow_calls = 30; // calls per batch: together they take much longer than reading
                                                 // the clock

andes_site site = {"(calibration)", "", 0, ANDES_KIND_FUNCTION, region_scratch, ANDES_PROBE_VERSION};

__attribute__((noinline)) void bare() { asm volatile(""); }
__attribute__((noinline)) void probed() {
  ANDES_PROBE(&site)
  asm volatile("");
}

andes_site closed_site = {"(calibration)", "", 0, ANDES_KIND_FUNCTION, ANDES_REGION_OFF, ANDES_PROBE_VERSION};

__attribute__((noinline)) void closed() {
  ANDES_PROBE(&closed_site)
  asm volatile("");
}

__attribute__((noinline)) void hooked() {
  void* const function = reinterpret_cast<void*>(&bare);
  __cyg_profile_func_enter(function, __builtin_return_address(0));
  asm volatile("");
  __cyg_profile_func_exit(function, __builtin_return_address(0));
}

struct Scratch {
  Budget memory;
  Location location{};
  std::uint32_t node = 0;

  explicit Scratch(Process& process) {
    if (!location_start(location, {.nodes = 16, .depth = 8, .events = process.counters.count, .backed = false}, memory,
                        region_program, Stack(), ticks_now(process.clock)))
      return;
    static const ProbeCosts none;
    governor_start(location.governor, 0, false, none, 0, 0);
    node = make_child(location.tree, node_root, region_scratch, ANDES_KIND_FUNCTION).node;
    start_counting(process.counters, location);
  }
  ~Scratch() {
    stop_counting(location);
    location_free(location);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

struct Batch {
  double ticks[batches];

  double quantile(int numerator, int denominator) {
    for (int i = 1; i < batches; ++i) // insertion sort: few elements, and no library here
      for (int j = i; j > 0 && ticks[j] < ticks[j - 1]; --j) {
        const double swapped = ticks[j];
        ticks[j] = ticks[j - 1];
        ticks[j - 1] = swapped;
      }
    return ticks[(batches - 1) * numerator / denominator];
  }
  double median() { return quantile(1, 2); }
};

template <class Call> double ticks_per_call(const Clock& clock, Call call, int calls) {
  const std::uint64_t begin_ticks = ticks_now(clock);
  for (int i = 0; i < calls; ++i) call();
  return static_cast<double>(ticks_now(clock) - begin_ticks) / calls;
}

void slow_visit(Process& process, Scratch& scratch) {
  const std::uintptr_t stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  close_visit(process, scratch.location, open_visit(process, scratch.location, &site, stack, 0));
}

/// Ticks that a visit adds, and those of them within its own time, one number per batch: a batch in
/// which the core was lost to other threads is only an outlier.
struct Added {
  Batch all, inner;
};

template <class Call, class Seen> Added added(Process& process, Call call, Seen seen, int calls = fast_calls) {
  Added added;
  call();
  for (int i = 0; i < batches; ++i) {
    const double empty = ticks_per_call(process.clock, bare, calls);
    const double seen_before = seen();
    const double full = ticks_per_call(process.clock, call, calls);
    added.inner.ticks[i] = (seen() - seen_before) / calls;
    added.all.ticks[i] = full > empty ? full - empty : 0;
  }
  return added;
}

double at_most(double value, double high) { return value < high ? value : high; }

void measure(Process& process, Scratch& scratch, ProbeCosts& costs) {
  Tree& tree = scratch.location.tree;
  andes_node& node = tree.node(scratch.node);
  auto slow = [&] { slow_visit(process, scratch); };
  auto inclusive = [&] { return static_cast<double>(node.inclusive_ticks); };
  // A visit as by the program's probes: by the fast path, or by the slow path with its readings of counters.
  Added pairs = process.fast_visits ? added(process, probed, inclusive) : added(process, slow, inclusive);
  costs.pair = pairs.all.median();
  costs.error = (pairs.all.quantile(3, 4) - pairs.all.quantile(1, 4)) / 2;
  costs.inner = at_most(pairs.inner.median(), costs.pair);

  auto nothing = [] { return 0.0; };
  costs.closed = added(process, closed, nothing).all.quantile(0, 1); // the minimum: the cost is so small that noise
                                                                     // would exceed it

  if (process.counters.count != 0) return; // with counters nothing is sampled
  if (!make_sampled(tree, scratch.node, 1)) return;
  set_countdown(tree, scratch.node, never);
  costs.sampled = (process.fast_visits ? added(process, probed, nothing) : added(process, slow, nothing)).all.median();
  SampleRecord& record = tree.records[node.record];
  record.windowed = true; // so that durations of timed visits are kept unchanged
  auto visit = [&] {
    if (process.fast_visits) probed();
    else slow_visit(process, scratch);
  };
  auto timed_ticks = [&] { return record.windows.ticks; };
  time_next(tree, record, 0, UINT32_MAX);
  Added timed = added(process, visit, timed_ticks, slow_calls);
  costs.timed = timed.all.median();
  costs.sample_inner = at_most(timed.inner.median(), costs.timed);
  // The visit that is due, and those that warm up for the timed one.
  time_next(tree, record, 0, 0);
  auto due = [&] {
    set_countdown(tree, scratch.node, 0);
    slow_visit(process, scratch);
  };
  costs.sample = added(process, due, nothing, slow_calls).all.median() + 3 * (costs.timed - costs.sampled);
}

} // namespace

double calibrate_hooks(Process& process) {
  Scratch scratch(process);
  if (scratch.node == 0 || !process.fast_visits || !learn_scratch(reinterpret_cast<std::uintptr_t>(&bare))) return 0;
  Location* const program = this_thread.location;
  this_thread.location = &scratch.location;
  const double ticks = added(process, hooked, [] { return 0.0; }).all.median() - process.costs.pair;
  this_thread.location = program;
  return ticks > 0 ? ticks : 0;
}

ProbeCosts calibrate(Process& process) {
  ProbeCosts costs;
  Scratch scratch(process);
  if (scratch.node == 0) return costs;
  const andes_view program_view = andes_here; // this library's own view, unused until now
  andes_here = {scratch.location.hot, ANDES_REGIONS, 0};
  Location* const program = this_thread.location; // the slow path leaves timed visits, and uses this_thread.location
  this_thread.location = &scratch.location;
  const Anchor begin = take_anchor(process.clock);
  measure(process, scratch, costs);
  const Anchor end = take_anchor(process.clock);
  this_thread.location = program;
  andes_here = program_view;
  costs.ticks_per_ms =
      1e6 * static_cast<double>(end.ticks - begin.ticks) / static_cast<double>(end.monotonic_ns - begin.monotonic_ns);
  return costs;
}

} // namespace andes::monitor
