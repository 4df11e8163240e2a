// Live view: results from two readings of a running job: shares of time by kind, the heaviest call
// paths, the load balance, and the ranks in an order. docs/live.md, "What the figures are".
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/model/live.h"

namespace andes::postproc {

/// In per cent of the time that they are parts of.
struct LiveShare {
  double compute = 0, communication = 0, tool = 0, io = 0;
};

/// Shares of the time between two readings (`last`; absent without any) and since the start.
struct LiveShares {
  std::optional<LiveShare> last, whole;
};

struct LiveRankRow {
  const LiveRank* rank = nullptr; // in the reading that was looked at
  LiveShares shares;              // of the rank's own time
};

struct LivePathRow {
  const LivePath* path = nullptr;
  std::optional<double> last_percent; // exclusive time, of p x the interval
  double whole_percent = 0;           // of p x T
};

struct LiveView {
  const LiveJob* job = nullptr;
  double interval_s = 0;               // between the readings; 0: there is only one reading
  int running = 0, ended = 0;          // ranks
  LiveShares shares;                   // of p x T, p the ranks that are seen
  std::optional<double> last_balance, whole_balance; // mean / maximum of compute time over ranks
  std::vector<LiveRankRow> ranks;      // by rank
  std::vector<LivePathRow> paths;      // heaviest first: by the last interval, then since the start
};

/// Compares two readings of one job; `before` may be null. What is returned points into `now`.
LiveView live_view(const LiveJob* before, const LiveJob& now);

/// Orders in which ranks can be listed.
enum class LiveOrder { extremes, rank, longest, busiest, idlest };
inline constexpr int live_orders = 5;
const char* name_of(LiveOrder order);

/// The ranks' rows in that order. extremes: all by rank if at most `room`; else ended ones, then in turn the
/// ranks that have been longest in their present MPI call, that computed most, and that computed least.
std::vector<LiveRankRow> ordered(const std::vector<LiveRankRow>& rows, LiveOrder order, std::size_t room);

} // namespace andes::postproc
