// Progress of lock epochs: many MPI libraries give a window's lock, and work on what others do with the window, only
// while its owner is in MPI. Then the calls of other ranks wait until the owner, which computes, calls MPI again.
//
// What is known of it: when the owner was in MPI (all calls in its log; so nothing where the log was thinned), and
// whether the call ended soon behind its next call. Where most calls of a function end while the owner computes, the
// library needs no owner for them: then none has waited.
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

/// `log`: complete; of rank `own`. `locks`: of its windows.
std::vector<OwnerWait> find_owner_waits(const RankLog& log, std::int32_t own, const std::vector<LockWait>& locks,
                                        const std::vector<ArrivedCall>& within, const Sites& sites);

} // namespace andes::monitor
