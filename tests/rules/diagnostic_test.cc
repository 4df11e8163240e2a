// Errors in rule files: the exact text, with line, column and caret.
#include <catch2/catch.hpp>

#include "tests/rules/events.h"

using namespace andes::monitor;
using namespace andes::monitor::rules;

namespace {

/// Error of a rule whose `where` is this condition, on one line after the head.
std::string condition_error(const std::string& condition) {
  const std::string all =
      errors_of("rule event e type point_to_point_operation_group where\n" + condition + "\ndelete e;");
  const std::string place = "test.rules:2:";
  REQUIRE(all.substr(0, place.size()) == place);
  return all.substr(place.size());
}

/// Error of a rule that composes or observes, its last line being this.
std::string action_error(const std::string& action) {
  const std::string all = errors_of("rule event e type point_to_point_operation_group\n" + action);
  const std::string place = "test.rules:2:";
  REQUIRE(all.substr(0, place.size()) == place);
  return all.substr(place.size());
}

} // namespace

TEST_CASE("Lexical errors") {
  CHECK(condition_error("e.tag = 5ms") ==
        "10: number '5' runs into 'ms'; numbers have no units (times are nanoseconds)\n"
        "e.tag = 5ms\n"
        "         ^\n");
  CHECK(condition_error("e.tag = 99999999999999999999") ==
        "9: number '99999999999999999999' is too large; whole numbers end at 9223372036854775807\n"
        "e.tag = 99999999999999999999\n"
        "        ^\n");
  CHECK(condition_error("e.tag = 5 $") == "11: character '$' has no meaning in rules; take it out\n"
                                          "e.tag = 5 $\n"
                                          "          ^\n");
  CHECK(errors_of("rule event e type lock_operation_group where e.comm_ eq \"abc\n delete e;").substr(0, 93) ==
        "test.rules:1:57: string has no end; close it with \"\n"
        "rule event e type lock_operation_group wh");
}

TEST_CASE("Errors of the grammar") {
  CHECK(errors_of("rulle event e type x delete e;") ==
        "test.rules:1:1: expected 'rule', found 'rulle'; did you mean 'rule'?\n"
        "rulle event e type x delete e;\n"
        "^\n");
  CHECK(errors_of("rule where 1 = 1 delete e;") == "test.rules:1:6: expected 'event', found 'where'\n"
                                                   "rule where 1 = 1 delete e;\n"
                                                   "     ^\n");
  CHECK(errors_of("rule event e typ lock_operation_group delete e;") ==
        "test.rules:1:14: expected 'type', found 'typ'; did you mean 'type'?\n"
        "rule event e typ lock_operation_group delete e;\n"
        "             ^\n");
  CHECK(errors_of("rule event e type lock_operation_group where e.comm =\ndelete e;") ==
        "test.rules:2:1: expected a value, found 'delete'\n"
        "delete e;\n"
        "^\n");
  CHECK(condition_error("e.tag = = 3") == "9: expected a value, found '='\n"
                                          "e.tag = = 3\n"
                                          "        ^\n");
  CHECK(errors_of("rule event e type lock_operation_group where (e.comm = 3 delete e;") ==
        "test.rules:1:58: expected ')', found 'delete'\n"
        "rule event e type lock_operation_group where (e.comm = 3 delete e;\n"
        "                                                         ^\n");
  CHECK(condition_error("e.tag < 3 < 4") == "11: comparisons do not chain; join two with 'and'\n"
                                            "e.tag < 3 < 4\n"
                                            "          ^\n");
  CHECK(condition_error("e.tag = abs(3)") == "9: unknown function 'abs'; there are min and max\n"
                                             "e.tag = abs(3)\n"
                                             "        ^\n");
  CHECK(condition_error("e.tag = min(3)") == "9: 'min' has one operand; give it two or more\n"
                                             "e.tag = min(3)\n"
                                             "        ^\n");
  CHECK(condition_error("e.tag = 3 an e.comm = 3") ==
        "11: expected 'and', 'or' or an action (compose, change, delete, create), found 'an'; did "
        "you mean 'and'?\n"
        "e.tag = 3 an e.comm = 3\n"
        "          ^\n");
  CHECK(action_error("delete e") == "9: expected another action or ';', found the end of the file\n"
                                    "delete e\n"
                                    "        ^\n");
  CHECK(action_error("change e;") == "9: expected PARAMETER = VALUE, found ';'\n"
                                     "change e;\n"
                                     "        ^\n");
}

