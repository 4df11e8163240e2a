// The front end makes loops of DO statements and of arithmetic on whole arrays in one form: a variable gets its first
// value, LOOP_EXPR begins with the test whether it is past its last one, and ends with its step.
#include "preprocessor/plugin/work.h"

namespace andes::preprocessor::plugin {
namespace {

constexpr unsigned most_rounds = 100; // of a loop that counts with all its iterations
constexpr unsigned unknown_rounds = 8; // expected of one of unknown length
constexpr unsigned library_operations = 60; // of a function of the maths library

/// The statements in `body`, one by one.
std::vector<tree> statements_in(tree body) {
  std::vector<tree> all;
  if (body && TREE_CODE(body) == BIND_EXPR) return statements_in(BIND_EXPR_BODY(body));
  if (!body || TREE_CODE(body) != STATEMENT_LIST) return body ? std::vector{body} : all;
  for (tree_stmt_iterator i = tsi_start(body); !tsi_end_p(i); tsi_next(&i)) all.push_back(tsi_stmt(i));
  return all;
}

tree bare(tree node) {
  STRIP_NOPS(node);
  return TREE_CODE(node) == ANNOTATE_EXPR ? bare(TREE_OPERAND(node, 0)) : node;
}

bool assigns(tree statement) { return TREE_CODE(statement) == MODIFY_EXPR || TREE_CODE(statement) == INIT_EXPR; }

std::optional<HOST_WIDE_INT> constant(tree node) {
  node = bare(node);
  return TREE_CODE(node) == INTEGER_CST && tree_fits_shwi_p(node) ? std::optional(tree_to_shwi(node)) : std::nullopt;
}

/// The constant that the statements assign to `variable` last; nothing if it is none, or unknown.
std::optional<HOST_WIDE_INT> value_in(const std::vector<tree>& statements, tree variable) {
  std::optional<HOST_WIDE_INT> value;
  for (const tree statement : statements)
    if (assigns(statement) && bare(TREE_OPERAND(statement, 0)) == variable)
      value = constant(TREE_OPERAND(statement, 1));
  return value;
}

/// Whether `statement` leaves a loop.
bool leaves(tree statement) {
  if (!statement) return false;
  const std::vector<tree> inside = statements_in(statement);
  return inside.size() == 1 && TREE_CODE(inside[0]) == GOTO_EXPR;
}

/// The iterations of `loop`, before which `before` are made.
unsigned rounds_in(tree loop, const std::vector<tree>& before) {
  const std::vector<tree> inside = statements_in(LOOP_EXPR_BODY(loop));
  for (std::size_t i = 0; i < inside.size() && i < 2; ++i) {
    if (TREE_CODE(inside[i]) != COND_EXPR) continue;
    if (!leaves(COND_EXPR_THEN(inside[i]))) return 0;
    tree test = bare(COND_EXPR_COND(inside[i]));
    if (i == 1 && assigns(inside[0]) && bare(TREE_OPERAND(inside[0], 0)) == test)
      test = bare(TREE_OPERAND(inside[0], 1));
    const bool upwards = TREE_CODE(test) == GT_EXPR;
    if (!upwards && TREE_CODE(test) != LT_EXPR) return 0;
    const tree variable = bare(TREE_OPERAND(test, 0));
    tree bound = bare(TREE_OPERAND(test, 1));
    const std::optional<HOST_WIDE_INT> first = value_in(before, variable);
    const std::optional<HOST_WIDE_INT> last = DECL_P(bound) ? value_in(before, bound) : constant(bound);
    if (!first || !last) return 0;
    const tree step = inside.back();
    if (!assigns(step) || bare(TREE_OPERAND(step, 0)) != variable) return 0;
    const tree sum = bare(TREE_OPERAND(step, 1));
    if (TREE_CODE(sum) != PLUS_EXPR || bare(TREE_OPERAND(sum, 0)) != variable) return 0;
    const std::optional<HOST_WIDE_INT> by = constant(TREE_OPERAND(sum, 1));
    if (!by || (upwards ? *by <= 0 : *by >= 0)) return 0;
    const HOST_WIDE_INT rounds = (*last - *first) / *by + 1;
    return (upwards ? *last < *first : *last > *first) || rounds <= 0
               ? 1
               : unsigned(std::min<HOST_WIDE_INT>(rounds, UINT_MAX));
  }
  return 0;
}

/// What a test asks of a saved variable of the procedure: whether it is (not) `value`.
struct Question {
  tree variable = nullptr; // null: the test asks something else
  bool is = false;
  HOST_WIDE_INT value = 0;
};

tree saved_variable(tree node) {
  node = bare(node);
  const bool saved =
      VAR_P(node) && TREE_STATIC(node) && DECL_CONTEXT(node) && TREE_CODE(DECL_CONTEXT(node)) == FUNCTION_DECL;
  return saved ? node : nullptr;
}

Question question_of(tree test) {
  test = bare(test);
  switch (TREE_CODE(test)) {
  case TRUTH_NOT_EXPR: return {saved_variable(TREE_OPERAND(test, 0)), true, 0};
  case EQ_EXPR:
  case NE_EXPR: {
    const std::optional<HOST_WIDE_INT> value = constant(TREE_OPERAND(test, 1));
    if (!value) return {};
    return {saved_variable(TREE_OPERAND(test, 0)), TREE_CODE(test) == EQ_EXPR, *value};
  }
  default: return {saved_variable(test), false, 0};
  }
}

struct Changes {
  tree variable;
  unsigned count = 0;
};

/// Counts where a variable is assigned to, or its address is taken, as that of an argument.
tree count_change(tree* node, int*, void* data) {
  auto& changes = *static_cast<Changes*>(data);
  const bool changing = assigns(*node) || TREE_CODE(*node) == ADDR_EXPR;
  changes.count += changing && bare(TREE_OPERAND(*node, 0)) == changes.variable;
  return nullptr;
}

tree note_label(tree* node, int*, void* labels) {
  if (TREE_CODE(*node) == LABEL_EXPR) static_cast<std::set<tree>*>(labels)->insert(LABEL_EXPR_LABEL(*node));
  return nullptr;
}

tree find_way_out(tree* node, int*, void* labels) {
  const bool leaves =
      TREE_CODE(*node) == RETURN_EXPR ||
      (TREE_CODE(*node) == GOTO_EXPR && static_cast<std::set<tree>*>(labels)->count(GOTO_DESTINATION(*node)) == 0);
  return leaves ? *node : nullptr;
}

/// Whether code may be left other than at its end.
bool may_be_left(tree code) {
  std::set<tree> labels;
  walk_tree_without_duplicates(&code, note_label, &labels);
  return walk_tree_without_duplicates(&code, find_way_out, &labels) != NULL_TREE;
}

bool has_internal_procedures(tree procedure) {
  cgraph_node* const node = cgraph_node::get(procedure);
  return node && first_nested_function(node);
}

/// Whether a branch is taken in the first visit at most: `if (first) then; ...; first = .false.; end if` and the
/// like with a saved variable, to which nothing else is assigned: internal procedures, which are not looked at, might.
bool runs_once(tree branch) {
  const Question asked = question_of(COND_EXPR_COND(branch));
  if (!asked.variable || !COND_EXPR_THEN(branch)) return false;
  const std::optional<HOST_WIDE_INT> value = value_in(statements_in(COND_EXPR_THEN(branch)), asked.variable);
  if (!value || (*value == asked.value) == asked.is) return false;
  Changes changes{asked.variable};
  tree body = DECL_SAVED_TREE(DECL_CONTEXT(asked.variable));
  walk_tree_without_duplicates(&body, count_change, &changes);
  return changes.count == 1 && !has_internal_procedures(DECL_CONTEXT(asked.variable)) &&
         !may_be_left(COND_EXPR_THEN(branch));
}

class Counting {
public:
  Work work;

