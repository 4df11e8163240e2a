// Facts of a run that its starter knows, as they stand in the run file
// (monitor/interface/run_file.h).
#pragma once
#include "postproc/launch/annotate.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/plan.h"
#include "postproc/launch/process.h"

namespace andes::postproc {

/// command, ranks_started, threads_started, repeat, axes: known when it starts. `weak`: the axis of --weak, or empty.
Facts facts_of(const Command& command, const Planned& planned, const std::string& weak);

/// The same, and exit_status or signal, command_wall_ns, and what disturbed the run.
Facts facts_of(const Command& command, const Planned& planned, const std::string& weak, const Outcome& outcome);

/// For a run that left no file behind: `facts` and what else is known without the monitor, ranks =
/// 0 and complete = 0. What was not measured is absent.
Facts minimal_facts(const Command& command, Facts facts);

/// The facts that also hold for a world spawned by the run's ranks: the number of ranks it should have is not known.
Facts of_spawned(Facts facts);

} // namespace andes::postproc
