// The facts of a run, by name (facts.def). Names in the source are checked when it is compiled.
#pragma once
#include <string_view>

namespace andes {

enum class FactType { text, whole, real, list }; // list: a JSON array as text
enum class FactWriter { monitor, recover, run };

struct FactDeclaration {
  const char* name;
  FactType type;
  FactWriter writer;
  const char* meaning;
};

inline constexpr FactDeclaration fact_declarations[] = {
#define ANDES_FACT(name, type, writer, meaning) {#name, FactType::type, FactWriter::writer, meaning},
#include "monitor/interface/facts.def"
#undef ANDES_FACT
};

/// The name of a declared fact; any other literal does not compile.
struct FactName {
  consteval FactName(const char* literal) : text(literal) {
    for (const FactDeclaration& fact : fact_declarations)
      if (std::string_view(fact.name) == literal) return;
    throw "no such fact in facts.def";
  }
  const char* text;
};

} // namespace andes
