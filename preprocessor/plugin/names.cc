#include "preprocessor/plugin/names.h"

#include "common/fortran_names.h"

namespace andes::preprocessor::plugin {
namespace {

std::string own_name(tree decl) { return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : ""; }

bool has_main_program() {
  cgraph_node* node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
    if (std::string_view(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(node->decl))) == "MAIN__") return true;
  }
  return false;
}

} // namespace

std::string name_of(tree function) {
  std::string name = written_name(own_name(function));
  for (tree around = DECL_CONTEXT(function); around; around = DECL_P(around) ? DECL_CONTEXT(around) : NULL_TREE) {
    if (TREE_CODE(around) != FUNCTION_DECL && TREE_CODE(around) != NAMESPACE_DECL) break;
    name = written_name(own_name(around)) + "::" + name;
  }
  return name;
}

bool is_users(tree function) {
  const std::string name = own_name(function);
  if (DECL_ARTIFICIAL(function) || name.empty()) return false;
  if (name == "main" && MAIN_NAME_P(DECL_NAME(function)) && has_main_program()) return false;
  return name == "MAIN__" || !is_made_by_gfortran(name);
}

} // namespace andes::preprocessor::plugin
