// Processor: why the useful time of a program changes with its size, from counted instructions and cycles, and
// what limits call paths. Formulas and thresholds in docs/metrics.md, "Counters in the report".
//
// Invariants:
//  - useful time and counts are those of computing call paths alone (neither MPI, nor waiting for threads, nor the
//    tool), of all threads, exclusive: nothing counts twice;
//  - computation scalability = instruction x IPC x frequency scaling, exactly, at every size and call path;
//  - without counts there is no result: why_not gives the remedy.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/series.h"

namespace andes::postproc {

/// Medians over the repeats of a size; sums over threads.
struct Work {
  double useful_s = 0, instructions = 0, cycles = 0;
  std::optional<double> memory_stalls, cache_misses; // cycles; of the last level

  double per_cycle() const { return instructions / cycles; }
  double frequency_hz() const { return cycles / useful_s; }
};

/// Of the base over the size: more than 1 is better. Computation is the product of the others.
struct WorkScaling {
  double computation = 1, instructions = 1, per_cycle = 1, frequency = 1;
};

enum class Bound { unknown, memory, compute, mixed, low_ipc };
const char* name_of(Bound bound);

struct ProcessorPoint {
  int ranks = 0, threads = 1, size = 0;
  Work work;
  WorkScaling scaling; // over the smallest size
};

/// The own work of a call path at the size of the routines.
struct ProcessorPath {
  std::vector<std::string> path;
  std::string kind, file;
  int line = 0;
  double percent = 0; // of the useful time there
  Work work;
  std::optional<WorkScaling> scaling; // absent: the base has no such work
  Bound bound = Bound::unknown;
};

struct Processor {
  std::string why_not; // empty: it was counted
  std::vector<ProcessorPoint> points;
  std::vector<ProcessorPath> paths; // with one per cent of the useful time, at most ten, heaviest first
  std::string rule;                 // that bounds are told by
};

/// Over all points of a build; `largest` is the one whose call paths are told.
Processor processor_of(const Build& build, const Point& largest);

/// The work of a run with its call tree, in all computing call paths; absent: instructions and cycles were not counted.
std::optional<Work> whole_work(const Profile& profile);

/// The smaller the size's work, the better: base over point.
WorkScaling scaling_between(const Work& base, const Work& at);

/// Which bound a call path has, by what was counted.
Bound bound_of(const Work& work);

// Shares of the cycles in which the processor is stalled for memory, from which on a call path is bound by it, and
// up to which it is not.
inline constexpr double stalled_mostly = 0.5, stalled_hardly = 0.2;
// Misses of the last cache in a thousand instructions, likewise: 10 lines of 64 bytes are most of a core's share of
// the memory's bandwidth at one instruction per cycle.
inline constexpr double misses_many = 10, misses_few = 1;
// Instructions per cycle that processors of four and more per cycle fall short of for a reason.
inline constexpr double few_per_cycle = 0.5;

} // namespace andes::postproc
