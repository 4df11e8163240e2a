// See scratch.h. The pool is a list of blocks; a block that is free holds the address of the next.
#include "monitor/mpi/scratch.h"

#include <sys/mman.h>

#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {
namespace {

void** pool; // the first free block
unsigned char lock;

} // namespace

void* take_block() {
  {
    Guard guard(lock);
    if (void** block = pool) {
      pool = static_cast<void**>(*block);
      return block;
    }
  }
  void* fresh = mmap(nullptr, block_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return fresh == MAP_FAILED ? nullptr : fresh;
}

void give_block(void* block) {
  Guard guard(lock);
  *static_cast<void**>(block) = pool;
  pool = static_cast<void**>(block);
}

} // namespace andes::monitor::mpi
