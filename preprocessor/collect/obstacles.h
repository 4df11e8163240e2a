// Obstacles to a probe in a declaration: attributes, names of allocators, and contexts in which
// expressions are constant. Uses Clang; only for preprocessor/collect.
#pragma once
#include "preprocessor/pipeline.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"

namespace andes::preprocessor {

/// The obstacle among the function's attributes.
Obstacle attribute_obstacle(const clang::FunctionDecl& function);

/// malloc, dlsym and similar functions, which the monitor may call while it enters a region.
bool is_allocator(const clang::FunctionDecl& function);

/// Whether the function is a main that may end without a value: one that returns no int, or, before C99, has no return
/// statement at its end. The exit status is then what its last call has left in a register, where a probe would put
/// something else.
bool leaves_status_open(const clang::FunctionDecl& function, const clang::LangOptions& language);

/// Whether `text` contains the C word `word`: for facts that Clang's tree lacks.
bool contains_word(llvm::StringRef text, llvm::StringRef word);

/// Whether the code in `declaration` is evaluated at compile time, or must remain so.
bool is_constant(const clang::Decl& declaration, clang::ASTContext& context);

} // namespace andes::preprocessor
