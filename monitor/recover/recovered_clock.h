// The clocks of recovered processes: when each ended, and how long its ticks are. A process that was killed has
// no anchor at its end; there is one at its start, one at the return of MPI_Init, and, where this host has not
// been restarted since, one can be taken now, for its counter goes on.
#pragma once
#include <vector>

#include "monitor/recover/recovered.h"

namespace andes {

/// Sets end_ticks, end_known and the clock's end of each. All of one job: where nothing tells how long the
/// ticks of a process are, those of another on its host stand for it, then of any other; else `scaled` is
/// false.
void set_clocks(const std::vector<RecoveredProcess*>& job);

/// Makes the clocks of the ranks comparable (GlobalClock) as far as they were compared at MPI_Init: on one node
/// always, between nodes with an error that grows with the time since then. False: they cannot be.
bool share_clocks(const std::vector<RecoveredProcess*>& job);

/// Identity of this boot of this host, as arenas have it.
std::string this_boot_id();

} // namespace andes
