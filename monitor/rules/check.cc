// From names to columns: finds every variable, type and parameter of a rule, checks the types of its
// expressions and makes its plan.
#include <algorithm>
#include <bit>

#include "monitor/rules/plan.h"

namespace andes::rules {
namespace {

constexpr std::size_t most_variables = 8;

struct Checker {
  const Errors& errors;
  Program& program;
  Plan& plan;
  std::size_t registered; // types that the monitor fills
  const RuleText* text;
  Rule rule;
  std::vector<std::string> unknown; // variables that were reported

  void error(std::size_t offset, std::string message) { report(errors, offset, std::move(message)); }
};

std::string a(ValueType type) {
  return (type == ValueType::integer ? "an " : "a ") + std::string(name_of(type));
}

bool is_number(ValueType type) { return type == ValueType::integer || type == ValueType::real; }
bool is_text(ValueType type) { return type == ValueType::string || type == ValueType::call_stack; }

bool is_condition(Operator op) { return op >= Operator::equal && op <= Operator::logical_not; }

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

std::vector<std::string> parameter_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Parameter& parameter : schema.parameters) names.push_back(parameter.name);
  return names;
}

template <class Named> std::optional<std::uint32_t> index_of(const std::vector<Named>& all, std::string_view name) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return static_cast<std::uint32_t>(i);
  return {};
}

bool is_upper_case(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::vector<std::string> words_of(const std::string& words) {
  std::vector<std::string> all(1);
  for (const char c : words)
    if (c == ' ') all.emplace_back();
    else all.back() += c;
  return all;
}

/// Whether a string constant is among the words that the parameter can hold.
void check_word(Checker& checker, const Parameter& parameter, const Expression& value) {
  if (parameter.words.empty() || (value.op != Operator::string && value.op != Operator::word)) return;
  const std::vector<std::string> words = words_of(parameter.words);
  if (std::find(words.begin(), words.end(), value.text) != words.end()) return;
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  checker.error(value.offset, "parameter '" + parameter.name + "' is never " + shown(value) +
                                  "; it is one of " + all);
}

/// Equal constants have one number: expressions are compared when windows are looked for.
std::uint32_t constant(Checker& checker, std::int64_t integer, double real) {
  std::vector<Constant>& all = checker.rule.constants;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Constant& c) {
    return c.integer == integer && std::bit_cast<std::int64_t>(c.real) == std::bit_cast<std::int64_t>(real);
  });
  const auto number = static_cast<std::uint32_t>(found - all.begin());
  if (number == all.size()) all.push_back({integer, real});
  return number;
}

