// andes exec: one process with the monitor, the portable form under any launcher:
// srun andes exec ./a.out, mpirun -n 4 andes exec ./a.out.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

/// Replaces this process by the program `words` with the monitor preloaded. Does not return;
/// throws Refusal if that is not possible.
[[noreturn]] void exec_program(const std::vector<std::string>& words);

/// Replaces this process by the command `words` (a path or a name to be found in PATH) with this
/// process's environment. Throws Refusal if that is not possible.
[[noreturn]] void become(const std::vector<std::string>& words);

} // namespace andes::postproc
