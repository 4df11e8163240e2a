// Checks rules as a whole: the types of their events, the values that their actions set, the causes
// they report.
#include <algorithm>

#include "monitor/rules/check_expression.h"

namespace andes::monitor::rules {
namespace {

constexpr std::size_t most_variables = 8;

/// A value for a parameter or option of this name, if it is valid.
struct Given {
  const Assignment* assignment;
  Node value;
};

std::vector<Given> given_values(Checker& checker, const std::vector<Assignment>& assignments) {
  std::vector<Given> all;
  for (const Assignment& assignment : assignments) {
    const auto first = std::find_if(assignments.begin(), assignments.end(),
                                    [&](const Assignment& other) { return other.name == assignment.name; });
    if (&*first != &assignment)
      checker.error(assignment.offset, quoted(assignment.name) + " is assigned twice; take one out");
    else if (auto node = value(checker, assignment.value)) all.push_back({&assignment, std::move(*node)});
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
    if (parameter.type == ValueType::real && g.value.type == ValueType::integer) g.value = as_real(std::move(g.value));
    if (parameter.type != g.value.type) {
      checker.error(g.assignment->value.offset, "parameter '" + parameter.name + "' is " +
                                                    with_article(parameter.type) + ", " + shown(g.assignment->value) +
                                                    " is " + with_article(g.value.type));
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
  if (!type) { // a type composed by rules has the parameters of its first `compose`
    Schema schema{action.name, "composed by rules", false, {}};
    const std::vector<std::uint32_t>& types = checker.rule.types;
    schema.of_collectives = !types.empty() && std::all_of(types.begin(), types.end(),
                                                          [&](std::uint32_t of) { return schemas[of].of_collectives; });
    for (const Given& g : given) schema.parameters.push_back({g.assignment->name, g.value.type, "", ""});
    type = static_cast<std::uint32_t>(schemas.size());
    checker.plan.used.emplace_back(schema.parameters.size(), 0);
    checker.plan.read.push_back(0);
    checker.plan.composed.push_back(0);
    schemas.push_back(std::move(schema));
  } else if (*type >= checker.registered) {
    for (const Parameter& parameter : schemas[*type].parameters)
      if (!index_of(action.assignments, parameter.name))
        checker.error(action.name_offset, "event type '" + action.name + "' is composed with '" + parameter.name +
                                              "' by an earlier rule; give it here too");
  }
  checker.plan.composed[*type] = 1;
  CheckedAction checked{};
  checked.kind = ActionKind::compose;
  checked.type = *type;
  checked.values = values_for(checker, *type, std::move(given));
  checker.rule.actions.push_back(std::move(checked));
}

/// Text of a string option; empty if it is not given.
std::string text_option(Checker& checker, const Action& action, std::string_view name) {
  const auto found = index_of(action.assignments, name);
  if (!found) return "";
  const Expression& e = action.assignments[*found].value;
  if (e.op == Operator::string || (e.op == Operator::word && name == "cause")) return e.text;
  checker.error(e.offset, "option '" + std::string(name) + "' is a string; put it in quotes");
  return "";
}

/// A name for programs: small letters, digits, `_`.
std::string identifier_of(std::string_view name) {
  std::string identifier;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') identifier += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80) identifier += c;
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
  if (cause.identifier.empty() && !cause.name.empty())
    checker.error(action.offset, "observation's name has no letter; add cause = a name for programs");
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
  if (cause.name.empty()) checker.error(action.offset, "observation has no name; add name = \"...\"");
  causes.push_back(std::move(cause));
  return static_cast<std::uint32_t>(causes.size() - 1);
}

struct Place {
  const char* name;
  Node CheckedAction::* node;
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

/// Default of a place: the parameter of that name of the rule's first event.
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
      checker.error(impact->assignment->value.offset, "option 'impact' is a number of nanoseconds, " +
                                                          shown(impact->assignment->value) + " is " +
                                                          with_article(impact->value.type));
  } else if (!index_of(action.assignments, "impact")) {
    checker.error(action.offset, "observation has no impact; add impact = the nanoseconds that were lost");
  }
  for (const Place& place : places) {
    Given* g = take(place.name);
    if (g && g->value.type != place.type)
      checker.error(g->assignment->value.offset, "option '" + std::string(place.name) + "' is " +
                                                     with_article(place.type) + ", " + shown(g->assignment->value) +
                                                     " is " + with_article(g->value.type));
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
    checker.error(checker.text->offset, "rule has " + std::to_string(variables.size()) + " events; at most " +
                                            std::to_string(most_variables) + ", compose pairs of them first");
    return false;
  }
  for (const EventVariable& variable : variables) {
    if (&variables[*index_of(variables, variable.name)] != &variable) {
      checker.error(variable.name_offset,
                    "event variable " + quoted(variable.name) + " stands here twice; give one another name");
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
    if (checker.program.schemas[*type].filled == Filled::rules && !checker.plan.composed[*type]) {
      checker.error(variable.type_offset, "no rule before this one composes '" + variable.type +
                                              "', and the monitor makes no such events; compose them first");
      good = false;
    }
    checker.rule.types.push_back(*type);
    checker.plan.read[*type] = 1;
  }
  return good;
}

void check(const RuleText& text, const Errors& errors, std::size_t registered, Program& program, Plan& plan) {
  Checker checker{errors, program, plan, registered, &text, {}, {}};
  checker.rule.place = errors.source->name + ":" + std::to_string(line_of(*errors.source, text.offset));
  const std::size_t errors_before = errors.all->size();
  if (!find_types(checker)) return;
  std::vector<Node> conditions; // all of them must hold
  if (text.where) {
    check_ranks(checker, *text.where);
    const bool several = text.where->op == Operator::logical_and;
    std::optional<Node> where = condition(checker, *text.where);
    if (where && several) conditions = std::move(where->operands);
    else if (where) conditions.push_back(std::move(*where));
  }
  for (const Action& action : text.actions) act(checker, action);
  if (const auto missing = plan_steps(checker.rule, conditions, program.schemas);
      missing && errors.all->size() == errors_before) {
    const EventVariable& variable = text.variables[*missing];
    checker.error(variable.name_offset, "event " + quoted(variable.name) +
                                            " would be combined with every other event; add to 'where' an "
                                            "equality with another event (" +
                                            variable.name +
                                            ".rank = ...), or a lower and an upper bound of one of its times");
  }
  program.joins = program.joins || text.variables.size() > 1;
  plan.rules.push_back(std::move(checker.rule));
}

} // namespace

void check(const std::vector<RuleText>& rules, const Errors& errors, std::size_t registered, Program& program,
           Plan& plan) {
  for (const RuleText& rule : rules) check(rule, errors, registered, program, plan);
}

} // namespace andes::monitor::rules
