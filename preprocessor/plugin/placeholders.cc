#include "preprocessor/plugin/placeholders.h"

namespace andes::preprocessor::plugin {
namespace {

/// Declared once; the collector of GCC must not free them.
tree declarations[2];
bool is_known = false;

void keep_declarations() {
  static const ggc_root_tab roots[] = {
      {&declarations, 2, sizeof declarations[0], &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};
  register_callback("andes", PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab*>(roots));
}

tree declare(const char* name) {
  const tree decl = build_fn_decl(name, build_function_type_list(void_type_node, unsigned_type_node, NULL_TREE));
  TREE_NOTHROW(decl) = 1;
  DECL_IGNORED_P(decl) = 1;
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
  return decl;
}

} // namespace

tree placeholder(Half half, unsigned id) {
  if (!is_known) {
    is_known = true;
    declarations[int(Half::enter)] = declare("andes.enter");
    declarations[int(Half::leave)] = declare("andes.leave");
    keep_declarations();
  }
  const tree call = build_call_expr(declarations[int(half)], 1, build_int_cst(unsigned_type_node, id));
  TREE_SIDE_EFFECTS(call) = 1;
  return call;
}

std::optional<FoundHalf> is_placeholder(const gimple* statement) {
  if (!is_known || !is_gimple_call(statement)) return std::nullopt;
  const tree called = gimple_call_fndecl(statement);
  for (const Half half : {Half::enter, Half::leave})
    if (called && called == declarations[int(half)])
      return FoundHalf{half, unsigned(tree_to_uhwi(gimple_call_arg(statement, 0)))};
  return std::nullopt;
}

} // namespace andes::preprocessor::plugin
