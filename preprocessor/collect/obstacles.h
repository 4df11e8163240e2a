// What in a declaration stands against a probe: attributes, names of allocators, and contexts in which
// expressions are constant. Uses Clang; for collect*.cc alone.
#pragma once
#include "preprocessor/pipeline.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"

namespace andes {

/// That of the function's attributes that rules a probe out.
Obstacle attribute_obstacle(const clang::FunctionDecl& function);

/// malloc, dlsym and their like, which the monitor itself may call while it enters.
bool is_allocator(const clang::FunctionDecl& function);

/// Whether `word` stands in `text` as a word of C: for what Clang's tree does not tell.
bool contains_word(llvm::StringRef text, llvm::StringRef word);

/// Whether what stands in `declaration` is evaluated by the compiler, or has to remain so.
bool is_constant(const clang::Decl& declaration, clang::ASTContext& context);

} // namespace andes
