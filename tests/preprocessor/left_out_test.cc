// Shares and notes of functions without a probe, over hand-made functions.
#include <catch2/catch.hpp>

#include "preprocessor/left_out.h"
#include "preprocessor/preamble.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

Function worker(const std::string& name, double operations, std::vector<Expected::Call> calls = {}) {
  Function made;
  made.name = name;
  made.file = "a.c";
  made.line = 7;
  made.expected.operations = operations;
  made.expected.calls = std::move(calls);
  made.expected.unknown = false;
  return made;
}

std::vector<Decision> probes(std::vector<bool> probe) {
  std::vector<Decision> decisions(probe.size());
  for (std::size_t i = 0; i < probe.size(); ++i) decisions[i].probe = probe[i];
  return decisions;
}

} // namespace

TEST_CASE("shares: operations of a visit, callees of callees included") {
  // In f: 40 + 10 x (2 + 3 x 1) + 10 of its own = 100.
  const std::vector<Function> functions{worker("f", 10, {{1, 10}, {1, 0}, {3, 4}}), worker("g", 2, {{2, 3}}),
                                        worker("h", 1), worker("i", 10)};
  const auto shares = left_out_shares(functions, probes({true, false, false, false}));
  REQUIRE(shares.size() == 4);
  CHECK(shares[0].empty());
  CHECK(shares[1][0].share == Approx(0.2));
  CHECK(shares[2][0].share == Approx(0.3));
  CHECK(shares[3][0].share == Approx(0.4));
  CHECK_FALSE(shares[3][0].unknown_work);
}

TEST_CASE("shares: what has a probe takes nothing of its caller's time") {
  const std::vector<Function> functions{worker("f", 10, {{1, 1}, {2, 1}}), worker("g", 1000, {{2, 9}}),
                                        worker("h", 10)};
  const auto shares = left_out_shares(functions, probes({true, true, false}));
  REQUIRE(shares[2].size() == 2);
  CHECK(shares[2][0].in == 0); // the largest share first: 10 of 20, 90 of 1090
  CHECK(shares[2][0].share == Approx(0.5));
  CHECK(shares[2][1].share == Approx(90.0 / 1090));
}

TEST_CASE("shares: recursion ends, unknown work is said") {
  std::vector<Function> functions{worker("f", 10, {{1, 1}}), worker("g", 10, {{1, 2}, {2, 1}}),
                                  worker("h", 20, {{1, 1}})};
  functions[2].expected.unknown = true;
  const auto shares = left_out_shares(functions, probes({true, false, false}));
  CHECK(shares[1][0].share == Approx(0.25));
  CHECK(shares[2][0].share == Approx(0.5));
  CHECK(shares[2][0].unknown_work);
}

TEST_CASE("shares: none in functions that wait in libraries, themselves or through others") {
  std::vector<Function> functions{worker("f", 10, {{1, 1}}), worker("g", 10, {{2, 1}}), worker("h", 20)};
  CHECK(left_out_shares(functions, probes({true, false, false}))[2].size() == 1);
  functions[1].expected.far_calls = {{waiting_call, 1}};
  const auto shares = left_out_shares(functions, probes({true, false, false}));
  CHECK(shares[1].empty());
  CHECK(shares[2].empty());
}

TEST_CASE("notes: functions with a probe that contain others, and those that other sources may call") {
  std::vector<Function> functions{worker("f", 10, {{1, 3}}), worker("g", 10), worker("alone", 5)};
  functions[1].expected.far_calls = {{"far(int)", 2}};
  functions[1].signature = "g(int)";
  CHECK(left_out_notes(functions, probes({true, true, true})).find("alone") == std::string::npos);
  const std::string inside = "__asm__(\".pushsection .andes.left_out,\\\"MS\\\",%progbits,1\\012"
                             ".asciz \\\"f\\\\011a.c\\\\0117\\\\01110\\\\011p\\\\011\\\\011\\\\012"
                             "+\\\\011g\\\\011a.c\\\\0117\\\\01130\\\\011\\\\012"
                             ">\\\\011far(int)\\\\0116\\\\011\\\\012\\\"\\012.popsection\\012\");\n";
  CHECK(left_out_notes(functions, probes({true, false, true})) == inside);
  functions[1].is_external = true;
  const std::string both = left_out_notes(functions, probes({true, false, true}));
  CHECK(both.substr(0, inside.size()) == inside);
  CHECK(both.find("g\\\\011a.c\\\\0117\\\\01110\\\\011\\\\011g(int)\\\\011\\\\012") != std::string::npos);
}
