#include "monitor/finish/debug_functions.h"

#include <dwarf.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include "common/fortran_names.h"

namespace andes::monitor {
namespace {

constexpr std::int32_t deepest = 200; // largest nesting of entries

bool holds_functions(int tag) {
  switch (tag) {
  case DW_TAG_compile_unit:
  case DW_TAG_partial_unit:
  case DW_TAG_namespace:
  case DW_TAG_module:
  case DW_TAG_structure_type:
  case DW_TAG_class_type:
  case DW_TAG_union_type:
  case DW_TAG_interface_type:
  case DW_TAG_subprogram:
  case DW_TAG_inlined_subroutine:
  case DW_TAG_lexical_block:
  case DW_TAG_try_block:
  case DW_TAG_catch_block: return true;
  default: return false;
  }
}

/// Follows a reference to another entry.
bool follow(Dwarf_Die& entry, unsigned attribute) {
  Dwarf_Attribute reference;
  Dwarf_Die other;
  if (!dwarf_attr(&entry, attribute, &reference) || !dwarf_formref_die(&reference, &other)) return false;
  entry = other;
  return true;
}

/// The entry at the place of the user's declaration.
Dwarf_Die declaration_of(Dwarf_Die entry) {
  for (int step = 0; step < 8; ++step)
    if (!follow(entry, DW_AT_abstract_origin) && !follow(entry, DW_AT_specification)) break;
  return entry;
}

std::string text_of(Dwarf_Die& entry, unsigned attribute) {
  Dwarf_Attribute found;
  const char* text = dwarf_formstring(dwarf_attr_integrate(&entry, attribute, &found));
  return text ? text : "";
}

bool has_flag(Dwarf_Die& entry, unsigned attribute) {
  Dwarf_Attribute found;
  bool flag = false;
  return dwarf_attr(&entry, attribute, &found) && dwarf_formflag(&found, &flag) == 0 && flag;
}

bool is_fortran(Dwarf_Die& unit) {
  switch (dwarf_srclang(&unit)) {
  case DW_LANG_Fortran77:
  case DW_LANG_Fortran90:
  case DW_LANG_Fortran95:
  case DW_LANG_Fortran03:
  case DW_LANG_Fortran08: return true;
  default: return false;
  }
}

/// Whether a procedure of a Fortran unit is in the source: false for the `main` that calls the main program.
bool is_written_in_fortran(Dwarf_Die& entry, Dwarf_Die& unit) {
  const std::string name = text_of(entry, DW_AT_name);
  if (is_made_by_gfortran(name)) return false;
  if (name != "main" || has_flag(entry, DW_AT_main_subprogram) || !text_of(entry, DW_AT_linkage_name).empty())
    return true;
  Dwarf_Die other;
  for (int end = dwarf_child(&unit, &other); end == 0; end = dwarf_siblingof(&other, &other))
    if (has_flag(other, DW_AT_main_subprogram)) return false;
  return true;
}

/// The file that an entry is declared in, or null. It does not use dwarf_decl_file: up to libdw 0.188 at
/// least, that aborts the process by an assertion if a split unit (-gsplit-dwarf) has a file table of its
/// own. File 0, which is Clang's first, counts as no file, as in libdw.
const char* declared_in(Dwarf_Die& entry) {
  Dwarf_Attribute found;
  Dwarf_Word index = 0;
  if (!dwarf_attr_integrate(&entry, DW_AT_decl_file, &found) || dwarf_formudata(&found, &index) != 0 || index == 0)
    return nullptr;
  Dwarf_Die unit;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (!dwarf_cu_die(found.cu, &unit, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ||
      dwarf_getsrcfiles(&unit, &files, &count) != 0 || index >= count)
    return nullptr;
  return dwarf_filesrc(files, index, nullptr, nullptr);
}

} // namespace

DebugFunctions::DebugFunctions(Elf* elf, std::chrono::steady_clock::time_point deadline)
    : deadline_(deadline), dwarf_(dwarf_begin_elf(elf, DWARF_C_READ, nullptr)) {
  if (!dwarf_) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Half version = 0;
  std::uint8_t type = 0;
  Dwarf_Die root, split;
  while (!is_late() && dwarf_get_units(dwarf_, unit, &unit, &version, &type, &root, &split) == 0) {
    if (type == DW_UT_type || type == DW_UT_split_type) continue;
    const bool apart = type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;
    Dwarf_Addr base = 0, begin = 0, end = 0;
    const std::size_t first = ranges_.size();
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&root, at, &base, &begin, &end)) > 0;)
      if (begin != 0 && begin < end) // 0: the linker has discarded it
        ranges_.push_back({begin, end, units_.size()});
    if (ranges_.size() != first) units_.push_back({root, apart ? split : root, false, {}});
  }
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

