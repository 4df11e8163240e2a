// The functions of one file's DWARF by address, with their names as the user wrote them. A unit's entries
// are read when the first address in it is looked up.
#pragma once
#include <elfutils/libdw.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "monitor/finish/scope_table.h"
#include "monitor/finish/symbols.h"

namespace andes::monitor {

class DebugFunctions {
public:
  /// Nothing more is read once `deadline` has passed.
  DebugFunctions(Elf* elf, std::chrono::steady_clock::time_point deadline);
  ~DebugFunctions();
  DebugFunctions(const DebugFunctions&) = delete;
  DebugFunctions& operator=(const DebugFunctions&) = delete;

  /// Whether the file has debug information of any code.
  bool any() const { return !ranges_.empty(); }

  /// The function that begins at the address or contains it; an empty name: not known.
  SourcePlace function(std::uint64_t address);

  /// The function that stands at the address in the source, inlined or not, and the line there.
  SourcePlace call(std::uint64_t address);

  /// The functions around each of the addresses; nothing if not all could be read in time.
  FileScopes scopes(std::vector<std::uint64_t> addresses);

private:
  struct Function {
    std::uint64_t begin, end;
    Dwarf_Die entry;
    std::int32_t depth; // depth in the tree of entries
    bool inlined;
  };
  struct Unit {
    Dwarf_Die root;     // entry with the lines
    Dwarf_Die contents; // entry with the functions: another one if the unit is split
    bool read = false;
    std::vector<Function> functions;
  };
  struct Range {
    std::uint64_t begin, end;
    std::size_t unit;
  };

  bool is_late() const { return std::chrono::steady_clock::now() > deadline_; }
  Unit* unit_at(std::uint64_t address);
  void read(Unit& unit);
  const Function* innermost(Unit& unit, std::uint64_t address, bool inlined_too);
  void read(Dwarf_Die parent, std::int32_t depth, std::vector<Function>* functions);
  void know_parents(Dwarf_Die& of);
  bool is_of_probe(Dwarf_Die origin);
  ScopePlace place_of(Dwarf_Die origin);
  std::string name_of(Dwarf_Die function);
  SourcePlace line_at(Unit& unit, std::uint64_t address) const;
  SourcePlace beginning(Unit& unit, const Function& function, SourcePlace place) const;
  std::string file_of(const char* path, Dwarf_Die& unit) const;

  std::chrono::steady_clock::time_point deadline_;
  Dwarf* dwarf_;
  std::vector<Unit> units_;
  std::vector<Range> ranges_; // by address
  std::unordered_map<const void*, Dwarf_Die> parents_; // parents of the entries that are scopes
  std::unordered_map<Dwarf_Off, bool> known_units_;    // units whose entries are in parents_
  std::unordered_map<Dwarf_Off, bool> probes_; // whether such an entry is a function of probe.h
};

} // namespace andes::monitor
