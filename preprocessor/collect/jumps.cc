// A guard must not be jumped over on the way in, and on every way out its cleanup must run.
#include "preprocessor/collect/jumps.h"

#include <set>

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Builtins.h"

namespace andes::preprocessor {

using namespace clang;

namespace {

bool is_setjmp(const CallExpr& call, const ASTContext& context) {
  const FunctionDecl* callee = call.getDirectCallee();
  if (!callee) return false;
  static const std::set<StringRef> names{"setjmp",      "_setjmp", "__setjmp",  "sigsetjmp",
                                         "__sigsetjmp", "savectx", "getcontext"};
  const IdentifierInfo* name = callee->getIdentifier();
  return callee->hasAttr<ReturnsTwiceAttr>() || (name && names.count(name->getName())) ||
         (callee->getBuiltinID() && context.BuiltinInfo.isReturnsTwice(callee->getBuiltinID()));
}

} // namespace

void Jumps::begin(const Stmt& statement, unsigned number) {
  if (isa<SwitchStmt>(statement)) switches_.push_back(number);
  if (const auto* label = dyn_cast<LabelStmt>(&statement)) {
    labels_[label->getDecl()] = number;
  } else if (const auto* jump = dyn_cast<GotoStmt>(&statement)) {
    gotos_.emplace_back(number, jump->getLabel());
  } else if (const auto* assembler = dyn_cast<GCCAsmStmt>(&statement)) {
    for (unsigned i = 0; i < assembler->getNumLabels(); ++i)
      computed_.push_back(assembler->getLabelExpr(i)->getLabel());
    if (assembler->getNumLabels() > 0) computing_.push_back(number);
  } else if (isa<IndirectGotoStmt>(statement)) {
    computing_.push_back(number);
  } else if (const auto* address = dyn_cast<AddrLabelExpr>(&statement)) {
    computed_.push_back(address->getLabel());
  } else if (isa<SwitchCase>(statement) && !switches_.empty()) {
    cases_.emplace_back(switches_.back(), number);
  } else if (const auto* call = dyn_cast<CallExpr>(&statement)) {
    calls_setjmp_ |= is_setjmp(*call, context_);
  }
}

void Jumps::end(const Stmt& statement) {
  if (isa<SwitchStmt>(statement)) switches_.pop_back();
}

std::string Jumps::against(unsigned first, unsigned last) const {
  const auto inside = [&](unsigned number) { return first <= number && number < last; };
  for (const auto& [from, label] : gotos_) {
    const auto to = labels_.find(label);
    if (to != labels_.end() && inside(to->second) && !inside(from)) return "jumped into from outside";
  }
  for (const auto& [choice, label] : cases_)
    if (inside(label) && !inside(choice)) return "jumped into from outside";
  // No cleanup runs on the way of a computed jump, so none may lead in or out.
  if (!computing_.empty()) {
    std::size_t within = 0, all = computing_.size();
    for (const unsigned number : computing_) within += inside(number);
    for (const LabelDecl* label : computed_) {
      const auto at = labels_.find(label);
      if (at == labels_.end()) continue;
      ++all;
      within += inside(at->second);
    }
    if (within > 0 && within < all) return "a computed goto leads in or out";
  }
  if (calls_setjmp_) return "its function calls setjmp"; // control may return to it without leaving the guard
  return "";
}

} // namespace andes::preprocessor