Node constant_node(Checker& checker, Operator op, ValueType type, std::int64_t integer, double real = 0) {
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

Node converted(Node node, Operator op, ValueType type) {
  if (node.type == type) return node;
  return {op, type, 0, 0, 0, {std::move(node)}};
}
Node as_real(Node node) { return converted(std::move(node), Operator::as_real, ValueType::real); }
Node as_text(Node node) { return converted(std::move(node), Operator::as_text, ValueType::string); }

std::optional<Node> value(Checker& checker, const Expression& e);

std::optional<Node> word(Checker& checker, const Expression& e) {
  if (index_of(checker.text->variables, e.text)) {
    checker.error(e.offset, quoted(e.text) + " is an event, not a value; name one of its parameters, as " +
                                e.text + ".start_time");
  } else if (is_upper_case(e.text)) {
    return constant_node(checker, Operator::string, ValueType::string,
                         intern(checker.plan.strings, e.text));
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

/// Checked operands, all numbers; reals if one is or if `real`.
std::optional<std::vector<Node>> numbers(Checker& checker, const Expression& e, bool real) {
  std::vector<Node> nodes;
  bool good = true;
  for (const Expression& operand : e.operands) {
    std::optional<Node> node = value(checker, operand);
    if (node && !is_number(node->type)) {
      checker.error(e.offset, quoted(name_of(e.op)) + " needs numbers; " + shown(operand) +
                                  " is " + a(node->type));
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

std::optional<Node> value(Checker& checker, const Expression& e) {
  switch (e.op) {
  case Operator::integer: return constant_node(checker, e.op, ValueType::integer, e.integer);
  case Operator::real: return constant_node(checker, e.op, ValueType::real, 0, e.real);
  case Operator::string:
    return constant_node(checker, e.op, ValueType::string, intern(checker.plan.strings, e.text));
  case Operator::word: return word(checker, e);
  case Operator::parameter: {
    const auto variable = variable_named(checker, e.text, e.offset);
    if (!variable) return {};
    const auto column =
        parameter_named(checker, checker.rule.types[*variable], e.parameter, e.parameter_offset);
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
    checker.error(e.offset, quoted(name_of(e.op)) + " makes a condition where a value is wanted; conditions stand behind 'where'");
    return {};
  }
}

/// The words of a parameter bound what it can be compared with.
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
                                  a(type) + ", compare it with '='");
      return {};
    }
  }
  if (is_text(left->type) != is_text(right->type)) {
    checker.error(e.offset, quoted(name_of(e.op)) + " compares " + a(left->type) + " (" +
                                shown(e.operands[0]) + ") with " + a(right->type) + " (" +
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

std::optional<Node> condition(Checker& checker, const Expression& e) {
  if (!is_condition(e.op)) {
    if (const auto node = value(checker, e))
      checker.error(e.offset, shown(e) + " is " + a(node->type) + ", not a condition; compare it with something");
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

/// A value for a parameter or option of this name, if it can be had.
struct Given {
  const Assignment* assignment;
  Node value;
};

std::vector<Given> given_values(Checker& checker, const std::vector<Assignment>& assignments) {
  std::vector<Given> all;
  for (const Assignment& assignment : assignments) {
    const auto first = std::find_if(assignments.begin(), assignments.end(), [&](const Assignment& other) {
      return other.name == assignment.name;
    });
    if (&*first != &assignment)
      checker.error(assignment.offset, quoted(assignment.name) + " is assigned twice; take one out");
    else if (auto node = value(checker, assignment.value))
      all.push_back({&assignment, std::move(*node)});
  }
  return all;
}

/// The values as columns of an event type.
std::vector<ValueOf> values_for(Checker& checker, std::uint32_t type, std::vector<Given> given) {
  std::vector<ValueOf> values;
  for (Given& g : given) {
    const auto column = parameter_named(checker, type, g.assignment->name, g.assignment->offset);
    if (!column) continue;
    const Parameter& parameter = checker.program.schemas[type].parameters[*column];
    if (parameter.type == ValueType::real && g.value.type == ValueType::integer)
      g.value = as_real(std::move(g.value));
    if (parameter.type != g.value.type) {
      checker.error(g.assignment->value.offset,
                    "parameter '" + parameter.name + "' is " + a(parameter.type) + ", " +
                        shown(g.assignment->value) + " is " + a(g.value.type));
      continue;
    }
    check_word(checker, parameter, g.assignment->value);
    values.push_back({*column, std::move(g.value)});
  }
  return values;
}

void compose(Checker& checker, const Action& action) {
  std::vector<Given> given = given_values(checker, action.assignments);
  std::vector<Schema>& schemas = checker.program.schemas;
  auto type = index_of(schemas, action.name);
  if (!type) { // a type of the rules' own has the parameters that the first of them gives
    Schema schema{action.name, "composed by rules", false, {}};
    for (const Given& g : given)
      schema.parameters.push_back({g.assignment->name, g.value.type, "", ""});
    type = static_cast<std::uint32_t>(schemas.size());
    checker.plan.used.emplace_back(schema.parameters.size(), 0);
    checker.plan.read.push_back(0);
    schemas.push_back(std::move(schema));
  } else if (*type >= checker.registered) {
    for (const Parameter& parameter : schemas[*type].parameters)
      if (!index_of(action.assignments, parameter.name))
        checker.error(action.name_offset, "event type '" + action.name + "' is composed with '" +
                                              parameter.name + "' by an earlier rule; give it here too");
  }
  CheckedAction checked{};
  checked.kind = ActionKind::compose;
  checked.type = *type;
  checked.values = values_for(checker, *type, std::move(given));
  checker.rule.actions.push_back(std::move(checked));
}

/// Text of a string option; empty where it is not given.
std::string text_option(Checker& checker, const Action& action, std::string_view name) {
  const auto found = index_of(action.assignments, name);
  if (!found) return "";
  const Expression& e = action.assignments[*found].value;
  if (e.op == Operator::string || (e.op == Operator::word && name == "cause")) return e.text;
  checker.error(e.offset, "option '" + std::string(name) + "' is a string; put it in quotes");
  return "";
}

/// A name as programs like it: small letters, digits, `_`.
std::string identifier_of(std::string_view name) {
  std::string identifier;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') identifier += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80)
      identifier += c;
    else if (!identifier.empty() && identifier.back() != '_') identifier += '_';
  }
  if (!identifier.empty() && identifier.back() == '_') identifier.pop_back();
  return identifier;
}

/// The cause that the options name: an earlier one of the same identifier, or a new one.
std::uint32_t cause_of(Checker& checker, const Action& action) {
  Cause cause{text_option(checker, action, "cause"), text_option(checker, action, "name"),
              text_option(checker, action, "description"), text_option(checker, action, "advice")};
  if (cause.identifier.empty()) cause.identifier = identifier_of(cause.name);
  std::vector<Cause>& causes = checker.program.causes;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (causes[i].identifier != cause.identifier) continue;
    if ((!cause.name.empty() && cause.name != causes[i].name) ||
        (!cause.description.empty() && cause.description != causes[i].description) ||
        (!cause.advice.empty() && cause.advice != causes[i].advice))
      checker.error(action.offset, "cause '" + cause.identifier +
                                       "' has other texts in an earlier rule; leave them out here, or "
                                       "give another 'cause'");
    return static_cast<std::uint32_t>(i);
  }
  if (cause.name.empty())
    checker.error(action.offset, "observation has no name; add name = \"...\"");
  causes.push_back(std::move(cause));
  return static_cast<std::uint32_t>(causes.size() - 1);
}

struct Place {
  const char* name;
  Node CheckedAction::*node;
  ValueType type;
};
constexpr Place places[] = {
    {"rank", &CheckedAction::rank, ValueType::integer},
    {"thread", &CheckedAction::thread, ValueType::integer},
    {"call_stack", &CheckedAction::call_stack, ValueType::call_stack},
    {"peer_rank", &CheckedAction::peer_rank, ValueType::integer},
    {"peer_call_stack", &CheckedAction::peer_call_stack, ValueType::call_stack},
    {"origin_rank", &CheckedAction::origin_rank, ValueType::integer},
    {"origin_call_stack", &CheckedAction::origin_call_stack, ValueType::call_stack},
    {"instance", &CheckedAction::instance, ValueType::integer},
};

/// What a place holds if the rule does not say: the parameter of that name of the rule's first event.
Node place_of_first_event(Checker& checker, const Place& place) {
  const std::vector<Parameter>& parameters = checker.program.schemas[checker.rule.types[0]].parameters;
  auto column = index_of(parameters, place.name);
  if (!column && place.node == &CheckedAction::instance) column = index_of(parameters, "start_time");
  if (column && parameters[*column].type == place.type) return parameter_node(checker, 0, *column);
  return constant_node(checker, Operator::integer, place.type, none);
}

void observe(Checker& checker, const Action& action) {
  CheckedAction checked{};
  checked.kind = ActionKind::observe;
  std::vector<std::string> options = {"cause", "name", "description", "advice", "impact"};
  for (const Place& place : places) options.push_back(place.name);
  std::vector<Assignment> numbers;
  for (const Assignment& assignment : action.assignments) {
    const auto option = std::find(options.begin(), options.end(), assignment.name);
    if (option == options.end())
      checker.error(assignment.offset, "observations have no option " + quoted(assignment.name) +
                                           hint(assignment.name, options, "; docs/rules.md lists them"));
    if (option - options.begin() >= 4 || option == options.end()) numbers.push_back(assignment);
  }
  checked.cause = cause_of(checker, action);
  std::vector<Given> given = given_values(checker, numbers);
  const auto take = [&](const char* name) -> Given* {
    for (Given& g : given)
      if (g.assignment->name == name) return &g;
    return nullptr;
  };
  if (Given* impact = take("impact")) {
    if (is_number(impact->value.type)) checked.impact = as_real(std::move(impact->value));
    else
      checker.error(impact->assignment->value.offset,
                    "option 'impact' is a number of nanoseconds, " + shown(impact->assignment->value) +
                        " is " + a(impact->value.type));
  } else if (!index_of(action.assignments, "impact")) {
    checker.error(action.offset, "observation has no impact; add impact = the nanoseconds that were lost");
  }
  for (const Place& place : places) {
    Given* g = take(place.name);
    if (g && g->value.type != place.type)
      checker.error(g->assignment->value.offset, "option '" + std::string(place.name) + "' is " +
                                                     a(place.type) + ", " + shown(g->assignment->value) +
                                                     " is " + a(g->value.type));
    checked.*place.node = g ? std::move(g->value) : place_of_first_event(checker, place);
  }
  checker.rule.actions.push_back(std::move(checked));
}

void act(Checker& checker, const Action& action) {
  if (action.kind == ActionKind::compose) return compose(checker, action);
  if (action.kind == ActionKind::observe) return observe(checker, action);
  const auto variable = variable_named(checker, action.name, action.name_offset);
  std::vector<Given> given = given_values(checker, action.assignments);
  if (!variable) return;
  CheckedAction checked{};
  checked.kind = action.kind;
  checked.variable = *variable;
  checked.values = values_for(checker, checker.rule.types[*variable], std::move(given));
  checker.rule.actions.push_back(std::move(checked));
}

/// Types of the rule's variables; false: some are unknown.
bool find_types(Checker& checker) {
  const std::vector<EventVariable>& variables = checker.text->variables;
  bool good = true;
  if (variables.size() > most_variables) {
    checker.error(checker.text->offset, "rule has " + std::to_string(variables.size()) +
                                            " events; at most " + std::to_string(most_variables) +
                                            ", compose pairs of them first");
    return false;
  }
  for (const EventVariable& variable : variables) {
    if (&variables[*index_of(variables, variable.name)] != &variable) {
      checker.error(variable.name_offset, "event variable " + quoted(variable.name) +
                                              " stands here twice; give one another name");
      good = false;
    }
    const auto type = index_of(checker.program.schemas, variable.type);
    if (!type) {
      std::vector<std::string> names;
      for (const Schema& schema : checker.program.schemas) names.push_back(schema.name);
      checker.error(variable.type_offset,
                    "unknown event type " + quoted(variable.type) +
                        hint(variable.type, names, "; docs/rules.md lists them, earlier rules compose more"));
      good = false;
      continue;
    }
    checker.rule.types.push_back(*type);
    checker.plan.read[*type] = 1;
  }
  return good;
}

void check(const RuleText& text, const Errors& errors, std::size_t registered, Program& program,
           Plan& plan) {
  Checker checker{errors, program, plan, registered, &text, {}, {}};
  checker.rule.place = errors.source->name + ":" + std::to_string(line_of(*errors.source, text.offset));
  const std::size_t errors_before = errors.all->size();
  if (!find_types(checker)) return;
  std::vector<Node> conditions; // that must all hold
  if (text.where) {
    const bool several = text.where->op == Operator::logical_and;
    std::optional<Node> where = condition(checker, *text.where);
    if (where && several) conditions = std::move(where->operands);
    else if (where) conditions.push_back(std::move(*where));
  }
  for (const Action& action : text.actions) act(checker, action);
  if (const auto missing = plan_steps(checker.rule, std::move(conditions), program.schemas);
      missing && errors.all->size() == errors_before) {
    const EventVariable& variable = text.variables[*missing];
    checker.error(variable.name_offset,
                  "event " + quoted(variable.name) + " would be combined with every other event; add to 'where' an "
                  "equality with another event (" + variable.name + ".rank = ...), or a lower and an upper bound of one of its times");
  }
  program.joins = program.joins || text.variables.size() > 1;
  plan.rules.push_back(std::move(checker.rule));
}

} // namespace

void check(const std::vector<RuleText>& rules, const Errors& errors, std::size_t registered,
           Program& program, Plan& plan) {
  for (const RuleText& rule : rules) check(rule, errors, registered, program, plan);
}

} // namespace andes::rules
