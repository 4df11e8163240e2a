// Function samples: how a thread's processor time divides among the program's functions while call paths are sampled
// or regions closed (windows.h), by samples of the program counter that the kernel takes. In timed visits a function of
// a few nanoseconds seems as long as its probe makes it; these samples see it as it is when its visits are not timed.
// What they do not know is call paths and visits, which timed visits and windows tell (decision 287).
// docs/metrics.md, "Functions by samples", has the method.
//
// A sample belongs to the innermost function on the stack that holds a probe: functions without one are their callers'
// time. The way there goes by the frames on the stack (sampled_callers.h). What was called through the monitor (MPI) is
// counted by itself.
//
// Invariants:
//  - samples are started, read and ended under the lock of the windows;
//  - memory is bounded, and taken from the budget of the trees; samples that have no room are counted as unknown.
#pragma once
#include <cstdint>

#include "monitor/core/tree.h"
#include "monitor/system/counter_samples.h"

namespace andes::monitor {

struct Process;
struct Location;

/// Values of NodeAccount::function that are no address.
inline constexpr std::uintptr_t function_not_asked = 0, function_not_known = 1;

/// One function. Two threads add entries: the thread itself, and that of the windows.
struct FunctionCount {
  std::uintptr_t begin; // address; 0: a free entry
  std::uint32_t periods; // that its samples stand for
  std::uint32_t apart_periods; // the same of samples in MPI and the monitor that it has called
  bool has_probe;
};

/// Samples at one address of a function with a probe: of the code there, or of what is called there.
struct AddressCount {
  std::uintptr_t address; // 0: a free entry
  std::uintptr_t innermost; // address of the code that is told of, in functions of its object that it has called
  std::uintptr_t function; // where it begins
  std::uint32_t periods, apart_periods; // as of the function
};

struct FunctionSamples {
  static constexpr std::uint32_t slots = 2048, address_slots = 4096; // powers of two

  CounterSamples counter;
  std::int32_t thread_id; // whose samples are taken
  std::uint32_t taken; // samples
  std::uint32_t stands_for; // periods, each of the samples that are taken now
  double periods, periods2; // sums over samples: of the periods that they stand for, and of their squares
  double unknown; // periods of samples that found no function with a probe
  double lost; // samples
  bool of_several; // threads: others have gone on with the tree, and nothing is known of how their times compare
  bool in_program_alone; // not in the kernel on behalf of the program
  double* own_before; // own times until samples began, by number of the node, ticks
  double* visits_before; // the same of visits
  std::uint32_t nodes_before;
  FunctionCount functions[slots];
  AddressCount addresses[address_slots]; // what has no room is in its function's count alone
};

/// The entry of a function; made if there is none. Null: there is no room.
FunctionCount* count_of(FunctionSamples& samples, std::uintptr_t function);

/// To be called where a call path is entered whose function was not asked for yet. `code`: an address in it, 0 if none
/// is known.
void note_function(Location& location, std::uint32_t node, std::uintptr_t code);

/// The same for a parallel region, whose code is a function of its own, wherever its probe lies.
void note_region_function(Location& location, std::uint32_t node, std::uintptr_t function);

/// Adds the own times of the first `nodes` call paths so far, those of visits that are open included, in ticks; by the
/// tree's own thread or another. Visits in windows are left out.
void own_times(const Location& location, std::uint64_t now_ticks, std::uint32_t nodes, double* of_nodes);

/// What taking a sample costs on this machine, in ns, by some that are taken at once of the calling thread, which has
/// this id; 0: the kernel refuses. It may have to wait for the kernel: the lock of the windows must not be held.
double find_cost_of_sample(const Process& process, std::int32_t own_id);

/// From now on times are estimated: notes what is known of them before. Under the lock of the windows.
void begin_samples(Process& process, std::uint64_t now_ticks);

/// Reads what there is. To be called before measuring is switched off or on. Under the lock of the windows.
void read_samples(Process& process);

/// Reads what there is, and starts samples of a thread that has none. True: others wait for that. Under the lock of the
/// windows.
bool follow_samples(Process& process, std::uint64_t now_ticks);

/// Reads what there is; no samples are taken any more. Under the lock of the windows.
void end_samples(Process& process);

/// Times begin anew. Under the lock of the windows.
void restart_samples(Process& process);

/// In the child of a fork, to which the kernel leaves no samples.
void forget_samples(Process& process);

} // namespace andes::monitor
