// The estimate counts the tree of the syntax, not text: macros, default arguments and the hidden
// calls of constructors and destructors are in it, whatever the spelling. If the work is not known,
// `unseen` is set, and the function keeps its probe.
#include "preprocessor/collect/work.h"

#include <algorithm>
#include <set>
#include <utility>

#include "preprocessor/collect/calls.h"
#include "preprocessor/collect/dependent.h"
#include "preprocessor/collect/library.h"
#include "preprocessor/collect/loops.h"
#include "preprocessor/collect/mpi_calls.h"
#include "preprocessor/collect/rounds.h"
#include "preprocessor/collect/statements.h"
#include "preprocessor/collect/visitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

/// Iterations of a loop whose number of iterations is not known: a branch backwards is taken in 88 % of its executions
/// (Wu, Larus: Static branch frequency and program profile analysis, MICRO 27, 1994).
constexpr unsigned assumed_rounds = 8;

/// The type of the functions that a call through a pointer may mean; null: it is another call.
QualType pointed_at(const CallExpr& call) {
  const QualType type = call.getCallee()->getType();
  return !type->isDependentType() && type->isFunctionPointerType() ? type->getPointeeType() : QualType();
}

class Counter final : public Visitor {
public:
  Counter(ASTContext& context, BodyWork& work, const FunctionDecl* function = nullptr, Stmt* body = nullptr)
      : context_(context), work_(work), function_(function), body_(body) {}

