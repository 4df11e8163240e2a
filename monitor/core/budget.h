// Budget: memory that all call trees of the process may touch together. It is taken before it is touched and
// never given back. The least memory that the tree of any thread but the main one needs is not taken from it.
#pragma once
#include <cstdint>

namespace andes::monitor {

struct Budget {
  std::int64_t left_bytes = INT64_MAX;

  /// False: less than that is left, and nothing is taken. Called by any thread; relaxed, since it
  /// publishes no other data.
  bool take(std::int64_t bytes) {
    if (__atomic_sub_fetch(&left_bytes, bytes, __ATOMIC_RELAXED) >= 0) return true;
    __atomic_add_fetch(&left_bytes, bytes, __ATOMIC_RELAXED);
    return false;
  }
};

} // namespace andes::monitor
