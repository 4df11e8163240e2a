#include "monitor/rules/event_types.h"

#include <utility>

namespace andes::monitor::rules {

std::string_view name_of(ValueType type) {
  switch (type) {
  case ValueType::integer: return "integer";
  case ValueType::real: return "real";
  case ValueType::string: return "string";
  case ValueType::call_stack: return "call stack";
  }
  return "";
}

namespace {

constexpr bool is_of_collectives(EventType type) {
  return type == EventType::collective_operation_group || type == EventType::function_call_collective_operation;
}

Schema made(EventType type, const char* name, bool small, Filled filled, const char* meaning,
            std::vector<Parameter> parameters) {
  return {name, meaning, small, std::move(parameters), filled, is_of_collectives(type)};
}

} // namespace

const std::vector<Schema>& registered_schemas() {
  static const std::vector<Schema> schemas = {
#define EVENT_TYPE(name, small, filled, meaning) made(EventType::name, #name, small, Filled::filled, meaning, {
#define PARAMETER(name, type, meaning) {#name, ValueType::type, meaning, "", RankOf::any},
#define OWN_RANK(name, meaning) {#name, ValueType::integer, meaning, "", RankOf::own},
#define OTHER_RANK(name, meaning) {#name, ValueType::integer, meaning, "", RankOf::other},
#define WORDS(name, meaning, words) {#name, ValueType::string, meaning, words, RankOf::any},
#define END_EVENT_TYPE                                                                                                 \
  }),
#include "monitor/rules/event_types.def"
  };
  return schemas;
}

std::string described(const std::vector<Schema>& schemas) {
  std::string text;
  for (const Schema& schema : schemas) {
    if (!text.empty()) text += "\n";
    text.append("### ").append(schema.name).append("\n\n").append(schema.meaning).append(".");
    if (schema.small) text += " Small: a rule may combine it with anything.";
    if (schema.filled == Filled::setting) text += " Only where the setting `events` names this type.";
    if (schema.filled == Filled::rules) text += " A rule that reads it stands behind one that composes it.";
    text += "\n\n| parameter | type | meaning |\n|---|---|---|\n";
    for (const Parameter& parameter : schema.parameters) {
      text.append("| ").append(parameter.name).append(" | ").append(name_of(parameter.type)).append(" | ");
      text.append(parameter.meaning);
      if (!parameter.words.empty()) {
        text += ": ";
        for (const char c : parameter.words) text += c == ' ' ? std::string(", ") : std::string(1, c);
      }
      text += " |\n";
    }
  }
  return text;
}

} // namespace andes::monitor::rules
