#include "monitor/core/memory.h"

#include <sys/mman.h>

namespace andes {

void* reserve(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void unreserve(void* memory, std::size_t bytes) { munmap(memory, bytes); }

} // namespace andes
