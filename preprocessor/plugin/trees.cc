#include "preprocessor/plugin/trees.h"

namespace andes::preprocessor::plugin {
namespace {

Place place_at(location_t location) {
  if (location == UNKNOWN_LOCATION) return {};
  const expanded_location place = expand_location(location);
  return place.file && place.line > 0 ? Place{place.file, unsigned(place.line)} : Place();
}

} // namespace

bool is_loop_of_openmp(tree node) {
  const tree_code code = TREE_CODE(node);
  return code >= OMP_FOR && code <= OACC_LOOP;
}

bool is_construct_of_openmp(tree node) {
  const tree_code code = TREE_CODE(node);
  return code >= OACC_PARALLEL && code <= OMP_MASTER;
}

bool is_for_devices(tree node) {
  const tree_code code = TREE_CODE(node);
  return code <= OACC_HOST_DATA || code == OACC_LOOP || code == OMP_TARGET || code == OMP_TARGET_DATA;
}

bool is_atomic(tree node) {
  const tree_code code = TREE_CODE(node);
  return code >= OMP_ATOMIC && code <= OMP_ATOMIC_CAPTURE_NEW;
}

bool is_directive_call(tree node) {
  if (TREE_CODE(node) != CALL_EXPR) return false;
  const tree function = get_callee_fndecl(node);
  return function && std::string_view(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function))).starts_with("GOMP_");
}

std::vector<tree*> slots_of(tree node) {
  switch (TREE_CODE(node)) {
  case BIND_EXPR: return {&BIND_EXPR_BODY(node)};
  case COND_EXPR: return {&COND_EXPR_THEN(node), &COND_EXPR_ELSE(node)};
  case LOOP_EXPR: return {&LOOP_EXPR_BODY(node)};
  case SWITCH_EXPR: return {&SWITCH_BODY(node)};
  case TRY_FINALLY_EXPR:
  case TRY_CATCH_EXPR: return {&TREE_OPERAND(node, 0), &TREE_OPERAND(node, 1)};
  case CLEANUP_POINT_EXPR: return {&TREE_OPERAND(node, 0)};
  default: break;
  }
  return is_construct_of_openmp(node) ? std::vector<tree*>{&TREE_OPERAND(node, 0)} : std::vector<tree*>();
}

std::vector<tree> statements_in(tree slot) {
  std::vector<tree> all;
  if (slot && TREE_CODE(slot) == STATEMENT_LIST)
    for (tree_stmt_iterator i = tsi_start(slot); !tsi_end_p(i); tsi_next(&i)) all.push_back(tsi_stmt(i));
  else if (slot) all.push_back(slot);
  return all;
}

/// Where a statement itself is. Labels, empty branches and SELECT CASE have the place of what the front end made before
/// them.
Place own_place(tree node) {
  const tree_code code = TREE_CODE(node);
  if (!EXPR_P(node) || code == LABEL_EXPR || code == CASE_LABEL_EXPR || code == BIND_EXPR || IS_EMPTY_STMT(node))
    return {};
  if (code == SWITCH_EXPR) return EXPR_P(SWITCH_COND(node)) ? place_at(EXPR_LOCATION(SWITCH_COND(node))) : Place();
  if (const Place place = place_at(EXPR_LOCATION(node))) return place;
  if (is_loop_of_openmp(node) && OMP_FOR_INIT(node) && TREE_VEC_LENGTH(OMP_FOR_INIT(node)) > 0)
    return place_at(EXPR_LOCATION(TREE_VEC_ELT(OMP_FOR_INIT(node), 0)));
  return {};
}

Place first_place(tree node) {
  if (!node) return {};
  if (const Place place = own_place(node)) return place;
  if (TREE_CODE(node) == STATEMENT_LIST) {
    for (const tree statement : statements_in(node))
      if (const Place place = first_place(statement)) return place;
    return {};
  }
  for (tree* slot : slots_of(node))
    if (const Place place = first_place(*slot)) return place;
  return {};
}

Sides sides_of(tree node, const std::string& file, unsigned begin, unsigned end) {
  Sides sides;
  if (!node) return sides;
  if (const Place place = own_place(node); place && place.file == file)
    (place.line > begin && place.line < end ? sides.inside : sides.outside) = true;
  const auto add = [&](tree part) {
    const Sides more = sides_of(part, file, begin, end);
    sides.inside |= more.inside;
    sides.outside |= more.outside;
  };
  if (TREE_CODE(node) == STATEMENT_LIST)
    for (const tree statement : statements_in(node)) add(statement);
  else
    for (tree* slot : slots_of(node)) add(*slot);
  return sides;
}

void add_jumps(tree node, Jumps& jumps) {
  const auto visit = [](tree* at, int*, void* data) -> tree {
    Jumps& found = *static_cast<Jumps*>(data);
    if (TREE_CODE(*at) == LABEL_EXPR) found.labels.insert(LABEL_EXPR_LABEL(*at));
    if (TREE_CODE(*at) != GOTO_EXPR) return NULL_TREE;
    const tree label = GOTO_DESTINATION(*at);
    if (TREE_CODE(label) == LABEL_DECL) ++found.to[label];
    else found.computed = true;
    return NULL_TREE;
  };
  walk_tree_without_duplicates(&node, visit, &jumps);
}

} // namespace andes::preprocessor::plugin
