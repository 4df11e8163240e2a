// Progress of lock epochs: many MPI libraries give a window's lock, and work on what others do with the window, only
// while its owner is in MPI. Then the calls of other ranks wait until the owner, which computes, calls MPI again.
//
// What is known of it: when the owner was in MPI, and whether the call ended soon behind the owner's next call. Later
// calls of the owner are not looked at: to a call that lasts over several of them, one is always near its end. Calls of
// a function that end while the owner computes, or go on for long though it has been in MPI, show that they wait for
// something else; unless more calls do not, none has waited for the owner.
//
// The log lacks polls in vain, and all but the first access and flush of the owner's own lock epochs: so a call that
// ended before a polling loop of the owner shows nothing.
#pragma once
#include "monitor/exchange/one_sided.h"

namespace andes::monitor {

/// A call on a window of this rank that waited until this rank called MPI.
struct OwnerWait {
  std::int32_t rank = 0; // that called
  std::uint64_t window = 0;
  Call call;
  Call late; // this rank's call
  std::int64_t wait_ns = 0; // for how long this rank was outside of MPI in it, before its call
};

/// `log`: not thinned, and nothing left out of it; of rank `own`. `locks`: of its windows.
std::vector<OwnerWait> find_owner_waits(const RankLog& log, std::int32_t own, const std::vector<LockWait>& locks,
                                        const std::vector<ArrivedCall>& within, const Sites& sites);

} // namespace andes::monitor
