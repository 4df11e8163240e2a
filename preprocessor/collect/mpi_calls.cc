// Calls that a template leaves open count by their names.
#include "preprocessor/collect/mpi_calls.h"

#include "preprocessor/collect/visitor.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

bool is_name_of_mpi(const IdentifierInfo* name) {
  return name && (name->getName().starts_with("MPI_") || name->getName().starts_with("PMPI_") ||
                  name->getName().starts_with("MPIX_"));
}

/// Looks for calls of MPI.
class MpiCalls final : public Visitor {
public:
  bool VisitCallExpr(CallExpr* call) override {
    const Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    if (const FunctionDecl* function = call->getDirectCallee())
      found |= is_of_mpi(*function) && !is_abort_of_mpi(*function);
    else if (const auto* overload = dyn_cast<OverloadExpr>(callee)) // open in a template
      found |= is_name_of_mpi(overload->getName().getAsIdentifierInfo());
    return !found;
  }
  bool found = false;
};

} // namespace

bool is_of_mpi(const FunctionDecl& function) {
  if (is_name_of_mpi(function.getIdentifier())) return true;
  for (const DeclContext* scope = function.getDeclContext(); scope; scope = scope->getParent())
    if (const auto* space = dyn_cast<NamespaceDecl>(scope))
      if (space->getName() == "MPI" || space->getName() == "mpi") return true;
  return false;
}

bool is_abort_of_mpi(const FunctionDecl& function) {
  const IdentifierInfo* name = function.getIdentifier();
  return name && (name->getName() == "MPI_Abort" || name->getName() == "PMPI_Abort");
}

bool calls_mpi(const FunctionDecl& function, Stmt* body) {
  MpiCalls calls;
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(&function))
    for (const CXXCtorInitializer* member : constructor->inits()) calls.TraverseStmt(member->getInit());
  calls.TraverseStmt(body);
  return calls.found;
}

} // namespace andes::preprocessor
