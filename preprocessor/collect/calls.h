// Facts about a function's body that matter for a probe: calls, last calls, suspension.
// Uses Clang; only for preprocessor/collect.
#pragma once
#include <string>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace andes::preprocessor {

/// A call found in a body. `callee` is null if it depends on template arguments: then all functions
/// of that name are meant, to be safe.
struct BodyCall {
  const clang::FunctionDecl* callee = nullptr; // canonical, of a template its pattern
  std::string name;
};

struct BodyFacts {
  std::vector<BodyCall> calls;
  std::vector<BodyCall> tail_calls; // where the compiler may jump instead of calling
  bool dispatches = false;          // calls last through a pointer of the function's own type
  std::vector<clang::SourceLocation> last_calls; // places of all of these
  bool coroutine = false, vfork = false, musttail = false;
};

/// Canonical declaration; for an instantiation that of the template's pattern.
const clang::FunctionDecl* pattern_of(const clang::FunctionDecl* function);

/// Facts of `body`, nested lambdas and classes left out.
BodyFacts facts_of(const clang::FunctionDecl& function, clang::Stmt* body);

} // namespace andes::preprocessor
