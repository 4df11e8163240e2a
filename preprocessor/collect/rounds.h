// The number of iterations of a loop, if its text shows it. Uses Clang; only for preprocessor/collect.
#pragma once
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace andes::preprocessor {

/// Rounds of `loop`, at most a million; 0: not known, or none.
unsigned rounds_of(const clang::Stmt* loop, const clang::ASTContext& context);

} // namespace andes::preprocessor
