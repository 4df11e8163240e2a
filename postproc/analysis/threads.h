// Threads: the parallel work of the threads of each rank, and the time in which a rank's main thread was
// alone. Formulas in docs/metrics.md, "Threads"; rank figures elsewhere are the main thread's.
//
// Invariant: in a run of one thread a rank nothing here differs from the figures over ranks.
#pragma once
#include <optional>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Of a quantity over threads.
struct OverThreads {
  double min = 0, mean = 0, max = 0;
};

/// The threads of one rank, the main one included. Times in seconds.
struct RankThreads {
  int rank = 0, count = 0;
  OverThreads wall_s, compute_s, communication_s;
  std::optional<OverThreads> idle_s;           // absent where one of them lacks it
  std::optional<double> load_balance;          // mean / maximum of compute over these threads
  std::optional<double> serial_s;              // main thread outside parallel regions: wall - parallel; absent
                                               // where no rank was ever in one
  std::optional<double> serial_percent;        // of the main thread's wall time
};

struct Threads {
  std::vector<RankThreads> ranks;     // by rank
  int others = 0;                     // threads beside the main ones
  double others_wall_s = 0;           // sum of their wall times
  std::optional<double> load_balance; // mean / maximum of compute over all threads of all ranks
  std::optional<double> serial_s, serial_percent; // mean over ranks; of their mean wall time
};

/// Of the ranks in `chosen`, or of all if there are none.
Threads threads_of(const Profile& profile, const std::vector<int>& chosen = {});

/// What percentages of call paths are of, in seconds: p x T, and the wall times of the threads beside the main
/// ones. A call path's time, a sum over all threads, is never more.
double thread_time_s(const Profile& profile, const std::vector<int>& chosen = {});

} // namespace andes::postproc
