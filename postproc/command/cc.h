// andes cc: stands before a compiler command and compiles an instrumented copy of the source.
#pragma once
#include <string>
#include <vector>

namespace andes {

/// Becomes "andes-preprocess cc ARGUMENTS"; without a preprocessor, the compiler command itself,
/// after one line that says so: a build never breaks because of andes.
[[noreturn]] void cc(const std::vector<std::string>& arguments);

} // namespace andes
