#include "monitor/core/function_samples.h"

#include <cstring>

#include "monitor/core/closed_records.h"
#include "monitor/core/known_table.h"
#include "monitor/core/process.h"
#include "monitor/system/functions.h"
#include "monitor/system/memory.h"
#include "monitor/system/sampled_callers.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t most_tries = 32;
constexpr double early_ms = 1500; // samples come more often, so that short runs are told of, too

// Libraries of the monitor, whose wrappers call others, and of MPI, which a wrapper may jump to: what is called through
// them has times of its own.
bool is_apart(std::uintptr_t address) {
  const char* const path = object_at(address);
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash ? slash + 1 : path;
  return std::strncmp(name, "libandes", 8) == 0 || std::strncmp(name, "libmpi", 6) == 0;
}

void mark_probe(FunctionSamples& samples, std::uintptr_t function) {
  if (function == function_not_asked || function == function_not_known) return;
  if (FunctionCount* const count = count_of(samples, function)) store_relaxed(count->has_probe, true);
}

struct Found {
  FunctionCount* function; // the innermost one with a probe; null: there is none
  bool apart; // the sample is of what that one has called there
  std::uintptr_t address; // in its code
  std::uintptr_t innermost; // in code of the same object that it has called
};

Found find(FunctionSamples& samples, const CounterSample& sample) {
  Found found = {nullptr, is_apart(sample.counter), sample.counter, sample.counter};
  const char* object = object_at(sample.counter);
  const auto look = [&](std::uintptr_t function) {
    found.function = count_of(samples, function);
    if (!found.function) return true; // no room: whose it is stays unknown
    if (load_relaxed(found.function->has_probe)) return true;
    found.function = nullptr;
    return false;
  };
  std::uintptr_t function = function_at(sample.counter);
  if (function == 0 || look(function)) return found;
  SampledCallers callers(sample);
  while (const std::uintptr_t address = callers.next()) {
    // Rare code may lie apart from the rest of its function (docs/decisions/0287): the call tells whose it is.
    const std::uintptr_t called = target_of_call(address);
    if (called != function && called != 0 && function_at(called) == called && look(called)) return found;
    const std::uintptr_t caller = function_at(address - 1); // what never returns may end a function
    if (caller == 0) continue;
    function = caller;
    found.apart |= is_apart(address);
    found.address = address - 1;
    if (const char* const of_caller = object_at(address); of_caller != object) {
      object = of_caller;
      found.innermost = found.address;
    }
    if (look(caller)) return found;
  }
  return found;
}

// By the thread of the windows alone.
void count_address(FunctionSamples& samples, const Found& found) {
  const std::uint32_t hash = hash_of(found.address ^ (found.innermost << 1));
  for (std::uint32_t i = 0; i < most_tries; ++i) {
    AddressCount& count = samples.addresses[(hash + i) % FunctionSamples::address_slots];
    if (count.address != 0 && (count.address != found.address || count.innermost != found.innermost)) continue;
    count.address = found.address;
    count.innermost = found.innermost;
    count.function = found.function->begin;
    (found.apart ? count.apart_periods : count.periods) += samples.stands_for;
    return;
  }
}

void read(FunctionSamples& samples, bool are_measured) {
  SampleReader reader(samples.counter);
  CounterSample sample;
  while (reader.next(sample)) {
    if (!are_measured) continue;
    samples.taken++;
    samples.periods += samples.stands_for;
    samples.periods2 += static_cast<double>(samples.stands_for) * samples.stands_for;
    const Found found = find(samples, sample);
    if (found.function) {
      (found.apart ? found.function->apart_periods : found.function->periods) += samples.stands_for;
      count_address(samples, found);
    } else if (!found.apart) {
      samples.unknown += samples.stands_for;
    }
  }
  samples.lost += static_cast<double>(reader.lost());
}

// Sorts the values.
std::uint64_t median(std::uint64_t* values, std::uint32_t count) {
  for (std::uint32_t i = 1; i < count; ++i)
    for (std::uint32_t j = i; j > 0 && values[j] < values[j - 1]; --j) {
      const std::uint64_t larger = values[j - 1];
      values[j - 1] = values[j];
      values[j] = larger;
    }
  return values[count / 2];
}

