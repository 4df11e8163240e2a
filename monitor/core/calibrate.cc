#include "monitor/core/calibrate.h"

#include "monitor/core/visit.h"

namespace andes {
namespace {

constexpr int batches = 15, calls = 200;

andes_site site = {"(calibration)", "", 0, ANDES_KIND_FUNCTION, region_scratch, ANDES_PROBE_VERSION};

__attribute__((noinline)) void bare() { asm volatile(""); }
__attribute__((noinline)) void probed() {
  ANDES_PROBE(&site)
  asm volatile("");
}

struct Scratch {
  Budget memory;
  Location location{};
  std::uint32_t node = 0;

  explicit Scratch(Process& process) {
    if (!location_start(location, {.nodes = 16, .depth = 8}, memory, region_program,
                        ticks_now(process.clock)))
      return;
    static const ProbeCosts none;
    governor_start(location.governor, 0, false, none, 0, 0);
    node = make_child(location.tree, node_root, region_scratch, ANDES_KIND_FUNCTION).node;
  }
  ~Scratch() { location_free(location); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

struct Batch {
  double ticks[batches];

  double quantile(int numerator, int denominator) {
    for (int i = 1; i < batches; ++i) // insertion sort: few, and no library here
      for (int j = i; j > 0 && ticks[j] < ticks[j - 1]; --j) {
        const double swapped = ticks[j];
        ticks[j] = ticks[j - 1];
        ticks[j - 1] = swapped;
      }
    return ticks[(batches - 1) * numerator / denominator];
  }
  double median() { return quantile(1, 2); }
};

template <class Call> double ticks_per_call(const Clock& clock, Call call) {
  const std::uint64_t begin_ticks = ticks_now(clock);
  for (int i = 0; i < calls; ++i) call();
  return static_cast<double>(ticks_now(clock) - begin_ticks) / calls;
}

// A visit as the program's probes make it: by the fast path, or another clock's slow one.
void one_visit(Process& process, Scratch& scratch) {
  if (process.clock.kind == ClockKind::tsc) return probed();
  const std::uintptr_t stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  close_visit(process, scratch.location, open_visit(process, scratch.location, &site, stack, 0));
}

void one_slow_visit(Process& process, Scratch& scratch) {
  const std::uintptr_t stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  close_visit(process, scratch.location, open_visit(process, scratch.location, &site, stack, 0));
}

// Added ticks of a visit, one number per batch.
template <class Call> Batch added(Process& process, Call call) {
  Batch batch;
  call();
  for (double& ticks : batch.ticks) {
    const double empty = ticks_per_call(process.clock, bare);
    const double full = ticks_per_call(process.clock, call);
    ticks = full > empty ? full - empty : 0;
  }
  return batch;
}

void measure(Process& process, Scratch& scratch, ProbeCosts& costs) {
  Tree& tree = scratch.location.tree;
  andes_node& node = tree.node(scratch.node);
  auto fast = [&] { one_visit(process, scratch); };
  auto slow = [&] { one_slow_visit(process, scratch); };

  Batch pairs = added(process, fast);
  costs.pair = pairs.median();
  costs.error = (pairs.quantile(3, 4) - pairs.quantile(1, 4)) / 2;
  costs.inner = static_cast<double>(node.inclusive_ticks) / static_cast<double>(tree.visits(scratch.node));

  if (!make_sampled(tree, scratch.node, 1)) return;
  set_countdown(tree, scratch.node, never);
  costs.sampled = added(process, fast).median();
  SampleRecord& record = tree.records[node.record];
  record.next_block = 1;
  set_countdown(tree, scratch.node, 0);
  costs.sample = added(process, slow).median();
  costs.sample_inner = record.sample.visits > 0 ? record.sample.ticks / record.sample.visits : 0;
}

} // namespace

ProbeCosts calibrate(Process& process) {
  ProbeCosts costs;
  Scratch scratch(process);
  if (scratch.node == 0) return costs;
  const andes_view program_view = andes_here; // this library's own view: free until now
  andes_here = {scratch.location.hot, ANDES_REGIONS, 0};
  const Anchor begin = take_anchor(process.clock);
  measure(process, scratch, costs);
  const Anchor end = take_anchor(process.clock);
  andes_here = program_view;
  costs.ticks_per_ms = 1e6 * static_cast<double>(end.ticks - begin.ticks) /
                       static_cast<double>(end.monotonic_ns - begin.monotonic_ns);
  return costs;
}

} // namespace andes