  // What is walked.
  bool TraverseStmt(Stmt* statement, Queue* = nullptr) override {
    return !statement || is_idle(statement) || recurse(statement);
  }
  bool TraverseTypeLoc(TypeLoc) override { return true; }
  bool TraverseCXXRecordDecl(CXXRecordDecl*) override { return true; }
  bool TraverseFunctionDecl(FunctionDecl*) override { return true; }
  bool TraverseStaticAssertDecl(StaticAssertDecl*) override { return true; }
  bool TraverseLambdaExpr(LambdaExpr* lambda, Queue*) override { // its body is another function's
    for (Expr* capture : lambda->capture_inits()) {
      add(1);
      TraverseStmt(capture);
    }
    return true;
  }
  bool TraverseCompoundStmt(CompoundStmt* block, Queue*) override { // what follows `if (...) return` is its other way
    std::size_t open = 0;
    for (Stmt* statement : block->body()) {
      auto* branch = dyn_cast<IfStmt>(statement);
      if (!branch || branch->isConstexpr() || branch->getElse() || !returns(branch->getThen())) {
        TraverseStmt(statement);
        continue;
      }
      branch_off(branch);
      step(Step::Kind::otherwise);
      ++open;
    }
    for (; open; --open) step(Step::Kind::end);
    return true;
  }
  bool TraverseIfStmt(IfStmt* branch, Queue*) override {
    if (!branch->isConstexpr()) {
      branch_off(branch);
      step(Step::Kind::otherwise);
      way(branch->getElse());
      step(Step::Kind::end);
      return true;
    }
    if (branch->getCond()->isValueDependent())
      return TraverseStmt(branch->getThen()) && TraverseStmt(branch->getElse());
    const std::optional<Stmt*> taken = branch->getNondiscardedCase(context_);
    return !taken || TraverseStmt(*taken);
  }
  bool TraverseConditionalOperator(ConditionalOperator* choice, Queue*) override {
    VisitAbstractConditionalOperator(choice);
    TraverseStmt(choice->getCond());
    step(Step::Kind::branch);
    TraverseStmt(choice->getTrueExpr());
    step(Step::Kind::otherwise);
    TraverseStmt(choice->getFalseExpr());
    step(Step::Kind::end);
    return true;
  }
  bool TraverseVarDecl(VarDecl* variable) override {
    if (!variable->isStaticLocal()) return Visitor::TraverseVarDecl(variable);
    return add(variable->hasInit() && !variable->hasConstantInitialization()); // whether this was done is asked
  }
  bool TraverseInitListExpr(InitListExpr* list, Queue*) override { // not both of its forms
    if (InitListExpr* semantic = list->getSemanticForm()) list = semantic;
    for (Stmt* child : list->children()) TraverseStmt(child);
    return true;
  }
  bool TraverseGenericSelectionExpr(GenericSelectionExpr* choice, Queue*) override {
    return choice->isResultDependent() || TraverseStmt(choice->getResultExpr());
  }
  bool TraverseChooseExpr(ChooseExpr* choice, Queue*) override {
    return choice->isConditionDependent() || TraverseStmt(choice->getChosenSubExpr());
  }
  bool TraverseCXXRewrittenBinaryOperator(CXXRewrittenBinaryOperator* expression, Queue*) override {
    return TraverseStmt(expression->getSemanticForm());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr* argument) override { return TraverseStmt(argument->getExpr()); }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr* value) override { return TraverseStmt(value->getExpr()); }

  // Operations.
  bool VisitBinaryOperator(BinaryOperator* binary) override {
    unseen(is_open_operator({binary->getLHS(), binary->getRHS()}));
    return add(!binary->isCommaOp());
  }
  bool VisitUnaryOperator(UnaryOperator* unary) override {
    const UnaryOperatorKind kind = unary->getOpcode();
    return add(kind != UO_AddrOf && kind != UO_Plus && kind != UO_Extension);
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr*) override { return add(1); }
  bool VisitMemberExpr(MemberExpr* member) override {
    return add(member->isArrow() && isa<FieldDecl>(member->getMemberDecl()));
  }
  bool VisitAbstractConditionalOperator(AbstractConditionalOperator*) override { return add(1); }
  bool VisitSwitchStmt(SwitchStmt*) override { return add(1); }
  bool VisitIfStmt(IfStmt* branch) override { return add(!branch->isConsteval()); }
  bool VisitAsmStmt(AsmStmt*) override { return add(1); }
  bool VisitAtomicExpr(AtomicExpr*) override { return add(1); }
  bool VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr* made) override {
    unseen(is_unknown_type(made->getTypeAsWritten()));
    return add(1);
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr* cast) override { // a C struct is copied
    if (cast->getCastKind() == CK_LValueToRValue && cast->getType()->isRecordType()) add(words(cast->getType()));
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) override {
    const QualType type = variable->getType();
    unseen(is_unknown_type(type_of_value(*variable)) && !type->isReferenceType());
    if (variable->hasInit()) {
      const auto* list = dyn_cast<InitListExpr>(variable->getInit()->IgnoreImplicit());
      add(list ? words(type) : 1);
    }
    if (variable->hasLocalStorage()) destroy(type);
    if (const auto* cleanup = variable->getAttr<CleanupAttr>()) call(*cleanup->getFunctionDecl());
    return true;
  }

  // Repetition.
  bool TraverseForStmt(ForStmt* loop, Queue*) override { // its parts in the order of their text, the first one once
    TraverseStmt(loop->getInit());
    if (!compares(loop->getCond()))
      return search(loop, {loop->getConditionVariableDeclStmt(), loop->getCond(), loop->getInc(), loop->getBody()});
    return rounds(loop, {loop->getConditionVariableDeclStmt(), loop->getCond(), loop->getInc(), loop->getBody()});
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt* loop, Queue*) override {
    for (Stmt* once : {loop->getInit(), static_cast<Stmt*>(loop->getRangeStmt())}) TraverseStmt(once);
    add(1);
    return rounds(loop, {loop->getLoopVarStmt(), loop->getBody()});
  }
  bool TraverseWhileStmt(WhileStmt* loop, Queue*) override {
    return search(loop, {loop->getConditionVariableDeclStmt(), loop->getCond(), loop->getBody()});
  }
  bool VisitIndirectGotoStmt(IndirectGotoStmt*) override { return long_loop(); }
  bool TraverseDoStmt(DoStmt* statement, Queue*) override { // but for the `do ... while (0)` of macros
    const Expr* condition = statement->getCond();
    bool again = true;
    const bool once =
        !condition->isValueDependent() && condition->EvaluateAsBooleanCondition(again, context_) && !again;
    if (once) return TraverseStmt(statement->getBody());
    return search(statement, {statement->getCond(), statement->getBody()});
  }
  bool VisitGotoStmt(GotoStmt* jump) override {
    const LabelStmt* label = jump->getLabel()->getStmt();
    if (!label || context_.getSourceManager().isBeforeInTranslationUnit(label->getBeginLoc(), jump->getGotoLoc()))
      long_loop();
    return true;
  }

  // Calls.
  bool VisitCallExpr(CallExpr* expression) override {
    if (const unsigned words = words_moved(*expression, context_)) return add(words);
    add(1);
    const FunctionDecl* callee = expression->getDirectCallee();
    if (callee && is_memory_wrapper(*callee)) unseen(); // of an unknown number of bytes
    if (callee) {
      const auto* member = dyn_cast<MemberExpr>(expression->getCallee()->IgnoreParenImpCasts());
      const auto* method = dyn_cast<CXXMethodDecl>(callee);
      if (member && method && member->performsVirtualDispatch(context_.getLangOpts()) && method->isVirtual() &&
          !method->getDevirtualizedMethod(member->getBase(), false))
        unseen();
      else call(*callee);
    } else if (const auto* overload = dyn_cast<OverloadExpr>(expression->getCallee()->IgnoreParenImpCasts())) {
      const unsigned of_std = operations_of_std(*overload, expression->getNumArgs());
      if (const FunctionDecl* likely = of_std ? nullptr : operator_of_values(*expression);
          likely && is_short(*likely, depth_)) {
        call(*likely);
        return true;
      }
      work_.open_calls.push_back({only_function_of(*overload), expected_times_, of_std});
      if (!of_std) step(Step::Kind::unknown_call);
    } else if (!is_dependent_accessor(*expression) && !is_dependent_functor(*expression)) {
      const FunctionDecl* const member = member_of_template(*expression);
      if (member && is_short(*member, depth_)) call(*member);
      else if (const QualType type = pointed_at(*expression); !type.isNull()) {
        work_.pointer_calls.push_back({type, expected_times_});
        step(Step::Kind::unknown_call);
      } else unseen();
    }
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) override {
    if (making_once_) return true;
    const CXXConstructorDecl& constructor = *made->getConstructor();
    if (!constructor.isTrivial() || constructor.isCopyOrMoveConstructor() || made->requiresZeroInitialization())
      add(words(made->getType()));
    if (!constructor.isTrivial() && made->getType()->isArrayType()) long_loop();
    call(constructor);
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr*) override { return unseen(); }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr* temporary) override {
    destroy(temporary->getType());
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr* made) override {
    const FunctionDecl* allocator = made->getOperatorNew();
    if (!making_once_ && (!allocator || !allocator->isReservedGlobalPlacementOperator())) unseen();
    return add(1);
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr*) override { return unseen(); }
  bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr*) override { return unseen(); }
  bool VisitOMPExecutableDirective(OMPExecutableDirective*) override {
    work_.constructs = true;
    return unseen();
  }

  /// The work of a constructor before its body, and of a destructor after it.
  void members_of(const FunctionDecl& function) {
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(&function)) {
      for (const CXXCtorInitializer* member : constructor->inits()) {
        const FieldDecl* field = member->getAnyMember();
        if (field && is_unknown_type(field->getType())) unseen();
        if (member->isWritten()) add(1);
        TraverseStmt(member->getInit());
      }
    } else if (const auto* destructor = dyn_cast<CXXDestructorDecl>(&function)) {
      destroy_members(*destructor->getParent());
    }
  }