// Notes what there was before. Null: no memory.
FunctionSamples* begin(Location& location, std::uint64_t now_ticks) {
  const std::uint32_t nodes = location.tree.whole_nodes();
  const std::size_t bytes = sizeof(FunctionSamples) + 2 * nodes * sizeof(double);
  auto* const memory = static_cast<unsigned char*>(reserve(bytes));
  if (!memory) return nullptr;
  if (!location.tree.memory->take(static_cast<std::int64_t>(bytes + ring_bytes))) {
    unreserve(memory, bytes);
    return nullptr;
  }
  auto* const samples = reinterpret_cast<FunctionSamples*>(memory);
  samples->own_before = reinterpret_cast<double*>(memory + sizeof(FunctionSamples));
  samples->visits_before = samples->own_before + nodes;
  samples->nodes_before = nodes;
  own_times(location, now_ticks, nodes, samples->own_before);
  for (std::uint32_t node = 0; node < nodes; ++node)
    samples->visits_before[node] =
        static_cast<double>(visits_from_outside(location.tree, node) - location.tree.accounts[node].visits_before);
  // Sequentially consistent, as in note_function(): one of the two threads sees what the other has stored.
  __atomic_store_n(&location.function_samples, samples, __ATOMIC_SEQ_CST);
  for (std::uint32_t node = first_free_node; node < location.tree.whole_nodes(); ++node)
    mark_probe(*samples, __atomic_load_n(&location.tree.accounts[node].function, __ATOMIC_SEQ_CST));
  return samples;
}

} // namespace

FunctionCount* count_of(FunctionSamples& samples, std::uintptr_t function) {
  const std::uint32_t hash = hash_of(function);
  for (std::uint32_t i = 0; i < most_tries; ++i) {
    FunctionCount& count = samples.functions[(hash + i) % FunctionSamples::slots];
    std::uintptr_t begin = 0;
    if (__atomic_compare_exchange_n(&count.begin, &begin, function, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
        begin == function)
      return &count;
  }
  return nullptr;
}

void note_function(Location& location, std::uint32_t node, std::uintptr_t code) {
  const std::uintptr_t found = code != 0 && location.governor.may_close ? function_at(code) : 0;
  const std::uintptr_t function = found != 0 ? found : function_not_known;
  location.tree.accounts[node].code = found != 0 ? code : 0;
  __atomic_store_n(&location.tree.accounts[node].function, function, __ATOMIC_SEQ_CST);
  if (FunctionSamples* const samples = __atomic_load_n(&location.function_samples, __ATOMIC_SEQ_CST))
    mark_probe(*samples, function);
}

void note_region_function(Location& location, std::uint32_t node, std::uintptr_t function) {
  const std::uintptr_t known = location.tree.accounts[node].function;
  if (function != 0 && known != function && known != function_not_known) note_function(location, node, function);
}

void own_times(const Location& location, std::uint64_t now_ticks, std::uint32_t nodes, double* of_nodes) {
  const Tree& tree = location.tree;
  const auto add = [&](std::uint32_t node, double ticks) {
    of_nodes[node] += ticks;
    if (node != node_root) of_nodes[tree.node(node).parent] -= ticks;
  };
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const andes_node& of = tree.node(node);
    double ticks = static_cast<double>(load_relaxed(of.inclusive_ticks) + load_relaxed(of.inside_ticks));
    if (const std::uint32_t record = __atomic_load_n(&of.record, __ATOMIC_ACQUIRE); record != 0) {
      const Sample& sample = tree.records[record].sample;
      if (sample.visits > 0) ticks += sample.ticks / sample.visits * static_cast<double>(sampled_visits(tree, node));
    }
    add(node, ticks);
    of_nodes[node] += static_cast<double>(load_relaxed(tree.accounts[node].moved_ticks));
  }
  // Visits that are open. Another thread may see a frame that is just being replaced: then it has just begun.
  const andes_frame* const top = load_relaxed(location.sides ? location.own_top : location.hot->top);
  for (const andes_frame* frame = location.frames; frame <= top && frame < location.last_frame; ++frame) {
    const std::uint32_t place = load_relaxed(frame->place);
    const auto begin_ticks = static_cast<std::int64_t>(load_relaxed(frame->enter_ticks));
    const auto lasts = static_cast<std::int64_t>(now_ticks) - begin_ticks;
    if (place < place_of(0)) continue;
    const auto node = static_cast<std::uint32_t>((place - place_of(0)) / sizeof(andes_node));
    if (node < nodes && begin_ticks > 0 && lasts > 0 && load_relaxed(frame->bits) == 0)
      add(node, static_cast<double>(lasts));
  }
  for (std::uint32_t node = 0; node < nodes; ++node) of_nodes[node] = of_nodes[node] > 0 ? of_nodes[node] : 0;
}

