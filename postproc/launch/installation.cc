// Finding the parts of andes next to the running command.
#include "postproc/launch/installation.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "common/message.h"

namespace andes::postproc {

Installation find_installation() {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) refuse("/proc/self/exe", failed.message(), "andes needs a mounted /proc");
  const std::filesystem::path here = self.parent_path();
  const char* libraries = std::getenv("ANDES_LIB");
  const bool elsewhere = libraries && *libraries;
  Installation installation;
  installation.command = self;
  installation.library =
      ((elsewhere ? std::filesystem::absolute(libraries) : here / ANDES_TO_LIBRARIES) / "libandes.so")
          .lexically_normal();
  installation.preprocessor = (here / ANDES_TO_PREPROCESSOR).lexically_normal();
  installation.configs = (here / ANDES_TO_CONFIGS).lexically_normal();
  return installation;
}

void check_library(const Installation& installation) {
  if (access(installation.library.c_str(), R_OK) != 0)
    refuse(installation.library, "the monitor is not there", "build or install all of andes");
  // The dynamic linker splits LD_PRELOAD at both, and knows no quoting.
  if (installation.library.find_first_of(" :") != std::string::npos)
    refuse(installation.library, "a path with blanks or colons cannot be preloaded",
           "move andes to a path without them");
}

} // namespace andes::postproc
