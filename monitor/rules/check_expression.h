// Checks the expressions of a rule: every variable and parameter must exist, every type must fit.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "monitor/rules/plan.h"

namespace andes::monitor::rules {

/// A rule being checked.
struct Checker {
  const Errors& errors;
  Program& program;
  Plan& plan;
  std::size_t registered; // number of types that the monitor fills
  const RuleText* text;
  Rule rule;
  std::vector<std::string> unknown; // variables that were reported

  void error(std::size_t offset, std::string message) { report(errors, offset, std::move(message)); }
};

/// Index of the element of this name.
template <class Named>
std::optional<std::uint32_t> index_of(const std::vector<Named>& all, std::string_view name) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return static_cast<std::uint32_t>(i);
  return {};
}

/// "an integer", "a string"; and an expression as in its source text, for messages.
std::string with_article(ValueType type);
std::string shown(const Expression& e);

bool is_number(ValueType type);

/// Checked value of an expression, or checked condition; nothing if it has errors.
std::optional<Node> value(Checker& checker, const Expression& e);
std::optional<Node> condition(Checker& checker, const Expression& e);

Node constant_node(Checker& checker, Operator op, ValueType type, std::int64_t integer, double real = 0);
Node parameter_node(Checker& checker, std::uint32_t variable, std::uint32_t column);
Node as_real(Node node);

/// Look up names; unknown names are reported, a variable once per rule.
std::optional<std::uint32_t> variable_named(Checker& checker, const std::string& name, std::size_t offset);
std::optional<std::uint32_t> parameter_named(Checker& checker, std::uint32_t type, const std::string& name,
                                             std::size_t offset);

/// Reports a part of the condition that holds for events of two ranks only (check_ranks.cc).
void check_ranks(Checker& checker, const Expression& where);

/// Reports a string constant that is not among the words that the parameter can hold.
void check_word(Checker& checker, const Parameter& parameter, const Expression& value);

} // namespace andes::monitor::rules
