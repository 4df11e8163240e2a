// The plan of compiled rules: names are columns, types agree, conditions are sorted by the events
// they use, and there is a way to find each event of a rule.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "monitor/rules/rules.h"
#include "monitor/rules/syntax.h"

namespace andes::monitor::rules {

/// A checked expression. Operands of one operator have one type: conversions are nodes.
struct Node {
  Operator op;
  ValueType type = ValueType::integer;    // type of the value; without meaning for conditions
  std::uint32_t variable = 0, column = 0; // of a parameter
  std::uint32_t constant = 0;             // of a constant: index in Rule::constants
  std::vector<Node> operands;

  bool operator==(const Node&) const = default;
};

struct Constant {
  std::int64_t integer; // or the number of a string
  double real;
};

/// How the events of one variable of a rule are found when those of earlier steps are chosen: all
/// of them (first step, and small types), or by an index over equalities and a window.
struct Step {
  std::uint32_t variable;
  std::vector<Node> own; // conditions on this event alone
  struct Key {
    Node known, own; // must be equal: value of earlier events, and of this one
  };
  std::vector<Key> keys;
  std::optional<Node> window; // value of this event; the bounds are values of earlier events
  std::vector<Node> low, high;
  std::vector<Node> conditions; // all that involve this event and earlier ones
};

struct ValueOf {
  std::uint32_t column;
  Node value;
};

struct CheckedAction {
  ActionKind kind;
  std::uint32_t type = 0;      // compose
  std::uint32_t variable = 0;  // change, erase
  std::vector<ValueOf> values; // compose, change
  std::uint32_t cause = 0;     // observe; also for the members below
  Node rank, thread, call_stack, peer_rank, peer_call_stack, origin_rank, origin_call_stack, instance;
  Node impact; // real
};

struct Rule {
  std::string place;                // "FILE:LINE"
  std::vector<std::uint32_t> types; // of its variables
  std::vector<Constant> constants;
  std::vector<Step> steps; // one for each variable
  std::vector<CheckedAction> actions;
};

struct Plan {
  std::vector<Rule> rules;
  std::size_t first_of_last_source = 0; // among `rules`
  std::vector<std::vector<std::uint8_t>> used; // by type and column: whether a rule reads it
  std::vector<std::uint8_t> read;              // by type: whether a rule looks for such events
  std::vector<std::uint8_t> composed;          // by type: whether a rule composes such events
  Strings strings;                             // strings of the rules
};

/// Puts the conditions of a rule of several events in order. Returns a variable whose events could
/// only be found by trying all combinations, if there is one.
std::optional<std::uint32_t> plan_steps(Rule& rule, const std::vector<Node>& conditions,
                                        const std::vector<Schema>& schemas);

/// Checks the rules of one source and adds them to the program and its plan. The first `registered`
/// types are the monitor's, the others composed by rules.
void check(const std::vector<RuleText>& rules, const Errors& errors, std::size_t registered, Program& program,
           Plan& plan);

} // namespace andes::monitor::rules
