// Installation: where the parts of andes are, seen from the running command.
//
// The build tree and an installation have the same shape, so everything is found relative to
// bin/andes (/proc/self/exe): ../lib/andes, ../libexec/andes, ../share/andes/configs, or whatever ways
// packaging/layout.cmake says (ANDES_TO_...). All of them are relative, so an installation can be
// moved as a whole.
#pragma once
#include <string>

namespace andes::postproc {

struct Installation {
  std::string command;      // bin/andes
  std::string library;      // lib/andes/libandes.so, to be preloaded
  std::string preprocessor; // libexec/andes/andes-preprocess
  std::string configs;      // share/andes/configs
};

/// Paths of the parts; ANDES_LIB in the environment names another directory of libraries.
Installation find_installation();

/// Throws Refusal if the library cannot be preloaded: absent, or a path that LD_PRELOAD cannot
/// hold.
void check_library(const Installation& installation);

} // namespace andes::postproc
