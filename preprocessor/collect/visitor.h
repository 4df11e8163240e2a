// A walk over Clang's tree with virtual functions: clang::RecursiveASTVisitor is a template, and each class derived
// from it takes longer to compile than any source here. Uses Clang; only for preprocessor/collect.
#pragma once
#include "clang/AST/ASTFwd.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SmallVector.h"

// The nodes with a function: those that some visitor asks for. One that needs another node adds it here.
#define ANDES_VISITED_NODES(NODE)                                                                                      \
  NODE(AbstractConditionalOperator)                                                                                    \
  NODE(ArraySubscriptExpr)                                                                                             \
  NODE(AsmStmt)                                                                                                        \
  NODE(AtomicExpr)                                                                                                     \
  NODE(AttributedStmt)                                                                                                 \
  NODE(BinaryOperator)                                                                                                 \
  NODE(BreakStmt)                                                                                                      \
  NODE(CallExpr)                                                                                                       \
  NODE(CoawaitExpr)                                                                                                    \
  NODE(CompoundStmt)                                                                                                   \
  NODE(ContinueStmt)                                                                                                   \
  NODE(CoreturnStmt)                                                                                                   \
  NODE(CoyieldExpr)                                                                                                    \
  NODE(CXXBindTemporaryExpr)                                                                                           \
  NODE(CXXConstructExpr)                                                                                               \
  NODE(CXXDefaultArgExpr)                                                                                              \
  NODE(CXXDefaultInitExpr)                                                                                             \
  NODE(CXXDeleteExpr)                                                                                                  \
  NODE(CXXDynamicCastExpr)                                                                                             \
  NODE(CXXInheritedCtorInitExpr)                                                                                       \
  NODE(CXXNewExpr)                                                                                                     \
  NODE(CXXThrowExpr)                                                                                                   \
  NODE(CXXUnresolvedConstructExpr)                                                                                     \
  NODE(DeclRefExpr)                                                                                                    \
  NODE(DependentCoawaitExpr)                                                                                           \
  NODE(FunctionDecl)                                                                                                   \
  NODE(GotoStmt)                                                                                                       \
  NODE(IfStmt)                                                                                                         \
  NODE(ImplicitCastExpr)                                                                                               \
  NODE(IndirectGotoStmt)                                                                                               \
  NODE(LambdaExpr)                                                                                                     \
  NODE(MemberExpr)                                                                                                     \
  NODE(OMPExecutableDirective)                                                                                         \
  NODE(ReturnStmt)                                                                                                     \
  NODE(SwitchStmt)                                                                                                     \
  NODE(UnaryOperator)                                                                                                  \
  NODE(VarDecl)
#define ANDES_TRAVERSED_DECLARATIONS(NODE) NODE(CXXRecordDecl) NODE(FunctionDecl) NODE(StaticAssertDecl) NODE(VarDecl)
#define ANDES_TRAVERSED_STATEMENTS(NODE)                                                                               \
  NODE(ChooseExpr)                                                                                                     \
  NODE(CompoundStmt)                                                                                                   \
  NODE(ConditionalOperator)                                                                                            \
  NODE(CXXForRangeStmt)                                                                                                \
  NODE(CXXRewrittenBinaryOperator)                                                                                     \
  NODE(DoStmt)                                                                                                         \
  NODE(ForStmt)                                                                                                        \
  NODE(GenericSelectionExpr)                                                                                           \
  NODE(IfStmt)                                                                                                         \
  NODE(InitListExpr)                                                                                                   \
  NODE(LambdaExpr)                                                                                                     \
  NODE(WhileStmt)
#define ANDES_TRAVERSED_TYPES(NODE) NODE(ConstantArrayTypeLoc) NODE(DecltypeTypeLoc) NODE(DependentSizedArrayTypeLoc)

namespace andes::preprocessor {

/// Names and meaning are those of clang::RecursiveASTVisitor: Visit... is called at a node, Traverse... walks the node
/// and all below it. Each returns false to end the walk.
class Visitor {
public:
  /// Statements still to be walked. With a queue, Traverse... puts those below a statement there instead of calling
  /// itself for them, so that deep expressions need no stack. An override of it may ignore the queue.
  using Queue = llvm::SmallVectorImpl<llvm::PointerIntPair<clang::Stmt*, 1, bool>>;

  virtual bool TraverseDecl(clang::Decl* declaration);
  virtual bool TraverseStmt(clang::Stmt* statement, Queue* queue = nullptr);
  virtual bool TraverseTypeLoc(clang::TypeLoc type);
  virtual bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument);

#define ANDES_HOOK(NODE) virtual bool Traverse##NODE(clang::NODE* declaration);
  ANDES_TRAVERSED_DECLARATIONS(ANDES_HOOK)
#undef ANDES_HOOK
#define ANDES_HOOK(NODE) virtual bool Traverse##NODE(clang::NODE* statement, Queue* queue = nullptr);
  ANDES_TRAVERSED_STATEMENTS(ANDES_HOOK)
#undef ANDES_HOOK
#define ANDES_HOOK(NODE) virtual bool Traverse##NODE(clang::NODE type);
  ANDES_TRAVERSED_TYPES(ANDES_HOOK)
#undef ANDES_HOOK
#define ANDES_HOOK(NODE)                                                                                               \
  virtual bool Visit##NODE(clang::NODE*) { return true; }
  ANDES_VISITED_NODES(ANDES_HOOK)
#undef ANDES_HOOK

protected:
  ~Visitor() = default;

  /// What an override of TraverseStmt that ignores the queue calls for the usual walk: it takes less of the stack
  /// than Visitor::TraverseStmt, which would begin a queue at each statement.
  bool recurse(clang::Stmt* statement);
};

} // namespace andes::preprocessor
