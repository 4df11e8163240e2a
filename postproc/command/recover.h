// andes recover: a run file of what the processes of a job have left, or the jobs that have left something.
#pragma once

namespace CLI {
class App;
}

namespace andes {

void add_recover(CLI::App& app, int& status);

} // namespace andes
