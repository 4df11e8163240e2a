// One walk over the statements of a body. What a statement may not be for braces around it to keep
// its meaning: a target of jumps from outside, a declaration, the value of a statement expression, a
// loop that a construct takes together with others; and its ends must be places in the file.
#include "preprocessor/collect_blocks.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "preprocessor/collect_jumps.h"
#include "preprocessor/collect_rounds.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace andes {

using namespace clang;

namespace {

/// The statement that `statement` ends with; none if it is no statement of statements.
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
  return isa<Expr>(tail) || isa<ReturnStmt>(tail) || isa<GotoStmt>(tail) ||
         isa<IndirectGotoStmt>(tail) || isa<BreakStmt>(tail) || isa<ContinueStmt>(tail) ||
         isa<DoStmt>(tail) || isa<AsmStmt>(tail);
}

} // namespace

class BlockFinder {
public:
  BlockFinder(BlockList& list, unsigned function, const BodyFacts& facts)
      : list_(list), context_(list.context_), sources_(context_.getSourceManager()),
        function_(function), facts_(facts), jumps_(context_) {}

  void find(Stmt* body) {
    walk(body, {});
    for (const Span& span : spans_) {
      std::string& obstacle = list_.blocks[span.block].obstacle;
      if (obstacle.empty()) obstacle = jumps_.against(span.first, span.last);
    }
  }

private:
  /// What surrounds a statement.
  struct Surroundings {
    bool position = false;           // where any statement may stand
    bool is_value_block = false;     // the braces of a statement expression
    bool is_value = false;           // last in them
    unsigned loop_line = 0;          // of the loop around it; 0: none
    unsigned bound_loops = 0;        // loops that a construct takes together, this the first
    unsigned taken_together = 0;     // of them inside the first, from here
    const char* obstacle = nullptr;  // for everything here
    const char* braces_obstacle = nullptr; // for braces behind the directive before the statement
    const char* inner_obstacle = nullptr;  // for everything inside the statement
    std::vector<unsigned> marks;     // pragmas before the labels of this statement
  };

  /// The numbers of the statements of a block, in the order of the walk; `last` is behind them.
  struct Span {
    std::size_t block;
    unsigned first, last = 0;
  };

  static bool is_loop(const Stmt* statement) {
    return isa<ForStmt>(statement) || isa<WhileStmt>(statement) || isa<DoStmt>(statement) ||
           isa<CXXForRangeStmt>(statement);
  }

  /// But for `do ... while (0)`.
  bool repeats(const Stmt* statement) const {
    const auto* loop = dyn_cast<DoStmt>(statement);
    if (!loop) return is_loop(statement);
    bool again = true;
    return loop->getCond()->isValueDependent() ||
           !loop->getCond()->EvaluateAsBooleanCondition(again, context_) || again;
  }

  static bool is_position(const Stmt* parent, const Stmt* child) {
    if (isa<CompoundStmt>(parent)) return true;
    if (const auto* branch = dyn_cast<IfStmt>(parent))
      return child == branch->getThen() || child == branch->getElse();
    if (const auto* loop = dyn_cast<ForStmt>(parent)) return child == loop->getBody();
    if (const auto* loop = dyn_cast<WhileStmt>(parent)) return child == loop->getBody();
    if (const auto* loop = dyn_cast<DoStmt>(parent)) return child == loop->getBody();
    if (const auto* loop = dyn_cast<CXXForRangeStmt>(parent)) return child == loop->getBody();
    if (const auto* choice = dyn_cast<SwitchStmt>(parent)) return child == choice->getBody();
    if (const auto* label = dyn_cast<SwitchCase>(parent)) return child == label->getSubStmt();
    return isa<LabelStmt>(parent) || isa<AttributedStmt>(parent);
  }

