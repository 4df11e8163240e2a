// Rule texts broken at random: whatever a file holds, compiling it ends with a program or with
// errors that can be printed, and evaluating what compiles ends as well.
#include <catch2/catch.hpp>

#include <random>

#include "tests/rules/events.h"

using namespace andes::monitor;
using namespace andes::monitor::rules;

namespace {

constexpr int rounds = 3000;

/// Words that make sense somewhere.
constexpr const char* words[] = {"rule ",
                                 "event ",
                                 "e ",
                                 "e2 ",
                                 "type ",
                                 "where ",
                                 "and ",
                                 "or ",
                                 "not ",
                                 "eq ",
                                 "min(",
                                 "max(",
                                 ")",
                                 "(",
                                 ";",
                                 "=",
                                 "<",
                                 ">=",
                                 "+",
                                 "-",
                                 "*",
                                 "/",
                                 ".",
                                 ",",
                                 "\"",
                                 "#",
                                 "@",
                                 "\n",
                                 "\\",
                                 "1",
                                 "1.5e300",
                                 "9223372036854775807",
                                 "delete e ",
                                 "change e ",
                                 "compose event of type t ",
                                 "create performance observation ",
                                 "impact = ",
                                 "name = \"x\" ",
                                 "e.start_time ",
                                 "e.call_stack ",
                                 "e.rank ",
                                 "BARRIER ",
                                 "\xd0\x9f",
                                 "\xff",
                                 "\0",
                                 "rule event e type lock_operation_group delete e;"};

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
    const std::size_t at = below(text.size() + 1), length = below(40);
    switch (below(5)) {
    case 0: text.erase(std::min(at, text.size()), length); break;
    case 1: text.insert(at, words[below(std::size(words))]); break;
    case 2: text.insert(at, text.substr(below(text.size() + 1), length)); break;
    case 3:
      text.replace(std::min(at, text.size()), std::min<std::size_t>(length, 5), words[below(std::size(words))]);
      break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
    }
  }
  return text;
}

/// A few events of each type, all alike.
void fill(Tables& tables, const Program& program) {
  for (std::size_t type = 0; type < program.schemas.size(); ++type) {
    append(tables.tables[type], 30);
    for (Column& column : tables.tables[type].columns)
      for (std::size_t row = 0; row < column.integers.size(); ++row)
        column.integers[row] = column.type == ValueType::string
                                   ? static_cast<std::int64_t>(row % tables.strings.texts.size())
                                   : static_cast<std::int64_t>(row);
  }
}

} // namespace

TEST_CASE("Mutated rules never crash or hang") {
  std::vector<std::string> seeds;
  for (const Source& source : shipped_rules()) seeds.push_back(source.text);
  seeds.push_back("rule event e type lock_operation_group event e2 type point_to_point_operation_group where "
                  "e.rank = e2.rank and e2.start_time >= e.start_time and not (e.comm < 3 or e2.call_stack eq "
                  "\"x\") "
                  "compose event of type t a = e.rank b = e2.tag / 2 c = \"q\" change e comm = min(1, e2.tag) "
                  "delete e2 "
                  "create performance observation name = \"n\" impact = e.comm; rule event e type t where e.b "
                  "> 1.5 delete e;");
  std::mt19937 random(20);
  int compiled_well = 0, errors = 0;
  for (int round = 0; round < rounds; ++round) {
    // Mostly the short text, in which more of the changes meet.
    const std::string text =
        mutated(round % 4 ? seeds.back() : seeds[static_cast<std::size_t>(round) % seeds.size()], random);
    const Compiled compiled = compile({{"mutated.rules", text}});
    for (const Diagnostic& error : compiled.errors) {
      ++errors;
      REQUIRE(error.line >= 1);
      REQUIRE(error.column >= 1);
      REQUIRE(text_of(error).find('\n') != std::string::npos);
    }
    if (!compiled.errors.empty()) continue;
    ++compiled_well;
    Tables tables = make_tables(compiled.program);
    fill(tables, compiled.program);
    Limits limits;
    limits.candidates = limits.composed = 10000;
    evaluate(compiled.program, tables, {{}, [](std::int64_t) { return std::string("x"); }}, limits);
  }
  CHECK(compiled_well > rounds / 100);
  CHECK(errors > rounds / 2);
}

TEST_CASE("Expressions of a hundred thousand levels are refused") {
  // The condition is `before` many times, 1, `after` many times, = 1.
  const auto refused = [](const char* before, const char* after) {
    std::string text = "rule event e type lock_operation_group where ";
    for (int i = 0; i < 100000; ++i) text += before;
    text += "1";
    for (int i = 0; i < 100000; ++i) text += after;
    const Compiled compiled = compile({{"deep.rules", text + " = 1 delete e;"}});
    REQUIRE(compiled.errors.size() == 1);
    return compiled.errors[0].message ==
           "expression has more than 100 levels; split the rule or use an event composed before";
  };
  CHECK(refused("(", ")"));
  CHECK(refused("- ", ""));
  CHECK(refused("not ", ""));
  CHECK(refused("min(1, ", ")"));
  CHECK(refused("", " + 1"));
}

TEST_CASE("A condition may have any number of parts") {
  std::string condition = "e.comm = 0";
  for (int i = 0; i < 5000; ++i) condition += " or e.comm = " + std::to_string(i);
  CHECK(errors_of("rule event e type lock_operation_group where " + condition + " delete e;") == "");
}
