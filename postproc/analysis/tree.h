// Tree: the call tree of one run over all its ranks, or some of them, as `andes show` presents it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/counters.h"
#include "postproc/analysis/message_sizes.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/sampling.h"
#include "postproc/model/profile.h"
#include "postproc/model/read_messages.h"
#include "postproc/model/read_waits.h"

namespace andes::postproc {

/// Times in seconds; inclusive and exclusive are sums over ranks, mean and max are of the inclusive
/// time over ranks; bytes and messages are the call path's own. `inclusive_...`: callees included.
struct TreeRow {
  int id = 0;
  std::optional<int> parent; // id of another row
  std::string name, kind, file;
  int line = 0;
  double visits = 0, inclusive_s = 0, exclusive_s = 0, mean_s = 0, max_s = 0;
  double communication_s = 0;   // inclusive, sum over ranks; less idle where that is known
  std::optional<double> idle_s; // the same, in MPI and for threads; absent: neither was measured
  std::optional<double> io_s;   // the same; absent: in files of before it is part of communication_s
  double transfer_s = 0;        // of the non-blocking operations it started itself
  std::optional<OverlapPercent> own_overlap_percent, overlap_percent; // of these; with callees
  std::optional<double> load_balance; // mean / maximum of the inclusive time outside MPI
  double bytes_sent = 0, bytes_received = 0, messages_sent = 0, messages_received = 0;
  double bytes_read = 0, bytes_written = 0; // from and to files
  SizeCounts sizes;                         // of messages; empty: none, or of chosen ranks
  double sampled_visits = 0, timed_visits = 0;
  double visits_below = 0, visits_above = 0; // from `visits` to the ends of their 95 % interval; 0: all were counted
  bool muted = false; // visits and times are those until it was muted
  SamplingError inclusive_error_s, exclusive_error_s; // of the sums over ranks
  double region_error_s = 0; // its part of the error of its region's exclusive time by samples: squares add up
  double inclusive_bytes = 0;                         // sent and received
  double inclusive_io_bytes = 0;                      // read and written
  std::vector<EventCount> events;                     // by Profile::events
  std::optional<double> instructions_per_cycle, own_instructions_per_cycle; // callees included; without
  std::vector<std::size_t> children;                  // rows, heaviest first
};

struct Tree {
  std::vector<TreeRow> rows; // by id; parents before children
  std::vector<std::size_t> roots;
  std::size_t ranks = 0;
  double time_s = 0; // thread_time_s of the ranks: percentages are of it
  Sampling sampling;                      // of the rows
  std::vector<std::optional<double>> event_totals; // location * events + event; empty: not asked for
  std::map<int, OverlapPercent> overlaps; // by rank; of those that started non-blocking operations
  std::vector<SentMessages> sent;         // by the ranks; empty: not asked for, or there were none
  std::vector<WaitPair> wait_pairs;       // the same
};

/// Whether any row has non-blocking operations.
bool has_overlap(const Tree& tree);

/// Whether none has though messages were sent or received by non-blocking or persistent calls in a
/// run with measured waits.
bool lacks_overlap(const Profile& profile, const Tree& tree);

/// Of single ranks, from their values in the run file. Throws Refusal like read_run.
std::map<int, OverlapPercent> overlaps_of_ranks(const Profile& profile);

/// `statistics` as Profile::statistics (over all ranks) or from statistics_of_ranks of the `chosen`. Call
/// paths that none of the ranks entered are left out, as are the tool's and the overflow's when zero.
Tree tree_of(const Profile& profile, const std::vector<Statistic>& statistics, const std::vector<int>& chosen = {});

/// What children are ordered by: inclusive time, the inclusive count of an event (largest first), or
/// instructions per cycle (smallest first, call paths without them last).
struct TreeOrder {
  enum class By { time, event, instructions_per_cycle } by = By::time;
  std::size_t event = 0;
};
void sort_children(Tree& tree, const TreeOrder& order);

} // namespace andes::postproc