  void walk(Stmt* statement, Surroundings around) {
    if (!statement || isa<LambdaExpr>(statement) || isa<BlockExpr>(statement)) return;
    if (auto* captured = dyn_cast<CapturedStmt>(statement))
      return walk(captured->getCapturedStmt(), around);
    if (auto* directive = dyn_cast<OMPExecutableDirective>(statement))
      return walk_directive(*directive, around);
    const unsigned number = count_++;
    const std::size_t begin = spans_.size();
    jumps_.begin(*statement, number);
    if (around.position) consider(statement, around, number);
    const std::size_t end = spans_.size();

    Surroundings inside;
    inside.loop_line = around.loop_line;
    inside.obstacle = around.inner_obstacle    ? around.inner_obstacle
                      : around.braces_obstacle ? around.braces_obstacle
                                               : around.obstacle;
    if (is_loop(statement) && repeats(statement)) {
      inside.loop_line = line_of(statement->getBeginLoc());
      const unsigned together = std::max(around.bound_loops, around.taken_together);
      inside.taken_together = together > 0 ? together - 1 : 0;
    } else if (isa<CompoundStmt>(statement)) { // perfect nests may have braces
      inside.bound_loops = around.bound_loops;
      inside.taken_together = around.taken_together;
    }
    if (isa<LabelStmt>(statement)) inside.marks = around.marks;
    const auto* block = dyn_cast<CompoundStmt>(statement);
    for (Stmt* child : statement->children()) {
      inside.position = child && is_position(statement, child);
      inside.is_value_block = isa<StmtExpr>(statement);
      inside.is_value = (around.is_value_block && block && child == block->body_back()) ||
                        (around.is_value && isa<LabelStmt>(statement));
      walk(child, inside);
    }
    jumps_.end(*statement);
    for (std::size_t i = begin; i < end; ++i) spans_[i].last = count_;
  }

  static bool is_pragma(const Attr* attribute) {
    return attribute->getSyntax() == AttributeCommonInfo::AS_Pragma || attribute->isImplicit();
  }

  /// An OpenMP construct. That of a loop goes between the braces with it; others stay outside, and
  /// what is behind them is inside the construct.
  void walk_directive(OMPExecutableDirective& directive, Surroundings around) {
    if (!directive.hasAssociatedStmt()) return;
    const OpenMPDirectiveKind kind = directive.getDirectiveKind();
    Surroundings inside = around;
    inside.position = true;
    const bool is_loop_directive = isa<OMPLoopBasedDirective>(directive);
    const char*& obstacle = is_loop_directive ? inside.inner_obstacle : inside.braces_obstacle;
    if (isOpenMPTargetExecutionDirective(kind)) obstacle = "device code";
    else if (isOpenMPSimdDirective(kind)) obstacle = "inside a simd loop";
    for (const OMPClause* clause : directive.clauses()) {
      const auto* data = dyn_cast<OMPDefaultClause>(clause);
      if (data && data->getDefaultKind() != llvm::omp::OMP_DEFAULT_shared)
        obstacle = "inside a construct with a default clause";
      if (clause->getClauseKind() == llvm::omp::OMPC_untied)
        obstacle = "inside an untied task";
    }
    if (const auto* loops = dyn_cast<OMPLoopBasedDirective>(&directive))
      inside.bound_loops = loops->getLoopsNumber();
    walk(directive.getAssociatedStmt(), inside);
  }

  // Places.
  unsigned line_of(SourceLocation place) const {
    return sources_.getPresumedLineNumber(sources_.getExpansionLoc(place));
  }

  /// Where the text of `statement` begins in the file; nothing if in the middle of a macro.
  std::optional<SourceLocation> begin_of(const Stmt* statement) const {
    SourceLocation begin = statement->getBeginLoc();
    if (begin.isInvalid()) return std::nullopt;
    if (begin.isFileID()) return begin;
    if (sources_.isMacroArgExpansion(begin) ||
        !Lexer::isAtStartOfMacroExpansion(begin, sources_, context_.getLangOpts(), &begin) ||
        begin.isMacroID())
      return std::nullopt;
    return begin;
  }

