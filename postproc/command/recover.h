// andes recover: makes a run file from the arenas that a job's processes have left, or lists the jobs with arenas.
#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds the subcommand. What it does sets `status`, and throws Refusal for bad input.
void add_recover(CLI::App& app, int& status);

} // namespace andes::postproc
