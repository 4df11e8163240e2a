#include "monitor/system/memory.h"

#include <sys/mman.h>
#include <unistd.h>

namespace andes::monitor {

void* reserve(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void populate(void* memory, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(memory) & ~(page_bytes() - 1);
#ifdef MADV_POPULATE_WRITE
  // Older kernels do not know this: then pages come as they are touched.
  madvise(reinterpret_cast<void*>(first), reinterpret_cast<std::uintptr_t>(memory) + bytes - first,
          MADV_POPULATE_WRITE);
#else
  static_cast<void>(first);
  static_cast<void>(bytes);
#endif
}

void unreserve(void* memory, std::size_t bytes) { munmap(memory, bytes); }

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
} // known to the C library: no system call

} // namespace andes::monitor
