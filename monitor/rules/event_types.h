// Event types of rules, each with typed parameters. A type is data, so that rules may define types
// of their own; the types that the monitor fills are registered here, from event_types.def.
//
// Invariant: the registered types come first in every list of schemas, in the order of EventType, and
// their parameters in the order of the enumerations in `columns`: the code that fills a table names
// its columns by constants.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace andes::monitor::rules {

enum class ValueType : std::uint8_t {
  integer,    // 64 bits; times in nanoseconds
  real,       // double
  string,     // interned: compared for equality only
  call_stack, // an identifier of the host's, which it turns into text when a rule compares it with a string
};
std::string_view name_of(ValueType type);

/// The value of `call_stack`, `rank` and other identifiers if there is none.
inline constexpr std::int64_t none = -1;

/// Whose rank a parameter holds. Each rank evaluates rules over events of its own.
enum class RankOf : std::uint8_t {
  any,   // or it is no rank
  own,   // the rank that evaluates the rule
  other, // the other side of a message
};

struct Parameter {
  std::string name;
  ValueType type;
  std::string_view meaning;
  std::string_view words; // of a string: its possible values, separated by blanks; empty: any
  RankOf rank = RankOf::any;
};

/// Where the events of a type come from.
enum class Filled : std::uint8_t {
  always,  // the monitor makes them of each run's log
  setting, // likewise, where setting `events` names the type
  rules,   // only rules compose them
};

struct Schema {
  std::string name;
  std::string_view meaning;
  bool small = false; // there are never many: a join may compare all of them with each other
  std::vector<Parameter> parameters;
  Filled filled = Filled::rules;
  bool of_collectives = false; // of nothing else: they are kept in the log apart from messages
};

/// The registered types: index in registered_schemas(), Program::schemas and Tables::tables.
enum class EventType : std::uint32_t {
#define EVENT_TYPE(name, small, filled, meaning) name,
#define PARAMETER(name, type, meaning)
#define OWN_RANK(name, meaning)
#define OTHER_RANK(name, meaning)
#define WORDS(name, meaning, words)
#define END_EVENT_TYPE
#include "monitor/rules/event_types.def"
};

/// Columns of the registered types' tables: columns::lock_operation_group::exclusive.
namespace columns {
#define EVENT_TYPE(name, small, filled, meaning)                                                                       \
  namespace name {                                                                                                     \
  enum : std::uint32_t {
#define PARAMETER(name, type, meaning) name,
#define OWN_RANK(name, meaning) name,
#define OTHER_RANK(name, meaning) name,
#define WORDS(name, meaning, words) name,
#define END_EVENT_TYPE                                                                                                 \
  }                                                                                                                    \
  ;                                                                                                                    \
  }
#include "monitor/rules/event_types.def"
} // namespace columns

const std::vector<Schema>& registered_schemas();

/// The table of types and parameters in docs/rules.md.
std::string described(const std::vector<Schema>& schemas);

} // namespace andes::monitor::rules
