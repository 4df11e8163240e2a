// Decisions over hand-made functions.
#include <catch2/catch.hpp>

#include "preprocessor/decide.h"

using namespace andes;

namespace {

Function function(const std::string& name, std::vector<unsigned> calls = {},
                  std::vector<unsigned> tail_calls = {}) {
  Function made;
  made.name = name;
  made.file = "a.c";
  made.calls = std::move(calls);
  made.tail_calls = std::move(tail_calls);
  return made;
}

std::string reason(const std::vector<Function>& functions, unsigned index,
                   Care care = Care::normal) {
  return decide(functions, {}, care)[index].reason;
}

} // namespace

TEST_CASE("a function without obstacle gets a probe") {
  const auto decisions = decide({function("f")}, {});
  CHECK(decisions[0].probe);
  CHECK(decisions[0].reason.empty());
}

TEST_CASE("every obstacle has a reason and no probe") {
  for (int obstacle = int(Obstacle::constant); obstacle <= int(Obstacle::deleted); ++obstacle) {
    Function f = function("f");
    f.obstacle = Obstacle(obstacle);
    const auto decisions = decide({f}, {});
    CHECK_FALSE(decisions[0].probe);
    CHECK_FALSE(decisions[0].reason.empty());
  }
}

TEST_CASE("a tail call outside a cycle is harmless") {
  CHECK(reason({function("f", {1}, {1}), function("g")}, 0).empty());
}

TEST_CASE("a tail call to itself") {
  CHECK(reason({function("f", {0}, {0})}, 0) == "tail call in a cycle of calls");
}

TEST_CASE("recursion without a tail call keeps its probe") {
  CHECK(reason({function("f", {0})}, 0).empty());
}

TEST_CASE("a cycle of three: only those that call last in it are left out") {
  const std::vector<Function> functions{function("a", {1}, {1}), function("b", {2}),
                                        function("c", {0}, {0}), function("d", {0}, {0})};
  CHECK(reason(functions, 0) == "tail call in a cycle of calls");
  CHECK(reason(functions, 1).empty()); // its own frame is there anyway
  CHECK(reason(functions, 2) == "tail call in a cycle of calls");
  CHECK(reason(functions, 3).empty()); // calls into the cycle, is not in it
}

TEST_CASE("careful leaves out lambdas that may be constexpr, and nothing else") {
  Function lambda = function("{lambda:1}");
  lambda.maybe_constant = true;
  CHECK(reason({lambda}, 0).empty());
  CHECK(reason({lambda}, 0, Care::careful) == "lambda that may be constexpr");
  CHECK(reason({function("f")}, 0, Care::careful).empty());
}

TEST_CASE("the selection comes last") {
  const Selection selection = parse_selection("exclude *\n", "s");
  Function f = function("f");
  CHECK(decide({f}, selection)[0].reason == "not selected");
  f.obstacle = Obstacle::naked;
  CHECK(decide({f}, selection)[0].reason == "naked");
}
