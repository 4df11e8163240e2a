// Routines: the heaviest call paths of a point, with the results for each (step 3 of the method).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/series.h"

namespace andes::postproc {

/// Waits of a cause in a call path and its callees.
struct RoutineCause {
  std::string cause;
  double percent = 0;
};

/// Medians over the repeats of a point; percentages of p x T, inclusive except own_*.
struct Routine {
  std::vector<std::string> path;
  std::string kind, file;
  int line = 0, ranks = 0;
  double percent_of_total = 0, own_percent = 0;
  double communication_percent = 0, non_communication_percent = 0, synchronisation_percent = 0;
  std::optional<double> idle_percent;            // absent: waits were not measured
  std::optional<double> io_percent;              // absent: part of communication (files of before)
  double own_idle_percent = 0;                   // idle in own_percent
  std::optional<OverlapPercent> overlap_percent; // callees included, of the transfers' time
  std::vector<RoutineCause> causes;              // heaviest first
  std::optional<double> load_balance, communication_balance;
  double visits = 0, sampled_visits = 0, timed_visits = 0;  // sums over ranks
  double visits_below = 0, visits_above = 0; // as in TreeRow
  SamplingError inclusive_error_percent, own_error_percent; // of the medians
  bool muted = false;                                       // in one of the repeats
};

/// A rank's own figures at a point, medians over its repeats, in seconds.
struct RankRow {
  int rank = 0;
  double wall_s = 0, compute_s = 0, communication_s = 0, tool_s = 0, synchronisation_s = 0;
  std::optional<double> idle_s, wait_at_end_s, io_s;
  std::optional<double> bytes_read, bytes_written; // from and to files
  std::optional<double> idle_percent; // of T
  int threads = 1;                    // the most of a repeat; the following are absent where it has one
  std::optional<double> thread_load_balance, serial_percent; // as in RankThreads (threads.h)
};

/// Of the repeats of a point, side by side: the call paths with at least one per cent, or the ten
/// heaviest; heaviest first, the root left out (it is p x T) unless the program has no probes.
std::vector<Routine> heaviest_routines(const std::vector<PathRow>& rows, int ranks);

/// Fills in the causes of each routine.
void add_causes(const std::vector<Finding>& findings, std::vector<Routine>& routines);

/// By rank; ranks that not all repeats have are left out.
std::vector<RankRow> rank_rows(const std::vector<Profile>& repeats);

} // namespace andes::postproc
