#include "preprocessor/collect/dependent.h"

#include <algorithm>

#include "preprocessor/collect/calls.h"
#include "preprocessor/collect/library.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

namespace andes::preprocessor {

using namespace clang;

bool is_unknown_type(QualType type) {
  if (!type->isDependentType()) return false;
  type = type.getNonReferenceType();
  return !type->isPointerType() && !type->isTemplateTypeParmType() && !type->getContainedAutoType();
}

QualType type_of_value(const VarDecl& variable) {
  if (!variable.getType()->getContainedAutoType() || !variable.hasInit()) return variable.getType();
  const Expr* value = variable.getInit()->IgnoreParenImpCasts();
  const bool names_object = isa<DeclRefExpr, MemberExpr, CXXDependentScopeMemberExpr>(value);
  return names_object ? value->getType() : variable.getType();
}

const FunctionDecl* only_function_of(const OverloadExpr& overload) {
  if (overload.getNumDecls() != 1) return nullptr;
  const NamedDecl* declaration = (*overload.decls_begin())->getUnderlyingDecl();
  const auto* function = declaration->getAsFunction();
  return function ? pattern_of(function) : nullptr;
}

bool is_open_operator(ArrayRef<const Expr*> operands) {
  return std::ranges::any_of(operands, &Expr::isTypeDependent) &&
         std::ranges::any_of(operands, [](const Expr* operand) {
           return !operand->isTypeDependent() && operand->getType()->isRecordType();
         });
}

bool is_dependent_accessor(const CallExpr& expression) {
  if (isa<CXXOperatorCallExpr>(expression)) return !is_open_operator({expression.getArgs(), expression.getNumArgs()});
  const Expr* callee = expression.getCallee()->IgnoreParenImpCasts();
  if (isa<CXXPseudoDestructorExpr>(callee)) return true;
  const auto* member = dyn_cast<CXXDependentScopeMemberExpr>(callee);
  const IdentifierInfo* name = member ? member->getMember().getAsIdentifierInfo() : nullptr;
  return name && is_name_of_accessor(name->getName());
}

} // namespace andes::preprocessor
