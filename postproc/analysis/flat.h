// Flat profile: the times of a call tree by function instead of by call path, and what calls what.
//
// Invariants:
//  - recursion counts once: the inclusive figures of a function are sums over those of its call paths that no other
//    call path of it leads to; all others (visits, exclusive time, bytes, messages) are sums over all of them;
//  - so the exclusive times of all functions are the wall times of all locations, and the same holds of files;
//  - errors are those of a call path with the summed statistics: sampling errors of call paths are independent, what
//    the costs of probes are wrong by is common to them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/sampling.h"
#include "postproc/analysis/tree.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// What of the profile is summed in one row.
enum class FlatBy { function, file, kind };

/// Figures in seconds, sums over ranks.
struct FlatRow {
  std::string name, kind, file; // kind: of functions and groups; file: of functions
  int line = 0;
  std::size_t callpaths = 0;
  double visits = 0, visits_below = 0, visits_above = 0; // as in TreeRow
  double inclusive_s = 0, exclusive_s = 0;
  double communication_s = 0;   // inclusive, less idle where that is known
  std::optional<double> idle_s; // inclusive; absent: neither waits nor teams were measured
  std::optional<double> io_s;   // inclusive; absent: in files of before it is part of communication_s
  double bytes_sent = 0, bytes_received = 0, messages_sent = 0, messages_received = 0;
  double bytes_read = 0, bytes_written = 0;
  SizeCounts sizes; // of messages, own ones (message_sizes.h)
  double sampled_visits = 0, timed_visits = 0;
  bool muted = false;
  SamplingError inclusive_error_s, exclusive_error_s;
};

/// A visit's time; absent where nothing was visited.
std::optional<double> inclusive_per_visit_s(const FlatRow& row);
std::optional<double> exclusive_per_visit_s(const FlatRow& row);

/// Mean size of the messages of one direction; absent without messages.
std::optional<double> mean_bytes_sent(const FlatRow& row);
std::optional<double> mean_bytes_received(const FlatRow& row);

/// Rows by exclusive time, longest first. `statistics` are those of which `tree` was made.
std::vector<FlatRow> flat_profile(const Profile& profile, const std::vector<Statistic>& statistics, const Tree& tree,
                                  FlatBy by);

/// A caller or callee of a function, with the figures of the calls between the two.
struct CallsBetween {
  FlatRow calls;
  double of_visits = 0, of_time_s = 0; // of a caller: the function's; of a callee: all its visits, the function's time
};

/// A function with its callers, whose figures add up to its own, and its callees; both heaviest first.
struct FunctionCalls {
  FlatRow function;
  std::vector<CallsBetween> callers, callees;
};

/// The flat profile of a run in all its forms. `calls` alone, if functions were asked for.
struct FlatProfile {
  std::vector<FlatRow> functions, files, groups; // groups: the kinds of MPI calls
  std::vector<FunctionCalls> calls;
};

/// Of each function with this name. A name without namespaces and parameters finds functions that have these. Throws
/// Refusal if there is none.
std::vector<FunctionCalls> calls_of(const Profile& profile, const std::vector<Statistic>& statistics, const Tree& tree,
                                    const std::string& name);

/// Functions, files and groups.
FlatProfile flat_profiles(const Profile& profile, const std::vector<Statistic>& statistics, const Tree& tree);

/// A repeat of a point.
struct FlatRun {
  std::vector<FlatRow> rows;
  double time_s = 0; // Tree::time_s
};

/// Medians over repeats; a repeat that lacks a function counts as zero. By exclusive time, longest first.
FlatRun median_flat(const std::vector<FlatRun>& repeats);

/// Profiles by function of the trees of a point.
FlatRun median_flat(const std::vector<Profile>& trees);

} // namespace andes::postproc
