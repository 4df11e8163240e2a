// This process in a build that `andes build` runs: it leaves the build's environment, so that compilers run as without
// it, and notes in the build's record what becomes of sources. Without such a build all of this does nothing.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/command.h"
#include "preprocessor/copy_set.h"

namespace andes::preprocessor {

/// The command whose compiler was caught, in the place of which this program was started: `words` are its own, as
/// main() has them. Empty where this was started by its own name.
std::vector<std::string> caught_command(const std::vector<std::string>& words);

/// Takes the library that catches compilers, and its variables, out of the environment; before any other process is
/// started.
void leave_session();

/// The path of the build's record, beside which files may be kept to the end of the build; empty: there is no build.
const std::string& session_record();

/// The socket of the build's server of readings; empty: there is none.
const std::string& session_reader();

/// Notes that a source was compiled with probes or hooks: `probes` functions of `functions` that its own file defines.
void note_instrumented(const std::string& source, std::size_t probes, std::size_t functions);
/// The same where the functions are not known, as with hooks.
void note_instrumented(const std::string& source);
/// The same for all sources of a command.
void note_instrumented(const CompilerCommand& command);

/// Notes that a source was compiled as it is.
void note_left(const std::string& source, const char* why);

/// Notes all sources of a command so.
void note_left(const CompilerCommand& command, const char* why);

/// Notes that the command links a program or a shared library, if it does.
void note_link(const std::vector<std::string>& words);

} // namespace andes::preprocessor
