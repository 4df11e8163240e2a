// One-sided epochs, compared at the rank that owns the window: accesses of origins with the exposures
// that they met (post, start, complete, wait), and lock epochs with each other.
#pragma once
#include "monitor/exchange/shipment.h"

namespace andes::monitor {

/// One origin's access to one exposure of this rank.
struct AccessEpoch {
  std::int32_t origin = 0; // rank
  Operation access;
  const Operation* exposure = nullptr;
  std::int64_t latest_complete_ns = 0; // enter of MPI_Win_complete, of all origins of the exposure
  std::int32_t latest_complete_rank = -1;
};

/// Whether MPI_Win_complete lasted until the owner of the window, who had posted before, called MPI_Win_wait.
inline bool waits_for_progress(const AccessEpoch& epoch) {
  const Call &complete = epoch.access.end, &wait = epoch.exposure->end;
  return epoch.exposure->start.enter_ns <= complete.enter_ns && wait.enter_ns > complete.enter_ns &&
         wait.enter_ns <= complete.exit_ns;
}

struct AccessEpochs {
  std::vector<AccessEpoch> all;
  std::uint64_t unmatched = 0; // accesses and exposures without the other side
};

AccessEpochs match_epochs(const std::vector<ArrivedChannel>& accesses, const std::vector<Operation>& exposures,
                          const EventTables& tables);

/// A lock epoch on a window of this rank, and the epoch that held the lock while it waited.
struct LockWait {
  const ArrivedLock* epoch = nullptr;
  const ArrivedLock* holder = nullptr; // the last of these to end; null: none
};

/// A lock is held from the exit of the call that waited for it to the exit of MPI_Win_unlock. An
/// epoch waited for epochs of other ranks that got the lock before it and ended after it began to
/// wait, unless both locks are shared.
///
/// The call that waits is MPI_Win_lock, where the MPI library grants the lock there. That it does not, the epochs of a
/// window tell: then two of them, which exclude each other, overlap between MPI_Win_lock and MPI_Win_unlock, and
/// the longest call of each is taken for the one that waited. Not so elsewhere: MPI_Win_unlock may take longer than an
/// MPI_Win_lock that did not wait, and end after the next rank has got the lock. `clock_error_ns`: between two ranks.
///
/// MPI_Win_lock_all locks every target, accessed or not (`idle`), where it waits for the locks. Where idle ones overlap
/// with epochs that they exclude, the MPI library locks a target at its first access, and they are left out. An idle
/// epoch has an entry in the result only if another one held the lock.
std::vector<LockWait> find_lock_holders(std::vector<ArrivedLock>& epochs, double clock_error_ns);

} // namespace andes::monitor
