// Loops of unknown length that mostly end after a few iterations. Uses Clang; only for preprocessor/collect.
#pragma once
#include "clang/AST/Stmt.h"

namespace andes::preprocessor {

/// Whether `loop` (for, range-based for, while, do) is a search or a bisection. A search ends by a branch in its body,
/// with return or break, or by a part of its test that asks for data (`i < n && v[i] != x`). A bisection, or a loop
/// over the bits of a number, divides what its test asks for by a constant, or takes digits from a number that nothing
/// else changes (`for (i = 0; i < n; ++i) { ...; x >>= 2; }`).
bool is_short_search(const clang::Stmt* loop);

} // namespace andes::preprocessor
