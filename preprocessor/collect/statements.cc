#include "preprocessor/collect/statements.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"

#include "preprocessor/collect/dependent.h"

namespace andes::preprocessor {

using namespace clang;

namespace {

/// The variable that an expression names, if it lives as long as the program.
const VarDecl* lasting_variable(const Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  const ValueDecl* named = nullptr;
  if (const auto* plain = dyn_cast<DeclRefExpr>(expression)) named = plain->getDecl();
  if (const auto* member = dyn_cast<MemberExpr>(expression)) named = member->getMemberDecl();
  const auto* variable = dyn_cast_or_null<VarDecl>(named);
  return variable && variable->hasGlobalStorage() ? variable : nullptr;
}

bool is_null(const Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  const auto* number = dyn_cast<IntegerLiteral>(expression);
  return isa<CXXNullPtrLiteralExpr, GNUNullExpr>(expression) || (number && number->getValue() == 0);
}

/// The variable that a test finds to be null; null if it is another test.
const VarDecl* found_null(const Expr* test) {
  test = test->IgnoreParenImpCasts();
  if (const auto* unary = dyn_cast<UnaryOperator>(test))
    return unary->getOpcode() == UO_LNot ? lasting_variable(unary->getSubExpr()) : nullptr;
  const auto* binary = dyn_cast<BinaryOperator>(test);
  if (!binary || binary->getOpcode() != BO_EQ) return nullptr;
  if (is_null(binary->getRHS())) return lasting_variable(binary->getLHS());
  return is_null(binary->getLHS()) ? lasting_variable(binary->getRHS()) : nullptr;
}

bool makes(const Stmt* statement, const VarDecl* variable) {
  const auto* assignment = dyn_cast<BinaryOperator>(statement);
  return assignment && assignment->getOpcode() == BO_Assign && lasting_variable(assignment->getLHS()) == variable &&
         isa<CXXNewExpr>(assignment->getRHS()->IgnoreParenCasts());
}

} // namespace

bool is_idle(const Stmt* statement) {
  if (isa<ConstantExpr>(statement) || isa<UnaryExprOrTypeTraitExpr>(statement) || isa<CXXNoexceptExpr>(statement) ||
      isa<RequiresExpr>(statement) || isa<CXXTypeidExpr>(statement) || isa<CXXThrowExpr>(statement) ||
      isa<CXXCatchStmt>(statement))
    return true;
  const auto* call = dyn_cast<CallExpr>(statement);
  if (!call) return false;
  const FunctionDecl* callee = call->getDirectCallee();
  // That of an assert in a template has the function's name, which is open there, among its arguments.
  if (const auto* overload = dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts()))
    callee = only_function_of(*overload);
  return callee && callee->isNoReturn();
}

bool compares(const Expr* test) {
  if (!test) return false;
  test = test->IgnoreParenImpCasts();
  if (const auto* binary = dyn_cast<BinaryOperator>(test)) return binary->isComparisonOp() || binary->isLogicalOp();
  return isa<CXXOperatorCallExpr, CXXRewrittenBinaryOperator, ExprWithCleanups>(test);
}

bool makes_once(const IfStmt& branch) {
  const VarDecl* variable = branch.getElse() || branch.isConsteval() ? nullptr : found_null(branch.getCond());
  if (!variable) return false;
  const auto* several = dyn_cast<CompoundStmt>(branch.getThen());
  if (!several) return makes(branch.getThen(), variable);
  return std::any_of(several->body_begin(), several->body_end(),
                     [variable](const Stmt* statement) { return makes(statement, variable); });
}

bool returns(const Stmt* statement) {
  const auto* block = dyn_cast<CompoundStmt>(statement);
  return isa<ReturnStmt>(statement) || (block && !block->body_empty() && isa<ReturnStmt>(block->body_back()));
}

bool returns_only(const Stmt* body) {
  const auto* compound = dyn_cast_or_null<CompoundStmt>(body);
  if (!compound || compound->size() != 1) return false;
  const auto* last = dyn_cast<ReturnStmt>(compound->body_front());
  return last && last->getRetValue();
}

} // namespace andes::preprocessor
