// Measuring: its beginning at the first visit or MPI call of the process, and its end.
#pragma once
#include "monitor/core/monitor_settings.h"
#include "monitor/interface/transport.h"

namespace andes {

/// Whether the settings let this process be measured at all.
bool monitor_wanted();

/// Setting call_sites, also before anything is measured.
bool call_sites_wanted();

/// Reads ANDES_* from the environment (they were checked by `andes run`; what cannot be read here
/// keeps its default and is said once: so only when something is measured).
MonitorSettings read_settings();

/// Starts measuring if that has not happened yet; under the lock. False when nothing is measured.
bool start_measuring();

/// Nothing is measured in this process from here on; says `why`.
void give_up_measuring(const char* why);

/// Ticks spent in choosing what to count, to be charged to the first thread; 0 the second time.
std::uint64_t take_choosing_ticks();

/// Ends measuring and, if there is something to tell, hands over to the finishing library. False: there is no memory
/// left to ask anything of MPI but its end.
bool finish_process(const andes_transport* transport);

} // namespace andes
