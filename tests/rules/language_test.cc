// The language: the two rules that its source prints, and what else its grammar allows.
#include <catch2/catch.hpp>

#include "tests/rules/events.h"

using namespace andes::monitor;
using namespace andes::monitor::rules;
using Lines = std::vector<std::string>;

namespace {

/// A receive that is prepared once and then started, as one event.
constexpr const char* receive_rule = R"(rule
    event e1 type function_call_non_blocking_receive_operation
    event e2 type function_call_request_handling
    where
        e1.@function_name eq "MPI_Recv_init" and
        e2.@function_name eq "MPI_Start" and
        e1.request = e2.request
    compose event of type point_to_point_operation
        type = RECEIVE_OPERATION
        function_name = e1.function_name
        start_time = e2.start_time
        finish_time = e2.finish_time
        source = e1.source
        dest = e1.dest
        tag = e1.tag
        comm = e1.comm
    delete e1
    delete e2;
)";

/// Reads all that the rule above gives.
constexpr const char* reading_rule = R"(rule event e type point_to_point_operation
    where e.type eq RECEIVE_OPERATION and e.function_name eq "MPI_Recv_init"
    create performance observation name = "composed"
        impact = e.finish_time - e.start_time + 0 * (e.source + e.dest + e.tag + e.comm);
)";

/// `%` stands for the variable in the impact.
constexpr const char* late_rule = R"(rule
    event e type point_to_point_operation_group
    where

e.receive_function_name eq "MPI_Recv" and
e.send_start_time > e.receive_start_time
create performance observation
name = "Поздняя посылка данных"
description = "Операция посылки данных вызывается позднее операции
приема.
Из-за этого блокирующая операция приема вынуждена простоять."
advice = "Улучшить синхронизацию приемов и передач данных, оправляя
данные
по возможности раньше, или использовать неблокирующие операции
приема."
impact = %.send_start_time - %.receive_start_time;
)";

std::string late_rule_with(const std::string& variable) {
  std::string text = late_rule;
  for (std::size_t at; (at = text.find('%')) != std::string::npos;) text.replace(at, 1, variable);
  return text;
}

/// Whether a condition holds for one message.
bool holds(const std::string& condition) {
  Trial t = trial("rule event e type point_to_point_operation_group where " + condition +
                  "\n create performance observation name = \"x\" impact = 1;");
  add(t, "point_to_point_operation_group",
      {{"send_start_time", 30},
       {"receive_start_time", 10},
       {"bytes", 8},
       {"tag", 8},
       {"send_function_name", "MPI_Send"},
       {"receive_function_name", "MPI_Recv"},
       {"receive_call_stack", 7},
       {"send_call_stack", 7}});
  run(t);
  return t.seen.size() == 1;
}

/// Value of an expression, as the impact of one message; negative values come out as 0.
double value(const std::string& expression) {
  Trial t = trial("rule event e type point_to_point_operation_group "
                  "create performance observation name = \"x\" impact = " +
                  expression + ";");
  add(t, "point_to_point_operation_group", {{"send_start_time", 30}, {"receive_start_time", 10}, {"bytes", 8}});
  run(t);
  return t.seen.empty() ? 0 : t.seen[0].impact_ns;
}

} // namespace

