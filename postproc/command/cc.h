// andes cc: stands before a compiler command and compiles an instrumented copy of the source.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

/// Becomes "andes-preprocess cc ARGUMENTS"; without a preprocessor, the compiler command itself,
/// after one line that says so: andes never breaks a build.
[[noreturn]] void cc(const std::vector<std::string>& arguments);

} // namespace andes::postproc
