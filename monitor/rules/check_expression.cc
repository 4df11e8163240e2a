// Types of expressions, and the messages if they do not fit.
#include "monitor/rules/check_expression.h"

#include <algorithm>
#include <bit>

namespace andes::monitor::rules {
namespace {

bool is_text(ValueType type) { return type == ValueType::string || type == ValueType::call_stack; }

bool is_condition(Operator op) { return op >= Operator::equal && op <= Operator::logical_not; }

std::vector<std::string> parameter_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Parameter& parameter : schema.parameters) names.push_back(parameter.name);
  return names;
}

bool is_upper_case(std::string_view word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::vector<std::string> words_of(std::string_view words) {
  std::vector<std::string> all(1);
  for (const char c : words)
    if (c == ' ') all.emplace_back();
    else all.back() += c;
  return all;
}

/// Equal constants get one number, since the search for windows compares expressions.
std::uint32_t constant(Checker& checker, std::int64_t integer, double real) {
  std::vector<Constant>& all = checker.rule.constants;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Constant& c) {
    return c.integer == integer && std::bit_cast<std::int64_t>(c.real) == std::bit_cast<std::int64_t>(real);
  });
  const auto number = static_cast<std::uint32_t>(found - all.begin());
  if (number == all.size()) all.push_back({integer, real});
  return number;
}

Node converted(Node node, Operator op, ValueType type) {
  if (node.type == type) return node;
  return {op, type, 0, 0, 0, {std::move(node)}};
}
Node as_text(Node node) { return converted(std::move(node), Operator::as_text, ValueType::string); }

std::optional<Node> word(Checker& checker, const Expression& e) {
  if (index_of(checker.text->variables, e.text)) {
    checker.error(e.offset, quoted(e.text) + " is an event, not a value; name one of its parameters, as " + e.text +
                                ".start_time");
  } else if (is_upper_case(e.text)) {
    return constant_node(checker, Operator::string, ValueType::string, intern(checker.plan.strings, e.text));
  } else {
    std::string remedy = "; strings stand in quotes, parameters behind their event";
    for (std::size_t v = 0; v < checker.rule.types.size(); ++v)
      if (index_of(checker.program.schemas[checker.rule.types[v]].parameters, e.text)) {
        remedy = "; did you mean '" + checker.text->variables[v].name + "." + e.text + "'?";
        break;
      }
    checker.error(e.offset, "unknown word " + quoted(e.text) + remedy);
  }
  return {};
}

/// Checked operands, all numbers; all real if one of them is, or if `real`.
std::optional<std::vector<Node>> numbers(Checker& checker, const Expression& e, bool real) {
  std::vector<Node> nodes;
  bool good = true;
  for (const Expression& operand : e.operands) {
    std::optional<Node> node = value(checker, operand);
    if (node && !is_number(node->type)) {
      checker.error(e.offset,
                    quoted(name_of(e.op)) + " needs numbers; " + shown(operand) + " is " + with_article(node->type));
      node.reset();
    }
    good = good && node;
    if (!node) continue;
    real = real || node->type == ValueType::real;
    nodes.push_back(std::move(*node));
  }
  if (!good) return {};
  if (real)
    for (Node& node : nodes) node = as_real(std::move(node));
  return nodes;
}

/// A parameter with words can only be compared with these.
void check_words(Checker& checker, const Expression& e) {
  for (const int side : {0, 1}) {
    const Expression& p = e.operands[static_cast<std::size_t>(side)];
    if (p.op != Operator::parameter) continue;
    const auto variable = index_of(checker.text->variables, p.text);
    const Schema& schema = checker.program.schemas[checker.rule.types[*variable]];
    check_word(checker, schema.parameters[*index_of(schema.parameters, p.parameter)],
               e.operands[static_cast<std::size_t>(1 - side)]);
  }
}

std::optional<Node> comparison(Checker& checker, const Expression& e) {
  const bool equality = e.op == Operator::same || e.op == Operator::equal || e.op == Operator::unequal;
  if (!equality) {
    auto operands = numbers(checker, e, false);
    if (!operands) return {};
    return Node{e.op, ValueType::integer, 0, 0, 0, std::move(*operands)};
  }
  std::optional<Node> left = value(checker, e.operands[0]), right = value(checker, e.operands[1]);
  if (!left || !right) return {};
  for (const int side : {0, 1}) {
    const ValueType type = (side == 0 ? left : right)->type;
    if (e.op == Operator::same && !is_text(type)) {
      checker.error(e.offset, "'eq' compares strings; " + shown(e.operands[static_cast<std::size_t>(side)]) + " is " +
                                  with_article(type) + ", compare it with '='");
      return {};
    }
  }
  if (is_text(left->type) != is_text(right->type)) {
    checker.error(e.offset, quoted(name_of(e.op)) + " compares " + with_article(left->type) + " (" +
                                shown(e.operands[0]) + ") with " + with_article(right->type) + " (" +
                                shown(e.operands[1]) + "); both must be numbers, or both strings");
    return {};
  }
  check_words(checker, e);
  if (left->type != right->type) {
    const bool text = is_text(left->type);
    left = text ? as_text(std::move(*left)) : as_real(std::move(*left));
    right = text ? as_text(std::move(*right)) : as_real(std::move(*right));
  }
  return Node{e.op, ValueType::integer, 0, 0, 0, {std::move(*left), std::move(*right)}};
}

} // namespace

