#include "preprocessor/plugin/trees.h"

namespace andes::preprocessor::plugin {
namespace {

Place place_at(location_t location) {
  if (location == UNKNOWN_LOCATION) return {};
  const expanded_location place = expand_location(location);
  return place.file && place.line > 0 ? Place{place.file, unsigned(place.line)} : Place();
}

/// Of a statement itself. Labels, empty branches and SELECT CASE have the place of what the front end made before them.
location_t own_location(tree node) {
  const tree_code code = TREE_CODE(node);
  if (!EXPR_P(node) || code == LABEL_EXPR || code == CASE_LABEL_EXPR || code == BIND_EXPR || IS_EMPTY_STMT(node))
    return UNKNOWN_LOCATION;
  if (code == SWITCH_EXPR) return EXPR_P(SWITCH_COND(node)) ? EXPR_LOCATION(SWITCH_COND(node)) : UNKNOWN_LOCATION;
  if (place_at(EXPR_LOCATION(node))) return EXPR_LOCATION(node);
  if (is_loop_of_openmp(node) && OMP_FOR_INIT(node) && TREE_VEC_LENGTH(OMP_FOR_INIT(node)) > 0)
    return EXPR_LOCATION(TREE_VEC_ELT(OMP_FOR_INIT(node), 0));
  return UNKNOWN_LOCATION;
}

/// Looks for the sides of one statement and those in it.
class SideFinder {
public:
  SideFinder(const Lines& lines, const Extent& extent) : lines_(lines), extent_(extent) {}

  Sides find(tree node) {
    add(node);
    return sides_.inside || sides_.outside ? sides_ : strays_;
  }

private:
  void add(tree node) {
    if (!node) return;
    const unsigned before = count_;
    count(own_location(node));
    if (TREE_CODE(node) == STATEMENT_LIST)
      for (const tree statement : statements_in(node)) add(statement);
    else
      for (tree* slot : slots_of(node)) add(*slot);
    // A call with a constant as an argument has no place of its own, but what is around the two of them.
    if (TREE_CODE(node) == BIND_EXPR && count_ == before) count(EXPR_LOCATION(node));
  }

  void count(location_t location) {
    const Place place = place_at(location);
    if (place.file != lines_.file) return;
    ++count_;
    Sides& sides = is_of_another(location) ? strays_ : sides_;
    (place.line > lines_.begin && place.line < lines_.end ? sides.inside : sides.outside) = true;
  }

  bool is_of_another(location_t location) const {
    const expanded_location place = expand_location(location), own = expand_location(extent_.declaration);
    return (place.line == own.line && place.column == own.column) ||
           (extent_.last_line > 0 && unsigned(place.line) > extent_.last_line);
  }

  const Lines& lines_;
  const Extent& extent_;
  Sides sides_, strays_;
  unsigned count_ = 0;
};

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
  case TRY_FINALLY_EXPR: // the other part frees memory, in the place of the last statement
  case TRY_CATCH_EXPR:
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

Place own_place(tree node) { return place_at(own_location(node)); }

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

Extent extent_of(tree function) {
  const struct function* const body = DECL_STRUCT_FUNCTION(function);
  return {DECL_SOURCE_LOCATION(function), body ? place_at(body->function_end_locus).line : 0};
}

Sides sides_of(tree node, const Lines& lines, const Extent& extent) { return SideFinder(lines, extent).find(node); }

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
