#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

void add_view(CLI::App& app);

} // namespace andes::postproc
