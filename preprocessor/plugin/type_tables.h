// The tables of Fortran's types: which procedures a call through one of them may lead to, as far as the source tells.
#pragma once
#include <map>
#include <set>
#include <string>

#include "preprocessor/plugin/gcc.h"

namespace andes::preprocessor::plugin {

/// A call of a type-bound procedure of an object whose type may be an extension: the type of the table, and its member.
struct TableCall {
  std::string table; // __vtype_MODULE_Type; empty: it is another call
  std::string binding;
};

TableCall table_call(tree callee);

/// The tables that the source fills, which are those of the types that it defines.
class TypeTables {
public:
  TypeTables();

  /// The procedures, as the linker names them, that the type and its extensions in the source have for the binding.
  std::set<std::string> procedures(const TableCall& call) const;

  /// That of the type itself; empty: the source does not tell, or it has none (deferred).
  std::string own_procedure(const TableCall& call) const;

private:
  struct Table {
    std::string parent; // the table of the type that it extends; empty: none
    std::map<std::string, std::string> procedures; // by binding
  };
  bool is_or_extends(const std::string& type, const std::string& other) const;

  std::map<std::string, Table> tables_; // by the name of its type
};

} // namespace andes::preprocessor::plugin
