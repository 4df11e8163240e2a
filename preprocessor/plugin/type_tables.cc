// gfortran makes a structure `__vtype_MODULE_Type` for each type, with a member for each binding, and one variable of
// it, `__vtab_MODULE_Type`, with the addresses of the procedures and, as `_extends`, that of its parent's variable.
#include "preprocessor/plugin/type_tables.h"

namespace andes::preprocessor::plugin {
namespace {

constexpr std::string_view type_prefix = "__vtype_";

std::string name_of_type(tree type) {
  tree name = TYPE_NAME(type);
  if (name && TREE_CODE(name) == TYPE_DECL) name = DECL_NAME(name);
  return name ? IDENTIFIER_POINTER(name) : "";
}

std::string name_of_member(tree member) { return DECL_NAME(member) ? IDENTIFIER_POINTER(DECL_NAME(member)) : ""; }

} // namespace

TableCall table_call(tree callee) {
  callee = tree_strip_nop_conversions(callee);
  if (TREE_CODE(callee) == ADDR_EXPR || TREE_CODE(callee) == INDIRECT_REF)
    callee = tree_strip_nop_conversions(TREE_OPERAND(callee, 0));
  if (TREE_CODE(callee) != COMPONENT_REF) return {};
  TableCall call{name_of_type(TREE_TYPE(TREE_OPERAND(callee, 0))), name_of_member(TREE_OPERAND(callee, 1))};
  if (!call.table.starts_with(type_prefix) || call.binding.empty()) return {};
  return call;
}

TypeTables::TypeTables() {
  varpool_node* node;
  FOR_EACH_VARIABLE(node) {
    const tree variable = node->decl, filled = DECL_INITIAL(variable);
    if (!filled || TREE_CODE(filled) != CONSTRUCTOR) continue;
    const std::string type = name_of_type(TREE_TYPE(variable));
    if (!type.starts_with(type_prefix)) continue;
    Table& table = tables_[type];
    tree member, value;
    unsigned HOST_WIDE_INT i;
    FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(filled), i, member, value) {
      value = tree_strip_nop_conversions(value);
      if (TREE_CODE(value) != ADDR_EXPR || !DECL_P(TREE_OPERAND(value, 0))) continue;
      const tree target = TREE_OPERAND(value, 0);
      const std::string binding = name_of_member(member);
      if (TREE_CODE(target) == FUNCTION_DECL)
        table.procedures[binding] = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(target));
      else if (binding == "_extends") table.parent = name_of_type(TREE_TYPE(target));
    }
  }
}

bool TypeTables::is_or_extends(const std::string& type, const std::string& other) const {
  if (type == other) return true;
  const auto table = tables_.find(type);
  return table != tables_.end() && is_or_extends(table->second.parent, other);
}

std::set<std::string> TypeTables::procedures(const TableCall& call) const {
  std::set<std::string> found;
  for (const auto& [type, table] : tables_)
    if (is_or_extends(type, call.table)) found.insert(own_procedure({type, call.binding}));
  found.erase(""); // deferred
  return found;
}

std::string TypeTables::own_procedure(const TableCall& call) const {
  const auto table = tables_.find(call.table);
  if (table == tables_.end()) return "";
  const auto procedure = table->second.procedures.find(call.binding);
  return procedure == table->second.procedures.end() ? "" : procedure->second;
}

} // namespace andes::preprocessor::plugin
