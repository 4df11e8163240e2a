// The origins of waits: ranks that were late without having waited, with what their lateness costs all ranks together,
// and with what they did before the call that came late.
//
// What a rank did is not logged. Known are the calls of MPI before and after, so its work lies where the call tree
// leads from the one to the other: below the innermost region that is open in both, or above it, as far as the
// work is more than what that region has computed in the run. Of the call paths there the one that computed most
// is taken, or did input and output by MPI; where the others may have worked for nearly all of the time, the innermost
// of its callers that surely worked there.
#pragma once
#include "monitor/exchange/all_to_all.h"
#include "monitor/exchange/rank_log.h"
#include "monitor/exchange/waits.h"
#include "monitor/finish/profile.h"

namespace andes::monitor {

struct WaitOrigin {
  static constexpr double not_known = -1;

  std::uint64_t path = 0;       // hash of the call path that came late
  std::uint64_t doing_path = 0; // of what was done before; 0: not known
  double doing_ns = 0; // time before that call, since the call of MPI before it that was no mere start; over the run
  double wait_ns = 0, events = 0; // waits of all ranks that began here
  /// Of these, by how much this rank had computed longer before its calls that came late than those who waited for it
  /// before their own latest calls in the same call path: ranks may take turns, so that all compute as much in the run.
  double longer_ns = not_known;
  std::int32_t rank = 0, unused = 0;
};

/// Calls that came late, of which the ranks that waited tell the one that called them, 16 bytes each: a mean over so
/// many is as good as one over all.
inline constexpr std::size_t most_late_calls = std::size_t{1} << 18;

/// Collective: the origins of all ranks on rank 0, longest waits first.
std::vector<WaitOrigin> wait_origins(const Waits& waits, const RankLog& log, const Profile& profile, AllToAll& ranks);

} // namespace andes::monitor
