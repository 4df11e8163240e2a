// Memory of the monitor: reserved by mmap, touched as used, kept until the end (but for scratch). No malloc: the
// monitor may run inside the program's own allocator.
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes::monitor {

/// Zeroed, page-aligned memory of `bytes`; null when the system has none. Pages cost nothing until
/// they are touched.
void* reserve(std::size_t bytes);

/// Reserves an array of `count` zeroed T.
template <class T> T* reserve_array(std::size_t count) { return static_cast<T*>(reserve(count * sizeof(T))); }

/// Makes the system provide all pages of reserved memory now: cheaper than by one page fault each.
void populate(void* memory, std::size_t bytes);

/// Gives back memory of reserve().
void unreserve(void* memory, std::size_t bytes);

/// Bytes of a page of this system: on AArch64 4, 16 or 64 KiB, as its kernel was built.
std::size_t page_bytes();

/// Smallest power of two that is not below `n`.
constexpr std::uint32_t power_of_two(std::uint32_t n) {
  std::uint32_t power = 1;
  while (power < n) power *= 2;
  return power;
}

} // namespace andes::monitor
