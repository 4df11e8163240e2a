// The table that `andes instrument --explain` prints, and what only the real compiler sees of a source.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/collect/collect.h"
#include "preprocessor/compiled.h"
#include "preprocessor/compiler.h"
#include "preprocessor/rows.h"

namespace andes::preprocessor {

/// Functions that the real compiler defines in the source, and in headers that are looked at, and
/// that Clang did not report at that place; all functions if Clang cannot read the source.
std::vector<Explanation> unseen_functions(const Source& source, const std::string& path, const Compiled& compiled,
                                          const Compiler& compiler, const Options& options);

std::string table_of(const std::vector<Explanation>& rows);

} // namespace andes::preprocessor
