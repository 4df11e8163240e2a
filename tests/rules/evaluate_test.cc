// The engine: joins by equalities and windows, deleting, changing and composing, limits, blocks.
#include <catch2/catch.hpp>

#include <random>

#include "tests/rules/events.h"

using namespace andes::monitor;
using namespace andes::monitor::rules;
using Lines = std::vector<std::string>;

namespace {

void call(Trial& t, int request, int begin, int end, int comm = 0) {
  add(t, "function_call_non_blocking_receive_operation",
      {{"request", request}, {"start_time", begin}, {"finish_time", end}, {"comm", comm}, {"rank", 1}});
}
void handle(Trial& t, int request, int begin, int end) {
  add(t, "function_call_request_handling",
      {{"request", request}, {"start_time", begin}, {"finish_time", end}, {"rank", 1}});
}

std::string join(const std::string& where, const std::string& actions) {
  return "rule event a type function_call_non_blocking_receive_operation\n"
         "event b type function_call_request_handling where " +
         where + "\n" + actions + ";";
}

constexpr const char* observe = "create performance observation name = \"pair\" rank = a.start_time "
                                "peer_rank = b.start_time impact = 1";

/// Pairs "begin of a, begin of b".
std::vector<std::pair<std::int64_t, std::int64_t>> pairs(const Trial& t) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (const Observation& o : t.seen) all.emplace_back(o.rank, o.peer_rank);
  return all;
}
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

} // namespace

TEST_CASE("A join by an equality finds all pairs") {
  Trial t = trial(join("a.request = b.request", observe));
  call(t, 7, 10, 11), call(t, 8, 20, 21), call(t, 7, 30, 31);
  handle(t, 7, 100, 101), handle(t, 9, 200, 201), handle(t, 7, 300, 301);
  run(t);
  CHECK(pairs(t) == Pairs{{10, 100}, {10, 300}, {30, 100}, {30, 300}});
}

TEST_CASE("A join by a window keeps its open and closed ends") {
  Trial t = trial(join("b.start_time >= a.start_time and b.start_time < a.finish_time", observe));
  call(t, 0, 10, 20), call(t, 0, 15, 30);
  for (const int begin : {5, 10, 15, 20, 29, 30}) handle(t, 0, begin, begin);
  run(t);
  CHECK(pairs(t) == Pairs{{10, 10}, {10, 15}, {15, 15}, {15, 20}, {15, 29}});
}

TEST_CASE("A window of reals, below and above zero") {
  Trial t = trial(join("b.start_time / 2 >= a.start_time - 0.5 and b.start_time / 2 <= a.start_time + 0.5", observe));
  call(t, 0, -3, 0), call(t, 0, 0, 0), call(t, 0, 4, 0);
  for (const int begin : {-8, -7, -6, -5, -4, -1, 0, 1, 2, 7, 8, 9, 10}) handle(t, 0, begin, begin);
  run(t);
  CHECK(pairs(t) == Pairs{{-3, -7}, {-3, -6}, {-3, -5}, {0, -1}, {0, 0}, {0, 1}, {4, 7}, {4, 8}, {4, 9}});
}

TEST_CASE("Keys may be expressions of several parameters and types") {
  Trial t = trial(join("b.start_time - 100 = a.start_time + a.comm and a.request = b.request * 1.0", observe));
  call(t, 7, 10, 11, 5), call(t, 7, 20, 21, 6), call(t, 8, 10, 11, 5);
  handle(t, 7, 115, 0), handle(t, 7, 126, 0), handle(t, 8, 116, 0);
  run(t);
  CHECK(pairs(t) == Pairs{{10, 115}, {20, 126}});
}

TEST_CASE("Joins find what nested loops would find") {
  const char* texts[] = {"a.request = b.request and b.start_time >= a.finish_time",
                         "b.start_time >= a.start_time and b.start_time <= a.finish_time + 20 and a.comm <> 1",
                         "a.request = b.request and a.comm = 2 and (b.start_time > a.start_time + 50 or b.finish_time "
                         "< a.start_time)",
                         "a.start_time >= b.start_time and a.start_time < b.finish_time and a.request = b.request"};
  for (int which = 0; which < 4; ++which) {
    Trial t = trial(join(texts[which], observe));
    std::mt19937 random(static_cast<unsigned>(which));
    const auto number = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    struct Call {
      int request, begin, end, comm;
    };
    std::vector<Call> a, b;
    for (int i = 0; i < 1500; ++i) { // several blocks; each begin is unique
      a.push_back({number(40), 4 * i, 4 * i + number(50), number(3)});
      b.push_back({number(40), 4 * ((i * 7) % 1500) + 1, 0, 0});
      b.back().end = b.back().begin + number(50);
      call(t, a.back().request, a.back().begin, a.back().end, a.back().comm);
      handle(t, b.back().request, b.back().begin, b.back().end);
    }
    Pairs expected;
    for (const Call& x : a)
      for (const Call& y : b) {
        const bool same = x.request == y.request;
        const bool holds[] = {same && y.begin >= x.end, y.begin >= x.begin && y.begin <= x.end + 20 && x.comm != 1,
                              same && x.comm == 2 && (y.begin > x.begin + 50 || y.end < x.begin),
                              x.begin >= y.begin && x.begin < y.end && same};
        if (holds[which]) expected.emplace_back(x.begin, y.begin);
      }
    run(t);
    Pairs found = pairs(t);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    CHECK(found.size() > 100);
    CHECK(found == expected);
  }
}

