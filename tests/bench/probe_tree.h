// What the benchmarks of probes with a monitor call: a tree of 10 functions that is 5 deep, and a
// parent of 200 different children that it calls in random order. Compiled with probes and without,
// into the executable and into a shared object.
#pragma once
#include <cstdint>

namespace andes::bench {

/// Calls of one variant; each returns something that depends on all of them.
struct Tree {
  std::uint64_t (*ten)(std::uint64_t);                 // calls every function of the tree once
  std::uint64_t (*family)(std::uint64_t, int calls);   // that many calls of children, in random order
};
inline constexpr int functions_of_tree = 10, children_of_family = 200;

Tree bare_tree();
Tree tree_of_executable();
Tree tree_of_shared_object();

} // namespace andes::bench
