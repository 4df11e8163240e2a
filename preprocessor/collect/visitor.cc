#include "preprocessor/collect/visitor.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

/// Asks `visitor` at each node that has a function there. Clang's queue is handed on, so that a visitor walks in the
/// same order, and as deep, as if it derived from Clang's itself.
class Walker : public RecursiveASTVisitor<Walker> {
public:
  using Usual = RecursiveASTVisitor<Walker>;
  using Queue = Visitor::Queue;

  explicit Walker(Visitor& visitor) : visitor_(visitor) {}

  bool TraverseDecl(Decl* declaration) { return visitor_.TraverseDecl(declaration); }
  bool TraverseStmt(Stmt* statement, Queue* queue = nullptr) { return visitor_.TraverseStmt(statement, queue); }
  bool TraverseTypeLoc(TypeLoc type) { return visitor_.TraverseTypeLoc(type); }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc& argument) {
    return visitor_.TraverseTemplateArgumentLoc(argument);
  }

#define ANDES_HOOK(NODE)                                                                                               \
  bool Traverse##NODE(NODE* declaration) { return visitor_.Traverse##NODE(declaration); }
  ANDES_TRAVERSED_DECLARATIONS(ANDES_HOOK)
#undef ANDES_HOOK
#define ANDES_HOOK(NODE)                                                                                               \
  bool Traverse##NODE(NODE* statement, Queue* queue = nullptr) { return visitor_.Traverse##NODE(statement, queue); }
  ANDES_TRAVERSED_STATEMENTS(ANDES_HOOK)
#undef ANDES_HOOK
#define ANDES_HOOK(NODE)                                                                                               \
  bool Traverse##NODE(NODE type) { return visitor_.Traverse##NODE(type); }
  ANDES_TRAVERSED_TYPES(ANDES_HOOK)
#undef ANDES_HOOK
#define ANDES_HOOK(NODE)                                                                                               \
  bool Visit##NODE(NODE* node) { return visitor_.Visit##NODE(node); }
  ANDES_VISITED_NODES(ANDES_HOOK)
#undef ANDES_HOOK

private:
  Visitor& visitor_;
};

} // namespace

bool Visitor::TraverseDecl(Decl* declaration) { return Walker(*this).Usual::TraverseDecl(declaration); }
bool Visitor::TraverseStmt(Stmt* statement, Queue* queue) {
  return Walker(*this).Usual::TraverseStmt(statement, queue);
}
bool Visitor::recurse(Stmt* statement) { return !statement || Walker(*this).dataTraverseNode(statement, nullptr); }
bool Visitor::TraverseTypeLoc(TypeLoc type) { return Walker(*this).Usual::TraverseTypeLoc(type); }
bool Visitor::TraverseTemplateArgumentLoc(const TemplateArgumentLoc& argument) {
  return Walker(*this).Usual::TraverseTemplateArgumentLoc(argument);
}

#define ANDES_HOOK(NODE)                                                                                               \
  bool Visitor::Traverse##NODE(NODE* declaration) { return Walker(*this).Usual::Traverse##NODE(declaration); }
ANDES_TRAVERSED_DECLARATIONS(ANDES_HOOK)
#undef ANDES_HOOK
#define ANDES_HOOK(NODE)                                                                                               \
  bool Visitor::Traverse##NODE(NODE* statement, Queue* queue) {                                                        \
    return Walker(*this).Usual::Traverse##NODE(statement, queue);                                                      \
  }
ANDES_TRAVERSED_STATEMENTS(ANDES_HOOK)
#undef ANDES_HOOK
#define ANDES_HOOK(NODE)                                                                                               \
  bool Visitor::Traverse##NODE(NODE type) { return Walker(*this).Usual::Traverse##NODE(type); }
ANDES_TRAVERSED_TYPES(ANDES_HOOK)
#undef ANDES_HOOK

} // namespace andes::preprocessor
