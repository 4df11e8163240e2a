// The two commands of the preprocessor. Each returns the exit status of the process.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "preprocessor/selection.h"

namespace andes {

/// andes instrument FILE [-o OUT] [--select all|default|FILE] [--explain] [--] FLAGS
int instrument(const std::vector<std::string>& arguments);

/// andes cc [--select all|default|FILE] COMPILER ARGS...
int compile(const std::vector<std::string>& arguments);

/// The selection of `--select ARGUMENT`; nothing, and said why, if it is no good.
std::optional<Selection> selection_of(const std::string& argument);

/// One line "andes: TEXT" on standard error.
void say(const std::string& text);

} // namespace andes
