// The functions that an object defines, from its debug information. A library of its own, so that of all commands only
// `andes instrument --explain` opens libdw, which needs four more libraries.
#include "preprocessor/compiled.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "preprocessor/debug_session.h"

namespace andes::preprocessor {
namespace {

std::string name_of(Dwarf_Die& die) {
  Dwarf_Attribute found;
  const char* linked = nullptr;
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (!linked && dwarf_attr_integrate(&die, attribute, &found)) linked = dwarf_formstring(&found);
  if (linked) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(linked, nullptr, nullptr, &status),
                                                      std::free);
    if (text) return text.get();
  }
  const char* name = dwarf_diename(&die);
  return name ? name : "";
}

using Places = std::map<std::pair<std::string, unsigned>, std::string>;

void add_function(Dwarf_Die& die, Places& places) {
  Dwarf_Attribute found;
  int line = 0;
  const char* file = dwarf_decl_file(&die);
  if (dwarf_hasattr(&die, DW_AT_declaration) || !file || dwarf_decl_line(&die, &line) != 0 ||
      dwarf_attr_integrate(&die, DW_AT_artificial, &found))
    return;
  const std::string name = name_of(die);
  std::error_code error;
  const std::filesystem::path full = std::filesystem::weakly_canonical(file, error);
  if (!name.empty()) places.emplace(std::pair(error ? file : full.string(), unsigned(line)), name);
}

void walk(Dwarf_Die& parent, Places& places) {
  Dwarf_Die die;
  if (dwarf_child(&parent, &die) != 0) return;
  do {
    if (dwarf_tag(&die) == DW_TAG_subprogram) add_function(die, places);
    walk(die, places);
  } while (dwarf_siblingof(&die, &die) == 0);
}

Places places_in(const std::string& object) {
  Places places;
  const DebugSession session = open_debug_session(object);
  if (!session) return places;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = dwfl_nextcu(session.get(), nullptr, &bias); unit;
       unit = dwfl_nextcu(session.get(), unit, &bias))
    walk(*unit, places);
  return places;
}

} // namespace

extern "C" __attribute__((visibility("default"))) void andes_compiled_functions(
    const std::string& object, std::vector<CompiledFunction>& functions) {
  for (const auto& [place, name] : places_in(object)) functions.push_back({name, place.first, place.second});
}

} // namespace andes::preprocessor
