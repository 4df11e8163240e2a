// The syntax tree of a rule file, before names and types are checked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "monitor/rules/diagnostic.h"

namespace andes::monitor::rules {

enum class Operator : std::uint8_t {
  // Leaves; the text of a word is VARIABLE or WORD, of a parameter VARIABLE.PARAMETER.
  integer,
  real,
  string,
  word,
  parameter,
  // Numbers.
  negate,
  add,
  subtract,
  multiply,
  divide,
  minimum,
  maximum,
  // Comparisons; `same` is eq.
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  same,
  logical_and,
  logical_or,
  logical_not,
  // Conversions inserted by the checker: an integer as a real, a call stack as the number of its text.
  as_real,
  as_text,
};
/// The operator's spelling in rules.
std::string_view name_of(Operator op);

struct Expression {
  Operator op;
  std::size_t offset;           // of a leaf its begin, else its operator
  std::string text;             // string, word, variable
  std::string parameter;
  std::size_t parameter_offset = 0;
  std::int64_t integer = 0;
  double real = 0;
  std::vector<Expression> operands; // `and`, `or`, min and max: two and more
  std::uint32_t depth = 1;
};

struct EventVariable {
  std::string name, type;
  std::size_t name_offset, type_offset;
};

struct Assignment {
  std::string name;
  std::size_t offset;
  Expression value;
};

enum class ActionKind : std::uint8_t { compose, change, erase, observe };

struct Action {
  ActionKind kind;
  std::size_t offset;
  std::string name; // type to compose, variable to change or delete
  std::size_t name_offset;
  std::vector<Assignment> assignments;
};

struct RuleText {
  std::size_t offset;
  std::vector<EventVariable> variables;
  std::optional<Expression> where;
  std::vector<Action> actions;
};

/// The well-formed rules of a source; errors are reported.
std::vector<RuleText> parsed(const Errors& errors);

} // namespace andes::monitor::rules
