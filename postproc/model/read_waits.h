// Reading what a run file says about waits: causes, who waited for whom, and the waits of single
// ranks.
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "postproc/model/database.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// Fills in Profile::causes; from the file's numbers of their metrics to their indices. Empty for
/// runs of a format without causes.
std::map<long long, int> read_causes(const Database& db, Profile& profile);

/// Fills in Profile::waits; the causes must be there.
void read_waits(const Database& db, Profile& profile);

/// Fills in Profile::left_overs, whose call paths are not checked, and counts_unknown_transfers. Older files have none.
void read_left_overs(const Database& db, Profile& profile);

struct RankWait {
  int rank = 0;
  double wait_ns = 0;
};

/// Waits of single ranks, sums over their threads, by (cause, call path): of those ranks whose
/// values the run has, in their order; ranks that did not wait are left out. Throws Refusal like
/// read_run.
using RankWaits = std::map<std::pair<int, int>, std::vector<RankWait>>;
RankWaits waits_of_ranks(const Profile& profile);

/// For how long a rank waited for another one, all causes and call paths together.
struct WaitPair {
  int rank = 0;
  std::optional<int> peer_rank; // absent: it is not known, or has no entry of its own
  double wait_ns = 0;
};

/// By rank and peer; none where waits were not measured, and in files of before. Throws Refusal like read_run.
std::vector<WaitPair> wait_pairs(const Profile& profile);

/// Time of the transfers of a rank's non-blocking operations, and how much of it passed at least
/// and at most while the rank computed.
struct RankTransfers {
  double transfer_ns = 0, low_ns = 0, high_ns = 0;
};
std::map<int, RankTransfers> transfers_of_ranks(const Profile& profile);

} // namespace andes::postproc
