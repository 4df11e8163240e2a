// Only the form of the loop is looked at. A loop over all of the data that gives up at an error has the form of a
// search, too, so callers must ask for more than this.
#include "preprocessor/collect/loops.h"

#include <algorithm>

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace andes::preprocessor {

using namespace clang;

namespace {

/// Whether `statement` may leave the function, or a loop that it is the body of.
bool leaves(const Stmt* statement, bool inside_another = false) {
  if (!statement || isa<Expr>(statement)) return false;
  if (isa<ReturnStmt>(statement)) return true;
  if (isa<BreakStmt>(statement)) return !inside_another;
  const bool another = inside_another || isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt, SwitchStmt>(statement);
  return std::ranges::any_of(statement->children(), [another](const Stmt* child) { return leaves(child, another); });
}

/// Whether the value of `expression` is computed from that of `variable`, not found by it.
bool names(const Expr* expression, const ValueDecl* variable) {
  expression = expression->IgnoreParenCasts();
  if (const auto* use = dyn_cast<DeclRefExpr>(expression)) return use->getDecl() == variable;
  if (const auto* binary = dyn_cast<BinaryOperator>(expression))
    return names(binary->getLHS(), variable) || names(binary->getRHS(), variable);
  const auto* unary = dyn_cast<UnaryOperator>(expression);
  return unary && unary->isArithmeticOp() && names(unary->getSubExpr(), variable);
}

/// Whether both are computed from the value of one variable.
bool shares_variable(const Expr* expression, const Expr* test) {
  expression = expression->IgnoreParenCasts();
  if (const auto* use = dyn_cast<DeclRefExpr>(expression)) return names(test, use->getDecl());
  const auto* binary = dyn_cast<BinaryOperator>(expression);
  return binary && (shares_variable(binary->getLHS(), test) || shares_variable(binary->getRHS(), test));
}

/// Whether `statement` divides by a constant what `test` asks for.
bool divides(const Stmt* statement, const Expr* test) {
  if (!statement) return false;
  if (const auto* binary = dyn_cast<BinaryOperator>(statement)) {
    const BinaryOperatorKind kind = binary->getOpcode();
    const bool division = kind == BO_Div || kind == BO_DivAssign || kind == BO_Shr || kind == BO_ShrAssign;
    if (division && binary->getType()->isIntegerType() && isa<IntegerLiteral>(binary->getRHS()->IgnoreParenCasts()) &&
        shares_variable(binary->getLHS(), test))
      return true;
  }
  return std::ranges::any_of(statement->children(), [test](const Stmt* child) { return divides(child, test); });
}

/// Whether `statement` takes a variable of `test` one further, as a loop over all of something does.
bool counts(const Stmt* statement, const Expr* test) {
  if (!statement) return false;
  if (const auto* unary = dyn_cast<UnaryOperator>(statement))
    if (unary->isIncrementDecrementOp() && shares_variable(unary->getSubExpr(), test)) return true;
  return std::ranges::any_of(statement->children(), [test](const Stmt* child) { return counts(child, test); });
}

const Expr* bare(const Expr* expression) {
  expression = expression->IgnoreParenCasts();
  const auto* whole = dyn_cast<ExprWithCleanups>(expression);
  return whole ? whole->getSubExpr()->IgnoreParenCasts() : expression;
}

/// Whether both name the same place, so far as the text says: a variable, its member, what it points to.
bool are_same(const Expr* a, const Expr* b) {
  a = bare(a), b = bare(b);
  if (a->getStmtClass() != b->getStmtClass()) return false;
  if (const auto* use = dyn_cast<DeclRefExpr>(a)) return use->getDecl() == cast<DeclRefExpr>(b)->getDecl();
  if (const auto* member = dyn_cast<MemberExpr>(a))
    return member->getMemberDecl() == cast<MemberExpr>(b)->getMemberDecl() &&
           are_same(member->getBase(), cast<MemberExpr>(b)->getBase());
  if (const auto* unary = dyn_cast<UnaryOperator>(a))
    return unary->getOpcode() == UO_Deref && cast<UnaryOperator>(b)->getOpcode() == UO_Deref &&
           are_same(unary->getSubExpr(), cast<UnaryOperator>(b)->getSubExpr());
  return isa<CXXThisExpr>(a);
}

/// Whether `statement` gives `place` another value.
bool changes(const Stmt* statement, const Expr* place) {
  if (!statement) return false;
  const auto is_it = [place](const Expr* changed) { return are_same(changed, place); };
  if (const auto* unary = dyn_cast<UnaryOperator>(statement))
    if (unary->isIncrementDecrementOp() && is_it(unary->getSubExpr())) return true;
  if (const auto* binary = dyn_cast<BinaryOperator>(statement))
    if (binary->isAssignmentOp() && is_it(binary->getLHS())) return true;
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(statement)) {
    const OverloadedOperatorKind kind = call->getOperator();
    if ((kind == OO_PlusPlus || kind == OO_MinusMinus || call->isAssignmentOp()) && is_it(call->getArg(0))) return true;
  }
  return std::ranges::any_of(statement->children(), [place](const Stmt* child) { return changes(child, place); });
}

/// What runs in each iteration of a loop.
struct Iteration {
  const Stmt *body = nullptr, *step = nullptr, *test = nullptr;
};

bool is_changed(const Expr* place, const Iteration& iteration) {
  return changes(iteration.body, place) || changes(iteration.step, place) || changes(iteration.test, place);
}

/// Whether the value of `expression` is that of a place which the loop changes, but for others and constants.
bool is_counted(const Expr* expression, const Iteration& iteration) {
  expression = bare(expression);
  if (const auto* unary = dyn_cast<UnaryOperator>(expression); unary && unary->isIncrementDecrementOp()) return true;
  if (isa<DeclRefExpr, MemberExpr, UnaryOperator>(expression)) return is_changed(expression, iteration);
  const auto* binary = dyn_cast<BinaryOperator>(expression);
  return binary && (is_counted(binary->getLHS(), iteration) || is_counted(binary->getRHS(), iteration));
}

/// Whether `test` compares a counter or an iterator of the loop.
bool is_bound(const Expr* test, const Iteration& iteration) {
  test = bare(test);
  if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(test)) test = bare(rewritten->getSemanticForm());
  if (const auto* negated = dyn_cast<UnaryOperator>(test); negated && negated->getOpcode() == UO_LNot)
    return is_bound(negated->getSubExpr(), iteration);
  if (const auto* binary = dyn_cast<BinaryOperator>(test))
    return binary->isComparisonOp() &&
           (is_counted(binary->getLHS(), iteration) || is_counted(binary->getRHS(), iteration));
  const auto* call = dyn_cast<CXXOperatorCallExpr>(test);
  return call && call->isComparisonOp() &&
         (is_counted(call->getArg(0), iteration) || is_counted(call->getArg(1), iteration));
}

