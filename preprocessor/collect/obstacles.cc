// Obstacles that Clang's tree shows, and GCC's own attributes, which are only in the text.
#include "preprocessor/collect/obstacles.h"

#include <cctype>
#include <set>

#include "preprocessor/collect/statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace andes::preprocessor {

using namespace clang;

Obstacle attribute_obstacle(const FunctionDecl& function) {
  for (const Attr* attribute : function.attrs()) {
    switch (attribute->getKind()) {
    case attr::Naked: return Obstacle::naked;
    case attr::NoInstrumentFunction: return Obstacle::no_instrument;
    case attr::Target:
    case attr::TargetClones:
    case attr::TargetVersion:
    case attr::CPUSpecific:
    case attr::CPUDispatch: return Obstacle::target;
    case attr::OMPDeclareSimdDecl: return Obstacle::declare_simd;
    case attr::OMPDeclareTargetDecl:
    case attr::CUDADevice:
    case attr::CUDAGlobal:
    case attr::OpenCLKernel: return Obstacle::device;
    case attr::AnyX86Interrupt:
    case attr::ARMInterrupt: return Obstacle::interrupt;
    default: break;
    }
  }
  return Obstacle::none;
}

bool is_allocator(const FunctionDecl& function) {
  static const std::set<StringRef> names{"malloc",        "calloc",         "realloc",
                                         "free",          "memalign",       "valloc",
                                         "aligned_alloc", "posix_memalign", "malloc_usable_size",
                                         "dlsym",         "dlopen",         "dlclose",
                                         "__tls_get_addr"};
  const IdentifierInfo* name = function.getIdentifier();
  return name && function.isGlobal() && function.getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         names.count(name->getName());
}

bool leaves_status_open(const FunctionDecl& function, const LangOptions& language) {
  if (!function.isMain() || language.CPlusPlus) return false;
  if (!function.hasImplicitReturnZero()) return true;
  const auto* body = dyn_cast_or_null<CompoundStmt>(function.getBody());
  if (language.C99 || !body) return false;
  return body->body_empty() || !(isa<ReturnStmt>(body->body_back()) || is_idle(body->body_back()));
}

bool contains_word(StringRef text, StringRef word) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != StringRef::npos; at = text.find(word, at + 1))
    if ((at == 0 || !part(text[at - 1])) && (at + word.size() >= text.size() || !part(text[at + word.size()])))
      return true;
  return false;
}

bool is_constant(const Decl& declaration, ASTContext& context) {
  if (isa<StaticAssertDecl>(&declaration) || isa<EnumConstantDecl>(&declaration) ||
      isa<NonTypeTemplateParmDecl>(&declaration) || isa<ConceptDecl>(&declaration))
    return true;
  if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) return function->isConstexpr();
  if (const auto* function = dyn_cast<FunctionTemplateDecl>(&declaration))
    return function->getTemplatedDecl()->isConstexpr();
  const auto* variable = dyn_cast<VarDecl>(&declaration);
  if (!variable || isa<ParmVarDecl>(variable)) return false;
  if (variable->isConstexpr() || variable->hasAttr<ConstInitAttr>()) return true;
  const Expr* value = variable->getInit();
  if (!value || value->isValueDependent() || variable->getType()->isDependentType() ||
      isa<LambdaExpr>(value->IgnoreImplicit()))
    return false;
  // Initialised before the program starts, or usable as an array's bound: must stay so.
  return context.getLangOpts().CPlusPlus17 &&
         (variable->hasGlobalStorage() || variable->mightBeUsableInConstantExpressions(context)) &&
         variable->evaluateValue();
}

} // namespace andes::preprocessor
