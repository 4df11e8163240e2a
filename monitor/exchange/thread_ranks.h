// Ranks that are threads of one process: the transport that brings an exchange together where there is no
// MPI: recovery, which has the memory of all ranks in one place, and tests, whose ranks are made up.
//
// Invariants:
//  - what a rank hands over is copied, so that one that gives up may forget it;
//  - a rank that fails for want of memory fails the collectives of all, which end at once;
//  - memory: 16 bytes for each pair of ranks, beside what is on its way.
#pragma once
#include <functional>
#include <vector>

#include "monitor/interface/transport.h"

namespace andes {

/// Calls `rank_main` for each of `size` ranks, all at once, and returns when all have ended; ranks in
/// `absent` are not there at all: who waits for them waits until its deadline. False: the system has not as
/// many threads, and nothing was called. Exceptions come out, one of them if there are several.
bool run_ranks(int size, const std::function<void(const andes_transport&)>& rank_main,
               const std::vector<int>& absent = {});

} // namespace andes