TEST_CASE("Two variables of one type never stand for one event") {
  Trial t = trial("rule event a type lock_operation_group event b type lock_operation_group where a.rank = "
                  "b.rank "
                  "create performance observation name = \"x\" rank = a.comm peer_rank = b.comm impact = 1;");
  for (const int comm : {1, 2}) add(t, "lock_operation_group", {{"comm", comm}});
  run(t);
  CHECK(pairs(t) == Pairs{{1, 2}, {2, 1}});
}

TEST_CASE("Three events, the second found by way of the third") {
  Trial t = trial("rule event a type function_call_non_blocking_receive_operation\n"
                  "event b type function_call_request_handling event c type lock_operation_group\n"
                  "where c.comm = a.comm and b.request = c.target_rank\n"
                  "create performance observation name = \"x\" rank = a.start_time peer_rank = b.start_time\n"
                  "origin_rank = c.lock_start_time impact = 1;");
  call(t, 0, 1, 1, 5), call(t, 0, 2, 2, 6);
  handle(t, 30, 11, 11), handle(t, 40, 12, 12);
  add(t, "lock_operation_group", {{"comm", 6}, {"target_rank", 30}, {"lock_start_time", 21}});
  add(t, "lock_operation_group", {{"comm", 5}, {"target_rank", 40}, {"lock_start_time", 22}});
  add(t, "lock_operation_group", {{"comm", 7}, {"target_rank", 40}, {"lock_start_time", 23}});
  run(t);
  CHECK(pairs(t) == Pairs{{1, 12}, {2, 11}});
  CHECK(t.seen[0].origin_rank == 22);
  CHECK(t.seen[1].origin_rank == 21);
}

TEST_CASE("A deleted event takes part in nothing any more") {
  Trial t = trial(join("a.request = b.request", std::string("delete a delete b ") + observe) +
                  "rule event a type function_call_non_blocking_receive_operation\n"
                  "create performance observation name = \"left\" rank = a.start_time impact = 1;");
  call(t, 7, 10, 11), call(t, 7, 20, 21), call(t, 7, 30, 31);
  handle(t, 7, 100, 101), handle(t, 7, 200, 201);
  run(t);
  CHECK(pairs(t) == Pairs{{10, 100}, {20, 200}, {30, -1}});
  CHECK(rows(t, "function_call_request_handling") == 0);
}

TEST_CASE("Changes are seen by later rules, not by their own") {
  Trial t = trial(join("a.request = b.request", "change a request = b.request + 1 comm = a.request") +
                  join("a.request = b.request", observe));
  call(t, 7, 10, 11), call(t, 8, 20, 21);
  handle(t, 7, 100, 101), handle(t, 8, 200, 201);
  run(t);
  CHECK(integer(t, "function_call_non_blocking_receive_operation", "request", 0) == 8);
  CHECK(integer(t, "function_call_non_blocking_receive_operation", "request", 1) == 9);
  CHECK(pairs(t) == Pairs{{10, 200}});
}

TEST_CASE("All values of a rule are those from before it") {
  Trial t = trial("rule event e type lock_operation_group change e rank = e.comm comm = e.rank\n"
                  "compose event of type swapped rank = e.rank comm = e.comm;\n"
                  "rule event s type swapped create performance observation name = \"x\" rank = "
                  "s.rank peer_rank = s.comm impact = 1;"
                  "rule event e type lock_operation_group create performance observation name = "
                  "\"y\" peer_rank = e.comm impact = 1;");
  add(t, "lock_operation_group", {{"rank", 1}, {"comm", 2}});
  run(t);
  CHECK(pairs(t) == Pairs{{1, 2}, {2, 1}});
}

TEST_CASE("What a rule composes it does not see itself, so evaluation ends") {
  Trial t = trial("rule event e type lock_operation_group compose event of type "
                  "lock_operation_group comm = e.comm + 1;\n"
                  "rule event e type lock_operation_group create performance observation name = "
                  "\"x\" rank = e.comm impact = 1;");
  add(t, "lock_operation_group", {{"comm", 1}});
  add(t, "lock_operation_group", {{"comm", 5}});
  run(t);
  CHECK(pairs(t) == Pairs{{1, -1}, {5, -1}, {2, -1}, {6, -1}});
}