TEST_CASE("The caret stands right behind tabs and Cyrillic letters") {
  CHECK(condition_error("\te.send_function_name eq \"Приём\" and f.tag = 1") ==
        "38: unknown event variable 'f'; this rule has e\n"
        "\te.send_function_name eq \"Приём\" and f.tag = 1\n"
        "\t                                    ^\n");
}

TEST_CASE("Names that nobody knows") {
  CHECK(errors_of("rule event e type point_to_point_operation_grup delete e;") ==
        "test.rules:1:19: unknown event type 'point_to_point_operation_grup'; did you mean "
        "'point_to_point_operation_group'?\n"
        "rule event e type point_to_point_operation_grup delete e;\n"
        "                  ^\n");
  CHECK(errors_of("rule event e type nothing delete e;") ==
        "test.rules:1:19: unknown event type 'nothing'; docs/rules.md lists them, earlier rules "
        "compose more\n"
        "rule event e type nothing delete e;\n"
        "                  ^\n");
  CHECK(condition_error("e.send_star_time > 0") ==
        "3: event type 'point_to_point_operation_group' has no parameter 'send_star_time'; did you "
        "mean "
        "'send_start_time'?\n"
        "e.send_star_time > 0\n"
        "  ^\n");
  CHECK(condition_error("e.colour > 0") == "3: event type 'point_to_point_operation_group' has no "
                                           "parameter 'colour'; docs/rules.md lists what it has\n"
                                           "e.colour > 0\n"
                                           "  ^\n");
  CHECK(condition_error("tag > 0") == "1: unknown word 'tag'; did you mean 'e.tag'?\n"
                                      "tag > 0\n"
                                      "^\n");
  CHECK(condition_error("e > 0") == "1: 'e' is an event, not a value; name one of its parameters, as e.start_time\n"
                                    "e > 0\n"
                                    "^\n");
  CHECK(action_error("delete f;") == "8: unknown event variable 'f'; this rule has e\n"
                                     "delete f;\n"
                                     "       ^\n");
  CHECK(action_error("create performance observation name = \"x\" impct = 1 impact = 1;") ==
        "43: observations have no option 'impct'; did you mean 'impact'?\n"
        "create performance observation name = \"x\" impct = 1 impact = 1;\n"
        "                                          ^\n");
  CHECK(errors_of("rule event e type collective_operation_group where e.operation eq BARIER delete e;") ==
        "test.rules:1:67: parameter 'operation' is never BARIER; it is one of BARRIER, N_TO_N, "
        "ONE_TO_N, N_TO_ONE, "
        "SCAN, NEIGHBOUR, WINDOW_CREATE, WINDOW_FREE, FENCE, FILE, COMMUNICATOR_CREATE\n"
        "rule event e type collective_operation_group where e.operation eq BARIER delete e;\n"
        "                                                                  ^\n");
}

TEST_CASE("Types that do not agree") {
  CHECK(condition_error("e.tag eq \"5\"") == "7: 'eq' compares strings; e.tag is an integer, compare it with '='\n"
                                             "e.tag eq \"5\"\n"
                                             "      ^\n");
  CHECK(condition_error("e.tag = \"5\"") == "7: '=' compares an integer (e.tag) with a string "
                                            "(\"5\"); both must be numbers, or both strings\n"
                                            "e.tag = \"5\"\n"
                                            "      ^\n");
  CHECK(condition_error("e.send_function_name < 5") == "22: '<' needs numbers; e.send_function_name is a string\n"
                                                       "e.send_function_name < 5\n"
                                                       "                     ^\n");
  CHECK(condition_error("e.tag + e.send_call_stack > 5") == "7: '+' needs numbers; e.send_call_stack is a call stack\n"
                                                            "e.tag + e.send_call_stack > 5\n"
                                                            "      ^\n");
  CHECK(condition_error("e.tag") == "1: e.tag is an integer, not a condition; compare it with something\n"
                                    "e.tag\n"
                                    "^\n");
  CHECK(condition_error("e.tag + (e.tag = 1) > 0") ==
        "16: '=' makes a condition where a value is wanted; conditions stand behind 'where'\n"
        "e.tag + (e.tag = 1) > 0\n"
        "               ^\n");
  CHECK(action_error("change e tag = 1.5;") == "16: parameter 'tag' is an integer, 1.5 is a real\n"
                                               "change e tag = 1.5;\n"
                                               "               ^\n");
  CHECK(action_error("create performance observation name = \"x\" impact = \"long\";") ==
        "52: option 'impact' is a number of nanoseconds, \"long\" is a string\n"
        "create performance observation name = \"x\" impact = \"long\";\n"
        "                                                   ^\n");
  CHECK(action_error("create performance observation name = \"x\" impact = 1 rank = e.call_stack;") ==
        "61: option 'rank' is an integer, e.call_stack is a call stack\n"
        "create performance observation name = \"x\" impact = 1 rank = e.call_stack;\n"
        "                                                            ^\n");
}

