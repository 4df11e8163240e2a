#include "preprocessor/collect/statements.h"

#include <algorithm>
#include <optional>

#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"

#include "preprocessor/collect/dependent.h"
#include "preprocessor/collect/mpi_calls.h"
#include "preprocessor/collect/visitor.h"

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

std::optional<llvm::APSInt> constant(const Expr* expression, const ASTContext& context) {
  if (expression->isValueDependent()) return std::nullopt;
  Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, context)) return std::nullopt;
  return result.Val.getInt();
}

bool same(const llvm::APSInt& a, const llvm::APSInt& b) { return llvm::APSInt::compareValues(a, b) == 0; }

/// What a test asks of a static variable of a function: whether it is (not) `value`.
struct Question {
  const VarDecl* variable = nullptr; // null: the test asks something else
  bool is = false;
  llvm::APSInt value = llvm::APSInt::get(0);
};

Question question_of(const Expr* test, const ASTContext& context) {
  test = test->IgnoreParenImpCasts();
  Question asked;
  if (const auto* unary = dyn_cast<UnaryOperator>(test); unary && unary->getOpcode() == UO_LNot) {
    asked.is = true;
    asked.variable = lasting_variable(unary->getSubExpr());
  } else if (const auto* binary = dyn_cast<BinaryOperator>(test); binary && binary->isEqualityOp()) {
    const std::optional<llvm::APSInt> value = constant(binary->getRHS(), context);
    if (!value) return asked;
    asked.value = *value;
    asked.is = binary->getOpcode() == BO_EQ;
    asked.variable = lasting_variable(binary->getLHS());
  } else {
    asked.variable = lasting_variable(test);
  }
  if (asked.variable && !asked.variable->isStaticLocal()) asked.variable = nullptr;
  return asked;
}

/// Whether a statement assigns a value to the variable with which the answer is no.
bool answers_no(const Stmt* statement, const Question& asked) {
  const auto* assignment = dyn_cast<BinaryOperator>(statement);
  if (!assignment || assignment->getOpcode() != BO_Assign || lasting_variable(assignment->getLHS()) != asked.variable)
    return false;
  const std::optional<llvm::APSInt> value = constant(assignment->getRHS(), asked.variable->getASTContext());
  return value && same(*value, asked.value) != asked.is;
}

/// Counts where a variable is named, but for those places in which its value is read.
class Changes final : public Visitor {
public:
  explicit Changes(const VarDecl* variable) : variable_(variable) {}
  unsigned count = 0;
  bool VisitDeclRefExpr(DeclRefExpr* named) override {
    count += named->getDecl() == variable_;
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr* cast) override {
    count -= cast->getCastKind() == CK_LValueToRValue && lasting_variable(cast->getSubExpr()) == variable_;
    return true;
  }

private:
  const VarDecl* variable_;
};

/// Whether code may be left other than at its end.
class Leaves final : public Visitor {
public:
  bool found = false;
  bool VisitReturnStmt(ReturnStmt*) override { return find(); }
  bool VisitGotoStmt(GotoStmt*) override { return find(); }
  bool VisitIndirectGotoStmt(IndirectGotoStmt*) override { return find(); }
  bool VisitBreakStmt(BreakStmt*) override { return find(); } // of a loop in it, too
  bool VisitContinueStmt(ContinueStmt*) override { return find(); }
  bool VisitCXXThrowExpr(CXXThrowExpr*) override { return find(); }

private:
  bool find() {
    found = true;
    return false; // this is enough
  }
};

bool may_be_left(Stmt* statement) {
  Leaves leaves;
  leaves.TraverseStmt(statement);
  return leaves.found;
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

bool only_fails(const Stmt* statement) {
  if (const auto* block = dyn_cast_or_null<CompoundStmt>(statement))
    return !block->body_empty() && only_fails(block->body_back()) &&
           std::all_of(block->body_begin(), block->body_end(), [](const Stmt* part) { return isa<Expr>(part); });
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  if (!expression) return false;
  expression = expression->IgnoreParenCasts();
  if (const auto* whole = dyn_cast<ExprWithCleanups>(expression)) expression = whole->getSubExpr()->IgnoreParenCasts();
  const auto* call = dyn_cast<CallExpr>(expression);
  if (!call) return isa<CXXThrowExpr>(expression);
  return is_idle(call) || (call->getDirectCallee() && is_abort_of_mpi(*call->getDirectCallee()));
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

bool runs_once(IfStmt& branch, Stmt* body, const ASTContext& context) {
  auto* several = dyn_cast<CompoundStmt>(branch.getThen());
  if (!several || branch.isConsteval() || branch.getCond()->isTypeDependent()) return false;
  const Question asked = question_of(branch.getCond(), context);
  if (!asked.variable || std::none_of(several->body_begin(), several->body_end(),
                                      [&asked](const Stmt* statement) { return answers_no(statement, asked); }))
    return false;
  Changes changes(asked.variable);
  changes.TraverseStmt(body);
  return changes.count == 1 && !may_be_left(several);
}

bool returns(const Stmt* statement) {
  const auto* block = dyn_cast<CompoundStmt>(statement);
  return isa<ReturnStmt>(statement) || (block && !block->body_empty() && isa<ReturnStmt>(block->body_back()));
}

const Stmt* only_statement(const Stmt* body) {
  const auto* compound = dyn_cast_or_null<CompoundStmt>(body);
  return compound && compound->size() == 1 ? compound->body_front() : nullptr;
}

bool returns_only(const Stmt* body) {
  const auto* last = dyn_cast_or_null<ReturnStmt>(only_statement(body));
  return last && last->getRetValue();
}

} // namespace andes::preprocessor
