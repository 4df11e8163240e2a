// The waits of this process in its profile: the input that the exchange needs from the process, and
// its results as idle time and one metric for each cause.
//
// Invariants: compute + communication + idle + tool = wall for every location (invariant 1): idle time
// is subtracted from communication, and is never more than a call path's time in MPI; where waits were
// not measured there is no idle time and communication is all of the time in MPI.
#pragma once
#include "monitor/exchange/waits.h"
#include "monitor/finish/profile.h"

namespace andes::monitor {

/// The rules of this run: the shipped rules, and the file that rank 0's setting `rules` names.
struct RunRules {
  rules::Program program;
  std::vector<std::string> files;   // names
  std::string trouble;              // the trouble with the user's file, one line; on rank 0
};

/// Collective: rank 0 reads the file, all ranks compile the same text.
RunRules run_rules(const Process& process, AllToAll& ranks);

/// The logs of this process. `profile` is its own, and gives the call sites their numbers.
RankLog rank_log(const Process& process, const Profile& profile);

/// Turns communication into idle time as `waits` says, and sums up the waits for the run. `causes`:
/// number of causes in the rules.
void put_waits(Profile& profile, const Waits& waits, std::size_t causes);

} // namespace andes::monitor
