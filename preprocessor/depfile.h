// Dependency files (make rules written by -MD and its kin): removes the traces of a copy.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace andes::preprocessor {

enum class DependencyStyle { gcc, clang };

/// `text` with each file in `names` replaced by its value, or left out where the value is empty.
/// In Clang's style a file that a rule has already is left out too.
/// Changed rules are wrapped in the compiler's way, so that the result is the same as for the
/// user's own file. Text without such names is not changed.
std::string fix_dependencies(std::string_view text, const std::map<std::string, std::string>& names,
                             DependencyStyle style);

/// The files that the first rule of `text` names, targets left out.
std::vector<std::string> files_of_rule(std::string_view text);

} // namespace andes::preprocessor
