// Probes in Fortran: the user's own command with the plug-in for GCC (preprocessor/plugin), where there is one for its
// compiler.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "preprocessor/command.h"
#include "preprocessor/process.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// The plug-in for the compiler of `command`; empty: there is none, or the command compiles C or C++ as well.
std::string plugin_for(const CompilerCommand& command);

/// Runs the command with probes, and passes on what it prints. Nothing if it fails so, or has no probes: then the
/// user has seen nothing of it.
std::optional<Ended> run_with_plugin(const std::string& plugin, const std::vector<std::string>& as_written,
                                     const CompilerCommand& command, const Selection& selection);

} // namespace andes::preprocessor