  Counting() { work.effort.unseen = work.expected.unknown = false; }

  void count(tree node) {
    if (!node || TYPE_P(node) || DECL_P(node) || CONSTANT_CLASS_P(node)) return;
    switch (TREE_CODE(node)) {
    case STATEMENT_LIST: return count_list(node);
    case BIND_EXPR: return count(BIND_EXPR_BODY(node));
    case LOOP_EXPR: return count_loop(node, {});
    case COND_EXPR:
      if (!once_ && runs_once(node)) return count_branch_run_once(node);
      break;
    case CALL_EXPR: return count_call(node);
    case SAVE_EXPR:
      if (!seen_.insert(node).second) return;
      return count(TREE_OPERAND(node, 0));
    case LABEL_EXPR: labels_.insert(LABEL_EXPR_LABEL(node)); return;
    case GOTO_EXPR:
      if (labels_.count(GOTO_DESTINATION(node)) || TREE_CODE(GOTO_DESTINATION(node)) != LABEL_DECL) unknown_length();
      return;
    case MODIFY_EXPR:
    case INIT_EXPR:
      add(operations_to_copy(TREE_TYPE(node)));
      count(TREE_OPERAND(node, 0));
      return count(TREE_OPERAND(node, 1));
    case ADDR_EXPR: return count_reference(TREE_OPERAND(node, 0));
    case ARRAY_REF:
    case ARRAY_RANGE_REF:
    case COMPONENT_REF:
    case INDIRECT_REF:
    case MEM_REF: add(1); return count_reference(node);
    case CONSTRUCTOR: {
      tree value;
      unsigned HOST_WIDE_INT i;
      FOR_EACH_CONSTRUCTOR_VALUE(CONSTRUCTOR_ELTS(node), i, value) count(value);
      return;
    }
    default: break;
    }
    if (TREE_CODE(node) >= OACC_PARALLEL && TREE_CODE(node) <= OMP_ATOMIC_CAPTURE_NEW) {
      work.effort.constructs = work.effort.unseen = true;
      return count(TREE_OPERAND(node, 0));
    }
    if (is_operator(node)) add(1);
    if (EXPR_P(node))
      for (int i = 0; i < TREE_OPERAND_LENGTH(node); ++i) count(TREE_OPERAND(node, i));
  }

private:
  static bool is_operator(tree node) {
    switch (TREE_CODE_CLASS(TREE_CODE(node))) {
    case tcc_binary:
    case tcc_comparison: return true;
    case tcc_unary:
      return TREE_CODE(node) == NEGATE_EXPR || TREE_CODE(node) == ABS_EXPR || TREE_CODE(node) == BIT_NOT_EXPR ||
             TREE_CODE(node) == CONJ_EXPR;
    default: break;
    }
    switch (TREE_CODE(node)) {
    case COND_EXPR:
    case SWITCH_EXPR:
    case TRUTH_AND_EXPR:
    case TRUTH_ANDIF_EXPR:
    case TRUTH_OR_EXPR:
    case TRUTH_ORIF_EXPR:
    case TRUTH_XOR_EXPR:
    case TRUTH_NOT_EXPR: return true;
    default: return false;
    }
  }

