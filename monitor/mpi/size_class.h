// The class of a message's size by a table: fewer instructions, which a message shows, as it costs some 30 ns.
#pragma once
#include "monitor/core/message_sizes.h"

namespace andes::monitor::mpi {

struct SizeClasses {
  unsigned char of_width[65]; // by the number of bits of a size
  constexpr SizeClasses() : of_width{} {
    for (int width = 1; width <= 64; ++width)
      of_width[width] = static_cast<unsigned char>(size_class(std::uint64_t{1} << (width - 1)));
  }
};
inline constexpr SizeClasses size_classes_by_width;

/// size_class(). A size of 2^63 bytes or more is not one.
inline unsigned class_of(std::uint64_t bytes) {
  const int width = 63 - __builtin_clzll(bytes * 2 | 1);
  return size_classes_by_width.of_width[width];
}

static_assert(size_classes_by_width.of_width[0] == 0 && size_classes_by_width.of_width[6] == 1 &&
              size_classes_by_width.of_width[7] == 2 && size_classes_by_width.of_width[64] == size_classes - 1);

} // namespace andes::monitor::mpi
