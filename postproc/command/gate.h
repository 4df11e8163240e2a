// andes gate. See gate.cc.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds "gate" to `app`. `behind` is what stands behind -- on the command line, the command to run; without it two
/// series are judged. Sets `status`; throws Refusal for bad input.
void add_gate(CLI::App& app, const std::vector<std::string>& behind, int& status);

} // namespace andes::postproc