TEST_CASE("Observations need a name and an impact") {
  CHECK(action_error("create performance observation impact = 1;") == "1: observation has no name; add name = \"...\"\n"
                                                                      "create performance observation impact = 1;\n"
                                                                      "^\n");
  CHECK(action_error("create performance observation name = \"x\";") ==
        "1: observation has no impact; add impact = the nanoseconds that were lost\n"
        "create performance observation name = \"x\";\n"
        "^\n");
}

TEST_CASE("What stands twice") {
  CHECK(action_error("change e tag = 1 tag = 2;") == "18: 'tag' is assigned twice; take one out\n"
                                                     "change e tag = 1 tag = 2;\n"
                                                     "                 ^\n");
  CHECK(errors_of("rule event e type lock_operation_group event e type lock_operation_group delete e;") ==
        "test.rules:1:46: event variable 'e' stands here twice; give one another name\n"
        "rule event e type lock_operation_group event e type lock_operation_group delete e;\n"
        "                                             ^\n");
}

TEST_CASE("Rules that compose one type give the same parameters of the same types") {
  const std::string first = "rule event e type lock_operation_group compose event of type t a = 1 b = 2;\n";
  CHECK(errors_of(first + "rule event e type lock_operation_group compose event of type t b = 2 a = 3;") == "");
  CHECK(errors_of(first + "rule event e type lock_operation_group compose event of type t a = 1;") ==
        "test.rules:2:62: event type 't' is composed with 'b' by an earlier rule; give it here too\n"
        "rule event e type lock_operation_group compose event of type t a = 1;\n"
        "                                                             ^\n");
  CHECK(errors_of(first + "rule event e type lock_operation_group compose event of type t a = \"1\" b = 2;") ==
        "test.rules:2:68: parameter 'a' is an integer, \"1\" is a string\n"
        "rule event e type lock_operation_group compose event of type t a = \"1\" b = 2;\n"
        "                                                                   ^\n");
}

TEST_CASE("A cause has one text") {
  CHECK(errors_of("rule event e type lock_operation_group create performance observation cause = c "
                  "name = \"n\" impact = 1;\n"
                  "rule event e type lock_operation_group create performance observation cause = c "
                  "name = \"m\" impact = 1;") ==
        "test.rules:2:40: cause 'c' has other texts in an earlier rule; leave them out here, or "
        "give another 'cause'\n"
        "rule event e type lock_operation_group create performance observation cause = c name = "
        "\"m\" impact = 1;\n"
        "                                       ^\n");
}

TEST_CASE("A rule that would try all combinations is refused") {
  const std::string head = "rule event a type point_to_point_operation_group event b type "
                           "point_to_point_operation_group where\n";
  const std::string message = "test.rules:1:56: event 'b' would be combined with every other event; add to 'where' an "
                              "equality with "
                              "another event (b.rank = ...), or a lower and an upper bound of one of its times\n" +
                              head.substr(0, head.size() - 1) + "\n" + std::string(55, ' ') + "^\n";
  CHECK(errors_of(head + "a.tag = 3 and b.tag = 3 delete a;") == message);
  CHECK(errors_of(head + "a.start_time < b.start_time delete a;") == message); // bounded on one side only
  CHECK(errors_of(head + "a.start_time < b.start_time and b.start_time < 100 delete a;") == message);
  CHECK(errors_of(head + "(a.tag = b.tag or a.comm = b.comm) delete a;") == message);
  CHECK(errors_of(head + "a.tag = b.tag delete a;") == "");
  CHECK(errors_of(head + "a.start_time < b.start_time and b.start_time < a.finish_time delete a;") == "");
  CHECK(errors_of("rule event a type point_to_point_operation_group event b type "
                  "function_call_communicator_management where a.start_time < b.start_time delete a;") == "");
}

