// Recursive descent over the tokens of a rule file; docs/rules.md has the grammar. Where only a
// name is possible, keywords are ordinary words, so parameters may be called `type` or `name`.
// After an error parsing continues with the next rule.
#include "monitor/rules/lexer.h"
#include "monitor/rules/syntax.h"

namespace andes::monitor::rules {
namespace {

/// Largest depth of an expression: bounds the stack of the recursion.
constexpr std::uint32_t deepest = 100;

struct Parser {
  const Errors& errors;
  std::vector<Token> tokens;
  std::size_t at = 0;
  std::uint32_t depth = 0;
  bool failed = false; // the current rule has an error

  const Token& token(std::size_t ahead = 0) const { return tokens[std::min(at + ahead, tokens.size() - 1)]; }
  bool is(TokenKind kind, std::string_view text, std::size_t ahead = 0) const {
    return token(ahead).kind == kind && token(ahead).text == text;
  }
  bool is_word(std::string_view text, std::size_t ahead = 0) const { return is(TokenKind::word, text, ahead); }
  bool is_symbol(std::string_view text, std::size_t ahead = 0) const { return is(TokenKind::symbol, text, ahead); }
  bool take_word(std::string_view text) { return is_word(text) ? ++at, true : false; }
  bool take_symbol(std::string_view text) { return is_symbol(text) ? ++at, true : false; }
};

std::string shown(const Token& token) {
  switch (token.kind) {
  case TokenKind::end: return "the end of the file";
  case TokenKind::string: return "a string";
  default: return quoted(token.text);
  }
}

void fail(Parser& parser, std::size_t offset, std::string message) {
  if (!parser.failed) report(parser.errors, offset, std::move(message));
  parser.failed = true;
}

void fail_expected(Parser& parser, const std::string& what, const std::vector<std::string>& words = {}) {
  const Token& token = parser.token();
  fail(parser, token.offset,
       "expected " + what + ", found " + shown(token) + (token.kind == TokenKind::word ? hint(token.text, words) : ""));
}

bool expect_word(Parser& parser, const char* word) {
  if (parser.take_word(word)) return true;
  fail_expected(parser, quoted(word), {word});
  return false;
}

bool is_reserved(std::string_view word) {
  for (const std::string_view reserved : {"and", "or", "not", "eq", "min", "max"})
    if (word == reserved) return true;
  return false;
}

/// A name that the rule defines or uses.
std::string take_name(Parser& parser, const char* what) {
  const Token& token = parser.token();
  if (token.kind != TokenKind::word || is_reserved(token.text)) {
    fail_expected(parser, what);
    return "";
  }
  ++parser.at;
  return std::string(token.text);
}

/// Whether an action begins here; its words may also be names.
bool is_action(const Parser& parser) {
  if (parser.is_symbol("=", 1) || parser.is_symbol(".", 1)) return false;
  for (const char* word : {"compose", "change", "delete", "create"})
    if (parser.is_word(word)) return true;
  return false;
}

Expression expression(Parser& parser);
Expression sum(Parser& parser);

Expression node(Parser& parser, Operator op, std::size_t offset, std::vector<Expression> operands) {
  Expression e{op, offset, "", "", 0, 0, 0, std::move(operands), 1};
  for (const Expression& operand : e.operands) e.depth = std::max(e.depth, operand.depth + 1);
  if (e.depth > deepest)
    fail(parser, offset,
         "expression has more than " + std::to_string(deepest) +
             " levels; split the rule or use an event composed before");
  return e;
}

Expression leaf(Operator op, const Token& token) {
  std::string text = token.kind == TokenKind::string ? value_of(token.text) : std::string(token.text);
  return {op, token.offset, std::move(text), "", 0, token.integer, token.real, {}, 1};
}

Expression call(Parser& parser, Operator op) {
  const std::size_t offset = parser.token().offset;
  parser.at += 2; // name and parenthesis
  std::vector<Expression> operands;
  do operands.push_back(sum(parser));
  while (!parser.failed && parser.take_symbol(","));
  if (!parser.failed && !parser.take_symbol(")")) fail_expected(parser, "',' or ')'");
  if (!parser.failed && operands.size() < 2)
    fail(parser, offset, quoted(name_of(op)) + " has one operand; give it two or more");
  return node(parser, op, offset, std::move(operands));
}

Expression primary(Parser& parser) {
  const Token& token = parser.token();
  switch (token.kind) {
  case TokenKind::integer: ++parser.at; return leaf(Operator::integer, token);
  case TokenKind::real: ++parser.at; return leaf(Operator::real, token);
  case TokenKind::string: ++parser.at; return leaf(Operator::string, token);
  case TokenKind::word: {
    if (parser.is_symbol("(", 1)) {
      if (token.text == "min") return call(parser, Operator::minimum);
      if (token.text == "max") return call(parser, Operator::maximum);
      if (!is_reserved(token.text)) {
        fail(parser, token.offset, "unknown function " + quoted(token.text) + "; there are min and max");
        break;
      }
    }
    if (is_reserved(token.text) || is_action(parser)) break;
    ++parser.at;
    Expression e = leaf(Operator::word, token);
    if (parser.take_symbol(".")) {
      e.op = Operator::parameter;
      e.parameter_offset = parser.token().offset;
      if (parser.token().kind == TokenKind::word) e.parameter = parser.tokens[parser.at++].text;
      else fail_expected(parser, "the name of a parameter after '" + e.text + ".'");
    }
    return e;
  }
  case TokenKind::symbol:
    if (parser.take_symbol("(")) {
      Expression e = expression(parser);
      if (!parser.failed && !parser.take_symbol(")")) fail_expected(parser, "')'");
      return e;
    }
    break;
  case TokenKind::end: break;
  }
  fail_expected(parser, "a value");
  return leaf(Operator::integer, token);
}

Expression unary(Parser& parser) {
  const std::size_t offset = parser.token().offset;
  if (++parser.depth > deepest)
    fail(parser, offset,
         "expression has more than " + std::to_string(deepest) +
             " levels; split the rule or use an event composed before");
  Expression e = parser.failed             ? leaf(Operator::integer, parser.token())
                 : parser.take_symbol("-") ? node(parser, Operator::negate, offset, {unary(parser)})
                                           : primary(parser);
  --parser.depth;
  return e;
}

Expression product(Parser& parser) {
  Expression e = unary(parser);
  while (!parser.failed && (parser.is_symbol("*") || parser.is_symbol("/"))) {
    const Operator op = parser.is_symbol("*") ? Operator::multiply : Operator::divide;
    const std::size_t offset = parser.tokens[parser.at++].offset;
    e = node(parser, op, offset, {std::move(e), unary(parser)});
  }
  return e;
}

Expression sum(Parser& parser) {
  Expression e = product(parser);
  while (!parser.failed && (parser.is_symbol("+") || parser.is_symbol("-"))) {
    const Operator op = parser.is_symbol("+") ? Operator::add : Operator::subtract;
    const std::size_t offset = parser.tokens[parser.at++].offset;
    e = node(parser, op, offset, {std::move(e), product(parser)});
  }
  return e;
}

std::optional<Operator> comparison_of(const Token& token) {
  if (token.kind == TokenKind::word && token.text == "eq") return Operator::same;
  if (token.kind != TokenKind::symbol) return {};
  if (token.text == "=") return Operator::equal;
  if (token.text == "<>" || token.text == "!=") return Operator::unequal;
  if (token.text == "<") return Operator::less;
  if (token.text == "<=") return Operator::less_equal;
  if (token.text == ">") return Operator::greater;
  if (token.text == ">=") return Operator::greater_equal;
  return {};
}

Expression comparison(Parser& parser) {
  Expression e = sum(parser);
  if (const auto op = comparison_of(parser.token()); op && !parser.failed) {
    const std::size_t offset = parser.tokens[parser.at++].offset;
    e = node(parser, *op, offset, {std::move(e), sum(parser)});
    if (!parser.failed && comparison_of(parser.token()))
      fail(parser, parser.token().offset, "comparisons do not chain; join two with 'and'");
  }
  return e;
}

Expression negation(Parser& parser) {
  const std::size_t offset = parser.token().offset;
  if (!parser.is_word("not")) return comparison(parser);
  ++parser.at;
  if (++parser.depth > deepest)
    fail(parser, offset,
         "expression has more than " + std::to_string(deepest) +
             " levels; split the rule or use an event composed before");
  Expression e = parser.failed ? leaf(Operator::integer, parser.token()) : negation(parser);
  --parser.depth;
  return node(parser, Operator::logical_not, offset, {std::move(e)});
}

Expression chain(Parser& parser, Operator op, Expression (*operand)(Parser&)) {
  std::vector<Expression> operands;
  operands.push_back(operand(parser));
  std::size_t offset = 0;
  while (!parser.failed && parser.is_word(name_of(op))) {
    offset = parser.tokens[parser.at++].offset;
    operands.push_back(operand(parser));
  }
  if (operands.size() == 1) return std::move(operands[0]);
  return node(parser, op, offset, std::move(operands));
}

Expression conjunction(Parser& parser) { return chain(parser, Operator::logical_and, negation); }

Expression expression(Parser& parser) { return chain(parser, Operator::logical_or, conjunction); }

/// NAME = VALUE ..., repeated. A value is arithmetic: conditions need parentheses, since
/// `=` begins the next assignment.
void assignments(Parser& parser, Action& action) {
  while (!parser.failed && parser.token().kind == TokenKind::word && parser.is_symbol("=", 1)) {
    Assignment a{std::string(parser.token().text), parser.token().offset, {}};
    parser.at += 2;
    a.value = sum(parser);
    action.assignments.push_back(std::move(a));
  }
}

Action action(Parser& parser) {
  const Token& first = parser.tokens[parser.at++];
  Action a{ActionKind::erase, first.offset, "", first.offset, {}};
  if (first.text == "compose") {
    a.kind = ActionKind::compose;
    if (expect_word(parser, "event") && expect_word(parser, "of") && expect_word(parser, "type")) {
      a.name_offset = parser.token().offset;
      a.name = take_name(parser, "the type of event to compose");
      assignments(parser, a);
    }
  } else if (first.text == "create") {
    a.kind = ActionKind::observe;
    if (expect_word(parser, "performance") && expect_word(parser, "observation")) assignments(parser, a);
  } else {
    a.name_offset = parser.token().offset;
    a.name = take_name(parser, "the event variable");
    if (first.text == "change") {
      a.kind = ActionKind::change;
      assignments(parser, a);
      if (!parser.failed && a.assignments.empty()) fail_expected(parser, "PARAMETER = VALUE");
    }
  }
  return a;
}

RuleText rule(Parser& parser) {
  RuleText r{parser.token().offset, {}, {}, {}};
  if (!expect_word(parser, "rule")) return r;
  if (!parser.is_word("event")) expect_word(parser, "event");
  while (!parser.failed && parser.take_word("event")) {
    EventVariable variable;
    variable.name_offset = parser.token().offset;
    variable.name = take_name(parser, "the name of an event variable");
    if (parser.failed || !expect_word(parser, "type")) break;
    variable.type_offset = parser.token().offset;
    variable.type = take_name(parser, "a type of event");
    r.variables.push_back(std::move(variable));
  }
  if (!parser.failed && parser.take_word("where")) r.where = expression(parser);
  while (!parser.failed && is_action(parser)) r.actions.push_back(action(parser));
  if (parser.failed) return r;
  const std::vector<std::string> actions = {"compose", "change", "delete", "create"};
  if (r.actions.empty())
    fail_expected(parser,
                  r.where ? "'and', 'or' or an action (compose, change, delete, create)"
                          : "'event', 'where' or an action (compose, change, delete, create)",
                  {"event", "where", "compose", "change", "delete", "create", "and", "or"});
  else if (!parser.take_symbol(";")) fail_expected(parser, "another action or ';'", actions);
  return r;
}

/// Skips to the next rule: behind the next ';', or before `rule event`.
void recover(Parser& parser, std::size_t began) {
  if (parser.at == began) ++parser.at;
  while (parser.token().kind != TokenKind::end && !parser.take_symbol(";")) {
    if (parser.is_word("rule") && parser.is_word("event", 1)) return;
    ++parser.at;
  }
}

} // namespace

std::string_view name_of(Operator op) {
  switch (op) {
  case Operator::negate:
  case Operator::subtract: return "-";
  case Operator::add: return "+";
  case Operator::multiply: return "*";
  case Operator::divide: return "/";
  case Operator::minimum: return "min";
  case Operator::maximum: return "max";
  case Operator::equal: return "=";
  case Operator::unequal: return "<>";
  case Operator::less: return "<";
  case Operator::less_equal: return "<=";
  case Operator::greater: return ">";
  case Operator::greater_equal: return ">=";
  case Operator::same: return "eq";
  case Operator::logical_and: return "and";
  case Operator::logical_or: return "or";
  case Operator::logical_not: return "not";
  default: return "value";
  }
}

std::vector<RuleText> parsed(const Errors& errors) {
  Parser parser{errors, tokens_of(errors)};
  std::vector<RuleText> rules;
  while (parser.token().kind != TokenKind::end) {
    parser.failed = false;
    parser.depth = 0;
    const std::size_t began = parser.at;
    RuleText r = rule(parser);
    if (parser.failed) recover(parser, began);
    else rules.push_back(std::move(r));
  }
  return rules;
}

} // namespace andes::monitor::rules