  static unsigned operations_to_copy(tree type) {
    if (!AGGREGATE_TYPE_P(type)) return 1;
    const HOST_WIDE_INT bytes = int_size_in_bytes(type);
    return bytes < 0 ? unknown_rounds : unsigned(std::min<HOST_WIDE_INT>(1 + bytes / 8, 1 << 20));
  }

  void add(unsigned operations) {
    work.effort.size += operations;
    if (once_) return;
    work.effort.operations += operations * counted_;
    work.expected.operations += operations * times_;
  }

  void unknown_length() {
    if (!once_) work.effort.loops = work.effort.long_loops = true;
  }

  /// A branch that one visit of all takes is no work of a visit, though part of the text. What it calls stays a call of
  /// the procedure, but none that a visit is expected to make.
  void count_branch_run_once(tree branch) {
    add(1);
    count(COND_EXPR_COND(branch));
    const double times = times_;
    const bool counted = work.effort.counted;
    times_ = 0;
    once_ = true;
    count(COND_EXPR_THEN(branch));
    once_ = false;
    times_ = times;
    work.effort.counted = counted;
    count(COND_EXPR_ELSE(branch));
  }

  /// What the parts of a reference do beside the access to memory: computing where it is.
  void count_reference(tree node) {
    while (handled_component_p(node)) {
      if (TREE_CODE(node) == ARRAY_REF || TREE_CODE(node) == ARRAY_RANGE_REF) count(TREE_OPERAND(node, 1));
      node = TREE_OPERAND(node, 0);
    }
    if (TREE_CODE(node) == INDIRECT_REF || TREE_CODE(node) == MEM_REF) return count(TREE_OPERAND(node, 0));
    count(node);
  }

  void count_list(tree list) {
    std::vector<tree> before;
    for (tree_stmt_iterator i = tsi_start(list); !tsi_end_p(i); tsi_next(&i)) {
      if (TREE_CODE(tsi_stmt(i)) == LOOP_EXPR) count_loop(tsi_stmt(i), before);
      else count(tsi_stmt(i));
      before.push_back(tsi_stmt(i));
    }
  }

  void count_loop(tree loop, const std::vector<tree>& before) {
    const unsigned rounds = rounds_in(loop, before), counted = counted_;
    const double times = times_;
    times_ *= rounds ? rounds : unknown_rounds;
    if (rounds == 0 || counted_ * std::uint64_t(rounds) > most_rounds) unknown_length();
    else {
      counted_ *= rounds;
      work.effort.counted = true;
    }
    count(LOOP_EXPR_BODY(loop));
    counted_ = counted;
    times_ = times;
  }

