#include "preprocessor/collect/dependent.h"

#include <algorithm>

#include "preprocessor/collect/calls.h"
#include "preprocessor/collect/library.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

namespace andes::preprocessor {

using namespace clang;

namespace {

/// The class whose text tells what an object of `type` is; null: none does.
const CXXRecordDecl* class_of(QualType type) {
  type = type.getNonReferenceType();
  if (const auto* parameter = dyn_cast<TemplateTypeParmType>(type.getTypePtr())) { // a canonical one has no declaration
    const TemplateTypeParmDecl* declaration = parameter->getDecl();
    if (!declaration || !declaration->hasDefaultArgument()) return nullptr;
    type = declaration->getDefaultArgument().getArgument().getAsType();
  }
  const auto* made = type->getAs<TemplateSpecializationType>();
  const TemplateDecl* named = made ? made->getTemplateName().getAsTemplateDecl() : nullptr;
  const auto* of_class = dyn_cast_or_null<ClassTemplateDecl>(named);
  const CXXRecordDecl* record = of_class ? of_class->getTemplatedDecl() : type->getAsCXXRecordDecl();
  return record ? record->getDefinition() : nullptr;
}

/// The only method of that name that takes so many arguments, for a constant object or another one.
const FunctionDecl* method_of(const CXXRecordDecl& record, DeclarationName name, unsigned arguments, bool constant) {
  const FunctionDecl* found = nullptr;
  const FunctionDecl* otherwise = nullptr; // for constant objects, where there is one for others, too
  unsigned count = 0, others = 0;
  for (const NamedDecl* declaration : record.lookup(name)) {
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(declaration->getUnderlyingDecl()->getAsFunction());
    if (!method || method->isVirtual()) return nullptr;
    if (arguments < method->getMinRequiredArguments() || arguments > method->getNumParams()) continue;
    if (method->isConst() == constant || method->isStatic()) ++count, found = method;
    else if (method->isConst()) ++others, otherwise = method;
  }
  if (count == 0) count = others, found = otherwise;
  return count == 1 ? found : nullptr;
}

/// The object that is called as if it were a function; null: it is another call, or the caller has chosen the object.
const Expr* called_object(const CallExpr& expression) {
  const Expr* callee = expression.getCallee()->IgnoreParenImpCasts();
  const auto* use = dyn_cast<DeclRefExpr>(callee);
  if (use && isa<ParmVarDecl>(use->getDecl()) && isa<TemplateTypeParmType>(use->getType().getNonReferenceType()))
    return nullptr;
  const bool is_object = isa<DeclRefExpr, MemberExpr, CXXUnresolvedConstructExpr, CXXTemporaryObjectExpr>(callee) &&
                         !isa<CXXOperatorCallExpr>(expression);
  return is_object ? callee : nullptr;
}

} // namespace

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

const FunctionDecl* member_of_template(const CallExpr& expression) {
  QualType type;
  DeclarationName name;
  if (const Expr* object = called_object(expression)) {
    type = object->getType();
  } else if (const auto* member =
                 dyn_cast<CXXDependentScopeMemberExpr>(expression.getCallee()->IgnoreParenImpCasts())) {
    type = member->getBaseType();
    if (member->isArrow()) type = type->getPointeeType();
    name = member->getMember();
  }
  const CXXRecordDecl* record = type.isNull() ? nullptr : class_of(type);
  if (!record || record->isInStdNamespace()) return nullptr;
  if (!name) name = record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call);
  const FunctionDecl* method =
      method_of(*record, name, expression.getNumArgs(), type.getNonReferenceType().isConstQualified());
  return method ? pattern_of(method) : nullptr;
}

const FunctionDecl* operator_of_values(const CallExpr& expression) {
  const auto* overload = dyn_cast<OverloadExpr>(expression.getCallee()->IgnoreParenImpCasts());
  if (!overload || !isa<CXXOperatorCallExpr>(expression) ||
      is_open_operator({expression.getArgs(), expression.getNumArgs()}))
    return nullptr;
  return only_function_of(*overload);
}

bool is_dependent_functor(const CallExpr& expression) {
  const Expr* object = called_object(expression);
  const CXXRecordDecl* record = object ? class_of(object->getType()) : nullptr;
  return record && record->isInStdNamespace() && is_name_of_functor(record->getName());
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
