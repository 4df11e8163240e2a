// From the arguments of a command to run files: directories stand for the run files in them.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

/// Files named by `arguments`, sorted, each once: files as they are, directories searched
/// recursively for *.andes. Throws Refusal for what does not exist or cannot be read.
std::vector<std::string> run_files(const std::vector<std::string>& arguments);

/// The same; throws Refusal where there is none, too.
std::vector<std::string> given_run_files(const std::vector<std::string>& arguments);

} // namespace andes::postproc
