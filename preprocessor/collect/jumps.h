// The jumps of a function: they show which statements must not be put between braces with a guard.
// Uses Clang; only for preprocessor/collect.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace andes::preprocessor {

/// Notes the jumps on a walk over the statements of a function, which are numbered as they begin.
class Jumps {
public:
  explicit Jumps(const clang::ASTContext& context) : context_(context) {}

  void begin(const clang::Stmt& statement, unsigned number);
  void end(const clang::Stmt& statement);

  /// After the walk: the obstacle to a guard around the statements [first, last); empty: none.
  std::string against(unsigned first, unsigned last) const;

private:
  const clang::ASTContext& context_;
  std::vector<unsigned> switches_; // open ones
  std::map<const clang::LabelDecl*, unsigned> labels_;
  std::vector<std::pair<unsigned, const clang::LabelDecl*>> gotos_;
  std::vector<std::pair<unsigned, unsigned>> cases_; // switch, case
  std::vector<unsigned> computing_;                  // computed jumps
  std::vector<const clang::LabelDecl*> computed_;    // labels whose address is taken
  bool calls_setjmp_ = false;
};

} // namespace andes::preprocessor