TEST_CASE("Composed reals, strings and call stacks reach later rules") {
  Trial t = trial("rule event e type lock_operation_group compose event of type t\n"
                  "half = e.comm / 2 name = \"é\" stack = e.lock_call_stack word = LONG;\n"
                  "rule event e type t where e.name eq \"é\" and e.half < 1.75 and e.word eq LONG and "
                  "e.stack eq \"main > 4\"\n"
                  "create performance observation name = \"x\" call_stack = e.stack impact = e.half;");
  add(t, "lock_operation_group", {{"comm", 3}, {"lock_call_stack", 4}});
  add(t, "lock_operation_group", {{"comm", 4}, {"lock_call_stack", 4}});
  add(t, "lock_operation_group", {{"comm", 1}, {"lock_call_stack", 5}});
  run(t);
  REQUIRE(t.seen.size() == 1);
  CHECK(t.seen[0].impact_ns == 1.5);
  CHECK(t.seen[0].call_stack == 4);
}

TEST_CASE("Events of many blocks, some deleted") {
  Trial t = trial("rule event e type lock_operation_group where e.comm < 1000 delete e;\n"
                  "rule event e type lock_operation_group where e.target_rank = 3 and e.comm <> 1500\n"
                  "create performance observation name = \"x\" rank = e.comm impact = e.comm;");
  for (int i = 0; i < 3000; ++i) add(t, "lock_operation_group", {{"comm", i}, {"target_rank", i % 10 == 0 ? 3 : 4}});
  run(t);
  CHECK(t.seen.size() == 199); // 1000, 1010 ... 2990 but 1500
  CHECK(t.seen.front().rank == 1000);
  CHECK(t.seen.back().row == 2990);
  CHECK(rows(t, "lock_operation_group") == 2000);
}

TEST_CASE("Tables can be filled and evaluated again") {
  Trial t = trial("rule event e type lock_operation_group create performance observation name = "
                  "\"x\" rank = e.comm impact = 1 delete e;");
  CHECK_FALSE(t.program.joins);
  for (const int comm : {1, 2}) {
    clear(t.tables);
    add(t, "lock_operation_group", {{"comm", comm}});
    run(t);
    CHECK(pairs(t) == Pairs{{comm, -1}});
  }
}

TEST_CASE("A rule that costs too much is stopped and named") {
  Trial t = trial(join("a.request = b.request", observe) + "\n" +
                  "rule event a type function_call_request_handling create performance observation "
                  "name = \"y\" impact = 1;");
  CHECK(t.program.joins);
  for (int i = 0; i < 1000; ++i) call(t, 7, i, i), handle(t, 7, i, i);
  Limits limits;
  limits.candidates = 100000; // of a million
  run(t, limits);
  CHECK(t.outcome.stopped == Lines{"test.rules:1: rule combines more than 100000 events and was "
                                   "stopped; add equalities or windows to 'where'"});
  CHECK(t.seen.size() > 100000); // what it found, and all of the rule after it
  CHECK(t.seen.size() < 110000);

  Trial many = trial("rule event e type lock_operation_group compose event of type t a = 1;");
  for (int i = 0; i < 2000; ++i) add(many, "lock_operation_group", {});
  limits.composed = 1000;
  run(many, limits);
  CHECK(many.outcome.stopped == Lines{"test.rules:1: rule composes more than 1000 events and was "
                                      "stopped; add conditions to 'where'"});
}

TEST_CASE("The text of a call stack is asked for once, and only by rules that compare it") {
  const Compiled compiled = compile({{"t", "rule event e type lock_operation_group where e.exclusive = 1 and "
                                           "e.lock_call_stack eq \"a\" delete e;"}});
  REQUIRE(compiled.errors.empty());
  Tables tables = make_tables(compiled.program);
  Table& table = table_of(tables, EventType::lock_operation_group);
  namespace c = columns::lock_operation_group;
  append(table, 6);
  for (std::size_t row = 0; row < 6; ++row) {
    set(table, row, c::exclusive, row < 5);
    set(table, row, c::lock_call_stack, row < 4 ? 70 : 71 + static_cast<std::int64_t>(row));
  }
  std::vector<std::int64_t> asked;
  evaluate(compiled.program, tables, {{}, [&](std::int64_t stack) {
                                        asked.push_back(stack);
                                        return std::string(stack == 70 ? "a" : "b");
                                      }});
  CHECK(asked == std::vector<std::int64_t>{70, 75});
  CHECK(table.deleted == std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0});
}