TEST_CASE("A rule that can never find anything is refused, with the reason") {
  const std::string observation = "create performance observation name = \"x\" impact = 1;";
  CHECK(
      errors_of("rule event e type point_to_point_operation " + observation)
          .starts_with("test.rules:1:19: no rule before this one composes 'point_to_point_operation', and the monitor "
                       "makes no such events; compose them first\n"));
  const auto joined = [&](const std::string& types, const std::string& where) {
    return errors_of("rule event a type " + types + " where " + where + " " + observation);
  };
  const std::string calls =
      "function_call_blocking_send_operation event b type function_call_blocking_receive_operation";
  const std::string remedy = "; take a type of event that has both sides, such as point_to_point_operation_group\n";
  CHECK(joined(calls, "a.tag = b.tag and a.rank <> b.rank")
            .find("a.rank and b.rank are one rank: each rank looks at its own events alone" + remedy) !=
        std::string::npos);
  for (const char* where : {"a.tag = b.tag and a.dest = b.rank", "b.source = a.rank and a.tag = b.tag"})
    CHECK(joined(calls, where).find("this holds for what a rank sends to itself alone") != std::string::npos);
  for (const char* where : {"a.tag = b.tag and a.rank = b.rank", "a.dest = b.source", "a.rank = b.dest"})
    CHECK(joined(calls, where) == "");
  CHECK(joined("collective_operation_group event b type collective_operation_group",
               "a.number = b.number and a.latest_rank = b.rank") == "");
}

TEST_CASE("Types of events that the setting must name") {
  const auto missing = [](const std::string& type, const std::vector<std::string>& events) {
    const std::string text = "rule event e type " + type + " create performance observation name = \"x\" impact = 1;";
    std::vector<Source> sources = shipped_rules();
    sources.push_back({"r", text});
    const auto found = unlogged_type(compile(sources).program, events);
    return found ? found->type + found->left_out_by : "";
  };
  const std::string puts = "function_call_one_sided_operation";
  CHECK(missing(puts, {}) == puts);
  CHECK(missing(puts, {"function_call_window_synchronisation"}) == puts);
  CHECK(missing(puts, {"function_call_window_synchronisation", puts}) == "");
  CHECK(missing("function_call", {puts}) == "function_call"); // its name begins that of others
  CHECK(missing("function_call", {"function_call"}) == "");
  CHECK(missing("function_call_collective_operation", {}) == "");
}

TEST_CASE("Types of events that the setting leaves out") {
  const auto left_out = [](const std::string& rules, const std::vector<std::string>& events) {
    std::vector<Source> sources = shipped_rules(); // they read all types of operations, and are not refused
    sources.push_back({"r", rules});
    const Compiled compiled = compile(sources);
    CHECK(compiled.errors.empty());
    const auto found = unlogged_type(compiled.program, events);
    return found ? found->type + " " + found->left_out_by : "";
  };
  const std::string observation = " create performance observation name = \"x\" impact = 1;";
  const std::vector<std::string> no_messages = {"-point_to_point_operation_group"};
  const std::string locks = "rule event e type lock_operation_group" + observation;
  CHECK(left_out("", no_messages) == "");
  CHECK(left_out(locks, no_messages) == "");
  CHECK(left_out(locks, {"-access_epoch_group", "-lock_operation_group"}) ==
        "lock_operation_group -lock_operation_group");
  for (const char* type : {"point_to_point_operation_group", "function_call_blocking_send_operation",
                           "function_call_non_blocking_receive_operation"})
    CHECK(left_out(std::string("rule event e type ") + type + observation, no_messages) ==
          std::string(type) + " -point_to_point_operation_group");
}

TEST_CASE("Every rule of a file is checked, whatever is wrong with those before it") {
  const std::string errors = errors_of("rule event e type lock_operation_group where e.x = 1 delete e;\n"
                                       "rule event e type lock_operation_group where = delete e;\n"
                                       "rule event e type lock_operation_group where e.y = 1 delete e;\n");
  CHECK(errors.find("test.rules:1:48: ") != std::string::npos);
  CHECK(errors.find("test.rules:2:46: ") != std::string::npos);
  CHECK(errors.find("test.rules:3:48: ") != std::string::npos);
}
