// Wait states of a run, from the exchange to the run file: measuring them on every rank, and on rank 0
// the causes, waits and facts of the run.
#pragma once
#include "monitor/finish/own_waits.h"
#include "monitor/finish/reduction.h"
#include "monitor/finish/wait_origins.h"

namespace andes::monitor {

/// Results that rank 0 writes to the run file.
struct OwnWaits {
  std::string missing; // reason why waits were not measured; empty: they were
  LogLevels levels;
  std::uint64_t lost_calls = 0; // of functions, by the rank that lost most
  std::string left_out;         // operations that setting `events` leaves out of the log; "": none
  std::vector<rules::Cause> causes;
  std::vector<std::string> rule_files;
  std::string transfer_source; // empty: overlap was not measured
  Gains gains;                 // these and the origins are of all ranks; on rank 0 only
  std::vector<WaitOrigin> origins;
};

/// Collective. Puts the waits of this rank into its profile.
OwnWaits measure_waits(const Process& process, Profile& profile, const andes_transport* transport,
                       std::int64_t deadline_ns);
/// The same with rules that are compiled already, for a recovered rank in this process's memory.
OwnWaits measure_waits(const Process& process, Profile& profile, const RunRules& rules, AllToAll& ranks);

/// Adds metrics, causes, waits and facts to a run that has its call paths from `reduction`.
void add_waits_to_run(Run& run, const Reduction& reduction, const OwnWaits& waits);

} // namespace andes::monitor
