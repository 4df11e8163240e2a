// Call paths of several runs side by side: repeats of a point, or two builds. Which call path of one run is which of
// another says identity.h.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/sampling.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// The part of the transfers of non-blocking operations that took place while the program computed: bounds,
/// in per cent of the transfers' time (docs/metrics.md, "Overlap").
struct OverlapPercent {
  double low = 0, high = 0;
};

/// Absent without transfers.
std::optional<OverlapPercent> overlap_percent(double transfer, double low, double high);

/// Transfers that a call path and its callees started, sums over ranks, with the parts of them that
/// were overlapped at least and at most.
struct InclusiveOverlap {
  double transfer_ns = 0, low_ns = 0, high_ns = 0;
  std::optional<OverlapPercent> percent() const;
};

/// By call path; `statistics` as Profile::statistics.
std::vector<InclusiveOverlap> inclusive_overlaps(const Profile& profile, const std::vector<Statistic>& statistics);

/// A call path in one run; sums over ranks as parts of the run's thread_time_s (threads.h; p x T), in per cent.
struct PathShare {
  double inclusive_percent = 0;
  double own_percent = 0; // without the functions it calls, but with its MPI calls
  double communication_percent = 0, synchronisation_percent = 0;
  std::optional<double> idle_percent;            // absent: waits were not measured
  std::optional<double> io_percent;              // absent: part of communication (files of before)
  double own_idle_percent = 0;                   // idle in own_percent
  std::optional<OverlapPercent> overlap_percent; // callees included
  double exclusive_percent = 0;
  double exclusive_mean_s = 0; // mean over all ranks
  std::optional<double> load_balance, communication_balance;
  SamplingError inclusive_error_percent, own_error_percent, exclusive_error_s; // of those above
  bool muted = false;
  double visits = 0, sampled_visits = 0, timed_visits = 0, visits_below = 0, visits_above = 0;
};

struct PathRow {
  int parent = -1; // row; -1: a root
  std::string name, kind, file;
  int line = 0;
  std::vector<PathShare> runs; // zero in runs that do not have it
};

/// Merges the call paths of `runs`, read with Detail::tree: parents before children. Of several builds the older ones'
/// runs come first.
std::vector<PathRow> side_by_side(const std::vector<const Profile*>& runs);
std::vector<PathRow> side_by_side(const std::vector<Profile>& runs);

/// Of all rows, in any of the runs.
Sampling sampling_of(const std::vector<PathRow>& rows);

/// Names of a call path as people and JSON see it: those below the root; of the root its own name; none of one that
/// the profile does not have.
/// Made when wanted: all paths of a deep tree together grow with the square of its depth.
std::vector<std::string> path_of(const Profile& profile, int callpath);
std::vector<std::string> path_of(const std::vector<PathRow>& rows, int row);

} // namespace andes::postproc
