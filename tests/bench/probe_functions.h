// What the probe benchmarks call: the same function with a probe and without, once compiled into
// the executable and once into a shared object (PROBE_PLACE names which). Calls are made in two
// ways: as a chain, where each waits for the result of the one before and a probe may hide beside
// the waiting, and independent of each other, where the processor is busy without a gap.
#pragma once
#include <cstdint>

namespace andes::bench {

using Function = std::uint64_t (*)(std::uint64_t);

/// The functions of one place.
struct Functions {
  Function bare;
  Function probed;
};

Functions functions_of_executable();
Functions functions_of_shared_object();

/// Nanoseconds of a call: the smallest over `rounds` of `calls` each, both functions in turn in
/// each round.
struct Cost {
  double bare_ns, probed_ns;
};
enum class Calls { chained, independent };
Cost cost_of(Functions functions, Calls way, int rounds, int calls);

} // namespace andes::bench
