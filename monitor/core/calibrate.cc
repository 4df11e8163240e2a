#include "monitor/core/calibrate.h"

#include "monitor/core/bounds.h"
#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/interface/calls.h"
#include "monitor/interface/hooks.h"

namespace andes::monitor {
namespace {

/// Batches of each measurement, and calls in a batch: together they take much longer than reading the clock.
struct Effort {
  int batches, fast_calls, slow_calls; // slow: of what takes longer
};
constexpr int most_batches = 11;
constexpr Effort thorough = {most_batches, 100, 30}, brief = {5, 30, 10}; // some 200 us, some 30
constexpr double share_of_budget = 0.05; // of it, for brief calibrations
constexpr double shortest_ms = 20, longest_ms = 1000; // between them

andes_site site = {"(calibration)", "", 0, ANDES_KIND_FUNCTION, region_scratch, ANDES_PROBE_VERSION};

__attribute__((noinline)) void bare() { asm volatile(""); }
__attribute__((noinline)) void probed() {
  ANDES_PROBE(&site)
  asm volatile("");
}

// As a wrapper does: its slow visits are left, and where probes may not read the clock entered, by the calls for those.
__attribute__((noinline)) void wrapped() {
  andes_frame* frame = andes_here.regions != 0 ? andes_enter(&site)
                                               : andes_enter_call(&site, ANDES_STACK(), ANDES_CALLER(), &andes_here);
  asm volatile("");
  if (frame) andes_leave_call(frame);
}

// Work of some 30 to 50 ns around a probe.
template <int rounds> std::uint64_t wait_for_each_other(std::uint64_t x) {
  for (int i = 0; i < rounds; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    asm volatile("" : "+r"(x));
  }
  return x;
}
constexpr int many_rounds = 20, few_rounds = 6;
std::uint64_t keep_busy(std::uint64_t x) {
  std::uint64_t a = x, b = 1, c = 2, d = 3, e = 4, f = 5;
  for (int i = 0; i < 120; ++i) {
    a += 7, b += 9, c += 11, d += 3, e += 1, f += 2;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
  }
  return a ^ b ^ c ^ d ^ e ^ f;
}

using Work = std::uint64_t(std::uint64_t);
template <Work work> __attribute__((noinline)) std::uint64_t bare_work(std::uint64_t x) { return work(x); }
template <Work work> __attribute__((noinline)) std::uint64_t probed_work(std::uint64_t x) {
  ANDES_PROBE(&site)
  return work(x);
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

/// The call tree that calibrations work on, kept from one to the next.
struct Scratch {
  Budget memory;
  Location location{};
  std::uint32_t node = 0;
};
Scratch kept_scratch;

/// Lets this thread's probes in this file, and the slow path, work on a call tree of the calibration's own.
class OnScratch {
public:
  OnScratch(Process& process, Scratch& scratch)
      : location_(scratch.location), program_(this_thread.location), inside_(this_thread.inside),
        missed_(this_thread.missed), view_(andes_here) {
    const TreeLimits limits = {.nodes = 16, .depth = 8, .events = process.counters.count, .backed = false};
    if (scratch.node == 0 &&
        location_start(location_, limits, scratch.memory, region_program, Stack(), ticks_now(process.clock))) {
      governor_start(location_.governor, 0, false, ProbeCosts(), 0, 0);
      scratch.node = make_child(location_.tree, node_root, region_scratch, ANDES_KIND_FUNCTION).node;
    }
    if (scratch.node == 0) return;
    start_counting(process.counters, location_);
    if (program_) location_.losses.mark = program_->losses.mark;
    location_.losses.has_counted = false; // it may have been another thread's
    andes_here = {location_.hot, process.fast_visits ? ANDES_REGIONS : 0, 0}; // this library's own, unused otherwise
    this_thread.location = &location_; // the slow path leaves timed visits there
    this_thread.inside = 0; // else each slow visit would ask whether the work around this one was abandoned
    this_thread.missed = false; // noted visits are the program's: the slow path would count them here
  }
  ~OnScratch() {
    this_thread.location = program_;
    this_thread.inside = inside_;
    this_thread.missed = missed_;
    andes_here = view_;
    stop_counting(location_);
    // A switch that this location noticed must be noticed by the program's location, too (note_work()).
    if (location_.losses.mark) store_relaxed<std::uint64_t>(*location_.losses.mark, 0);
    location_.losses.mark = nullptr;
  }
  OnScratch(const OnScratch&) = delete;
  OnScratch& operator=(const OnScratch&) = delete;

private:
  Location& location_;
  Location* const program_;
  const std::uintptr_t inside_;
  const bool missed_;
  const andes_view view_;
};

struct Batch {
  double ticks[most_batches];
  int batches;

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

/// Ticks that a visit adds, those of them within its own time, and those of the same call without a probe, one number
/// per batch: a batch in which the core was lost to other threads is only an outlier.
struct Added {
  Batch all, inner, bare;
};

template <class Bare, class Call, class Seen>
Added added(Process& process, Bare without, Call call, Seen seen, int batches, int calls) {
  Added added;
  added.all.batches = added.inner.batches = added.bare.batches = batches;
  call();
  for (int i = 0; i < batches; ++i) {
    const double empty = ticks_per_call(process.clock, without, calls);
    const double seen_before = seen();
    const double full = ticks_per_call(process.clock, call, calls);
    added.inner.ticks[i] = (seen() - seen_before) / calls;
    added.all.ticks[i] = full > empty ? full - empty : 0;
    added.bare.ticks[i] = empty;
  }
  return added;
}

/// Cost of a visit's probe among work, its inner part, and how long the work alone takes. `seen`: the inclusive time so
/// far.
struct AmongWork {
  double all, inner, work;
};
template <Work work, class Seen> AmongWork among(Process& process, Seen seen, const Effort& effort) {
  std::uint64_t x = 1;
  const auto without = [&x] { x = bare_work<work>(x); };
  const auto with = [&x] { x = probed_work<work>(x); };
  Added pairs = added(process, without, with, seen, effort.batches, effort.slow_calls);
  const double all = pairs.all.median(), alone = pairs.bare.median(), inner = pairs.inner.median() - alone;
  return {all, at_most(inner > 0 ? inner : 0, all), alone};
}

// An earlier calibration has left the node sampled, and in windows.
void make_exact_again(Scratch& scratch) {
  Tree& tree = scratch.location.tree;
  const std::uint32_t record = tree.node(scratch.node).record;
  if (record != 0) tree.records[record].windowed = false;
  make_exact(tree, scratch.node);
  set_countdown(tree, scratch.node, never);
}

// From exact visits to windows: in this order the node passes through all ways of timing.
void measure(Process& process, Scratch& scratch, const Effort& effort, ProbeCosts& costs) {
  Tree& tree = scratch.location.tree;
  andes_node& node = tree.node(scratch.node);
  make_exact_again(scratch);
  const auto fast_added = [&](auto call, auto seen) {
    return added(process, bare, call, seen, effort.batches, effort.fast_calls);
  };
  const auto slow_added = [&](auto call, auto seen) {
    return added(process, bare, call, seen, effort.batches, effort.slow_calls);
  };
  auto inclusive = [&] { return static_cast<double>(node.inclusive_ticks); };
  // A visit as by the program's probes: by the fast path, or by the slow path with its readings of counters.
  Added pairs = fast_added(probed, inclusive);
  costs.pair = pairs.all.median();
  costs.error = (pairs.all.quantile(3, 4) - pairs.all.quantile(1, 4)) / 2;
  costs.inner = at_most(pairs.inner.median(), costs.pair);

  if (process.fast_visits) {
    const AmongWork dependent = among<wait_for_each_other<many_rounds>>(process, inclusive, effort);
    const AmongWork busy = among<keep_busy>(process, inclusive, effort);
    costs.dependent = dependent.all, costs.dependent_inner = dependent.inner;
    costs.busy = busy.all, costs.busy_inner = busy.inner;
  } else { // a slow visit takes so long that other work overlaps with little of it
    costs.dependent = costs.busy = costs.pair;
    costs.dependent_inner = costs.busy_inner = costs.inner;
  }

  auto nothing = [] { return 0.0; };
  // The minimum: the cost is so small that noise would exceed it.
  costs.closed = fast_added(closed, nothing).all.quantile(0, 1);

  if (sees_all_visits(process)) { // then nothing is sampled
    costs.call_less = at_least(costs.inner - fast_added(wrapped, inclusive).inner.median(), 0);
    return;
  }
  if (!make_sampled(tree, scratch.node, 1)) return;
  set_countdown(tree, scratch.node, never);
  costs.sampled = fast_added(probed, nothing).all.median();
  if (!process.fast_visits)
    costs.clock = fast_added([&] { asm volatile("" ::"r"(ticks_now(process.clock))); }, nothing).all.median();
  SampleRecord& record = tree.records[node.record];
  record.windowed = true; // so that durations of timed visits are kept unchanged
  auto timed_ticks = [&] { return record.windows.ticks; };
  time_part(tree, record, {0, TimedPart::no_end, UINT32_MAX});
  Added timed = slow_added(probed, timed_ticks);
  costs.timed = timed.all.median();
  costs.sample_inner = at_most(timed.inner.median(), costs.timed);
  costs.call_less = at_least(costs.sample_inner - slow_added(wrapped, timed_ticks).inner.median(), 0);
  costs.sample_dependent_inner = among<wait_for_each_other<many_rounds>>(process, timed_ticks, effort).inner;
  costs.sample_busy_inner = among<keep_busy>(process, timed_ticks, effort).inner;
  const AmongWork shorter = among<wait_for_each_other<few_rounds>>(process, timed_ticks, effort);
  costs.short_work = shorter.work, costs.sample_short_inner = shorter.inner;
  // The visit that is due, and those that warm up for the timed one.
  time_next(tree, record, 0, 0);
  auto due = [&] {
    set_countdown(tree, scratch.node, 0);
    probed();
  };
  costs.sample = slow_added(due, nothing).all.median() + 3 * (costs.timed - costs.sampled);
}

// Replaces the costs, which other threads may be reading, by newer ones; false: there was no memory.
bool renew(Process& process, const Effort& effort) {
  Scratch& scratch = kept_scratch;
  const OnScratch on_scratch(process, scratch);
  if (scratch.node == 0) return false;
  const Anchor begin = take_anchor(process.clock);
  ProbeCosts costs;
  measure(process, scratch, effort, costs);
  const Anchor end = take_anchor(process.clock);
  const double ns = static_cast<double>(end.monotonic_ns - begin.monotonic_ns);
  if (process.costs.ticks_per_ms == 0)
    process.costs.ticks_per_ms = 1e6 * static_cast<double>(end.ticks - begin.ticks) / ns;
  add_calibration(process.cost_history, process.costs, costs, end.ticks);
  for (const auto cost : repeated_costs) store_relaxed(process.costs.*cost, costs.*cost);
  return true;
}

// The next calibration is due after a time of which the latest one, begun at `begin_ticks`, would be its share.
void set_due(Process& process, std::uint64_t begin_ticks, double share_of_costs) {
  const std::uint64_t now_ticks = ticks_now(process.clock);
  const double budget = process.settings.budget_percent / 100;
  double ms = longest_ms; // without a budget no call comes here again
  if (budget > 0)
    ms = static_cast<double>(now_ticks - begin_ticks) * share_of_costs /
         (share_of_budget * budget * process.costs.ticks_per_ms);
  if (!(ms > shortest_ms)) ms = shortest_ms;
  if (ms > longest_ms) ms = longest_ms;
  store_relaxed(process.cost_history.due_ticks,
                now_ticks + static_cast<std::uint64_t>(ms * process.costs.ticks_per_ms));
}

bool begin_calibrating(Process& process) { return !__atomic_test_and_set(&process.calibrating, __ATOMIC_ACQUIRE); }
void end_calibrating(Process& process) { __atomic_clear(&process.calibrating, __ATOMIC_RELEASE); }

} // namespace

void reset_calibration_in_child(Process& process) {
  if (!process.calibrating) return;
  kept_scratch = {}; // half changed; its memory is given up
  process.calibrating = false;
}

std::uintptr_t hooked_function() { return reinterpret_cast<std::uintptr_t>(&bare); }

void calibrate_hooks(Process& process) {
  if (!process.fast_visits || !begin_calibrating(process)) return;
  const BlockedSignals blocked;
  {
    const OnScratch on_scratch(process, kept_scratch);
    if (kept_scratch.node != 0) {
      make_exact_again(kept_scratch);
      const auto nothing = [] { return 0.0; };
      const double pair = added(process, bare, probed, nothing, thorough.batches, thorough.fast_calls).all.median();
      const double ticks =
          added(process, bare, hooked, nothing, thorough.batches, thorough.fast_calls).all.median() - pair;
      store_relaxed(process.costs.hook, ticks > 0 ? ticks : 0.0);
    }
  }
  end_calibrating(process);
}

void calibrate(Process& process) {
  const std::uint64_t begin_ticks = ticks_now(process.clock);
  if (!begin_calibrating(process)) return;
  const BlockedSignals blocked; // a handler's probes would come into the calibration's tree
  constexpr double brief_share = 0.1; // of the time that a thorough calibration takes
  process.costs.counts_by_call = !process.fast_visits;
  process.costs.fenced_clock = process.clock.kind != ClockKind::tsc;
  if (renew(process, thorough)) set_due(process, begin_ticks, brief_share);
  end_calibrating(process);
}

void calibrate_again(Process& process, std::uint64_t now_ticks) {
  const std::uint64_t due_ticks = load_relaxed(process.cost_history.due_ticks); // the rest is the calibrating thread's
  if (due_ticks == 0 || now_ticks < due_ticks) return;
  if (sees_all_visits(process) || !begin_calibrating(process)) return;
  const BlockedSignals blocked; // as above
  if (renew(process, brief)) set_due(process, now_ticks, 1);
  end_calibrating(process);
}

} // namespace andes::monitor
