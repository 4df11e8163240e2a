// The two commands of the preprocessor. Each returns the exit status of the process.
#pragma once
#include <string>
#include <vector>

namespace andes {

/// andes instrument FILE [-o OUT] [--select all|default|FILE] [--explain] [--] FLAGS
int instrument(const std::vector<std::string>& arguments);

/// andes cc [--select all|default|FILE] COMPILER ARGS...
int compile(const std::vector<std::string>& arguments);

/// One line "andes: TEXT" on standard error.
void say(const std::string& text);

} // namespace andes
