// Counted loops: `for` with a variable that goes from constant to constant by constant steps, and `for`
// over an array. The body is assumed not to change the variable.
#include "preprocessor/collect/rounds.h"

#include <cstdlib>
#include <optional>

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace andes::preprocessor {

using namespace clang;

namespace {

/// Number of iterations of `for (i = A; i < B; i += C)`; 0: not known, or none.
unsigned rounds_of_for(const ForStmt& loop, const ASTContext& context) {
  const auto value = [&](const Expr* expression) -> std::optional<long> {
    Expr::EvalResult result;
    if (!expression || expression->isValueDependent() || !expression->getType()->isIntegerType() ||
        !expression->EvaluateAsInt(result, context) || result.Val.getInt().getSignificantBits() > 40)
      return std::nullopt;
    return long(result.Val.getInt().getExtValue());
  };
  const auto variable = [](const Expr* expression) -> const ValueDecl* {
    const auto* use = dyn_cast_or_null<DeclRefExpr>(expression ? expression->IgnoreParenImpCasts() : nullptr);
    return use ? use->getDecl() : nullptr;
  };
  const ValueDecl* counter = nullptr;
  std::optional<long> first, last, step;
  if (const auto* made = dyn_cast_or_null<DeclStmt>(loop.getInit())) {
    const auto* declared = made->isSingleDecl() ? dyn_cast<VarDecl>(made->getSingleDecl()) : nullptr;
    if (!declared) return 0;
    counter = declared;
    first = value(declared->getInit());
  } else if (const auto* set = dyn_cast_or_null<BinaryOperator>(loop.getInit())) {
    if (set->getOpcode() != BO_Assign) return 0;
    counter = variable(set->getLHS());
    first = value(set->getRHS());
  }
  const auto* test = dyn_cast_or_null<BinaryOperator>(loop.getCond());
  if (!counter || !first || !test || variable(test->getLHS()) != counter) return 0;
  last = value(test->getRHS());
  if (const auto* once = dyn_cast_or_null<UnaryOperator>(loop.getInc())) {
    if (variable(once->getSubExpr()) == counter && once->isIncrementDecrementOp())
      step = once->isIncrementOp() ? 1 : -1;
  } else if (const auto* more = dyn_cast_or_null<BinaryOperator>(loop.getInc())) {
    if (variable(more->getLHS()) != counter) return 0;
    step = value(more->getRHS());
    if (more->getOpcode() == BO_SubAssign && step) step = -*step;
    else if (more->getOpcode() != BO_AddAssign) return 0;
  }
  if (!last || !step || *step == 0) return 0;
  long distance = *step > 0 ? *last - *first : *first - *last;
  const BinaryOperatorKind kind = test->getOpcode();
  if (kind == BO_LE || kind == BO_GE) ++distance;
  else if (kind != BO_LT && kind != BO_GT && kind != BO_NE) return 0;
  const long stride = std::abs(*step), rounds = (distance + stride - 1) / stride;
  return rounds <= 0 || rounds > 1'000'000 ? 0 : unsigned(rounds);
}

} // namespace

unsigned rounds_of(const Stmt* loop, const ASTContext& context) {
  if (const auto* counted = dyn_cast<ForStmt>(loop)) return rounds_of_for(*counted, context);
  const auto* range = dyn_cast<CXXForRangeStmt>(loop);
  const Expr* all = range && range->getRangeInit() ? range->getRangeInit()->IgnoreParens() : nullptr;
  const auto* array = all && !all->isTypeDependent() ? context.getAsConstantArrayType(all->getType()) : nullptr;
  return array ? unsigned(array->getSize().getLimitedValue(1'000'000)) : 0;
}

} // namespace andes::preprocessor