/// Whether a value comes from memory that variables lead to, or from a call that is given some.
bool reads_data(const Stmt* expression) {
  if (!expression) return false;
  if (isa<ArraySubscriptExpr>(expression)) return true;
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(expression)) {
    const OverloadedOperatorKind kind = call->getOperator();
    if (kind == OO_Subscript || kind == OO_Star || kind == OO_Arrow) return true;
  }
  if (const auto* call = dyn_cast<CallExpr>(expression))
    if (std::ranges::any_of(call->arguments(), [](const Expr* of) { return of->getType()->isAnyPointerType(); }))
      return true;
  if (const auto* unary = dyn_cast<UnaryOperator>(expression); unary && unary->getOpcode() == UO_Deref) return true;
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    if (member->isArrow() && !isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())) return true;
  }
  return std::ranges::any_of(expression->children(), reads_data);
}

/// Whether what is asked depends on something that the loop changes.
bool is_varying(const Stmt* expression, const Iteration& iteration) {
  if (!expression) return false;
  const auto* place = dyn_cast<Expr>(expression);
  if (place && isa<DeclRefExpr, MemberExpr>(place) && is_changed(place, iteration)) return true;
  return std::ranges::any_of(expression->children(),
                             [&iteration](const Stmt* child) { return is_varying(child, iteration); });
}

/// Whether `test` asks whether there is a next one: the end of a list is a bound.
bool asks_for_null(const Expr* test) {
  test = bare(test);
  if (const auto* negated = dyn_cast<UnaryOperator>(test); negated && negated->getOpcode() == UO_LNot)
    return asks_for_null(negated->getSubExpr());
  const auto is_null = [](const Expr* value) { return isa<CXXNullPtrLiteralExpr, GNUNullExpr, IntegerLiteral>(value); };
  const auto* compared = dyn_cast<BinaryOperator>(test);
  if (!compared || !compared->isEqualityOp()) return test->getType()->isAnyPointerType();
  const Expr *left = bare(compared->getLHS()), *right = bare(compared->getRHS());
  return (left->getType()->isAnyPointerType() && is_null(right)) ||
         (right->getType()->isAnyPointerType() && is_null(left));
}

