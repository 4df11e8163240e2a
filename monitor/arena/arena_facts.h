// The facts about the process in the header of an arena: its identity, program and host. At the end of a run
// this_program() and this_host() of monitor/finish/host.h give the same; a killed process does not reach that point.
#pragma once
#include "monitor/arena/arena.h"

namespace andes::monitor {

/// Fills all members but the table of stretches. The magic number is written last: from then on readers take
/// the file for an arena.
void fill_facts(ArenaHeader& header, const ArenaRoot& root);

} // namespace andes::monitor
