// Facts of a body. A call is "last" where GCC and Clang may replace it by a jump: in a return
// statement or as the last statement, with nothing left to destroy.
//
// A function whose last calls lead back to it, within the file or through pointers of its own type, gets no probe:
// a guard keeps the compiler from jumping, and a recursion that needed no stack would need a frame for each level.
// Accumulating recursion (`return n * f(n - 1)`) keeps its probe: programs do not rely on it for deep recursion.
// Cycles through other files are not seen; that would take a view of the whole program.
#include "preprocessor/collect/calls.h"

#include "preprocessor/collect/visitor.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace andes::preprocessor {

using namespace clang;

const FunctionDecl* pattern_of(const FunctionDecl* function) {
  if (const FunctionDecl* pattern = function->getTemplateInstantiationPattern()) function = pattern;
  return function->getCanonicalDecl();
}

namespace {

BodyCall call_of(const CallExpr* call) {
  if (const FunctionDecl* callee = call->getDirectCallee()) return {pattern_of(callee), callee->getNameAsString()};
  const Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* overload = dyn_cast<OverloadExpr>(callee)) return {nullptr, overload->getName().getAsString()};
  if (const auto* member = dyn_cast<CXXDependentScopeMemberExpr>(callee))
    return {nullptr, member->getMember().getAsString()};
  return {};
}

class Temporaries final : public Visitor {
public:
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr*) override { return !(found = true); }
  bool found = false;
};

/// An argument with a destructor is destroyed after the call, so the call is not the last thing.
bool leaves_work(CallExpr* call) {
  Temporaries temporaries;
  for (Expr* argument : call->arguments()) temporaries.TraverseStmt(argument);
  return temporaries.found;
}

class Body final : public Visitor {
public:
  Body(const FunctionDecl& function, BodyFacts& facts) : function_(function), facts_(facts) {}

  bool TraverseLambdaExpr(LambdaExpr*, Queue*) override { return true; }
  bool TraverseCXXRecordDecl(CXXRecordDecl*) override { return true; }

  bool VisitCallExpr(CallExpr* call) override {
    const BodyCall found = call_of(call);
    if (found.callee || !found.name.empty()) facts_.calls.push_back(found);
    if (found.name == "vfork" || found.name == "__vfork") facts_.vfork = true;
    return true;
  }
  bool VisitAttributedStmt(AttributedStmt* statement) override {
    for (const Attr* attribute : statement->getAttrs())
      if (isa<MustTailAttr>(attribute)) facts_.musttail = true;
    return true;
  }
  bool VisitCoreturnStmt(CoreturnStmt*) override { return facts_.coroutine = true; }
  bool VisitCoawaitExpr(CoawaitExpr*) override { return facts_.coroutine = true; }
  bool VisitDependentCoawaitExpr(DependentCoawaitExpr*) override { return facts_.coroutine = true; }
  bool VisitCoyieldExpr(CoyieldExpr*) override { return facts_.coroutine = true; }
  bool VisitVarDecl(VarDecl* variable) override {
    if (variable->hasLocalStorage() && !variable->getType()->isDependentType() &&
        (variable->needsDestruction(variable->getASTContext()) || variable->hasAttr<CleanupAttr>()))
      destroys = true;
    return true;
  }
  bool VisitReturnStmt(ReturnStmt* statement) override {
    if (statement->getRetValue()) last_expression(statement->getRetValue());
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt* block) override { // `f(); return;` and `f(); break;`
    Stmt* before = nullptr;
    for (Stmt* statement : block->body()) {
      if (before && (isa<BreakStmt>(statement) || is_bare_return(statement))) last_statement(before);
      before = statement;
    }
    return true;
  }

  /// The statement after which a void function ends.
  void last_statement(Stmt* statement) {
    if (!statement || !function_.getReturnType()->isVoidType()) return;
    if (auto* expression = dyn_cast<Expr>(statement)) last_expression(expression);
    else if (auto* block = dyn_cast<CompoundStmt>(statement)) {
      if (!block->body_empty()) last_statement(block->body_back());
    } else if (auto* branch = dyn_cast<IfStmt>(statement)) {
      last_statement(branch->getThen());
      last_statement(branch->getElse());
    } else if (auto* choice = dyn_cast<SwitchStmt>(statement)) {
      last_statement(choice->getBody());
    } else if (auto* branch_case = dyn_cast<SwitchCase>(statement)) {
      last_statement(branch_case->getSubStmt());
    } else if (auto* label = dyn_cast<LabelStmt>(statement)) {
      last_statement(label->getSubStmt());
    } else if (auto* attributed = dyn_cast<AttributedStmt>(statement)) {
      last_statement(attributed->getSubStmt());
    }
  }

  bool destroys = false;

private:
  static bool is_bare_return(const Stmt* statement) {
    const auto* leave = dyn_cast<ReturnStmt>(statement);
    return leave && !leave->getRetValue();
  }

  void last_expression(Expr* expression) {
    expression = expression->IgnoreParenImpCasts();
    if (auto* cleanups = dyn_cast<ExprWithCleanups>(expression))
      expression = cleanups->getSubExpr()->IgnoreParenImpCasts();
    if (auto* temporary = dyn_cast<CXXBindTemporaryExpr>(expression))
      expression = temporary->getSubExpr()->IgnoreParenImpCasts();
    if (auto* cast = dyn_cast<ExplicitCastExpr>(expression)) expression = cast->getSubExpr()->IgnoreParenImpCasts();
    if (auto* choice = dyn_cast<ConditionalOperator>(expression)) {
      last_expression(choice->getTrueExpr());
      last_expression(choice->getFalseExpr());
    } else if (auto* binary = dyn_cast<BinaryOperator>(expression)) {
      if (binary->isLogicalOp() || binary->isCommaOp()) last_expression(binary->getRHS());
    } else if (auto* call = dyn_cast<CallExpr>(expression)) {
      if (leaves_work(call)) return;
      facts_.last_calls.push_back(call->getBeginLoc());
      const BodyCall found = call_of(call);
      if (found.callee || !found.name.empty()) facts_.tail_calls.push_back(found);
      else if (has_own_type(call)) facts_.dispatches = true;
    }
  }

  bool has_own_type(const CallExpr* call) const {
    QualType callee = call->getCallee()->getType();
    if (const auto* pointer = callee->getAs<PointerType>()) callee = pointer->getPointeeType();
    const ASTContext& context = function_.getASTContext();
    return callee->getAs<FunctionProtoType>() && function_.getType()->getAs<FunctionProtoType>()
               ? context.hasSameFunctionTypeIgnoringExceptionSpec(callee, function_.getType())
               : context.hasSameType(callee, function_.getType());
  }

  const FunctionDecl& function_;
  BodyFacts& facts_;
};

} // namespace

BodyFacts facts_of(const FunctionDecl& function, Stmt* body) {
  BodyFacts facts;
  Body visitor(function, facts);
  visitor.TraverseStmt(body);
  visitor.last_statement(body);
  if (visitor.destroys) {
    facts.tail_calls.clear();
    facts.last_calls.clear();
    facts.dispatches = false;
  }
  return facts;
}

} // namespace andes::preprocessor
