// andes report. See report.cc.
#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds the subcommand. What it does throws Refusal for bad input.
void add_report(CLI::App& app);

} // namespace andes::postproc
