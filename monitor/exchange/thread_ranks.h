// Ranks as threads of one process: the transport of an exchange without MPI. Used by recovery, which has
// the memory of all ranks in one process, and by tests with simulated ranks.
//
// Invariants:
//  - data that a rank sends is copied, so that a rank that gives up may free it;
//  - if a rank runs out of memory, the collectives of all ranks fail at once;
//  - memory: 16 bytes for each pair of ranks, besides the messages under way.
#pragma once
#include <functional>
#include <vector>

#include "monitor/interface/transport.h"

namespace andes::monitor {

/// Calls `rank_main` for each of `size` ranks, all at once, and returns when all have ended; ranks in
/// `absent` do not take part: a rank that waits for them waits until its deadline. False: the system cannot
/// create so many threads, and nothing was called. An exception of a rank is passed on; of several, one.
bool run_ranks(int size, const std::function<void(const andes_transport&)>& rank_main,
               const std::vector<int>& absent = {});

} // namespace andes::monitor
