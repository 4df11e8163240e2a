// Tail calls in cycles, over graphs of calls.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "preprocessor/cycles.h"

using namespace andes::preprocessor;

TEST_CASE("tail calls in graphs of calls: as a search from each callee tells") {
  unsigned state = 1;
  const auto random = [&state](unsigned below) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % below;
  };
  for (int graph = 0; graph < 300; ++graph) {
    const unsigned count = 1 + random(12);
    std::vector<Function> functions;
    for (unsigned i = 0; i < count; ++i) {
      functions.emplace_back();
      for (unsigned calls = random(4); calls > 0; --calls) functions[i].calls.push_back(random(count));
      for (const unsigned callee : functions[i].calls)
        if (random(2)) functions[i].tail_calls.push_back(callee);
    }
    const std::vector<bool> found = call_last_in_cycles(functions);
    for (unsigned i = 0; i < count; ++i) {
      const auto& last = functions[i].tail_calls;
      const bool leads_back = std::any_of(last.begin(), last.end(), [&](unsigned callee) {
        std::set<unsigned> reached{callee};
        for (std::size_t before = 0; before != reached.size();) {
          before = reached.size();
          for (const unsigned at : std::set<unsigned>(reached))
            reached.insert(functions[at].calls.begin(), functions[at].calls.end());
        }
        return reached.contains(i);
      });
      CHECK(found[i] == leads_back);
    }
  }
}

TEST_CASE("a chain of a million calls that closes") {
  constexpr unsigned count = 1'000'000;
  std::vector<Function> functions(count);
  for (unsigned i = 0; i < count; ++i) functions[i].calls = functions[i].tail_calls = {(i + 1) % count};
  CHECK(call_last_in_cycles(functions) == std::vector<bool>(count, true));
  functions.back().calls = functions.back().tail_calls = {};
  CHECK(call_last_in_cycles(functions) == std::vector<bool>(count, false));
}
