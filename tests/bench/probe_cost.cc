// Times calls; see probe_functions.h.
#include <algorithm>
#include <chrono>

#include "tests/bench/probe_functions.h"

namespace andes::bench {
namespace {

volatile std::uint64_t result;

double call_ns(Function function, Calls way, int calls) {
  // The optimiser must not know which function it is: both are called in the same way.
  asm volatile("" : "+r"(function));
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t x = result;
  if (way == Calls::chained) {
    for (int i = 0; i < calls; ++i) x = function(x);
  } else {
    for (int i = 0; i < calls; ++i) x ^= function(static_cast<std::uint64_t>(i));
  }
  result = x;
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(end - begin).count() / calls;
}

} // namespace

Cost cost_of(Functions functions, Calls way, int rounds, int calls) {
  Cost cost{call_ns(functions.bare, way, calls), call_ns(functions.probed, way, calls)};
  for (int i = 0; i < rounds; ++i) {
    cost.bare_ns = std::min(cost.bare_ns, call_ns(functions.bare, way, calls));
    cost.probed_ns = std::min(cost.probed_ns, call_ns(functions.probed, way, calls));
  }
  return cost;
}

} // namespace andes::bench
