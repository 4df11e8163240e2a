// The commands of the preprocessor. Each returns the exit status of the process, and throws a
// Refusal for errors that the user has to fix. Their options: options.h.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/command.h"
#include "preprocessor/options.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// andes instrument FILE [-o OUT] [--explain] [OPTIONS] [--] FLAGS
int instrument(const std::vector<std::string>& arguments);

/// andes cc [OPTIONS] COMPILER ARGS...
int compile(const std::vector<std::string>& arguments);

/// andes build [OPTIONS] [--] COMMAND...
int build(const std::vector<std::string>& arguments);

/// andes cc for a command with Fortran sources: with probes, with hooks, or unchanged where that fails.
/// `as_written`: the command, response files not read in.
int compile_fortran(const CompilerCommand& command, const std::vector<std::string>& as_written, const Options& options,
                    const Selection& selection);

/// The decisions about the Fortran source `file`, compiled by `compiler` with `flags` to nothing, on standard output.
int explain_fortran(const std::string& file, const std::string& compiler, const std::vector<std::string>& flags,
                    const Options& options, const Selection& selection);

} // namespace andes::preprocessor
