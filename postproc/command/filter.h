// andes filter RUN...: writes a selection file that excludes functions whose probes cost more than they are worth.
#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds the subcommand. What it does throws Refusal for bad input.
void add_filter(CLI::App& app);

} // namespace andes::postproc
