// The clocks of recovered processes: when each ended, and how long its ticks are. A process that was killed has
// no anchor at its end; there is one at its start, one at the return of MPI_Init, and, if this host has not
// been restarted since, one can be taken now, since the counter still runs.
#pragma once
#include <vector>

#include "monitor/recover/recovered.h"

namespace andes::monitor {

/// Sets end_ticks, end_known and the clock's end anchor of each process of one job. If the length of a
/// process's ticks is not known, that of another process on its host is used, else that of any other; else
/// `scaled` is false.
void set_clocks(const std::vector<RecoveredProcess*>& job);

/// Makes the clocks of the ranks comparable (GlobalClock) by their comparison at MPI_Init: always on one node,
/// between nodes with an error that grows with the time since then. False: not possible.
bool share_clocks(const std::vector<RecoveredProcess*>& job);

/// Identifier of this boot of this host, as in arenas.
std::string this_boot_id();

} // namespace andes::monitor
