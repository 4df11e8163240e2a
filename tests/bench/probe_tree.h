// What the benchmarks of probes with a monitor call: a tree of 10 functions that is 5 deep; a parent of
// 200 different children that it calls in random order; functions that are called from several places
// in turn; and recursion. Compiled with probes and without, into the executable and into a shared object.
#pragma once
#include <cstdint>

namespace andes::bench {

/// Calls of one variant; each returns something that depends on all of them.
struct Tree {
  std::uint64_t (*ten)(std::uint64_t);                 // calls every function of the tree once
  std::uint64_t (*family)(std::uint64_t, int calls);   // that many calls of children, in random order
  std::uint64_t (*sixteen)(std::uint64_t);             // 16 visits: 3 callers of the same 4 leaves
  std::uint64_t (*in_turn)(std::uint64_t, int calls, unsigned callers);   // each call is of the next caller
  std::uint64_t (*at_random)(std::uint64_t, int calls, unsigned callers); // of one of them, of a shared leaf
  std::uint64_t (*fibonacci)(std::uint64_t n);         // direct recursion; n: at most 20
  std::uint64_t (*even)(std::uint64_t n);              // n + 1 visits of two functions that call each other
};
inline constexpr int functions_of_tree = 10, children_of_family = 200, visits_of_sixteen = 16, most_callers = 8;

Tree bare_tree();
Tree tree_of_executable();
Tree tree_of_shared_object();

} // namespace andes::bench
