// What the header of an arena says of the process: who it is, what it runs, where. As this_program() and
// this_host() of monitor/finish/host.h have it at the end of a run; a process that is killed has none.
#pragma once
#include "monitor/arena/arena.h"

namespace andes {

/// Fills all but the table of stretches, the magic last: then it is an arena.
void fill_facts(ArenaHeader& header, const ArenaRoot& root);

} // namespace andes