DebugFunctions::~DebugFunctions() { dwarf_end(dwarf_); }

DebugFunctions::Unit* DebugFunctions::unit_at(std::uint64_t address) {
  auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                               [](std::uint64_t at, const Range& r) { return at < r.begin; });
  if (next == ranges_.begin() || address >= (--next)->end) return nullptr;
  return &units_[next->unit];
}

void DebugFunctions::read(Dwarf_Die parent, std::int32_t depth, std::vector<Function>* functions) {
  Dwarf_Die entry;
  if (depth > deepest || is_late() || dwarf_child(&parent, &entry) != 0) return;
  do {
    const int tag = dwarf_tag(&entry);
    if (!holds_functions(tag)) continue;
    parents_.emplace(entry.addr, parent);
    if (functions && (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)) {
      Dwarf_Addr base = 0, begin = 0, end = 0;
      for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&entry, at, &base, &begin, &end)) > 0;)
        functions->push_back({begin, end, entry, depth, tag == DW_TAG_inlined_subroutine});
    }
    read(entry, depth + 1, functions);
  } while (dwarf_siblingof(&entry, &entry) == 0);
}

/// With link-time optimisation an entry may belong to another unit.
void DebugFunctions::know_parents(Dwarf_Die& of) {
  Dwarf_Die root;
  if (!dwarf_diecu(&of, &root, nullptr, nullptr)) return;
  if (known_units_.try_emplace(dwarf_dieoffset(&root), true).second) read(root, 0, nullptr);
}

void DebugFunctions::read(Unit& unit) {
  if (unit.read) return;
  unit.read = true;
  known_units_.emplace(dwarf_dieoffset(&unit.contents), true);
  read(unit.contents, 0, &unit.functions);
}

const DebugFunctions::Function* DebugFunctions::innermost(Unit& unit, std::uint64_t address, bool inlined_too) {
  read(unit);
  const Function* found = nullptr;
  for (const Function& function : unit.functions)
    if (address >= function.begin && address < function.end && (inlined_too || !function.inlined) &&
        (!found || function.depth > found->depth))
      found = &function;
  return found;
}

std::string DebugFunctions::name_of(Dwarf_Die function) {
  Dwarf_Die entry = declaration_of(function);
  std::string name = without_arguments(written_name(text_of(entry, DW_AT_name)));
  if (name.empty()) {
    const std::string symbol = text_of(function, DW_AT_linkage_name);
    return symbol.empty() ? symbol : name_of_symbol(symbol);
  }
  int line = 0;
  dwarf_decl_line(&entry, &line);
  for (int step = 0; step < deepest; ++step) {
    know_parents(entry);
    const auto above = parents_.find(entry.addr);
    if (above == parents_.end()) break;
    entry = declaration_of(above->second);
    std::string scope = without_arguments(written_name(text_of(entry, DW_AT_name)));
    switch (dwarf_tag(&entry)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
      if (name == "operator()" && (scope.empty() || scope.starts_with("<lambda"))) {
        if (line == 0) dwarf_decl_line(&entry, &line); // GCC gives the line only for its class
        name = "{lambda:" + std::to_string(line) + "}";
        continue;
      }
      break;
    case DW_TAG_namespace:
      if (has_flag(entry, DW_AT_export_symbols)) scope.clear();
      break;
    case DW_TAG_lexical_block:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit: scope.clear(); break;
    default: break;
    }
    if (!scope.empty()) name = scope + "::" + name;
  }
  return name;
}

/// The path as given to the compiler, if it was relative to the compiler's working directory.
std::string DebugFunctions::file_of(const char* path, Dwarf_Die& unit) const {
  if (!path) return {};
  const std::string directory = text_of(unit, DW_AT_comp_dir) + "/";
  std::string file = path;
  if (directory.size() > 1 && file.starts_with(directory)) file.erase(0, directory.size());
  while (file.starts_with("./")) file.erase(0, 2);
  return file;
}

SourcePlace DebugFunctions::line_at(Unit& unit, std::uint64_t address) const {
  SourcePlace place;
  Dwarf_Line* at = dwarf_getsrc_die(&unit.root, address);
  int line = 0;
  if (!at || dwarf_lineno(at, &line) != 0 || line <= 0) return place;
  place.line = line;
  place.file = file_of(dwarf_linesrc(at, nullptr, nullptr), unit.root);
  return place;
}

