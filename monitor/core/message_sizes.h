// Classes of message sizes: 0 bytes, less than 64 bytes, then one class for each power of two, the last one without a
// bound. They are counted where a call path's bytes are counted (andes_traffic), so finding the class must be cheap.
// Only call paths of MPI that move data have such a row: of what they send, or of what they receive where they only
// receive. Sizes are counted and not taken from the log of operations, which lacks some and is thinned.
//
// Rows of the run file's table say their own limits: other classes need no new format.
//
// Rejected: a row for each direction, as only `MPI_Sendrecv` needs both, and what it receives is counted at the sender;
// 32-bit counters, which overflow within minutes; twenty more metrics, as readers hold all metrics of all call paths.
#pragma once
#include <bit>
#include <cstdint>

namespace andes::monitor {

inline constexpr int size_classes = 20;

/// Class of a size in bytes; `size_classes - 1`: 8 MiB and more.
constexpr int size_class(std::uint64_t bytes) {
  constexpr std::uint64_t below_64 = 1 << 5, last = std::uint64_t{1} << 23;
  const std::uint64_t capped = bytes < last ? bytes : last;
  return std::bit_width(capped | below_64) - 5 - (bytes == 0);
}

/// Smallest size of a class, and of the class above it; 0: it has no bound.
constexpr std::uint64_t least_of_class(int number) {
  return number < 2 ? static_cast<std::uint64_t>(number) : std::uint64_t{1} << (number + 4);
}
constexpr std::uint64_t end_of_class(int number) { return number + 1 < size_classes ? least_of_class(number + 1) : 0; }

static_assert(size_class(0) == 0 && size_class(1) == 1 && size_class(63) == 1 && size_class(64) == 2);
static_assert(size_class(~std::uint64_t{0}) == size_classes - 1 && size_class((1 << 23) - 1) == size_classes - 2);
static_assert(least_of_class(1) == 1 && least_of_class(2) == 64 && least_of_class(size_classes - 1) == 1 << 23);

} // namespace andes::monitor