private:
  bool add(std::uint64_t operations) {
    constexpr std::uint64_t most = 1'000'000;
    const std::uint64_t of_visit = running_once_ ? 0 : operations;
    work_.operations = unsigned(std::min(most, work_.operations + of_visit * times_));
    work_.expected += double(of_visit) * expected_times_;
    work_.size = unsigned(std::min(most, work_.size + operations));
    return true;
  }

  /// Counts the parts of a loop once per iteration.
  bool rounds(const Stmt* statement, ArrayRef<Stmt*> parts) {
    constexpr unsigned most = 100; // with an operation or call per iteration it is not small any more
    const unsigned outside = times_, known = rounds_of(statement, context_);
    const double expected_outside = expected_times_;
    const std::size_t calls_before = work_.places.size();
    const bool unknown = known == 0 || known > most / outside;
    if (!unknown) times_ *= known;
    expected_times_ *= known ? known : assumed_rounds;
    work_.counted |= times_ > outside;
    for (Stmt* part : parts) TraverseStmt(part);
    if (unknown && !calls_itself_since(calls_before)) {
      loop();
      work_.long_loops |= !is_short_search(statement);
    }
    times_ = outside;
    expected_times_ = expected_outside;
    return true;
  }

  /// A loop that may end in each iteration: if an iteration is short, it is a search, and a few iterations
  /// are assumed.
  bool search(const Stmt* statement, ArrayRef<Stmt*> parts) {
    constexpr unsigned most_times = 100, most_operations = 16;
    const unsigned outside = times_, size = work_.size;
    const double expected_outside = expected_times_;
    const std::size_t calls_before = work_.places.size();
    const bool within = std::exchange(searching_, true);
    if (within || times_ > most_times / assumed_rounds) loop();
    else times_ *= assumed_rounds;
    expected_times_ *= assumed_rounds;
    for (Stmt* part : parts) TraverseStmt(part);
    times_ = outside;
    expected_times_ = expected_outside;
    searching_ = within;
    if (calls_itself_since(calls_before)) return true;
    if (work_.size > size + most_operations) loop();
    work_.long_loops |=
        (within || work_.size > size + most_operations || is_comparing(statement)) && !is_short_search(statement);
    return work_.scans = true;
  }
  bool loop() { return work_.loops = true; }
  bool long_loop() { return work_.long_loops = loop(); }

  static bool is_comparing(const Stmt* loop) {
    if (const auto* while_loop = dyn_cast<WhileStmt>(loop)) return compares(while_loop->getCond());
    const auto* do_loop = dyn_cast<DoStmt>(loop);
    return do_loop && compares(do_loop->getCond());
  }

  /// Walks a branch up to the end of its first way.
  void branch_off(IfStmt* branch) {
    const bool outside = std::exchange(making_once_, making_once_ || makes_once(*branch));
    VisitIfStmt(branch);
    for (Stmt* part : {branch->getInit(), static_cast<Stmt*>(branch->getConditionVariableDeclStmt()),
                       static_cast<Stmt*>(branch->getCond())})
      TraverseStmt(part);
    step(Step::Kind::branch);
    if (!running_once_ && body_ && runs_once(*branch, body_, context_)) run_once(branch->getThen());
    else way(branch->getThen());
    making_once_ = outside;
  }

  /// Code that one visit of all runs: it is no work of a visit, though part of the text. What it calls stays a call of
  /// the function, but none that a visit is expected to make.
  void run_once(Stmt* statement) {
    const bool loops = work_.loops, long_loops = work_.long_loops, counted = work_.counted, scans = work_.scans;
    const double expected = std::exchange(expected_times_, 0);
    running_once_ = true;
    TraverseStmt(statement);
    running_once_ = false;
    expected_times_ = expected;
    work_.loops = loops, work_.long_loops = long_loops, work_.counted = counted, work_.scans = scans;
  }

  /// Walks one way of a branch, but for what is run only on failure.
  void way(Stmt* statement) {
    if (!only_fails(statement)) TraverseStmt(statement);
  }

  /// Adds to the steps; branches without a call are left out.
  void step(Step::Kind kind) {
    std::vector<BodyWork::Step>& steps = work_.steps;
    if (kind == Step::Kind::end && steps.size() >= 2 && steps.back().kind == Step::Kind::otherwise &&
        steps[steps.size() - 2].kind == Step::Kind::branch)
      steps.resize(steps.size() - 2);
    else steps.push_back({kind, work_.places.size()});
  }

  /// Whether the function calls itself in a place that was found after the first `calls`. A loop around such a call,
  /// over the children of a node, has one iteration for each visit but the first: on average one a visit.
  bool calls_itself_since(std::size_t calls) const {
    return std::any_of(work_.places.begin() + std::ptrdiff_t(calls), work_.places.end(),
                       [this](const BodyWork::Place& place) { return place.callee == function_; });
  }
  bool unseen(bool really = true) {
    if (!really) return true;
    step(Step::Kind::unknown_call);
    return work_.unseen = true;
  }

  /// Registers that a value of this type fills.
  std::uint64_t words(QualType type) const {
    if (type->isDependentType() || type->isIncompleteType() || type->isSizelessType()) return 1;
    if (!type->isRecordType() && !type->isConstantArrayType()) return 1;
    const auto bytes = std::uint64_t(context_.getTypeSizeInChars(type).getQuantity());
    return std::max<std::uint64_t>(1, (bytes + 7) / 8);
  }

  void call(const FunctionDecl& callee) {
    if (callee.isTrivial()) {
      if (isa<CXXMethodDecl>(callee) && !isa<CXXConstructorDecl>(callee) && callee.getNumParams() == 1)
        add(words(callee.getParamDecl(0)->getType().getNonReferenceType())); // an assignment
      return;
    }
    if (is_few_instructions(callee)) return;
    if (const unsigned operations = operations_of_maths(callee)) {
      add(operations);
      return;
    }
    if (callee.isDefaulted()) {
      implicit(callee);
      return;
    }
    step(Step::Kind::call);
    work_.places.push_back(
        {pattern_of(&callee), times_, operations_on_values(callee), expected_times_, operations_of_std(callee)});
  }

  /// Whether `function`, which is what a template most likely calls, is short by itself, with all that it calls.
  bool is_short(const FunctionDecl& function, unsigned depth = 0) {
    constexpr unsigned most_statements = 8, most_operations = 100, most_depth = 3;
    const FunctionDecl* definition = nullptr;
    const auto* body = dyn_cast_or_null<CompoundStmt>(function.getBody(definition));
    if (!body || body->size() > most_statements || depth > most_depth) return false;
    const auto [known, is_new] = short_->try_emplace(definition, false); // a cycle is not
    if (!is_new) return known->second;
    BodyWork work;
    Counter counter(context_, work, pattern_of(definition), function.getBody());
    counter.depth_ = depth + 1;
    counter.short_ = short_;
    counter.members_of(*definition);
    counter.TraverseStmt(function.getBody());
    const bool is = !work.unseen && !work.loops && !work.scans && work.open_calls.empty() &&
                    work.pointer_calls.empty() && work.operations <= most_operations &&
                    std::ranges::all_of(work.places, [this, depth](const BodyWork::Place& place) {
                      return place.operations > 0 || is_short(*place.callee, depth + 1);
                    });
    return (*short_)[definition] = is;
  }

  /// A function that the compiler generates: member by member.
  void implicit(const FunctionDecl& callee) {
    if (!defaulted_.insert(callee.getCanonicalDecl()).second) return;
    const FunctionDecl* definition = nullptr;
    Stmt* body = callee.getBody(definition);
    if (!definition) {
      unseen();
      return;
    }
    members_of(*definition);
    TraverseStmt(body);
    defaulted_.erase(callee.getCanonicalDecl());
  }

  void destroy(QualType type) {
    if (type->isReferenceType() || type->isDependentType()) return;
    const CXXRecordDecl* record = context_.getBaseElementType(type)->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor()) return;
    if (type->isArrayType()) long_loop();
    const CXXDestructorDecl* destructor = record->getDestructor();
    if (destructor && destructor->isUserProvided()) call(*destructor);
    else destroy_members(*record);
  }

  void destroy_members(const CXXRecordDecl& record) {
    const CXXRecordDecl* definition = record.getDefinition();
    if (!definition) return;
    for (const FieldDecl* field : definition->fields()) {
      if (is_unknown_type(field->getType())) unseen();
      destroy(field->getType());
    }
    for (const CXXBaseSpecifier& base : definition->bases()) {
      if (base.getType()->isDependentType()) unseen();
      destroy(base.getType());
    }
  }

  ASTContext& context_;
  BodyWork& work_;
  const FunctionDecl* function_; // the one whose work is counted, as its calls name it; null: a loop alone
  unsigned times_ = 1; // the present code runs so often
  double expected_times_ = 1; // the same, loops of unknown length included
  bool making_once_ = false; // in a branch that makes an object once
  Stmt* body_; // of function_; null: a loop alone
  bool running_once_ = false; // in a branch that is taken in the first visit at most
  bool searching_ = false; // in a loop that search() looks at
  unsigned depth_ = 0; // of calls that is_short() follows
  std::map<const FunctionDecl*, bool> own_short_;
  std::map<const FunctionDecl*, bool>* short_ = &own_short_; // what is_short() has said; of the first counter
  std::set<const FunctionDecl*> defaulted_; // being walked
};