TEST_CASE("MPI_Recv_init and MPI_Start become one receive") {
  Trial t = trial({{"seed.rules", receive_rule}, {"reading.rules", reading_rule}});
  const auto receive = [&](const char* function, int request, int source) {
    add(t, "function_call_non_blocking_receive_operation",
        {{"function_name", function},
         {"request", request},
         {"start_time", 1},
         {"finish_time", 2},
         {"source", source},
         {"dest", 9},
         {"tag", 5},
         {"comm", 3}});
  };
  const auto handle = [&](const char* function, int request, int begin, int end) {
    add(t, "function_call_request_handling",
        {{"function_name", function}, {"request", request}, {"start_time", begin}, {"finish_time", end}});
  };
  receive("MPI_Recv_init", 71, 4);
  receive("MPI_Irecv", 72, 5);
  receive("MPI_Recv_init", 73, 6);
  handle("MPI_Start", 73, 100, 130);
  handle("MPI_Wait", 71, 200, 201);
  handle("MPI_Start", 71, 150, 157);
  run(t);

  REQUIRE(rows(t, "point_to_point_operation") == 2); // in the order of the receives
  CHECK(text(t, "point_to_point_operation", "type", 0) == "RECEIVE_OPERATION");
  CHECK(text(t, "point_to_point_operation", "function_name", 0) == "MPI_Recv_init");
  CHECK(integer(t, "point_to_point_operation", "start_time", 0) == 150);
  CHECK(integer(t, "point_to_point_operation", "finish_time", 0) == 157);
  CHECK(integer(t, "point_to_point_operation", "source", 0) == 4);
  CHECK(integer(t, "point_to_point_operation", "dest", 0) == 9);
  CHECK(integer(t, "point_to_point_operation", "tag", 0) == 5);
  CHECK(integer(t, "point_to_point_operation", "comm", 0) == 3);
  CHECK(integer(t, "point_to_point_operation", "source", 1) == 6);
  // The simple events that went into it are gone, the others stay.
  CHECK(rows(t, "function_call_non_blocking_receive_operation") == 1);
  CHECK(rows(t, "function_call_request_handling") == 1);
  CHECK(seen_lines(t) == Lines{"composed 7 at rank 0 for rank -1", "composed 30 at rank 0 for rank -1"});
}

TEST_CASE("The printed rule of the late sender names a variable that it does not have") {
  CHECK(errors_of(late_rule_with("op1")) == "test.rules:16:10: unknown event variable 'op1'; this rule has e\n"
                                            "impact = op1.send_start_time - op1.receive_start_time;\n"
                                            "         ^\n");
}

TEST_CASE("The rule of the late sender works once the variable is e") {
  Trial t = trial(late_rule_with("e"));
  REQUIRE(t.program.causes.size() == 1);
  CHECK(t.program.causes[0].name == "Поздняя посылка данных");
  CHECK(t.program.causes[0].identifier == "Поздняя_посылка_данных");
  CHECK(t.program.causes[0].description == "Операция посылки данных вызывается позднее операции приема. "
                                           "Из-за этого блокирующая операция приема вынуждена простоять.");
  const auto message = [&](const char* function, int sent, int received) {
    add(t, "point_to_point_operation_group",
        {{"receive_function_name", function},
         {"send_start_time", sent},
         {"receive_start_time", received},
         {"start_time", received},
         {"rank", 2},
         {"peer_rank", 3},
         {"call_stack", 11},
         {"peer_call_stack", 12},
         {"thread", 1},
         {"origin_rank", 5},
         {"origin_call_stack", 13}});
  };
  message("MPI_Recv", 500, 200);
  message("MPI_Recv", 200, 500);
  message("MPI_Irecv", 500, 200);
  message("MPI_Recv", 201, 200);
  run(t);
  CHECK(seen_lines(t) ==
        Lines{"Поздняя_посылка_данных 300 at rank 2 for rank 3", "Поздняя_посылка_данных 1 at rank 2 for rank 3"});
  const Observation& o = t.seen[0];
  CHECK(o.row == 0);
  CHECK(o.type == static_cast<std::uint32_t>(EventType::point_to_point_operation_group));
  CHECK(o.thread == 1);
  CHECK(o.call_stack == 11);
  CHECK(o.peer_call_stack == 12);
  CHECK(o.origin_rank == 5);
  CHECK(o.origin_call_stack == 13);
  CHECK(o.instance_ns == 200);
  CHECK(t.seen[1].row == 3);
}

TEST_CASE("Conditions") {
  CHECK(holds("e.send_start_time > e.receive_start_time"));
  CHECK_FALSE(holds("e.send_start_time < e.receive_start_time"));
  CHECK(holds("e.bytes = e.tag"));
  CHECK_FALSE(holds("e.bytes <> 8"));
  CHECK_FALSE(holds("e.bytes != 8"));
  CHECK(holds("e.bytes <= 8 and e.bytes >= 8"));
  CHECK_FALSE(holds("e.bytes < 8 or e.bytes > 8"));
  CHECK(holds("not e.bytes < 8"));
  CHECK_FALSE(holds("not (e.bytes = 8 or e.bytes = 9)"));
  CHECK(holds("e.bytes = 9 and e.tag = 9 or e.bytes = 8")); // `and` binds closer
  CHECK_FALSE(holds("e.bytes = 8 and (e.tag = 9 or e.tag = 10)"));
  CHECK(holds("e.bytes = 8.0 and e.bytes < 8.5"));
  CHECK(holds("e.send_function_name eq \"MPI_Send\""));
  CHECK_FALSE(holds("e.send_function_name eq e.receive_function_name"));
  CHECK(holds("e.send_function_name <> e.receive_function_name and e.send_function_name = \"MPI_Send\""));
  CHECK(holds("e.send_call_stack = e.receive_call_stack"));
  CHECK(holds("e.send_call_stack eq \"main > 7\""));
  CHECK_FALSE(holds("e.send_call_stack eq \"main > 8\""));
  CHECK(holds("1 < 2"));
  CHECK_FALSE(holds("2 < 1"));
  CHECK(holds("e.@bytes = 8 # and e.bytes = 9"));
}

