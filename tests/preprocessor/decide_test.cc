// Decisions over hand-made functions.
#include <catch2/catch.hpp>

#include "preprocessor/decide.h"
#include "preprocessor/decide_small.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

Function function(const std::string& name, std::vector<unsigned> calls = {}, std::vector<unsigned> tail_calls = {}) {
  Function made;
  made.name = name;
  made.is_main = name == "main";
  made.file = "a.c";
  made.calls = std::move(calls);
  made.tail_calls = std::move(tail_calls);
  return made;
}

/// A function whose work is known.
Function worker(const std::string& name, unsigned operations, std::vector<unsigned> calls = {}) {
  Function made = function(name);
  made.effort.unseen = false;
  made.effort.operations = made.effort.size = operations;
  made.effort.likely = operations;
  made.effort.obscure = false;
  for (const unsigned callee : calls) {
    made.effort.steps.push_back({Step::Kind::call, callee});
    made.expected.calls.push_back({callee, 1});
  }
  made.effort.calls = made.effort.places = std::move(calls);
  return made;
}

std::string reason(const std::vector<Function>& functions, unsigned index, Care care = Care::normal) {
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

TEST_CASE("a tail call to itself") { CHECK(reason({function("f", {0}, {0})}, 0) == "tail call in a cycle of calls"); }

TEST_CASE("recursion without a tail call keeps its probe") { CHECK(reason({function("f", {0})}, 0).empty()); }

TEST_CASE("a cycle of three: only those that call last in it are left out") {
  const std::vector<Function> functions{function("a", {1}, {1}), function("b", {2}), function("c", {0}, {0}),
                                        function("d", {0}, {0})};
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

namespace {

/// A function marked inline that calls what the source does not define.
Function inlined(const std::string& name, unsigned operations, std::vector<unsigned> calls = {}) {
  Function made = worker(name, operations, std::move(calls));
  made.effort.unseen = made.effort.obscure = made.effort.marked_inline = true;
  made.effort.steps.push_back({Step::Kind::unknown_call});
  return made;
}

} // namespace

TEST_CASE("what is not known to be small keeps its probe") {
  Function f = worker("f", 3);
  CHECK(reason({f}, 0) == "small (3 operations, no loops, no calls)");
  f.effort.loops = true;
  CHECK(reason({f}, 0).empty());
  f = worker("f", 3);
  f.effort.unseen = true;
  CHECK(reason({f}, 0).empty());
}

TEST_CASE("loops of known length are in the operations, and are told") {
  Function f = worker("f", 36);
  f.effort.counted = true;
  CHECK(reason({f}, 0) == "small (36 operations, loops of known length, no calls)");
  f.effort.operations = small_operations + 1;
  CHECK(reason({f}, 0).empty());
}

TEST_CASE("always_inline is left out whatever it does, but for ways to MPI and rules") {
  Function heavy = inlined("heavy", 500, {1});
  heavy.effort.loops = heavy.effort.always_inline = true;
  Function work = worker("work", 500), driver = worker("driver", 1, {0});
  CHECK(reason({heavy, work, driver}, 0) == "always_inline: its code and time belong to its caller");
  CHECK(reason({heavy, work, driver}, 2).empty()); // where its time is told
  CHECK(decide({heavy, work, driver}, parse_selection("include heavy\n", "s"))[0].probe);
  work.effort.mpi = true;
  CHECK(reason({heavy, work, driver}, 0).empty());
}

TEST_CASE("the limit, and the words for one operation") {
  CHECK(reason({worker("f", small_operations)}, 0) == "small (100 operations, no loops, no calls)");
  CHECK(reason({worker("f", small_operations + 1)}, 0).empty());
  CHECK(reason({worker("f", 1)}, 0) == "small (1 operation, no loops, no calls)");
  CHECK(reason({worker("f", 0)}, 0) == "small (0 operations, no loops, no calls)");
}

TEST_CASE("operations of callees count, once for each place of a call") {
  const std::vector<Function> functions{worker("top", 5, {1, 2, 1}), worker("left", 10, {2}), worker("leaf", 20)};
  CHECK(reason(functions, 2) == "small (20 operations, no loops, no calls)");
  CHECK(reason(functions, 1) == "small (30 operations, no loops, calls only small functions)");
  CHECK(reason(functions, 0) == "small (85 operations, no loops, calls only small functions)");
}

TEST_CASE("many small calls are not small") {
  const std::vector<Function> functions{worker("top", 1, {1, 1, 1}), worker("leaf", 34)};
  CHECK(reason(functions, 0).empty()); // 103
  CHECK_FALSE(reason(functions, 1).empty());
}

TEST_CASE("what calls itself is left out if it is short, and its caller stays") {
  std::vector<Function> functions{worker("walk", recursive_operations, {0, 0}), worker("whole", 1, {0})};
  CHECK(reason(functions, 0) == "calls itself and is short (300 operations in a visit)");
  CHECK(reason(functions, 1).empty());
  functions[0].effort.unseen = true; // a virtual call
  CHECK_FALSE(reason(functions, 0).empty());
  functions[0].effort.operations = recursive_operations + 1;
  CHECK(reason(functions, 0).empty());
  functions[0] = worker("walk", 1, {0, 2});
  functions.push_back(worker("heavy", 1));
  functions[2].effort.loops = true;
  CHECK(reason(functions, 0).empty()); // calls one with a probe
}

TEST_CASE("a template or lambda that only returns a short expression is left out though it calls what is not seen") {
  std::vector<Function> functions{worker("square", short_operations), worker("whole", 1, {0})};
  functions[0].effort.unseen = true;
  functions[1].effort.loops = true;
  CHECK(reason(functions, 0).empty());
  functions[0].effort.expression = true;
  CHECK(reason(functions, 0) == "only returns a short expression (30 operations)");
  ++functions[0].effort.operations;
  CHECK(reason(functions, 0).empty());
  functions[0].effort.operations = 1;
  functions[0].effort.mpi = true;
  CHECK(reason(functions, 0).empty());
}

TEST_CASE("a cycle of several functions is never small") {
  const std::vector<Function> functions{worker("a", 1, {1}), worker("b", 1, {0}), worker("above", 1, {0}),
                                        worker("beside", 1)};
  CHECK(reason(functions, 0).empty());
  CHECK(reason(functions, 1).empty());
  CHECK(reason(functions, 2).empty());
  CHECK_FALSE(reason(functions, 3).empty());
}

TEST_CASE("marked inline and short: left out though it calls what is not seen") {
  CHECK(reason({inlined("f", 4)}, 0) == "marked inline and short (4 operations, no loops, no MPI)");
  CHECK_FALSE(reason({inlined("f", short_operations)}, 0).empty());
  CHECK(reason({inlined("f", short_operations + 1)}, 0).empty());
  Function f = inlined("f", 4);
  f.effort.marked_inline = false;
  CHECK(reason({f}, 0).empty());
  f = inlined("f", 4);
  f.effort.loops = true;
  CHECK(reason({f}, 0).empty());
  CHECK(reason({inlined("main", 4)}, 0).empty());
}

TEST_CASE("ways to MPI keep their probes, marked inline or not") {
  std::vector<Function> functions{worker("main", 1, {1}), inlined("step", 1, {2}), inlined("exchange", 2),
                                  inlined("beside", 2)};
  functions[2].effort.mpi = true;
  CHECK(reason(functions, 2).empty());
  CHECK(reason(functions, 1).empty());
  CHECK_FALSE(reason(functions, 3).empty());
}

TEST_CASE("what calls a short inline function of open cost is small only if it is short itself") {
  std::vector<Function> functions{worker("caller", 1, {2}), inlined("wrapper", 1, {2}), inlined("get", 9)};
  CHECK(reason(functions, 0).empty());
  CHECK(reason(functions, 1) == "marked inline and short (10 operations, no loops, no MPI)");
}

namespace {

/// A function with a probe.
/// Marked inline, and all that it calls is in the source.
Function forwarder(const std::string& name, unsigned operations, std::vector<unsigned> calls) {
  Function made = worker(name, operations, std::move(calls));
  made.effort.marked_inline = true;
  return made;
}

Function heavy(std::vector<unsigned> calls = {}) {
  Function made = worker("heavy", 5, std::move(calls));
  made.effort.loops = made.effort.long_loops = true;
  return made;
}

} // namespace

TEST_CASE("a short inline function that calls one function with a probe, once, only forwards") {
  const std::string forwards = "only forwards to a function with a probe (1 operation)";
  CHECK(reason({forwarder("run", 1, {1}), heavy()}, 0) == forwards);
  CHECK(reason({forwarder("run", 1, {1}), heavy()}, 1).empty()); // where its time is told
  CHECK(reason({forwarder("run", 1, {1, 2}), heavy(), worker("small", 1)}, 0) == forwards);
  CHECK(reason({forwarder("run", 1, {1, 1}), heavy()}, 0).empty());
  CHECK(reason({forwarder("run", 1, {1, 2}), heavy(), heavy()}, 0).empty());
  CHECK(reason({forwarder("run", short_operations + 1, {1}), heavy()}, 0).empty());
  CHECK(reason({worker("run", 1, {1}), heavy()}, 0).empty());
  Function into_other_source = forwarder("run", 1, {1});
  into_other_source.effort.unseen = true; // what it does there would be its caller's
  into_other_source.effort.steps.push_back({Step::Kind::unknown_call});
  CHECK(reason({into_other_source, heavy()}, 0).empty());
  CHECK(reason({forwarder("run", 1, {1, 2}), heavy(), worker("small", short_operations)}, 0).empty());
  CHECK(reason({forwarder("run", 1, {1, 2}), heavy(), worker("clear", 1, {2})}, 0)
            .empty()); // recursion: any number of visits
  CHECK(reason({forwarder("main", 1, {1}), heavy()}, 0).empty());
  CHECK(decide({forwarder("run", 1, {1}), heavy()}, parse_selection("include run\n", "s"))[0].probe);
  Function lambda = worker("{lambda:1}", 1, {1});
  lambda.effort.expression = true;
  CHECK(reason({lambda, heavy()}, 0) == forwards);
}

TEST_CASE("what forwards to a function that has no probe for another reason than its size keeps its own") {
  Function excluded = heavy();
  excluded.obstacle = Obstacle::coroutine;
  CHECK(reason({forwarder("run", 1, {1}), excluded}, 0).empty());
  CHECK(reason({forwarder("run", 1, {1, 2}), heavy(), excluded}, 0).empty());
}

TEST_CASE("of functions that forward to each other only the last has a probe, and in a circle one") {
  std::vector<Function> functions{forwarder("begin", 1, {1}), forwarder("make", 1, {2}), heavy()};
  CHECK_FALSE(reason(functions, 0).empty());
  CHECK_FALSE(reason(functions, 1).empty());
  CHECK(reason(functions, 2).empty());
  functions[2] = forwarder("back", 1, {0});
  CHECK(reason(functions, 0).empty() + reason(functions, 1).empty() + reason(functions, 2).empty() == 1);
  // What leads into a circle forwards, whichever number it has.
  CHECK_FALSE(reason({forwarder("lead", 1, {1}), forwarder("a", 1, {2}), forwarder("b", 1, {1})}, 0).empty());
  CHECK_FALSE(reason({forwarder("a", 1, {1}), forwarder("b", 1, {0}), forwarder("lead", 1, {0})}, 2).empty());
  functions[2].effort.mpi = true;
  for (unsigned i = 0; i < 3; ++i) CHECK(reason(functions, i).empty());
}

TEST_CASE("what the compiler would inline is left out up to 1000 operations") {
  Function f = worker("f", 300);
  CHECK(reason({f}, 0).empty()); // others can call it, so it stays a function
  f.effort.local = true; // called nowhere: a lambda that is handed on
  CHECK(reason({f}, 0) == "the compiler would inline it (300 operations, no loops)");
  f.effort.operations = inlined_operations;
  CHECK_FALSE(reason({f}, 0).empty());
  f.effort.operations = inlined_operations + 1;
  CHECK(reason({f}, 0).empty());
}

TEST_CASE("a local function is inlined where one place calls it, or where it is short") {
  Function f = worker("f", 300), once = worker("once", 500, {0}), twice = worker("twice", 500, {0, 0});
  f.effort.local = true;
  CHECK_FALSE(reason({f, once}, 0).empty());
  CHECK(reason({f, twice}, 0).empty());
  f.effort.size = inlined_size_unmarked; // 300 operations by a loop of known length
  CHECK_FALSE(reason({f, twice}, 0).empty());
  f.effort.size = inlined_size_unmarked + 1;
  CHECK(reason({f, twice}, 0).empty());
}

TEST_CASE("marked inline: by the size of its text with what is inlined into it") {
  Function leaf = worker("leaf", 80), f = worker("f", 100, {0, 0});
  leaf.effort.marked_inline = f.effort.marked_inline = true;
  f.effort.size = 40;
  CHECK(reason({leaf, f}, 1) == "the compiler would inline it (260 operations, no loops)"); // size 200
  f.effort.size = 41;
  CHECK(reason({leaf, f}, 1).empty());
  f.effort.size = 40;
  f.effort.is_virtual = true; // called by way of a table
  CHECK(reason({leaf, f}, 1).empty());
}

TEST_CASE("short searches are loops but where the source asks for inlining") {
  Function f = worker("f", 48);
  f.effort.scans = true;
  CHECK(reason({f}, 0).empty());
  f.effort.marked_inline = true;
  CHECK(reason({f}, 0) == "small (48 operations, short searches, no calls)");
}

namespace {

/// A function whose loop calls the given ones.
Function looping(const std::string& name, std::vector<unsigned> calls) {
  Function made = worker(name, 50, std::move(calls));
  made.effort.loops = made.effort.long_loops = true;
  for (Expected::Call& call : made.expected.calls) call.times = 8;
  return made;
}

/// Steps that call the first function in one branch, and the second one, if any, in the other.
std::vector<Step> either(std::vector<unsigned> one, std::vector<unsigned> other = {}) {
  std::vector<Step> steps{{Step::Kind::branch}};
  for (const unsigned callee : one) steps.push_back({Step::Kind::call, callee});
  steps.push_back({Step::Kind::otherwise});
  for (const unsigned callee : other) steps.push_back({Step::Kind::call, callee});
  steps.push_back({Step::Kind::end});
  return steps;
}

} // namespace

TEST_CASE("what a loop of its file calls is left out up to 400 expected operations") {
  std::vector<Function> functions{worker("kernel", 400, {2}), looping("whole", {0}), worker("leaf", 0)};
  CHECK(reason(functions, 0) == "short for the loops that call it (400 operations expected)");
  CHECK(decide(functions, {})[0].operations == 400);
  CHECK(reason(functions, 1).empty());
  functions[0].effort.scans = functions[0].effort.loops = true; // short ones
  CHECK_FALSE(reason(functions, 0).empty());
  CHECK(decide(functions, parse_selection("include kernel\n", "s"))[0].probe);
  functions[0].effort.likely = 401;
  CHECK(reason(functions, 0).empty());
  functions[0].effort.likely = 100;
  functions[1].expected.calls[0].times = 2;
  CHECK(reason(functions, 0).empty());
  functions[1].expected.calls[0].times = 8;
  functions[1].file = "b.c"; // other sources may have the function without its caller
  CHECK(reason(functions, 0).empty());
  functions[1].file = "a.c";
  functions[0].effort.long_loops = true;
  CHECK(reason(functions, 0).empty());
  functions[0].effort.long_loops = false;
  functions[0].effort.obscure = true;
  functions[0].effort.steps.push_back({Step::Kind::unknown_call});
  CHECK(reason(functions, 0).empty());
}

TEST_CASE("a call in a loop reaches through functions that are left out, whatever their order") {
  const std::vector<Function> functions{looping("whole", {2}), worker("inner", 250), worker("outer", 120, {1})};
  CHECK(reason(functions, 2) == "short for the loops that call it (370 operations expected)");
  CHECK(reason(functions, 1) == "short for the loops that call it (250 operations expected)");
  CHECK(reason({looping("whole", {2}), worker("inner", 250), worker("outer", 190, {1})}, 1).empty());
}

TEST_CASE("what calls longer functions in some visits only is left out if it is short otherwise") {
  std::vector<Function> functions{worker("neighbour", 20, {1}), heavy(), looping("whole", {0})};
  CHECK(reason(functions, 0).empty()); // in each visit
  functions[0].effort.steps = either({1});
  CHECK(reason(functions, 0) == "usually short (20 operations, calls longer functions in some visits only)");
  CHECK(reason(functions, 1).empty()); // where the time of those visits is told
  CHECK_FALSE(decide(functions, {})[0].operations);
  functions[0].effort.steps = either({1}, {1}); // one of them in each visit
  CHECK(reason(functions, 0).empty());
  functions[0].effort.steps = either({1, 1}); // more than an exception
  CHECK(reason(functions, 0).empty());
  functions[0].effort.steps = either({1});
  for (int i = 0; i < 2; ++i)
    for (const Step& step : either({1})) functions[0].effort.steps.push_back(step);
  CHECK(reason(functions, 0).empty()); // it puts work in order
  functions[0].effort.steps = either({1});
  functions[1].effort.mpi = true;
  CHECK(reason(functions, 0).empty());
  functions[1].effort.mpi = false;
  functions[0].effort.loops = true;
  CHECK(reason(functions, 0).empty());
  functions[0].effort.loops = false;
  functions[2].expected.calls[0].times = 1; // no loop calls it
  CHECK(reason(functions, 0).empty());
  functions[0].effort.marked_inline = true;
  functions[0].effort.operations = 200;
  functions[0].effort.likely = 200;
  CHECK_FALSE(reason(functions, 0).empty());
  functions[0].effort.is_virtual = true;
  CHECK(reason(functions, 0).empty());
}

TEST_CASE("what a loop calls is left out if it only hands on to another function of the program") {
  std::vector<Function> functions{worker("send", 30, {1}), heavy(), looping("whole", {0})};
  functions[0].expected.unknown = false;
  const std::string hands_on = "only hands on to a function that tells the same time, in a loop (30 operations)";
  CHECK(reason(functions, 0) == hands_on);
  CHECK(reason(functions, 1).empty()); // where the time is told
  CHECK_FALSE(decide(functions, {})[0].operations);
  functions[1].effort.mpi = true; // ways to MPI stay
  CHECK(reason(functions, 0).empty());
  functions[1].effort.mpi = false;
  functions[1] = worker("put", 2); // has no probe itself, for it only calls a library
  functions[1].effort.marked_inline = functions[1].effort.obscure = functions[1].effort.unseen = true;
  functions[1].effort.steps = {{Step::Kind::unknown_call}};
  CHECK_FALSE(reason(functions, 1).empty());
  CHECK(reason(functions, 0).empty());
  functions[1] = heavy();
  functions[0].effort.steps.push_back({Step::Kind::call, 1}); // puts two in order
  CHECK(reason(functions, 0).empty());
  functions[0] = worker("send", 30);
  functions[0].expected.unknown = false;
  functions[0].effort.unseen = functions[0].effort.obscure = true;
  functions[0].effort.steps = {{Step::Kind::unknown_call}};
  functions[0].expected.far_calls = {{"far", 1}}; // of another source
  CHECK(reason(functions, 0) == hands_on);
  functions[0].expected.far_calls[0].function = "dgemm_"; // of a library, perhaps
  CHECK(reason(functions, 0).empty());
  functions[0].expected.far_calls[0].function = "far";
  functions[0].expected.unknown = true; // it calls a library, or through a pointer
  CHECK(reason(functions, 0).empty());
  functions[0].expected.unknown = false;
  functions[0].effort.likely = 31;
  CHECK(reason(functions, 0).empty());
  functions[0].effort.likely = 30;
  functions[2].expected.calls[0].times = 1; // no loop calls it
  CHECK(reason(functions, 0).empty());
}

TEST_CASE("functions that call each other keep their probes, however they do so") {
  std::vector<Function> functions{worker("term", 20, {1}), worker("sum", 20, {0}), looping("whole", {0, 1})};
  for (unsigned i = 0; i < 2; ++i) {
    functions[i].effort.steps = either({1 - i});
    functions[i].calls = {1 - i};
  }
  CHECK(reason(functions, 0).empty());
  CHECK(reason(functions, 1).empty());
}

TEST_CASE("what one loop alone repeats is left out if its caller does nothing else") {
  std::vector<Function> functions{inlined("step", 900), looping("steps", {0})};
  functions[0].effort.loops = true;
  functions[0].effort.obscure = false;
  functions[1].effort.size = 3;
  CHECK(reason(functions, 0) == "called in one loop alone, by a function that tells the same time");
  CHECK(reason(functions, 1).empty());
  functions[1].effort.size = 17;
  CHECK(reason(functions, 0).empty());
  functions[1].effort.size = 3;
  functions[1].is_main = true;
  CHECK(reason(functions, 0).empty());
  functions[1].is_main = false;
  functions[0].effort.marked_inline = false; // the compiler leaves it a function
  CHECK(reason(functions, 0).empty());
  functions[0].effort.local = true;
  CHECK_FALSE(reason(functions, 0).empty());
  functions[0].effort.long_loops = true; // each visit may take long
  CHECK(reason(functions, 0).empty());
  functions[0].effort.long_loops = false;
  functions[0].effort.obscure = true;
  CHECK(reason(functions, 0).empty());
  functions[0].effort.obscure = false;
  functions.push_back(worker("other", 200, {0}));
  CHECK(reason(functions, 0).empty());
}

TEST_CASE("what calls a short function marked inline keeps its probe if that does what nobody knows") {
  std::vector<Function> functions{worker("row", 10, {1}), inlined("sleeping", 8), looping("rows", {0})};
  CHECK(reason(functions, 0).empty());
  functions[1].effort.obscure = false;
  CHECK_FALSE(reason(functions, 0).empty());
}

TEST_CASE("main keeps its probe, and only that main") {
  CHECK(reason({worker("main", 0)}, 0).empty());
  CHECK_FALSE(reason({worker("Grid::main", 0)}, 0).empty());
}

TEST_CASE("small functions that a rule includes keep their probes, and so do their callers") {
  const std::vector<Function> functions{worker("caller", 1, {1}), worker("named", 1), worker("other", 1)};
  const auto decisions = decide(functions, parse_selection("include named\n", "s"));
  CHECK(decisions[0].probe);
  CHECK(decisions[1].probe);
  CHECK_FALSE(decisions[2].probe);
  for (const Decision& decision : decide(functions, load_selection("all"))) CHECK(decision.probe);
}

TEST_CASE("excluded is said before small, and a small callee stays small without its probe") {
  const std::vector<Function> functions{worker("caller", 1, {1}), worker("named", 1)};
  const auto decisions = decide(functions, parse_selection("exclude named\n", "s"));
  CHECK(decisions[1].reason == "not selected");
  CHECK(decisions[0].reason == "small (2 operations, no loops, calls only small functions)");
}

TEST_CASE("an obstacle is said before small") {
  Function f = worker("f", 1);
  f.obstacle = Obstacle::constant;
  CHECK(reason({f, worker("caller", 1, {0})}, 0) == "constexpr or consteval");
  CHECK(reason({f, worker("caller", 1, {0})}, 1) == "small (2 operations, no loops, calls only small functions)");
}

TEST_CASE("the selection comes last") {
  const Selection selection = parse_selection("exclude *\n", "s");
  Function f = function("f");
  CHECK(decide({f}, selection)[0].reason == "not selected");
  f.obstacle = Obstacle::naked;
  CHECK(decide({f}, selection)[0].reason == "naked");
}
