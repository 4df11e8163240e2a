// andes show. See show.cc.
#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds the subcommand; its callback sets `status` to 0, or to 2 after a message.
void add_show(CLI::App& app);

} // namespace andes::postproc