TEST_CASE("Arithmetic") {
  CHECK(value("2 + 3 * 4") == 14);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("10 - 2 - 3") == 5);
  CHECK(value("e.bytes / 16") == 0.5); // division gives a real
  CHECK(value("7 / 2 / 2") == 1.75);
  CHECK(value("-e.bytes + 10") == 2);
  CHECK(value("- -3") == 3);
  CHECK(value("min(e.bytes, 3, 5)") == 3);
  CHECK(value("max(e.bytes, 3.5)") == 8);
  CHECK(value("min(e.send_start_time, 100) - max(e.receive_start_time, 12)") == 18);
  CHECK(value("1e3 + 2.5") == 1002.5);
  CHECK(value("9223372036854775807 + 2 + 9223372036854775807") == 0); // wraps round to 0
  CHECK(value("1 / 0") == 0);       // an impact that is not finite is none
  CHECK(value("3 - e.bytes") == 0); // nor is a negative one
}

TEST_CASE("Numbers keep 64 bits") {
  CHECK(holds("9007199254740993 > 9007199254740992"));
  CHECK(holds("e.bytes + 9223372036854775799 = 9223372036854775807"));
}

TEST_CASE("Words that are keywords elsewhere can name parameters and variables") {
  Trial t = trial(R"(rule event event type point_to_point_operation_group
    compose event of type thing  type = A  compose = 1  rule = event.bytes  delete = 2.5  name = "n";
    rule event create type thing where create.rule = 8 and create.delete = 2.5 and create.type eq A
    create performance observation name = "x" impact = create.compose;)");
  add(t, "point_to_point_operation_group", {{"bytes", 8}});
  run(t);
  CHECK(t.seen.size() == 1);
}

TEST_CASE("Strings may hold quotes, backslashes and line breaks") {
  const Trial t = trial("rule event e type lock_operation_group create performance observation\n"
                        "name = \"a \\\"b\\\" c\\\\d\" description = \"one  \n\t two\n\n three \" impact = 1;");
  CHECK(t.program.causes[0].name == "a \"b\" c\\d");
  CHECK(t.program.causes[0].description == "one two three ");
  CHECK(t.program.causes[0].identifier == "a_b_c_d");
}

TEST_CASE("Rules may name one cause together") {
  const Trial t = trial(R"(
    rule event e type lock_operation_group create performance observation cause = "c" name = "n" advice = "a" impact = 1;
    rule event e type lock_operation_group create performance observation cause = other name = "m" impact = 1;
    rule event e type access_epoch_group create performance observation cause = c impact = 2;)");
  REQUIRE(t.program.causes.size() == 2);
  CHECK(t.program.causes[0].identifier == "c");
  CHECK(t.program.causes[0].advice == "a");
  CHECK(t.program.causes[1].identifier == "other");
}

TEST_CASE("Only what rules read is kept") {
  Trial t = trial("rule event e type lock_operation_group where e.exclusive = 1 "
                  "create performance observation name = \"x\" impact = 1;");
  CHECK(reads(t.program, EventType::lock_operation_group));
  CHECK_FALSE(reads(t.program, EventType::access_epoch_group));
  const Table& table = table_of(t.tables, EventType::lock_operation_group);
  namespace c = columns::lock_operation_group;
  CHECK(table.columns[c::exclusive].used);
  CHECK(table.columns[c::rank].used); // for the observation
  CHECK_FALSE(table.columns[c::held_until_time].used);
  add(t, "lock_operation_group", {{"exclusive", 1}, {"held_until_time", 5}});
  CHECK(table.columns[c::exclusive].integers.size() == 1);
  CHECK(table.columns[c::held_until_time].integers.empty());
}
