// Core time of a run: T for each core, cut into parts that add up to it. The ledger compares them between sizes.
// Threads that are in no team (of pthreads, say) are no cores, or a helper that sleeps would be a loss: their wall time
// is added.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "postproc/analysis/build_tree.h"
#include "postproc/analysis/core_waits.h"
#include "postproc/analysis/ledger.h"
#include "postproc/analysis/processor.h"

namespace andes::postproc {

/// What chains of waits began with: kind and call path; -1: not known.
using OriginKey = std::pair<OriginKind, int>;

struct OriginTime {
  double seconds = 0;
  std::map<int, double> ranks; // their parts
};

/// What is charged to a call path: its own time and that of the MPI calls and waits for threads in it, seconds, sums
/// over all threads.
struct ChargedTime {
  double computation_s = 0, communication_s = 0, idle_s = 0, io_s = 0, threads_s = 0;
  double whole_s() const { return computation_s + communication_s + idle_s + io_s + threads_s; }
};

/// Times of a run in seconds, sums over its cores: the threads that took part, the main ones always. Call paths are
/// those of the run, until renumber().
struct CoreTime {
  double time_s = 0, cores = 0;
  double other_threads_s = 0; // wall times of threads in no team, which are no cores
  double whole_s = 0; // cores x T and other_threads_s: what shares of lost time are of
  /// The same in threads that are there for all of T: the cores, and of the others as many as were alive on average.
  double threads() const { return time_s > 0 ? whole_s / time_s : cores; }
  std::map<std::string, double> parts; // by name (LedgerTerm); their sum is whole_s
  std::map<std::string, std::string> titles; // of causes of waiting, by the names of their parts
  std::map<OriginKey, OriginTime> origins; // their sum is that of the parts of idle time
  std::map<int, ChargedTime> paths; // those that have any
  std::optional<Work> work; // instructions and cycles, where they were counted
  std::optional<CoreWaits> core_waits; // where they are known; in the parts until set_core_waits_apart()
};

/// Of a run with its call tree.
CoreTime core_time_of(const Profile& profile);

/// The same, with the numbers that its call paths have in the tree, which gets those that are new.
CoreTime core_time_in(BuildTree& tree, const Profile& profile);

/// Gives the call paths of a run the numbers that they have in a tree of many runs (identity.h). `numbers`: the new
/// number of each, by its old one; no two have the same.
void renumber(CoreTime& time, const std::vector<int>& numbers);

/// What each call path is charged; nothing where its time is charged to its caller, and for call paths of the tool.
std::vector<ChargedTime> charged_times(const Profile& profile);

/// The repeats of a size, and the middle of them (ledger.h).
struct MeasuredTime {
  std::vector<CoreTime> repeats;
  CoreTime middle;
};
MeasuredTime measured_time(std::vector<CoreTime> repeats);

/// What a size, or another build, takes more than a base: the terms of a ledger, which add up; largest first.
std::vector<LedgerTerm> ledger_terms(const MeasuredTime& at, const CoreTime& base);

/// More computation by what it came from, in seconds, which add up: logarithmic means leave no rest and do not depend
/// on an order.
struct ComputationSplit {
  double instructions_s = 0, per_cycle_s = 0, frequency_s = 0;
};
/// Absent: not counted in both.
std::optional<ComputationSplit> split_of(const Work& now, const Work& before, double more_s);

/// By call path: its own work. Absent: not counted, or it does not compute.
std::vector<std::optional<Work>> own_works(const Profile& profile);

/// Mean of one or two runs, part by part; their call paths have the same numbers.
CoreTime mean_of(const std::vector<const CoreTime*>& runs);

/// What a problem of `factor` times the work takes on `factor` times the cores if nothing is lost: T is the same.
CoreTime of_larger_problem(const CoreTime& run, double factor);

/// A part for people; `titles` of causes of waiting, as in CoreTime.
std::string part_title(const std::string& name, const std::map<std::string, std::string>& titles);

/// Whether a part is waiting in MPI, and so has origins.
bool is_idle_part(const std::string& name);

} // namespace andes::postproc
