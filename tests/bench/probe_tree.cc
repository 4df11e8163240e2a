// The functions themselves; see probe_tree.h. Compiled once per variant: TREE_PLACE is the name of the
// function that hands them out, TREE_PROBED says whether they have probes.
#include "tests/bench/probe_tree.h"

#include <array>
#include <utility>

#include "monitor/interface/probe.h"

#if TREE_PROBED
#define PROBE(number)                                                                    \
  static andes_site site =                                                               \
      ANDES_SITE("bench", __FILE__, static_cast<unsigned>(number), ANDES_KIND_FUNCTION); \
  ANDES_PROBE(&site)
#else
#define PROBE(number)
#endif
#define FUNCTION(number, body)                                         \
  __attribute__((noinline)) std::uint64_t f##number(std::uint64_t x) { \
    PROBE(number)                                                      \
    asm volatile("" : "+r"(x));                                        \
    body                                                               \
  }

namespace andes::bench {
namespace {

// 0 - 1 - 2 - 4 - 6
//     |   |   ` - 7
//     |   ` - 9
//     ` - 3 - 5
//         ` - 8
FUNCTION(9, return x * 5 + 1;)
FUNCTION(8, return x * 7 + 1;)
FUNCTION(7, return x * 9 + 1;)
FUNCTION(6, return x * 3 + 2;)
FUNCTION(5, return x ^ 3;)
FUNCTION(4, return f6(x) + f7(x);)
FUNCTION(3, return f5(x) + f8(x ^ 1);)
FUNCTION(2, return f4(x) + f9(x);)
FUNCTION(1, return f2(x) + f3(x);)
FUNCTION(0, return f1(x) + 1;)

template <int number> __attribute__((noinline)) std::uint64_t child(std::uint64_t x) {
  PROBE(1000 + number)
  asm volatile("" : "+r"(x));
  return x * 5 + number;
}

using Function = std::uint64_t (*)(std::uint64_t);
template <int... number>
constexpr std::array<Function, sizeof...(number)> table(std::integer_sequence<int, number...>) {
  return {child<number>...};
}
constexpr auto children = table(std::make_integer_sequence<int, children_of_family>());

// The same pseudo-random order every time, long enough not to be learnt by the branch predictor.
std::array<std::uint8_t, 4096> order() {
  std::array<std::uint8_t, 4096> order{};
  std::uint64_t state = 88172645463325252u;
  for (std::uint8_t& one : order) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    one = static_cast<std::uint8_t>(state % children_of_family);
  }
  return order;
}
const auto in_order = order();

std::uint64_t family(std::uint64_t x, int calls) {
  PROBE(2000)
  for (int i = 0; i < calls; ++i) x ^= children[in_order[static_cast<unsigned>(i) % 4096]](x);
  return x;
}

FUNCTION(3001, return x * 5 + 1;)
FUNCTION(3002, return x * 7 + 1;)
FUNCTION(3003, return x * 9 + 1;)
FUNCTION(3004, return x * 3 + 2;)
FUNCTION(3011, return f3001(x) + f3002(x) + f3003(x) + f3004(x);)
FUNCTION(3012, return f3001(x) ^ f3002(x) ^ f3003(x) ^ f3004(x);)
FUNCTION(3013, return f3001(x) - f3002(x) + f3003(x) - f3004(x);)
FUNCTION(3020, return f3011(x) + f3012(x) + f3013(x);)

FUNCTION(4000, return x * 5 + 1;)
template <int number> __attribute__((noinline)) std::uint64_t caller(std::uint64_t x) {
  PROBE(4001 + number)
  asm volatile("" : "+r"(x));
  return f4000(x) + number;
}
template <int... number>
constexpr std::array<Function, sizeof...(number)> caller_table(std::integer_sequence<int, number...>) {
  return {caller<number>...};
}
constexpr auto callers_of_leaf = caller_table(std::make_integer_sequence<int, most_callers>());

std::uint64_t in_turn(std::uint64_t x, int calls, unsigned callers) {
  PROBE(5000)
  unsigned next = 0;
  for (int i = 0; i < calls; ++i) {
    x ^= callers_of_leaf[next](x);
    next = next + 1 == callers ? 0 : next + 1;
  }
  return x;
}

std::uint64_t at_random(std::uint64_t x, int calls, unsigned callers) {
  PROBE(5001)
  for (int i = 0; i < calls; ++i) x ^= callers_of_leaf[in_order[static_cast<unsigned>(i) % 4096] % callers](x);
  return x;
}

__attribute__((noinline)) std::uint64_t fibonacci(std::uint64_t n) {
  PROBE(6000)
  asm volatile("" : "+r"(n));
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

std::uint64_t odd(std::uint64_t n);
__attribute__((noinline)) std::uint64_t even(std::uint64_t n) {
  PROBE(6001)
  asm volatile("" : "+r"(n));
  return n == 0 ? 1 : odd(n - 1) + 1; // no tail call
}
__attribute__((noinline)) std::uint64_t odd(std::uint64_t n) {
  PROBE(6002)
  asm volatile("" : "+r"(n));
  return n == 0 ? 0 : even(n - 1) + 1;
}

} // namespace

Tree TREE_PLACE() { return {f0, family, f3020, in_turn, at_random, fibonacci, even}; }

} // namespace andes::bench
