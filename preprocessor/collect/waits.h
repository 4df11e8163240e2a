// Calls of the C and C++ libraries that wait: for a thread, a process, input or a time. Uses Clang; only for
// preprocessor/collect.
#pragma once
#include "clang/AST/Decl.h"

namespace andes::preprocessor {

/// Whether a call of `function`, which is not the program's own, usually waits.
bool is_waiting(const clang::FunctionDecl& function);

} // namespace andes::preprocessor
