// From a compile command to Clang's view of one of its sources: builds the arguments, reads, tries
// the fallbacks.
#pragma once
#include "preprocessor/collect/collect.h"
#include "preprocessor/command.h"
#include "preprocessor/compiler.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// Clang's command line for one source. `as_gcc`: pretend to be GCC, so that the same branches of
/// #ifdef are read as GCC compiles.
std::vector<std::string> clang_arguments(const CompilerCommand& command, const Compiler& compiler,
                                         const CompilerCommand::Input& input, bool as_gcc);

/// The way to read a source, from the user's options and selection.
Reading reading_of(const Options& options, const Selection& selection);

/// Reads `input` as the compiler of `command` would, and the headers that `reading` asks for; if
/// that fails, only the source (Source::headers_error says why). Source::error is set when no way
/// succeeds.
Source read_source(const CompilerCommand& command, Compiler& compiler, const CompilerCommand::Input& input,
                   Reading reading);

} // namespace andes::preprocessor