  /// The place behind the last token of `statement`, its semicolon included.
  std::optional<SourceLocation> end_of(const Stmt* statement) const {
    const LangOptions& language = context_.getLangOpts();
    const Stmt* tail = tail_of(statement);
    SourceLocation end = tail->getEndLoc();
    if (end.isInvalid()) return std::nullopt;
    if (end.isMacroID() &&
        (sources_.isMacroArgExpansion(end) ||
         !Lexer::isAtEndOfMacroExpansion(end, sources_, language, &end) || end.isMacroID()))
      return std::nullopt;
    if (ends_with_semicolon(tail)) {
      const std::optional<Token> next = Lexer::findNextToken(end, sources_, language);
      if (!next || next->isNot(tok::semi)) return std::nullopt;
      end = next->getLocation();
    } else if (!isa<CompoundStmt>(tail) && !isa<NullStmt>(tail) && !isa<DeclStmt>(tail) &&
               !isa<CXXTryStmt>(tail)) {
      return std::nullopt;
    }
    return end.getLocWithOffset(int(Lexer::MeasureTokenLength(end, sources_, language)));
  }

  // Candidates.
  void consider(Stmt* statement, Surroundings& around, unsigned number) {
    const std::optional<SourceLocation> begin = begin_of(statement);
    std::vector<unsigned> before;
    if (begin) before = list_.pragmas_.before(sources_.getDecomposedLoc(*begin));
    const bool marked_above = !around.marks.empty();
    for (const unsigned i : before) {
      if (list_.pragmas_.all[i].device) around.inner_obstacle = around.obstacle = "device code";
      if (list_.pragmas_.all[i].is_mark) around.marks.push_back(i);
    }
    if (isa<LabelStmt>(statement)) return; // its statement gets the marks
    for (const unsigned i : around.marks) add_marked(statement, around, i, marked_above, before, number);
    if (around.marks.empty()) {
      Stmt* const loop = loop_of(statement);
      if (loop && repeats(loop) && loops_.insert(loop).second)
        add_loop(statement, loop, around, before, number);
    }
  }

  void add_marked(Stmt* statement, const Surroundings& around, unsigned index, bool label,
                  const std::vector<unsigned>& before, unsigned number) {
    const Pragma& mark = list_.pragmas_.all[index];
    list_.used_[index] = true;
    if (!mark.error.empty()) return;
    Block block;
    block.kind = mark.kind;
    block.name = mark.name;
    block.line = line_of(mark.place);
    const bool before_directive =
        std::any_of(std::ranges::find(before, index), before.end(),
                    [&](unsigned i) { return list_.pragmas_.all[i].openmp; });
    const char* const obstacle = around.braces_obstacle && !before_directive
                                     ? around.braces_obstacle
                                     : around.obstacle;
    block.obstacle = obstacle ? obstacle : "";
    if (!mark.is_directive) block.obstacle = "written as _Pragma; write #pragma on a line of its own";
    else if (isa<DeclStmt>(statement)) block.obstacle = "stands before a declaration; put braces around the statements meant";
    else if (isa<SwitchCase>(statement)) block.obstacle = "stands before a case label; put it behind the label";
    else if (around.is_value && isa<Expr>(statement))
      block.obstacle = "its statement is the value of a statement expression";
    else if (is_loop(statement) && around.taken_together > 0)
      block.obstacle = "one of several loops that a pragma takes together";
    // In the place of the mark, but before a pragma that must not be parted from the statement.
    std::optional<unsigned> open;
    for (const unsigned i : before) {
      if (i == index) open = mark.begin;
      else if (list_.pragmas_.all[i].binds && !open) open = list_.pragmas_.all[i].begin;
      if (open) break;
    }
    place(statement, block, label ? std::nullopt : open, number);
  }

  /// The loop that `statement` is, below its attributes. Those that pragmas make have no place.
  static Stmt* loop_of(Stmt* statement) {
    if (auto* attributed = dyn_cast<AttributedStmt>(statement))
      if (std::ranges::none_of(attributed->getAttrs(), is_pragma))
        statement = attributed->getSubStmt();
    return is_loop(statement) ? statement : nullptr;
  }

