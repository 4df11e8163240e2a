// andes diagnose. See diagnose.cc.
#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds the subcommand. What it does throws Refusal for bad input.
void add_diagnose(CLI::App& app);

} // namespace andes::postproc
