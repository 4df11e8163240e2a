// Names of functions as a user reads them in a call tree. Uses Clang; only for preprocessor/collect.
#pragma once
#include <string>
#include <vector>

#include "clang/AST/Decl.h"

namespace andes::preprocessor {

/// Qualified name without template arguments of the pattern: Stack::push, Stack<bool>::push for an
/// explicit specialisation; parameter types only where the scope declares other functions of that
/// name; anonymous and inline namespaces left out; a lambda is {lambda:LINE}.
std::string name_of(const clang::FunctionDecl& function);

/// The same with parameter types in any case; empty in C and for lambdas.
std::string signature_of(const clang::FunctionDecl& function);

/// Its possible linker names: several for constructors and destructors, none for templates, lambdas
/// and functions local to them.
std::vector<std::string> mangled_names_of(const clang::FunctionDecl& function);

/// The same without parameter types, as a scope for names inside the function.
std::string scope_name_of(const clang::FunctionDecl& function);

} // namespace andes::preprocessor
