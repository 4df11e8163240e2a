// andes filter RUN...: writes a selection file that leaves out what cost more than it told.
#pragma once

namespace CLI {
class App;
}

namespace andes {

/// Adds the command; what it returns goes to `status`.
void add_filter(CLI::App& app);

} // namespace andes
