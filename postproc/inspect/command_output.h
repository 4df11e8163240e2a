// What a short command prints. For questions to launchers, compilers and the dynamic loader.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

struct CommandOutput {
  int status = -1;  // exit status; -1: it was not started, or a signal ended it
  std::string text; // standard output and error
};

/// Runs a command to its end, without input and without what is preloaded into this process. `variables`
/// ("NAME=VALUE") are added to its environment.
CommandOutput output_of(const std::vector<std::string>& words, const std::vector<std::string>& variables = {});

} // namespace andes::postproc