std::string with_article(ValueType type) {
  return (type == ValueType::integer ? "an " : "a ") + std::string(name_of(type));
}

bool is_number(ValueType type) { return type == ValueType::integer || type == ValueType::real; }

std::string shown(const Expression& e) {
  switch (e.op) {
  case Operator::parameter: return e.text + "." + e.parameter;
  case Operator::string: return "\"" + e.text + "\"";
  case Operator::integer:
  case Operator::real:
  case Operator::word: return e.text;
  default: return "the value of '" + std::string(name_of(e.op)) + "'";
  }
}

void check_word(Checker& checker, const Parameter& parameter, const Expression& value) {
  if (parameter.words.empty() || (value.op != Operator::string && value.op != Operator::word)) return;
  const std::vector<std::string> words = words_of(parameter.words);
  if (std::find(words.begin(), words.end(), value.text) != words.end()) return;
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  checker.error(value.offset, "parameter '" + parameter.name + "' is never " + shown(value) + "; it is one of " + all);
}

Node constant_node(Checker& checker, Operator op, ValueType type, std::int64_t integer, double real) {
  return {op, type, 0, 0, constant(checker, integer, real), {}};
}

Node parameter_node(Checker& checker, std::uint32_t variable, std::uint32_t column) {
  const std::uint32_t type = checker.rule.types[variable];
  checker.plan.used[type][column] = 1;
  return {Operator::parameter, checker.program.schemas[type].parameters[column].type, variable, column, 0, {}};
}

std::optional<std::uint32_t> variable_named(Checker& checker, const std::string& name, std::size_t offset) {
  const std::vector<EventVariable>& variables = checker.text->variables;
  if (const auto found = index_of(variables, name)) return found;
  std::vector<std::string>& unknown = checker.unknown;
  if (std::find(unknown.begin(), unknown.end(), name) != unknown.end()) return {};
  unknown.push_back(name);
  std::string all;
  for (const EventVariable& variable : variables) all += (all.empty() ? "" : ", ") + variable.name;
  checker.error(offset, "unknown event variable " + quoted(name) + "; this rule has " + all);
  return {};
}

std::optional<std::uint32_t> parameter_named(Checker& checker, std::uint32_t type, const std::string& name,
                                             std::size_t offset) {
  const Schema& schema = checker.program.schemas[type];
  if (const auto found = index_of(schema.parameters, name)) return found;
  checker.error(offset, "event type '" + schema.name + "' has no parameter " + quoted(name) +
                            hint(name, parameter_names(schema), "; docs/rules.md lists what it has"));
  return {};
}

Node as_real(Node node) { return converted(std::move(node), Operator::as_real, ValueType::real); }

std::optional<Node> value(Checker& checker, const Expression& e) {
  switch (e.op) {
  case Operator::integer: return constant_node(checker, e.op, ValueType::integer, e.integer);
  case Operator::real: return constant_node(checker, e.op, ValueType::real, 0, e.real);
  case Operator::string: return constant_node(checker, e.op, ValueType::string, intern(checker.plan.strings, e.text));
  case Operator::word: return word(checker, e);
  case Operator::parameter: {
    const auto variable = variable_named(checker, e.text, e.offset);
    if (!variable) return {};
    const auto column = parameter_named(checker, checker.rule.types[*variable], e.parameter, e.parameter_offset);
    if (!column) return {};
    return parameter_node(checker, *variable, *column);
  }
  case Operator::negate:
  case Operator::add:
  case Operator::subtract:
  case Operator::multiply:
  case Operator::divide:
  case Operator::minimum:
  case Operator::maximum: {
    auto operands = numbers(checker, e, e.op == Operator::divide);
    if (!operands) return {};
    const ValueType type = operands->front().type;
    return Node{e.op, type, 0, 0, 0, std::move(*operands)};
  }
  default:
    checker.error(e.offset, quoted(name_of(e.op)) +
                                " makes a condition where a value is wanted; conditions stand behind 'where'");
    return {};
  }
}

std::optional<Node> condition(Checker& checker, const Expression& e) {
  if (!is_condition(e.op)) {
    if (const auto node = value(checker, e))
      checker.error(e.offset,
                    shown(e) + " is " + with_article(node->type) + ", not a condition; compare it with something");
    return {};
  }
  if (e.op < Operator::logical_and) return comparison(checker, e);
  Node result{e.op, ValueType::integer, 0, 0, 0, {}};
  bool good = true;
  for (const Expression& operand : e.operands) {
    std::optional<Node> node = condition(checker, operand);
    good = good && node;
    if (node) result.operands.push_back(std::move(*node));
  }
  if (!good) return {};
  return result;
}

} // namespace andes::monitor::rules
