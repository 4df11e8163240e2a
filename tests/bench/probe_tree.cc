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

} // namespace

Tree TREE_PLACE() { return {f0, family}; }

} // namespace andes::bench