  void add_loop(Stmt* statement, Stmt* loop, const Surroundings& around,
                const std::vector<unsigned>& before, unsigned number) {
    Block block;
    block.line = line_of(loop->getBeginLoc());
    block.around = around.loop_line;
    const char* const obstacle =
        around.braces_obstacle ? around.braces_obstacle : around.obstacle;
    block.obstacle = obstacle ? obstacle : "";
    if (around.taken_together > 0)
      block.obstacle = "one of several loops that a pragma takes together";
    std::optional<unsigned> open;
    for (const unsigned i : before) {
      const Pragma& pragma = list_.pragmas_.all[i];
      if (!pragma.binds) continue;
      if (!open) open = pragma.begin;
      if (pragma.place.isMacroID()) block.obstacle = "under a pragma from a macro";
    }
    block.rounds = rounds_of(loop, context_);
    place(statement, block, open, number);
  }

  /// Adds the block with its place in the file: `open`, or else where the statement begins.
  void place(Stmt* statement, Block& block, std::optional<unsigned> open, unsigned number) {
    const std::optional<SourceLocation> begin = begin_of(statement), end = end_of(statement);
    const SourceLocation shown = sources_.getExpansionLoc(statement->getBeginLoc());
    const std::optional<unsigned> in = list_.files_.own(shown);
    if (!in) return;
    block.in = *in;
    block.file = list_.files_.name_at(shown);
    block.column = sources_.getSpellingColumnNumber(shown);
    block.function = function_;
    const bool whole = begin && end && sources_.getFileID(*begin) == sources_.getFileID(*end);
    if (!whole && block.obstacle.empty()) block.obstacle = "begins or ends inside a macro";
    if (whole) {
      const FileID file = sources_.getFileID(*begin);
      block.open = open ? *open : sources_.getFileOffset(*begin);
      block.open_line = line_of(
          sources_.getLocForStartOfFile(file).getLocWithOffset(int(block.open)));
      block.close = sources_.getFileOffset(*end);
      block.close_line = line_of(*end);
      block.calls_last = std::ranges::any_of(facts_.last_calls, [&](SourceLocation call) {
        const auto [where, offset] = sources_.getDecomposedExpansionLoc(call);
        return where == file && offset >= block.open && offset < block.close;
      });
    }
    spans_.push_back({list_.blocks.size(), number});
    list_.works.push_back(block.rounds > 0 ? work_of_round(context_, loop_of(statement)) : BodyWork());
    list_.blocks.push_back(std::move(block));
  }

  BlockList& list_;
  ASTContext& context_;
  const SourceManager& sources_;
  unsigned function_;
  const BodyFacts& facts_;
  unsigned count_ = 0;                  // statements so far
  std::vector<Span> spans_;
  std::set<const Stmt*> loops_;         // those found, with their attributes
  Jumps jumps_;
};

void BlockList::add(Stmt* body, unsigned index, const BodyFacts& facts) {
  BlockFinder(*this, index, facts).find(body);
}

std::vector<std::string> BlockList::complaints() const {
  const SourceManager& sources = context_.getSourceManager();
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < pragmas_.all.size(); ++i) {
    const Pragma& mark = pragmas_.all[i];
    if (!mark.is_mark || !mark.is_directive || (mark.error.empty() && used_[i])) continue;
    if (!files_.own(mark.place)) continue;
    lines.push_back(fmt::format(
        "{}:{}: {}", files_.name_at(mark.place), sources.getPresumedLineNumber(mark.place),
        mark.error.empty()
            ? fmt::format("#pragma andes {} \"{}\": no statement follows; put it before a "
                          "statement inside a function",
                          mark.kind == Block::Kind::phase ? "phase" : "region", mark.name)
            : mark.error));
  }
  return lines;
}

} // namespace andes
