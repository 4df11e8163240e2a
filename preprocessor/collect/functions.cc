// One pass over the declarations of the files that are looked at. Lambdas are followed with the question whether a
// constant expression may call them: C++ makes them constexpr silently, and a probe would prevent that.
#include "preprocessor/collect/functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "preprocessor/collect/blocks.h"
#include "preprocessor/collect/calls.h"
#include "preprocessor/collect/effort.h"
#include "preprocessor/collect/name.h"
#include "preprocessor/collect/obstacles.h"
#include "preprocessor/collect/visitor.h"
#include "preprocessor/collect/work.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

class Collector final : public Visitor {
public:
  Collector(ASTContext& context, const FileIndex& files, const Pragmas& pragmas, bool mangled)
      : context_(context), sources_(context.getSourceManager()), files_(files), mangled_(mangled),
        blocks_(context, files, pragmas) {}

  // Contexts in which expressions are constant, or never evaluated.
  bool TraverseDecl(Decl* declaration) override {
    const bool constant = declaration && is_constant(*declaration, context_);
    constant_ += constant;
    const bool go_on = Visitor::TraverseDecl(declaration);
    constant_ -= constant;
    return go_on;
  }
  bool TraverseStmt(Stmt* statement, Queue* = nullptr) override {
    const bool constant = statement && (isa<ConstantExpr>(statement) || isa<UnaryExprOrTypeTraitExpr>(statement) ||
                                        isa<CXXNoexceptExpr>(statement) || isa<RequiresExpr>(statement));
    const bool construct = statement && isa<OMPExecutableDirective>(statement);
    constant_ += constant;
    constructs_ += construct;
    const bool go_on = recurse(statement);
    constant_ -= constant;
    constructs_ -= construct;
    return go_on;
  }
  bool TraverseIfStmt(IfStmt* branch, Queue*) override {
    if (branch->isConstexpr()) { // if it depends on a template it is not marked as constant
      ++constant_;
      TraverseStmt(branch->getCond());
      --constant_;
    }
    return Visitor::TraverseIfStmt(branch);
  }
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc type) override {
    ++constant_;
    const bool go_on = Visitor::TraverseDecltypeTypeLoc(type);
    --constant_;
    return go_on;
  }
  bool TraverseConstantArrayTypeLoc(ConstantArrayTypeLoc type) override {
    ++constant_;
    const bool go_on = Visitor::TraverseConstantArrayTypeLoc(type);
    --constant_;
    return go_on;
  }
  bool TraverseDependentSizedArrayTypeLoc(DependentSizedArrayTypeLoc type) override {
    ++constant_;
    const bool go_on = Visitor::TraverseDependentSizedArrayTypeLoc(type);
    --constant_;
    return go_on;
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc& argument) override {
    ++constant_;
    const bool go_on = Visitor::TraverseTemplateArgumentLoc(argument);
    --constant_;
    return go_on;
  }

  bool VisitCallExpr(CallExpr* call) override { // before its callee is visited
    called_.insert(call->getCallee()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* use) override {
    if (constant_) constant_variables_.insert(use->getDecl()->getCanonicalDecl());
    if (const auto* function = dyn_cast<FunctionDecl>(use->getDecl()))
      if (!called_.contains(use)) address_taken_.insert(pattern_of(function));
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) override {
    if (const Expr* value = variable->getInit())
      if (const auto* lambda = dyn_cast<LambdaExpr>(value->IgnoreImplicit()))
        lambda_variables_[lambda->getCallOperator()->getCanonicalDecl()] = variable->getCanonicalDecl();
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl* function) override {
    if (const auto* resolver = function->getAttr<IFuncAttr>()) resolvers_.insert(resolver->getResolver().str());
    if (function->isImplicit() || function->isTemplateInstantiation() || isa<CXXDeductionGuideDecl>(function))
      return true;
    if (function->isDeletedAsWritten() || function->isExplicitlyDefaulted()) {
      const SourceLocation place = sources_.getExpansionLoc(function->getLocation());
      if (files_.own(place))
        add(function, place, {}, function->isDeletedAsWritten() ? Obstacle::deleted : Obstacle::defaulted);
      return true;
    }
    if (!function->doesThisDeclarationHaveABody()) return true;
    Stmt* body = function->getBody();
    Obstacle obstacle = function->isConstexpr() ? Obstacle::constant : attribute_obstacle(*function);
    if (auto* coroutine = dyn_cast<CoroutineBodyStmt>(body)) {
      obstacle = Obstacle::coroutine;
      body = coroutine->getBody();
    }
    if (is_allocator(*function)) obstacle = Obstacle::allocator;
    if (leaves_status_open(*function, context_.getLangOpts())) obstacle = Obstacle::no_status;
    add_body(function, function->getLocation(), body, obstacle);
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr* lambda) override {
    CXXMethodDecl* call = lambda->getCallOperator();
    Obstacle obstacle = attribute_obstacle(*call);
    Stmt* body = lambda->getBody();
    if (auto* coroutine = dyn_cast<CoroutineBodyStmt>(body)) {
      obstacle = Obstacle::coroutine;
      body = coroutine->getBody();
    }
    const StringRef head = text(lambda->getIntroducerRange().getEnd(), body->getBeginLoc());
    if (call->isConsteval() || contains_word(head, "constexpr") || contains_word(head, "consteval"))
      obstacle = Obstacle::constant;
    else if (constant_ && obstacle == Obstacle::none) obstacle = Obstacle::constant_lambda;
    const std::size_t before = functions.size();
    add_body(call, lambda->getIntroducerRange().getBegin(), body, obstacle);
    if (functions.size() > before) {
      functions.back().maybe_constant =
          context_.getLangOpts().CPlusPlus17 && (call->isConstexpr() || lambda->isGenericLambda());
      lambdas_[unsigned(before)] = call->getCanonicalDecl();
    }
    return true;
  }

  /// Completes facts that are known only after the whole traversal.
  void finish() {
    for (const auto& [index, call] : lambdas_) {
      const auto variable = lambda_variables_.find(call);
      if (variable != lambda_variables_.end() && constant_variables_.count(variable->second) &&
          functions[index].obstacle == Obstacle::none)
        functions[index].obstacle = Obstacle::constant_lambda;
    }
    if (!resolvers_.empty()) {
      ASTNameGenerator names(context_);
      for (unsigned i = 0; i < functions.size(); ++i)
        if (resolvers_.count(names.getName(declarations_[i]))) functions[i].obstacle = Obstacle::ifunc_resolver;
    }
    link_calls();
    name_apart();
    finish_blocks();
    std::ranges::sort(order_, {}, [&](unsigned i) { return std::pair(functions[i].in, functions[i].body); });
    std::vector<unsigned> position(functions.size());
    for (unsigned i = 0; i < order_.size(); ++i) position[order_[i]] = i;
    std::vector<Function> sorted;
    for (const unsigned i : order_) {
      for (unsigned& callee : functions[i].calls) callee = position[callee];
      for (unsigned& callee : functions[i].tail_calls) callee = position[callee];
      for (unsigned& callee : functions[i].effort.calls) callee = position[callee];
      for (unsigned& callee : functions[i].effort.places) callee = position[callee];
      for (Step& step : functions[i].effort.steps)
        if (step.kind == Step::Kind::call) step.function = position[step.function];
      for (Expected::Call& call : functions[i].expected.calls) call.function = position[call.function];
      sorted.push_back(std::move(functions[i]));
    }
    functions = std::move(sorted);
    for (Block& block : blocks) {
      block.function = position[block.function];
      for (unsigned& callee : block.effort.calls) callee = position[callee];
    }
  }

  std::vector<Function> functions;
  std::vector<Block> blocks;
  std::vector<std::string> complaints;

private:
  StringRef text(SourceLocation begin, SourceLocation end) const {
    bool invalid = false;
    const StringRef found = Lexer::getSourceText(
        CharSourceRange::getCharRange(sources_.getExpansionLoc(begin), sources_.getExpansionLoc(end)), sources_,
        context_.getLangOpts(), &invalid);
    return invalid ? StringRef() : found;
  }

  void add_body(FunctionDecl* function, SourceLocation name, Stmt* body, Obstacle obstacle) {
    auto* block = dyn_cast<CompoundStmt>(body);
    if (auto* attempt = dyn_cast<CXXTryStmt>(body)) block = attempt->getTryBlock();
    if (!block) return;
    const SourceLocation brace = block->getLBracLoc();
    if (!files_.own(sources_.getExpansionLoc(brace))) return;
    if (obstacle == Obstacle::none && brace.isMacroID()) obstacle = Obstacle::macro;
    const BodyFacts facts = facts_of(*function, body);
    if (obstacle == Obstacle::none)
      obstacle = facts.coroutine  ? Obstacle::coroutine
                 : facts.vfork    ? Obstacle::vfork
                 : facts.musttail ? Obstacle::musttail
                                  : Obstacle::none;
    // GCC's attribute simd is unknown to Clang.
    if (obstacle == Obstacle::none) {
      const StringRef head = text(function->getBeginLoc(), brace);
      if (contains_word(head, "__simd__") || (contains_word(head, "simd") && head.contains("__attribute")))
        obstacle = Obstacle::declare_simd;
    }
    if (!add(function, sources_.getExpansionLoc(name), sources_.getExpansionLoc(brace), obstacle)) return;
    facts_.back() = facts;
    works_.back() = work_of(*function, body);
    works_.back().unseen |= facts.coroutine;
    blocks_.add(body, unsigned(functions.size() - 1), facts, constructs_ > 0);
  }

  bool add(FunctionDecl* function, SourceLocation name, SourceLocation brace, Obstacle obstacle) {
    Function found;
    const PresumedLoc place = sources_.getPresumedLoc(name);
    const SourceLocation where = brace.isValid() ? brace : name;
    found.in = files_.own(where).value_or(0);
    found.name = name_of(*function);
    found.is_main = found.name == "main";
    found.signature = signature_of(*function);
    if (mangled_) found.mangled = mangled_names_of(*function);
    found.file = files_.name_at(name);
    found.line = place.isValid() ? place.getLine() : 0;
    found.column = sources_.getSpellingColumnNumber(name);
    found.obstacle = obstacle;
    found.in_construct = constructs_ > 0;
    found.body = sources_.getFileOffset(where);
    if (brace.isValid()) {
      if (obstacle != Obstacle::macro) found.body += Lexer::MeasureTokenLength(brace, sources_, context_.getLangOpts());
      found.body_line = sources_.getPresumedLineNumber(brace);
    }
    if (!seen_.insert({found.in, found.body, found.obstacle == Obstacle::macro ? functions.size() + 1 : 0}).second)
      return false;
    order_.push_back(unsigned(functions.size()));
    functions.push_back(std::move(found));
    declarations_.push_back(function);
    facts_.emplace_back();
    works_.emplace_back().unseen = true; // as long as there is no body
    return true;
  }

  void link_calls() {
    FunctionNumbers by_declaration;
    std::multimap<std::string, unsigned> by_name;
    for (unsigned i = 0; i < functions.size(); ++i) {
      by_declaration[pattern_of(declarations_[i])] = i;
      by_name.emplace(declarations_[i]->getNameAsString(), i);
    }
    for (std::size_t i = 0; i < blocks_.blocks.size(); ++i)
      blocks_.blocks[i].effort = effort_of(blocks_.works[i], by_declaration);
    const auto link = [&](const std::vector<BodyCall>& calls, std::vector<unsigned>& indices) {
      for (const BodyCall& call : calls) {
        if (call.callee) {
          const auto found = by_declaration.find(call.callee);
          if (found != by_declaration.end()) indices.push_back(found->second);
        } else {
          const auto [first, last] = by_name.equal_range(call.name);
          for (auto at = first; at != last; ++at) indices.push_back(at->second);
        }
      }
    };
    const auto may_be_pointed_at = [this](const FunctionDecl& pattern) {
      const auto* member = dyn_cast<CXXMethodDecl>(&pattern);
      return address_taken_.contains(&pattern) && !(member && member->isInstance()) &&
             !pattern.getType()->isDependentType();
    };
    std::map<unsigned, PointedAt> pointed_at; // by file
    for (unsigned i = 0; i < functions.size(); ++i)
      if (const FunctionDecl* pattern = pattern_of(declarations_[i]); may_be_pointed_at(*pattern))
        pointed_at[functions[i].in].emplace_back(pattern, i);
    for (unsigned i = 0; i < functions.size(); ++i) {
      link(facts_[i].calls, functions[i].calls);
      link(facts_[i].tail_calls, functions[i].tail_calls);
      functions[i].dispatches = facts_[i].dispatches && address_taken_.contains(pattern_of(declarations_[i]));
      functions[i].effort = effort_of(works_[i], by_declaration, pointed_at[functions[i].in]);
      functions[i].expected = expected_of(works_[i], by_declaration, pointed_at[functions[i].in], files_, sources_);
      functions[i].is_external = functions[i].in == 0 && declarations_[i]->isExternallyVisible();
      functions[i].effort.local = functions[i].in == 0 && !declarations_[i]->isExternallyVisible() &&
                                  !address_taken_.contains(pattern_of(declarations_[i]));
    }
  }

  /// Lambdas that share a line get their column.
  void name_apart() {
    std::map<std::pair<unsigned, std::string>, unsigned> count;
    for (const auto& [index, call] : lambdas_) ++count[{functions[index].in, functions[index].name}];
    for (const auto& [index, call] : lambdas_) {
      std::string& name = functions[index].name;
      if (count[{functions[index].in, name}] > 1 && name.ends_with("}"))
        name.insert(name.size() - 1, ":" + std::to_string(functions[index].column));
    }
  }

  /// Loops are named by their function and line; those that share a line get their column.
  void finish_blocks() {
    std::map<std::pair<unsigned, std::string>, unsigned> count;
    for (Block& block : blocks_.blocks)
      if (block.kind == Block::Kind::loop) {
        const bool is_lambda = lambdas_.contains(block.function);
        block.name = fmt::format(
            "{}::{{loop:{}}}",
            is_lambda ? functions[block.function].name : scope_name_of(*declarations_[block.function]), block.line);
        ++count[{block.in, block.name}];
      }
    for (Block& block : blocks_.blocks)
      if (block.kind == Block::Kind::loop && count[{block.in, block.name}] > 1)
        block.name.insert(block.name.size() - 1, fmt::format(":{}", block.column));
    blocks = std::move(blocks_.blocks);
    complaints = blocks_.complaints();
  }

  ASTContext& context_;
  const SourceManager& sources_;
  const FileIndex& files_;
  const bool mangled_; // functions get their mangled names
  unsigned constant_ = 0; // depth of constant contexts
  unsigned constructs_ = 0; // depth of OpenMP constructs
  std::vector<const FunctionDecl*> declarations_; // as `functions`
  std::vector<BodyFacts> facts_; // as `functions`
  std::vector<BodyWork> works_; // as `functions`
  std::vector<unsigned> order_;
  std::set<std::tuple<unsigned, std::size_t, std::size_t>> seen_;
  std::set<std::string> resolvers_;
  std::set<const Decl*> constant_variables_;
  std::set<const Expr*> called_; // what calls name directly
  std::set<const FunctionDecl*> address_taken_; // named elsewhere: there may be pointers to them
  std::map<const Decl*, const Decl*> lambda_variables_; // call operator -> variable
  std::map<unsigned, const Decl*> lambdas_; // index -> call operator
  BlockList blocks_;
};

} // namespace

Regions regions_of(ASTContext& context, const FileIndex& files, const Pragmas& pragmas, bool mangled) {
  Collector collector(context, files, pragmas, mangled);
  const SourceManager& sources = context.getSourceManager();
  for (Decl* declaration : context.getTranslationUnitDecl()->decls())
    if (files.own(sources.getExpansionLoc(declaration->getEndLoc()))) collector.TraverseDecl(declaration);
  collector.finish();
  Regions regions{std::move(collector.functions), std::move(collector.blocks), {}, std::move(collector.complaints)};
  for (const Pragma& pragma : pragmas.all) {
    if (!pragma.is_mark || !pragma.is_directive) continue;
    const std::optional<unsigned> in = files.own(pragma.place);
    const StringRef text = sources.getBufferData(sources.getFileID(pragma.place));
    if (in)
      regions.marks.push_back(
          {*in, pragma.begin, pragma.end, unsigned(text.slice(pragma.begin, pragma.end).count('\n'))});
  }
  return regions;
}

} // namespace andes::preprocessor
