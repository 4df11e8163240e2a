// One walk over the statements of a body. Braces around a statement keep its meaning unless it is a
// target of jumps from outside, a declaration, the value of a statement expression, or a loop that a
// construct collapses with others; and its begin and end must be places in the file. OpenMP
// constructs are statements with a line of their own before them.
#include "preprocessor/collect/blocks.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "preprocessor/collect/constructs.h"
#include "preprocessor/collect/jumps.h"
#include "preprocessor/collect/places.h"
#include "preprocessor/collect/rounds.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

namespace andes::preprocessor {

using namespace clang;

class BlockFinder {
public:
  BlockFinder(BlockList& list, unsigned function, const BodyFacts& facts)
      : list_(list), context_(list.context_), sources_(context_.getSourceManager()), function_(function), facts_(facts),
        jumps_(context_) {}

  void find(Stmt* body, bool in_construct) {
    Surroundings around;
    around.in_construct = in_construct;
    walk(body, around);
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
    unsigned bound_loops = 0;        // number of loops that a construct collapses, this one first
    unsigned taken_together = 0;     // of these, the loops inside the first one, from here
    bool in_construct = false;       // of OpenMP
    bool has_sections = false;       // the braces of `sections`
    bool is_section = false;         // first in them, so a section without a directive
    std::optional<std::size_t> same; // the block of the directive that the statement belongs to
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
    return loop->getCond()->isValueDependent() || !loop->getCond()->EvaluateAsBooleanCondition(again, context_) ||
           again;
  }