/// Whether a part of `test`, all of which must hold, asks what the loop has found, as a `break` in its body would.
bool asks_data(const Expr* test, const Iteration& iteration, bool part = false) {
  test = bare(test);
  if (const auto* both = dyn_cast<BinaryOperator>(test); both && both->getOpcode() == BO_LAnd)
    return asks_data(both->getLHS(), iteration, true) || asks_data(both->getRHS(), iteration, true);
  return part && !is_bound(test, iteration) && !asks_for_null(test) && is_varying(test, iteration) && reads_data(test);
}

/// The integer variable that `statement` shifts right, or divides, by a constant, as a whole: `x >>= 2`, `x /= 10`. One
/// that only this function can change.
const VarDecl* digits_taken_from(const Stmt* statement) {
  const auto* binary = dyn_cast_or_null<BinaryOperator>(statement);
  if (!binary || (binary->getOpcode() != BO_ShrAssign && binary->getOpcode() != BO_DivAssign)) return nullptr;
  const auto* by = dyn_cast<IntegerLiteral>(binary->getRHS()->IgnoreParenCasts());
  const auto* use = dyn_cast<DeclRefExpr>(binary->getLHS()->IgnoreParens());
  const auto* number = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
  if (!by || !number || !number->hasLocalStorage() || use->refersToEnclosingVariableOrCapture()) return nullptr;
  if (!number->getType()->isIntegerType()) return nullptr; // nor a reference to one
  return by->getValue().ugt(binary->getOpcode() == BO_ShrAssign ? 0 : 1) ? number : nullptr;
}

/// How often `statement` names the variable without asking for its value: each may change it.
unsigned changes_of(const Stmt* statement, const VarDecl& variable) {
  if (!statement) return 0;
  const auto* use = dyn_cast<DeclRefExpr>(statement);
  if (use) return use->getDecl() == &variable;
  const auto* cast = dyn_cast<ImplicitCastExpr>(statement);
  if (cast && cast->getCastKind() == CK_LValueToRValue && isa<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
    return 0;
  unsigned sum = 0;
  for (const Stmt* child : statement->children()) sum += changes_of(child, variable);
  return sum;
}

template <class Is> bool has_any(const Stmt* statement, const Is& is) {
  return statement && (is(statement) || std::ranges::any_of(statement->children(),
                                                            [&is](const Stmt* child) { return has_any(child, is); }));
}

/// Whether each iteration takes a digit from a number and nothing else changes it: none is left after 64 of them.
bool takes_digits(const Iteration& iteration) {
  const auto& [body, step, test] = iteration;
  const auto takes = [&](const Stmt* statement) {
    const VarDecl* const number = digits_taken_from(statement);
    if (!number || changes_of(body, *number) + changes_of(step, *number) + changes_of(test, *number) != 1) return false;
    return !has_any(body, [number](const Stmt* part) { // another variable in each iteration
      const auto* made = dyn_cast<DeclStmt>(part);
      return made && llvm::is_contained(made->decls(), number);
    });
  };
  if (takes(step) || takes(body)) return true;
  const auto* block = dyn_cast_or_null<CompoundStmt>(body);
  const auto skips = [](const Stmt* part) { return isa<ContinueStmt, GotoStmt>(part); };
  return block && std::ranges::any_of(block->body(), takes) && !has_any(body, skips);
}

} // namespace

bool is_short_search(const Stmt* loop) {
  if (const auto* range = dyn_cast<CXXForRangeStmt>(loop)) return leaves(range->getBody());
  const Expr* test = nullptr;
  const Stmt *body = nullptr, *step = nullptr;
  if (const auto* counted = dyn_cast<ForStmt>(loop)) {
    test = counted->getCond();
    body = counted->getBody();
    step = counted->getInc();
  } else if (const auto* while_loop = dyn_cast<WhileStmt>(loop)) {
    test = while_loop->getCond();
    body = while_loop->getBody();
  } else if (const auto* do_loop = dyn_cast<DoStmt>(loop)) {
    test = do_loop->getCond();
    body = do_loop->getBody();
  }
  if (leaves(body) || (test && asks_data(test, {body, step, test}))) return true;
  if (takes_digits({body, step, test})) return true;
  if (!test || counts(step, test) || counts(body, test)) return false;
  return divides(step, test) || divides(body, test);
}

} // namespace andes::preprocessor
