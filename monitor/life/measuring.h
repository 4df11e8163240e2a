// Measuring: its beginning at the first visit or MPI call of the process, and its end.
#pragma once
#include "monitor/core/monitor_settings.h"
#include "monitor/interface/transport.h"

namespace andes::monitor {

/// Whether the settings let this process be measured at all.
bool monitor_wanted();

/// Value of setting call_sites; may be called before anything is measured.
bool call_sites_wanted();

/// Reads ANDES_* from the environment (`andes run` has checked them). A value that cannot be read here
/// keeps its default, and a message says so once: so this is called only when something is measured.
MonitorSettings read_settings();

/// Starts measuring unless that has been done; under the lock. False: nothing is measured.
bool start_measuring();

/// Nothing is measured in this process from here on; says `why`.
void give_up_measuring(const char* why);

/// Ticks spent in choosing the counters, to be charged to the first thread; 0 from the second call on.
std::uint64_t take_choosing_ticks();

/// Ends measuring and, if there are results, calls the finishing library. False: there is no memory left for any MPI
/// call but the finalisation.
bool finish_process(const andes_transport* transport);

} // namespace andes::monitor