  static bool is_position(const Stmt* parent, const Stmt* child) {
    if (isa<CompoundStmt>(parent)) return true;
    if (const auto* branch = dyn_cast<IfStmt>(parent)) return child == branch->getThen() || child == branch->getElse();
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
    if (auto* captured = dyn_cast<CapturedStmt>(statement)) return walk(captured->getCapturedStmt(), around);
    if (auto* directive = dyn_cast<OMPExecutableDirective>(statement)) return walk_directive(*directive, around);
    const unsigned number = count_++;
    const std::size_t begin = spans_.size();
    jumps_.begin(*statement, number);
    if (around.position) consider(statement, around, number);
    const std::size_t end = spans_.size();

    Surroundings inside;
    inside.loop_line = around.loop_line;
    inside.in_construct = around.in_construct;
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
      inside.is_section = around.has_sections && block && child == block->body_front();
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

  /// An OpenMP construct. That of a loop goes between the braces of the loop with it; others stay
  /// outside, and what is behind them is inside the construct.
  void walk_directive(OMPExecutableDirective& directive, const Surroundings& around) {
    const std::size_t begin = spans_.size();
    std::optional<std::size_t> block;
    if (!context_.getLangOpts().OpenMPSimd) block = add_construct(directive, around); // else no threads
    const std::size_t end = spans_.size();
    if (directive.hasAssociatedStmt()) walk_associated(directive, around, block);
    for (std::size_t i = begin; i < end; ++i) spans_[i].last = count_;
  }

  void walk_associated(OMPExecutableDirective& directive, const Surroundings& around,
                       std::optional<std::size_t> block) {
    const OpenMPDirectiveKind kind = directive.getDirectiveKind();
    Surroundings inside = around;
    inside.position = inside.in_construct = true;
    inside.is_section = false;
    inside.has_sections = isa<OMPSectionsDirective, OMPParallelSectionsDirective>(directive);
    const auto* loops = dyn_cast<OMPLoopBasedDirective>(&directive);
    const char*& obstacle = loops ? inside.inner_obstacle : inside.braces_obstacle;
    if (isOpenMPTargetExecutionDirective(kind)) obstacle = "device code";
    else if (isOpenMPSimdDirective(kind)) obstacle = "inside a simd loop";
    if (directive.hasClausesOfKind<OMPUntiedClause>()) obstacle = "inside an untied task";
    if (loops) {
      inside.bound_loops = loops->getLoopsNumber();
      if (block) inside.same = block;
    }
    walk(directive.getAssociatedStmt(), inside);
  }

  // Places.
  unsigned line_of(SourceLocation place) const {
    return sources_.getPresumedLineNumber(sources_.getExpansionLoc(place));
  }

  /// Of a file, by offset.
  struct Extent {
    FileID file;
    unsigned open = 0, close = 0;
  };

  // Candidates.
  /// Adds the directive as a block and returns its index.
  std::optional<std::size_t> add_construct(const OMPExecutableDirective& directive, const Surroundings& around) {
    const Pragma* const pragma = list_.pragmas_.at(directive.getBeginLoc());
    Construct construct = construct_of(directive, pragma);
    Block block;
    block.kind = construct.kind;
    block.name = std::move(construct.name);
    block.line = line_of(directive.getBeginLoc());
    block.obstacle = std::move(construct.obstacle);
    const char* const obstacle = around.braces_obstacle ? around.braces_obstacle : around.obstacle;
    if (block.obstacle.empty() && obstacle) block.obstacle = obstacle;
    block.in_construct = around.in_construct || construct.inside;
    block.opens_below = construct.inside;
    block.closes_below = !directive.hasAssociatedStmt();
    std::optional<Extent> extent;
    if (block.obstacle.empty()) {
      extent.emplace(sources_.getFileID(directive.getBeginLoc()), construct.inside ? pragma->end : pragma->begin,
                     pragma->end);
      if (!block.closes_below) {
        const std::optional<SourceLocation> end = end_of(directive, context_);
        if (end && sources_.getFileID(*end) == extent->file) extent->close = sources_.getFileOffset(*end);
        else extent.reset();
      }
    }
    return add(block, directive.getBeginLoc(), extent, count_);
  }

  void consider(Stmt* statement, Surroundings& around, unsigned number) {
    const std::optional<SourceLocation> begin = begin_of(*statement, context_);
    std::vector<unsigned> before;
    if (begin) before = list_.pragmas_.before(sources_.getDecomposedLoc(*begin));
    const bool marked_above = !around.marks.empty();
    for (const unsigned i : before) {
      if (list_.pragmas_.all[i].device) around.inner_obstacle = around.obstacle = "device code";
      if (list_.pragmas_.all[i].is_mark) around.marks.push_back(i);
    }
    if (around.is_section && !isa<DeclStmt>(statement)) add_section(statement, around, before, number);
    if (isa<LabelStmt>(statement)) return; // its statement gets the marks
    for (const unsigned i : around.marks) add_marked(statement, around, i, marked_above, before, number);
    if (around.marks.empty()) {
      Stmt* const loop = loop_of(statement);
      if (loop && repeats(loop) && loops_.insert(loop).second) add_loop(statement, loop, around, before, number);
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
    block.in_construct = around.in_construct;
    const bool before_directive = std::any_of(std::ranges::find(before, index), before.end(),
                                              [&](unsigned i) { return list_.pragmas_.all[i].openmp; });
    const char* const obstacle = around.braces_obstacle && !before_directive ? around.braces_obstacle : around.obstacle;
    block.obstacle = obstacle ? obstacle : "";
    if (!mark.is_directive) block.obstacle = "written as _Pragma; write #pragma on a line of its own";
    else if (isa<DeclStmt>(statement))
      block.obstacle = "stands before a declaration; put braces around the statements meant";
    else if (isa<SwitchCase>(statement)) block.obstacle = "stands before a case label; put it behind the label";
    else if (around.is_value && isa<Expr>(statement))
      block.obstacle = "its statement is the value of a statement expression";
    else if (is_loop(statement) && around.taken_together > 0)
      block.obstacle = "one of several loops that a pragma combines";
    // At the place of the mark, but before a pragma that must not be separated from the statement.
    std::optional<unsigned> open;
    for (const unsigned i : before) {
      if (i == index) open = mark.begin;
      else if (list_.pragmas_.all[i].binds && !open) open = list_.pragmas_.all[i].begin;
      if (open) break;
    }
    place(statement, block, label ? std::nullopt : open, number);
  }

  /// The first of several sections, which has no directive.
  void add_section(Stmt* statement, const Surroundings& around, const std::vector<unsigned>& before, unsigned number) {
    Block block;
    block.kind = Block::Kind::workshare;
    block.name = "section";
    block.line = line_of(statement->getBeginLoc());
    if (around.braces_obstacle) block.obstacle = around.braces_obstacle;
    else if (around.obstacle) block.obstacle = around.obstacle;
    block.in_construct = true;
    const auto binding = std::ranges::find_if(before, [&](unsigned i) { return list_.pragmas_.all[i].binds; });
    place(statement, block, binding == before.end() ? std::nullopt : std::optional(list_.pragmas_.all[*binding].begin),
          number);
  }

  /// The loop that `statement` is, below its attributes. Those that pragmas make have no place.
  static Stmt* loop_of(Stmt* statement) {
    if (auto* attributed = dyn_cast<AttributedStmt>(statement))
      if (std::ranges::none_of(attributed->getAttrs(), is_pragma)) statement = attributed->getSubStmt();
    return is_loop(statement) ? statement : nullptr;
  }

  void add_loop(Stmt* statement, Stmt* loop, const Surroundings& around, const std::vector<unsigned>& before,
                unsigned number) {
    Block block;
    block.line = line_of(loop->getBeginLoc());
    block.around = around.loop_line;
    block.same = around.same;
    block.in_construct = around.in_construct;
    const char* const obstacle = around.braces_obstacle ? around.braces_obstacle : around.obstacle;
    block.obstacle = obstacle ? obstacle : "";
    if (around.taken_together > 0) block.obstacle = "one of several loops that a pragma combines";
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
    const std::optional<SourceLocation> begin = begin_of(*statement, context_), end = end_of(*statement, context_);
    std::optional<Extent> extent;
    if (begin && end && sources_.getFileID(*begin) == sources_.getFileID(*end))
      extent.emplace(sources_.getFileID(*begin), open ? *open : sources_.getFileOffset(*begin),
                     sources_.getFileOffset(*end));
    const BodyWork work = block.rounds > 0 ? work_of_round(context_, loop_of(statement)) : BodyWork();
    add(block, statement->getBeginLoc(), extent, number, work);
  }

  /// Adds the block found at `place` and returns its index; only in files that are looked at.
  std::optional<std::size_t> add(Block& block, SourceLocation place, const std::optional<Extent>& extent,
                                 unsigned number, const BodyWork& work = {}) {
    const SourceLocation shown = sources_.getExpansionLoc(place);
    const std::optional<unsigned> in = list_.files_.own(shown);
    if (!in) return std::nullopt;
    block.in = *in;
    block.file = list_.files_.name_at(shown);
    block.column = sources_.getSpellingColumnNumber(shown);
    block.function = function_;
    if (!extent && block.obstacle.empty()) block.obstacle = "begins or ends inside a macro";
    if (extent) {
      const SourceLocation start = sources_.getLocForStartOfFile(extent->file);
      block.open = extent->open;
      block.open_line = line_of(start.getLocWithOffset(int(block.open)));
      block.close = extent->close;
      block.close_line = line_of(start.getLocWithOffset(int(block.close)));
      block.calls_last = std::ranges::any_of(facts_.last_calls, [&](SourceLocation call) {
        const auto [where, offset] = sources_.getDecomposedExpansionLoc(call);
        return where == extent->file && offset >= block.open && offset < block.close;
      });
    }
    spans_.push_back({list_.blocks.size(), number});
    list_.works.push_back(work);
    list_.blocks.push_back(std::move(block));
    return list_.blocks.size() - 1;
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

void BlockList::add(Stmt* body, unsigned index, const BodyFacts& facts, bool in_construct) {
  BlockFinder(*this, index, facts).find(body, in_construct);
}

std::vector<std::string> BlockList::complaints() const {
  const SourceManager& sources = context_.getSourceManager();
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < pragmas_.all.size(); ++i) {
    const Pragma& mark = pragmas_.all[i];
    if (!mark.is_mark || !mark.is_directive || (mark.error.empty() && used_[i])) continue;
    if (!files_.own(mark.place)) continue;
    lines.push_back(fmt::format("{}:{}: {}", files_.name_at(mark.place), sources.getPresumedLineNumber(mark.place),
                                mark.error.empty()
                                    ? fmt::format("#pragma andes {} \"{}\": no statement follows; put it before a "
                                                  "statement inside a function",
                                                  mark.kind == Block::Kind::phase ? "phase" : "region", mark.name)
                                    : mark.error));
  }
  return lines;
}

} // namespace andes::preprocessor
