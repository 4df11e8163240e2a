// Names. Clang's own printing is made for diagnostics: it repeats template parameters in
// constructors, prints empty parentheses behind enclosing functions and paths of lambdas, so the
// scopes are walked here.
#include "preprocessor/collect/name.h"

#include "preprocessor/collect/calls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

PrintingPolicy policy_of(const ASTContext& context) {
  PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  policy.Bool = true;
  return policy;
}

/// Those of a specialization as its author wrote them, where they are: what an alias such as MPI_Comm stands for
/// differs from library to library. `all` has them canonical.
std::string arguments_text(const ASTTemplateArgumentListInfo* written, const TemplateArgumentList& all,
                           const ASTContext& context) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (written) printTemplateArgumentList(stream, written->arguments(), policy_of(context));
  else printTemplateArgumentList(stream, all.asArray(), policy_of(context));
  return text;
}

std::string record_name(const CXXRecordDecl& record) {
  const ASTContext& context = record.getASTContext();
  if (record.isLambda()) {
    const SourceManager& sources = context.getSourceManager();
    const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(record.getBeginLoc()));
    return "{lambda:" + std::to_string(place.isValid() ? place.getLine() : 0) + "}";
  }
  std::string name = record.getNameAsString();
  if (name.empty()) {
    const TypedefNameDecl* alias = record.getTypedefNameForAnonDecl();
    name = alias ? alias->getNameAsString() : "(anonymous)";
  }
  if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(&record))
    name += arguments_text(special->getTemplateArgsAsWritten(), special->getTemplateArgs(), context);
  return name;
}

bool is_call_operator(const FunctionDecl& function) {
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  return method && method->getParent()->isLambda() && method->getOverloadedOperator() == OO_Call;
}

std::string own_name(const FunctionDecl& function) {
  const ASTContext& context = function.getASTContext();
  if (isa<CXXConstructorDecl>(function) || isa<CXXDestructorDecl>(function)) {
    const auto& record = *cast<CXXRecordDecl>(function.getDeclContext());
    return (isa<CXXDestructorDecl>(function) ? "~" : "") + record.getNameAsString();
  }
  if (const auto* conversion = dyn_cast<CXXConversionDecl>(&function))
    return "operator " + conversion->getConversionType().getAsString(policy_of(context));
  if (const auto* guide = dyn_cast<CXXDeductionGuideDecl>(&function))
    return guide->getDeducedTemplate()->getNameAsString();
  std::string name = function.getNameAsString();
  if (function.getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
    if (const TemplateArgumentList* arguments = function.getTemplateSpecializationArgs()) {
      // Arguments that are deduced are not written; two specializations may differ in these alone.
      const ASTTemplateArgumentListInfo* written = function.getTemplateSpecializationArgsAsWritten();
      const bool all_written = written && written->getNumTemplateArgs() == arguments->size();
      name += arguments_text(all_written ? written : nullptr, *arguments, context);
    }
  return name;
}

std::string scope_of(const DeclContext* scope) {
  std::string text;
  for (; scope && !scope->isTranslationUnit(); scope = scope->getParent()) {
    std::string name;
    if (const auto* space = dyn_cast<NamespaceDecl>(scope)) {
      if (!space->isAnonymousNamespace() && !space->isInline()) name = space->getNameAsString();
    } else if (const auto* record = dyn_cast<CXXRecordDecl>(scope)) {
      name = record_name(*record);
    } else if (const auto* tag = dyn_cast<RecordDecl>(scope)) {
      name = tag->getNameAsString();
    } else if (const auto* function = dyn_cast<FunctionDecl>(scope)) {
      if (!is_call_operator(*function)) name = own_name(*function);
    }
    if (!name.empty()) text = name + "::" + text;
  }
  return text;
}

/// Whether its scope declares another function of the same name.
bool is_overloaded(const FunctionDecl& function) {
  const DeclContext* scope = function.getDeclContext()->getRedeclContext();
  if (scope->isFunctionOrMethod() || scope->isDependentContext() == false) scope = scope->getPrimaryContext();
  if (!scope || scope->isFunctionOrMethod()) return false;
  const FunctionDecl* self = pattern_of(&function);
  for (const NamedDecl* other : scope->lookup(function.getDeclName())) {
    const FunctionDecl* one = other->getAsFunction();
    if (!one || one->isImplicit() || one->isDeleted() || one->isDefaulted()) continue;
    if (function.getTemplateSpecializationKind() == TSK_ExplicitSpecialization && one->getDescribedFunctionTemplate())
      continue;                               // its own template
    if (pattern_of(one) != self) return true; // instantiations of a friend are not overloads
  }
  return false;
}

std::string parameters_text(const FunctionDecl& function) {
  const PrintingPolicy policy = policy_of(function.getASTContext());
  std::string text = "(";
  for (const ParmVarDecl* parameter : function.parameters())
    text += (text.size() > 1 ? ", " : "") + parameter->getType().getAsString(policy);
  if (function.isVariadic()) text += text.size() > 1 ? ", ..." : "...";
  text += ")";
  if (const auto* method = dyn_cast<CXXMethodDecl>(&function); method && method->isConst()) text += " const";
  return text;
}

} // namespace

std::string signature_of(const FunctionDecl& function) {
  if (!function.getASTContext().getLangOpts().CPlusPlus || is_call_operator(function)) return {};
  return scope_of(function.getDeclContext()) + own_name(function) + parameters_text(function);
}

std::vector<std::string> mangled_names_of(const FunctionDecl& function) {
  if (is_call_operator(function) || function.isDependentContext() || function.getDescribedFunctionTemplate() ||
      function.getParentFunctionOrMethod())
    return {};
  ASTNameGenerator generator(function.getASTContext());
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(function)) return generator.getAllManglings(&function);
  return {generator.getName(&function)};
}

std::string scope_name_of(const FunctionDecl& function) {
  return scope_of(function.getDeclContext()) + own_name(function);
}

std::string name_of(const FunctionDecl& function) {
  if (is_call_operator(function)) {
    std::string scope = scope_of(function.getDeclContext());
    return scope.substr(0, scope.size() - 2); // the closure's name replaces it
  }
  std::string name = scope_name_of(function);
  if (function.getASTContext().getLangOpts().CPlusPlus && is_overloaded(function)) name += parameters_text(function);
  return name;
}

} // namespace andes::preprocessor