bool is_lambda(const FunctionDecl& function) {
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  return method && method->getParent()->isLambda();
}

} // namespace

BodyWork work_of(const FunctionDecl& function, Stmt* body) {
  BodyWork work;
  Counter counter(function.getASTContext(), work, pattern_of(&function), body);
  counter.members_of(function);
  counter.TraverseStmt(body);
  work.marked_inline = (function.isInlined() || function.hasAttr<AlwaysInlineAttr>()) && !is_lambda(function);
  work.always_inline = function.hasAttr<AlwaysInlineAttr>();
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  work.is_virtual = method && method->isVirtual() && !method->hasAttr<FinalAttr>();
  work.is_template = function.isDependentContext() || function.isTemplated();
  work.expression = (work.is_template || is_lambda(function)) && returns_only(body);
  work.statement = (work.is_template || is_lambda(function)) && isa_and_nonnull<Expr>(only_statement(body));
  work.mpi = calls_mpi(function, body);
  if (is_memory_wrapper(function)) { // callers count the bytes
    work.unseen = false;
    work.places.clear();
    work.open_calls.clear();
    work.pointer_calls.clear();
    work.steps.clear();
  }
  return work;
}

BodyWork work_of_round(ASTContext& context, Stmt* loop) {
  BodyWork work;
  Counter counter(context, work);
  if (auto* counted = dyn_cast<ForStmt>(loop)) {
    counter.TraverseStmt(counted->getCond());
    counter.TraverseStmt(counted->getInc());
    counter.TraverseStmt(counted->getBody());
  } else if (auto* range = dyn_cast<CXXForRangeStmt>(loop)) {
    counter.TraverseStmt(range->getBody());
    ++work.operations;
  } else {
    work.unseen = true;
  }
  return work;
}

} // namespace andes::preprocessor
