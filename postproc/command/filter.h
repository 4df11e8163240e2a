// andes filter RUN...: writes a selection file that excludes functions whose probes cost more than they are worth.
#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds the command; what it returns goes to `status`.
void add_filter(CLI::App& app);

} // namespace andes::postproc