namespace {

/// What samples take from this thread that come every `period_ns`: the median gap between readings of the clock.
/// 0: none came.
double gap_of_samples(const Process& process, std::int32_t own_id, std::uint64_t period_ns) {
  constexpr std::uint32_t most = 15;
  constexpr double least_gap_ms = 0.0005, longest_ms = 2; // shorter gaps are those of reading the clock
  CounterSamples samples = {};
  if (!start_samples(samples, own_id, period_ns)) return 0;
  std::uint64_t gaps[most];
  std::uint32_t count = 0;
  const std::uint64_t begin_ticks = ticks_now(process.clock), until_ticks = begin_ticks + ticks_of(process, longest_ms);
  for (std::uint64_t last_ticks = begin_ticks; count < most && last_ticks < until_ticks;) {
    const std::uint64_t ticks = ticks_now(process.clock);
    if (ticks - last_ticks > ticks_of(process, least_gap_ms)) gaps[count++] = ticks - last_ticks;
    last_ticks = ticks;
  }
  stop_samples(samples);
  if (count == 0) return 0;
  return static_cast<double>(median(gaps, count)) * 1e6 / process.costs.ticks_per_ms;
}

} // namespace

double find_cost_of_sample(const Process& process, std::int32_t own_id) {
  constexpr std::uint64_t period_ns = 40'000, longer_ns = 160'000;
  const double gap_ns = gap_of_samples(process, own_id, period_ns);
  // Where a sample takes longer than the period, as in virtual machines, the next one follows at once.
  return gap_ns < period_ns / 2.0 ? gap_ns : gap_of_samples(process, own_id, longer_ns);
}

void begin_samples(Process& process, std::uint64_t now_ticks) {
  Windows& windows = process.windows;
  for_each_thread(process, [&](Location& location) {
    if (!load_relaxed(location.in_use) || location.function_samples || windows.no_samples) return;
    if (!begin(location, now_ticks)) windows.no_samples = true; // no memory: of none of the threads to come either
  });
}

void read_samples(Process& process) {
  if (process.windows.unloading != 0) return;
  for_each_thread(process, [&](Location& location) {
    if (location.function_samples) read(*location.function_samples, is_measured(process));
  });
}

bool follow_samples(Process& process, std::uint64_t now_ticks) {
  const Windows& windows = process.windows;
  if (windows.sample_period_ns <= 0 || windows.unloading != 0) return false;
  read_samples(process);
  begin_samples(process, now_ticks);
  // Below zero: times have begun anew since `now_ticks`.
  const auto age_ticks = static_cast<std::int64_t>(now_ticks - windows.thread_ticks);
  const bool early = age_ticks < static_cast<std::int64_t>(ticks_of(process, early_ms));
  const std::uint32_t stands_for = early ? 1 : windows.later_periods;
  bool has_started = false, others_wait = false; // one at a time: it takes long, and others wait for the lock
  for_each_thread(process, [&](Location& location) {
    if (!location.function_samples) return;
    FunctionSamples& samples = *location.function_samples;
    if (samples.thread_id != 0 && samples.thread_id != location.thread_id) samples.of_several = true;
    const bool goes_on = samples.thread_id == location.thread_id && samples.stands_for == stands_for;
    if (!load_relaxed(location.in_use) || goes_on) return;
    if (samples.of_several) return stop_samples(samples.counter);
    others_wait |= has_started;
    if (has_started) return;
    has_started = true;
    stop_samples(samples.counter);
    samples.thread_id = location.thread_id;
    samples.stands_for = stands_for;
    start_samples(samples.counter, location.thread_id,
                  static_cast<std::uint64_t>(stands_for * windows.sample_period_ns));
    samples.in_program_alone = samples.counter.in_program_alone;
  });
  return others_wait;
}

void end_samples(Process& process) {
  read_samples(process);
  for_each_thread(process, [](Location& location) {
    if (location.function_samples) stop_samples(location.function_samples->counter);
  });
}

void restart_samples(Process& process) {
  for_each_thread(process, [](Location& location) {
    if (!location.function_samples) return;
    FunctionSamples& samples = *location.function_samples;
    read(samples, false);
    for (FunctionCount& count : samples.functions) count.periods = count.apart_periods = 0;
    for (AddressCount& count : samples.addresses) count.periods = count.apart_periods = 0;
    samples.taken = 0;
    samples.periods = samples.periods2 = samples.unknown = samples.lost = 0;
    for (std::uint32_t node = 0; node < samples.nodes_before; ++node)
      samples.own_before[node] = samples.visits_before[node] = 0;
  });
}

void forget_samples(Process& process) {
  process.windows.sample_period_ns = 0;
  for_each_thread(process, [](Location& location) { location.function_samples = nullptr; });
}

} // namespace andes::monitor
