#include "preprocessor/collect/statements.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"

namespace andes::preprocessor {

using namespace clang;

bool is_idle(const Stmt* statement) {
  if (isa<ConstantExpr>(statement) || isa<UnaryExprOrTypeTraitExpr>(statement) || isa<CXXNoexceptExpr>(statement) ||
      isa<RequiresExpr>(statement) || isa<CXXTypeidExpr>(statement) || isa<CXXThrowExpr>(statement) ||
      isa<CXXCatchStmt>(statement))
    return true;
  const auto* call = dyn_cast<CallExpr>(statement);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->isNoReturn();
}

bool compares(const Expr* test) {
  if (!test) return false;
  test = test->IgnoreParenImpCasts();
  if (const auto* binary = dyn_cast<BinaryOperator>(test)) return binary->isComparisonOp() || binary->isLogicalOp();
  return isa<CXXOperatorCallExpr, CXXRewrittenBinaryOperator, ExprWithCleanups>(test);
}

bool returns_only(const Stmt* body) {
  const auto* compound = dyn_cast_or_null<CompoundStmt>(body);
  if (!compound || compound->size() != 1) return false;
  const auto* last = dyn_cast<ReturnStmt>(compound->body_front());
  return last && last->getRetValue();
}

} // namespace andes::preprocessor
