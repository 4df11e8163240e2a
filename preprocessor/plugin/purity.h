// Whether a procedure is declared pure or elemental: such procedures never get a probe. The compiler keeps no trace
// of the words, since it marks procedures that have no side effects in the same way; so the statement is read in the
// source.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace andes::preprocessor::plugin {

/// Whether the statement that the line `line` of the file belongs to (`lines`, from line 1 on) has the prefix PURE or
/// ELEMENTAL. For the body of a module procedure (MODULE PROCEDURE): whether its interface in this file has.
bool is_declared_pure(const std::vector<std::string>& lines, unsigned line, const std::string& procedure);

} // namespace andes::preprocessor::plugin
