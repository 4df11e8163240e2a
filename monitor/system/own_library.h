// The library that this code is linked into. dladdr() tells the same, but looks at each name that the library exports:
// libandes.so has 3,000, so that a question takes 10 us.
#pragma once
#include <link.h>

#include <cstdint>
#include <cstring>

namespace andes::monitor {

// Defined by the linker: where the library's memory begins and ends.
extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start[], _end[];

inline bool is_in_own_library(const void* address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(__ehdr_start), end = reinterpret_cast<std::uintptr_t>(_end);
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  return place >= begin && place < end;
}

/// The path that the library was loaded by; "" if the loader does not know it. It stays.
[[gnu::noinline]] inline const char* own_library_path() { // inlined, GCC 12 warns of a dangling pointer
  const char* path = "";
  const auto look = [](dl_phdr_info* info, std::size_t, void* found) {
    if (!is_in_own_library(info->dlpi_phdr) || !info->dlpi_name) return 0;
    *static_cast<const char**>(found) = info->dlpi_name;
    return 1;
  };
  dl_iterate_phdr(look, &path);
  return path;
}

} // namespace andes::monitor
