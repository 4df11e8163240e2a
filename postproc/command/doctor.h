// andes doctor: what works on this machine, and for a program.
#pragma once

namespace CLI {
class App;
}

namespace andes::postproc {

void add_doctor(CLI::App& app, int& status);

} // namespace andes::postproc
