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
std::vector<LockWait> find_lock_holders(std::vector<ArrivedLock>& epochs);

} // namespace andes::monitor
