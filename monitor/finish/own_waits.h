// The waits of this process in its profile: what the exchange needs of the process, and what becomes
// of its findings: idle time and a metric for each cause.
//
// Invariants: compute + communication + idle + tool = wall for every location (invariant 1): what is
// idle is taken from communication, and is never more than a call path's time in MPI; where waits were
// not measured nothing is idle and communication stays all of the time in MPI.
#pragma once
#include "monitor/exchange/waits.h"
#include "monitor/finish/profile.h"

namespace andes {

/// The rules of this run: those that come with andes, and the file that rank 0's setting `rules` names.
struct RunRules {
  rules::Program program;
  std::vector<std::string> files;   // names
  std::string trouble;              // what is wrong with the user's file, one line; on rank 0
};

/// Collective: rank 0 reads the file, all ranks compile the same text.
RunRules run_rules(const Process& process, AllToAll& ranks);

/// The logs of this process. `profile` is its own, and gives the call sites their numbers.
RankLog rank_log(const Process& process, const Profile& profile);

/// Turns communication into idle time where `waits` says so, and sums waits up for the run. `causes`:
/// how many the rules have.
void put_waits(Profile& profile, const Waits& waits, std::size_t causes);

} // namespace andes
