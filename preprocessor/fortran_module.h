// The programmer's interface in builds by `andes cc`, in one step: include/andes is found by `#include
// <andes/andes.h>`, and a Fortran source with `use andes` gets the module, compiled by the same compiler, since no
// other reads its module files. Programs linked from such objects get the module's code from an archive: so a
// program that compiles andes.f90 itself keeps its own.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/private_directory.h"
#include "preprocessor/command.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {

/// Lets compilers find andes.h, behind all directories of the user: C_INCLUDE_PATH and its kin.
void offer_headers();

/// The command with the module, if it needs it: the module is built in `directory`, which is created. If it is
/// not needed or cannot be compiled: `as_written`.
std::vector<std::string> with_fortran_module(const CompilerCommand& command, const std::vector<std::string>& as_written,
                                             std::optional<PrivateDirectory>& directory);

/// Whether a source is the module itself, which gets no hooks.
bool is_module_source(const std::string& path);

/// Whether Fortran source text uses the module.
bool uses_module(const std::string& text);

} // namespace andes::preprocessor
