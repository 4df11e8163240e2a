// Facts: the facts about a run in its run file, by name. Names in the source are checked against the list of facts at
// compile time (monitor/interface/facts.h); names in a file may be any.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "monitor/interface/facts.h"

namespace andes {

using Fact = std::variant<std::int64_t, double, std::string>;

class Facts : public std::map<std::string, Fact> {
public:
  using map::map;
  Fact& operator[](FactName name) { return named(name.text); }
  /// Null where it is absent.
  const Fact* find(FactName name) const {
    const auto found = map::find(name.text);
    return found == end() ? nullptr : &found->second;
  }
  bool has(FactName name) const { return find(name) != nullptr; }
  void erase(FactName name) { map::erase(name.text); }

  /// By a name that a file gives.
  Fact& named(const std::string& name) { return map::operator[](name); }
  void erase_named(const std::string& name) { map::erase(name); }
};

} // namespace andes
