// The stamp of a build (monitor/interface/build_stamp.h) in what a command links.
//
// It belongs to the link, for objects outlive commits: a build compiles anew only what has changed, and a compiler
// cache hands out objects of any commit. In an object stand the flags alone, which follow from the command (decision
// 267).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/private_directory.h"
#include "preprocessor/command.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {

/// Words of a command that change the code: optimisation, processor, language; without files, which differ from place
/// to place. Separated by blanks.
std::string telling_flags(const std::vector<std::string>& words);

/// `words`, and behind them an object in `place` with the stamp, if they link a program or shared library that it fits
/// for sure. `kept`: the beginning of the names of files that keep what git has said for the rest of the build; empty:
/// none.
std::vector<std::string> with_stamp(const CompilerCommand& command, const std::vector<std::string>& words,
                                    const std::string& kept, std::optional<PrivateDirectory>& place);

} // namespace andes::preprocessor
