// See requests.h. Open addressing with linear probing; removal moves later entries back, so there
// are no tombstones. Grows by doubling, off the paths of programs without pending receives.
#include "monitor/mpi/requests.h"

#include <cstdlib>

#include "monitor/mpi/say.h"

namespace andes::mpi {

std::uint32_t request_count;
bool any_cancelled;

namespace {

Entry* entries;
std::uint32_t capacity; // a power of two, or 0
unsigned char lock;

std::uint32_t home(MPI_Request request) {
  auto bits = (std::uint64_t)(std::uintptr_t)request;
  return (std::uint32_t)((bits * 0x9e3779b97f4a7c15u) >> 32) & (capacity - 1);
}

void put(const Entry& entry) {
  std::uint32_t at = home(entry.request);
  while (entries[at].kept != Kept::none) at = (at + 1) & (capacity - 1);
  entries[at] = entry;
}

bool grow() {
  std::uint32_t wider = capacity ? 2 * capacity : 256, old = capacity;
  auto* fresh = (Entry*)calloc(wider, sizeof(Entry));
  if (!fresh) return false;
  Entry* before = entries;
  entries = fresh;
  capacity = wider;
  for (std::uint32_t i = 0; i < old; i++)
    if (before[i].kept != Kept::none) put(before[i]);
  free(before);
  return true;
}

Entry* lookup(MPI_Request request) {
  if (!capacity) return nullptr;
  for (std::uint32_t at = home(request); entries[at].kept != Kept::none;
       at = (at + 1) & (capacity - 1))
    if (entries[at].request == request) return &entries[at];
  return nullptr;
}

} // namespace

void keep(const Entry& entry) {
  if (entry.request == MPI_REQUEST_NULL) return;
  Guard guard(lock);
  bool room = request_count < request_limit && (2 * (request_count + 1) <= capacity || grow());
  if (!room) {
    andes_say_once(say_requests,
                   "requests: more than %u are open or memory is short; "
                   "further bytes of receives are not counted",
                   request_count);
    return;
  }
  put(entry);
  __atomic_store_n(&request_count, request_count + 1, __ATOMIC_RELAXED);
}

Entry find_request(MPI_Request request) {
  Guard guard(lock);
  Entry* entry = lookup(request);
  return entry ? *entry : Entry{request, Kept::none, -1, {}};
}

void drop_request(MPI_Request request) {
  Guard guard(lock);
  Entry* entry = lookup(request);
  if (!entry) return;
  std::uint32_t mask = capacity - 1;
  auto hole = (std::uint32_t)(entry - entries);
  for (std::uint32_t at = (hole + 1) & mask; entries[at].kept != Kept::none; at = (at + 1) & mask)
    if (((at - home(entries[at].request)) & mask) >= ((at - hole) & mask)) {
      entries[hole] = entries[at];
      hole = at;
    }
  entries[hole].kept = Kept::none;
  __atomic_store_n(&request_count, request_count - 1, __ATOMIC_RELAXED);
}

void forget_requests() {
  Guard guard(lock);
  free(entries);
  entries = nullptr;
  capacity = 0;
  __atomic_store_n(&request_count, 0, __ATOMIC_RELAXED);
}

} // namespace andes::mpi
