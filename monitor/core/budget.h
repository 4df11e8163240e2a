// Budget: memory that all call trees of the process may touch together. Taken before it is touched,
// never given back; each thread beside the main one brings the least that its tree takes.
#pragma once
#include <cstdint>

namespace andes {

struct Budget {
  std::int64_t left_bytes = INT64_MAX;

  void add(std::int64_t bytes) { __atomic_add_fetch(&left_bytes, bytes, __ATOMIC_RELAXED); }

  /// False: there is not so much left, and nothing is taken. By any thread; relaxed, since nothing
  /// is published by it.
  bool take(std::int64_t bytes) {
    if (__atomic_sub_fetch(&left_bytes, bytes, __ATOMIC_RELAXED) >= 0) return true;
    add(bytes);
    return false;
  }
};

} // namespace andes
