// Clang's trees end before the semicolon of some statements: it is looked for in the text.
#include "preprocessor/collect/places.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace andes::preprocessor {

using namespace clang;

namespace {

/// The statement that `statement` ends with; null if it contains no statements.
const Stmt* last_part_of(const Stmt* statement) {
  if (const auto* counted = dyn_cast<ForStmt>(statement)) return counted->getBody();
  if (const auto* loop = dyn_cast<WhileStmt>(statement)) return loop->getBody();
  if (const auto* range = dyn_cast<CXXForRangeStmt>(statement)) return range->getBody();
  if (const auto* choice = dyn_cast<SwitchStmt>(statement)) return choice->getBody();
  if (const auto* branch = dyn_cast<IfStmt>(statement))
    return branch->getElse() ? branch->getElse() : branch->getThen();
  if (const auto* label = dyn_cast<LabelStmt>(statement)) return label->getSubStmt();
  if (const auto* choice_label = dyn_cast<SwitchCase>(statement)) return choice_label->getSubStmt();
  if (const auto* attributed = dyn_cast<AttributedStmt>(statement)) return attributed->getSubStmt();
  if (const auto* captured = dyn_cast<CapturedStmt>(statement)) return captured->getCapturedStmt();
  const auto* directive = dyn_cast<OMPExecutableDirective>(statement);
  return directive && directive->hasAssociatedStmt() ? directive->getAssociatedStmt() : nullptr;
}

const Stmt* tail_of(const Stmt* statement) {
  while (const Stmt* part = last_part_of(statement)) statement = part;
  return statement;
}

bool ends_with_semicolon(const Stmt* tail) {
  return isa<Expr>(tail) || isa<ReturnStmt>(tail) || isa<GotoStmt>(tail) || isa<IndirectGotoStmt>(tail) ||
         isa<BreakStmt>(tail) || isa<ContinueStmt>(tail) || isa<DoStmt>(tail) || isa<AsmStmt>(tail);
}

} // namespace

std::optional<SourceLocation> begin_of(const Stmt& statement, const ASTContext& context) {
  const SourceManager& sources = context.getSourceManager();
  SourceLocation begin = statement.getBeginLoc();
  if (begin.isInvalid()) return std::nullopt;
  if (begin.isFileID()) return begin;
  if (sources.isMacroArgExpansion(begin) ||
      !Lexer::isAtStartOfMacroExpansion(begin, sources, context.getLangOpts(), &begin) || begin.isMacroID())
    return std::nullopt;
  return begin;
}

std::optional<SourceLocation> end_of(const Stmt& statement, const ASTContext& context) {
  const SourceManager& sources = context.getSourceManager();
  const LangOptions& language = context.getLangOpts();
  const Stmt* tail = tail_of(&statement);
  SourceLocation end = tail->getEndLoc();
  if (end.isInvalid()) return std::nullopt;
  if (end.isMacroID() && (sources.isMacroArgExpansion(end) ||
                          !Lexer::isAtEndOfMacroExpansion(end, sources, language, &end) || end.isMacroID()))
    return std::nullopt;
  if (ends_with_semicolon(tail)) {
    const std::optional<Token> next = Lexer::findNextToken(end, sources, language);
    if (!next || next->isNot(tok::semi)) return std::nullopt;
    end = next->getLocation();
  } else if (!isa<CompoundStmt>(tail) && !isa<NullStmt>(tail) && !isa<DeclStmt>(tail) && !isa<CXXTryStmt>(tail)) {
    return std::nullopt;
  }
  return end.getLocWithOffset(int(Lexer::MeasureTokenLength(end, sources, language)));
}

} // namespace andes::preprocessor
