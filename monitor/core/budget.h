// Budget: memory that all call trees of the process may touch together. Taken before it is touched,
// never given back. What the tree of a thread beside the main one takes at least is not of it.
#pragma once
#include <cstdint>

namespace andes {

struct Budget {
  std::int64_t left_bytes = INT64_MAX;

  /// False: there is not so much left, and nothing is taken. By any thread; relaxed, since nothing
  /// is published by it.
  bool take(std::int64_t bytes) {
    if (__atomic_sub_fetch(&left_bytes, bytes, __ATOMIC_RELAXED) >= 0) return true;
    __atomic_add_fetch(&left_bytes, bytes, __ATOMIC_RELAXED);
    return false;
  }
};

} // namespace andes
