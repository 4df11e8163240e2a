// andes show. See show.cc.
#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds the subcommand. What it does throws Refusal for bad input.
void add_show(CLI::App& app);

} // namespace andes::postproc
