// What is known beforehand of functions whose bodies stand in headers: which of them are a few
// instructions. Uses Clang; for collect*.cc alone.
#pragma once
#include "clang/AST/Decl.h"

namespace andes {

/// Whether a call of `function` is a matter of some instructions: sqrt, std::move, the subscript of
/// a std::vector, a compiler's builtin. Of all others nothing is known: false.
bool is_few_instructions(const clang::FunctionDecl& function);

/// The same where only the name of a member is known, since its object depends on a template.
bool is_name_of_accessor(llvm::StringRef member);

} // namespace andes
