// Where statements begin and end in their file, for braces around them. Uses Clang; only for
// preprocessor/collect.
#pragma once
#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace andes::preprocessor {

/// Where the text of `statement` begins in the file; nothing if in the middle of a macro.
std::optional<clang::SourceLocation> begin_of(const clang::Stmt& statement, const clang::ASTContext& context);

/// The place behind its last token, the semicolon included; nothing if in the middle of a macro.
std::optional<clang::SourceLocation> end_of(const clang::Stmt& statement, const clang::ASTContext& context);

} // namespace andes::preprocessor