  void count_call(tree call) {
    for (int i = 0; i < call_expr_nargs(call); ++i) count(CALL_EXPR_ARG(call, i));
    if (!CALL_EXPR_FN(call)) return add(1); // an operation of the compiler's own
    const tree function = get_callee_fndecl(call);
    if (!function) {
      TableCall by_table = table_call(CALL_EXPR_FN(call));
      if (by_table.table.empty()) return count_unseen(true);
      add(1);
      work.calls.push_back({"", times_, counted_, std::move(by_table)});
      return;
    }
    if (TREE_THIS_VOLATILE(function)) return; // never returns: on failure
    if (fndecl_built_in_p(function)) return count_builtin(call, function);
    const std::string name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    if (name.starts_with("_gfortran")) return count_unseen(true);
    if (is_abort(name)) return; // on failure, too
    if (is_mpi(name)) {
      work.effort.mpi = true;
      return count_unseen(true);
    }
    add(1);
    work.calls.push_back({name, times_, counted_, {}});
  }

  static bool is_mpi(const std::string& name) {
    return name.starts_with("mpi_") || name.starts_with("pmpi_") || name.starts_with("mpix_") ||
           name.starts_with("MPI_") || name.starts_with("PMPI_") || name.starts_with("__mpi_");
  }

  /// MPI_Abort, also as module mpi_f08 calls it.
  static bool is_abort(const std::string& name) {
    return name.starts_with("mpi_abort_") || name.starts_with("pmpi_abort_");
  }

  void count_unseen(bool unknown) {
    add(1);
    work.effort.unseen = true;
    work.expected.unknown |= unknown;
  }

  void count_builtin(tree call, tree function) {
    if (DECL_BUILT_IN_CLASS(function) != BUILT_IN_NORMAL) return add(1);
    switch (DECL_FUNCTION_CODE(function)) {
    case BUILT_IN_EXPECT:
    case BUILT_IN_UNREACHABLE:
    case BUILT_IN_TRAP: return;
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMSET:
    case BUILT_IN_MEMCMP: {
      const std::optional<HOST_WIDE_INT> size = constant(CALL_EXPR_ARG(call, 2));
      return size && *size <= 64 ? add(1 + unsigned(*size) / 8) : count_unseen(true);
    }
    case BUILT_IN_MALLOC:
    case BUILT_IN_CALLOC:
    case BUILT_IN_REALLOC:
    case BUILT_IN_FREE:
    case BUILT_IN_ALLOCA:
      return count_unseen(true);
      CASE_FLT_FN(BUILT_IN_SIN)
          : CASE_FLT_FN(BUILT_IN_COS)
          : CASE_FLT_FN(BUILT_IN_TAN)
          : CASE_FLT_FN(BUILT_IN_ASIN)
          : CASE_FLT_FN(BUILT_IN_ACOS)
          : CASE_FLT_FN(BUILT_IN_ATAN)
          : CASE_FLT_FN(BUILT_IN_ATAN2)
          : CASE_FLT_FN(BUILT_IN_SINH)
          : CASE_FLT_FN(BUILT_IN_COSH)
          : CASE_FLT_FN(BUILT_IN_TANH)
          : CASE_FLT_FN(BUILT_IN_EXP)
          : CASE_FLT_FN(BUILT_IN_LOG)
          : CASE_FLT_FN(BUILT_IN_LOG10)
          : CASE_FLT_FN(BUILT_IN_POW)
          : CASE_FLT_FN(BUILT_IN_POWI)
          : CASE_FLT_FN(BUILT_IN_ERF)
          : CASE_FLT_FN(BUILT_IN_ERFC)
          : CASE_FLT_FN(BUILT_IN_TGAMMA)
          : CASE_FLT_FN(BUILT_IN_LGAMMA)
          : CASE_FLT_FN(BUILT_IN_FMOD) : CASE_FLT_FN(BUILT_IN_CBRT) : return add(library_operations);
    default: return DECL_FUNCTION_CODE(function) >= BUILT_IN_GOACC_DATA_START ? count_unseen(true) : add(1);
    }
  }

  bool once_ = false; // in a branch that is taken in the first visit at most
  unsigned counted_ = 1; // iterations of loops of known length around
  double times_ = 1; // expected iterations of all loops around
  std::set<tree> labels_, seen_;
};

} // namespace

Work work_of(tree body) {
  Counting counting;
  counting.count(body);
  return counting.work;
}

unsigned rounds_of(tree list, tree last) {
  std::vector<tree> before;
  if (list)
    for (tree_stmt_iterator i = tsi_start(list); !tsi_end_p(i) && tsi_stmt(i) != last; tsi_next(&i))
      before.push_back(tsi_stmt(i));
  return rounds_in(last, before);
}

} // namespace andes::preprocessor::plugin