/// The first line of a function in the unit's own file: the declaration of generated code is where the compiler
/// just was, such as in an included file.
SourcePlace DebugFunctions::beginning(Unit& unit, const Function& function, SourcePlace place) const {
  const std::string source = file_of(dwarf_diename(&unit.root), unit.root);
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(&unit.root, &lines, &count) != 0) return place;
  int first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* one = dwarf_onesrcline(lines, i);
    Dwarf_Addr address = 0;
    int line = 0;
    if (dwarf_lineaddr(one, &address) != 0 || address < function.begin || address >= function.end ||
        dwarf_lineno(one, &line) != 0 || line <= 0 || (first != 0 && line >= first) ||
        file_of(dwarf_linesrc(one, nullptr, nullptr), unit.root) != source)
      continue;
    first = line;
  }
  if (first == 0) return place;
  place.file = source;
  place.line = first;
  return place;
}

SourcePlace DebugFunctions::function(std::uint64_t address) {
  Unit* unit = unit_at(address);
  const Function* found = unit ? innermost(*unit, address, false) : nullptr;
  if (!found) return {};
  SourcePlace place = line_at(*unit, address); // line of the opening brace: for functions without a declaration
  place.name = name_of(found->entry);
  Dwarf_Die as_declared = declaration_of(found->entry), language;
  if (dwarf_diecu(&as_declared, &language, nullptr, nullptr) && is_fortran(language)) {
    place.is_written = is_written_in_fortran(as_declared, language);
    if (text_of(as_declared, DW_AT_name) == "MAIN__") return beginning(*unit, *found, place);
  }
  Dwarf_Die declared = found->entry;
  follow(declared, DW_AT_abstract_origin); // the definition of a member, not its declaration in the class
  int line = 0;
  if (dwarf_decl_line(&declared, &line) == 0) place.line = line;
  if (const char* file = declared_in(declared)) place.file = file_of(file, unit->root);
  return place;
}

bool DebugFunctions::is_of_probe(Dwarf_Die origin) {
  const auto [known, is_new] = probes_.try_emplace(dwarf_dieoffset(&origin), false);
  if (!is_new) return known->second;
  Dwarf_Die declared = declaration_of(origin);
  const std::string name = text_of(declared, DW_AT_name);
  return known->second = name.starts_with("andes_") || name.starts_with("~andes_");
}

FileScopes DebugFunctions::scopes(std::vector<std::uint64_t> addresses) {
  std::sort(addresses.begin(), addresses.end());
  std::map<Unit*, std::vector<std::uint64_t>> of_units;
  for (const std::uint64_t address : addresses)
    if (Unit* const unit = unit_at(address)) of_units[unit].push_back(address);
  std::map<std::uint64_t, std::map<std::int32_t, Dwarf_Die, std::greater<>>> found; // by depth, the deepest first
  for (const auto& [unit, asked] : of_units) {
    read(*unit);
    for (const Function& function : unit->functions) {
      auto at = std::lower_bound(asked.begin(), asked.end(), function.begin);
      if (at == asked.end() || *at >= function.end) continue;
      Dwarf_Die origin = function.entry;
      follow(origin, DW_AT_abstract_origin);
      if (is_of_probe(origin)) continue;
      for (; at != asked.end() && *at < function.end; ++at) found[*at][function.depth] = origin;
    }
  }
  FileScopes scopes;
  for (auto& [address, around] : found)
    for (auto& [depth, origin] : around) {
      const std::uint64_t number = dwarf_dieoffset(&origin);
      scopes.around[address].push_back(number);
      if (const auto [place, is_new] = scopes.places.try_emplace(number); is_new) place->second = place_of(origin);
    }
  return is_late() ? FileScopes{} : scopes;
}

ScopePlace DebugFunctions::place_of(Dwarf_Die origin) {
  ScopePlace place;
  int line = 0;
  if (dwarf_decl_line(&origin, &line) == 0) place.line = static_cast<unsigned>(line);
  else place.name = name_of(origin);
  Dwarf_Die unit;
  const char* const file = declared_in(origin);
  if (file && dwarf_diecu(&origin, &unit, nullptr, nullptr)) place.file = file_of(file, unit);
  return place;
}

SourcePlace DebugFunctions::call(std::uint64_t address) {
  Unit* unit = unit_at(address);
  if (!unit) return {};
  SourcePlace place = line_at(*unit, address);
  if (const Function* found = innermost(*unit, address, true)) place.name = name_of(found->entry);
  return place;
}

} // namespace andes::monitor
