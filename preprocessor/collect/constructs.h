// OpenMP directives as candidates for regions: which of them qualify, the places of their braces,
// their names (docs/decisions/0117). Uses Clang; only for preprocessor/collect.
#pragma once
#include <string>

#include "preprocessor/collect/pragmas.h"
#include "preprocessor/pipeline.h"
#include "clang/AST/StmtOpenMP.h"

namespace andes::preprocessor {

/// A directive and the decision about it.
struct Construct {
  Block::Kind kind = Block::Kind::left;
  std::string name;     // the words of the directive: parallel for, critical (queue)
  std::string obstacle; // why it cannot have a probe; empty: it can
  bool inside = false;  // the braces stand behind the directive, around its statement alone
};

/// `pragma` is the line of the directive; none if it stands on no line of its own.
Construct construct_of(const clang::OMPExecutableDirective& directive, const Pragma* pragma);

} // namespace andes::preprocessor
