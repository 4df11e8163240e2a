// See ranks.h. Tables live in a small hash map under a lock; each thread remembers the last one
// it used, valid while no table has been freed since (`generation`).
#include "monitor/mpi/ranks.h"

#include <cstdint>
#include <cstdlib>

#include "monitor/mpi/visit.h"

namespace andes::mpi {
namespace {

struct Ranks {
  Ranks* next;
  MPI_Comm comm;
  int size;
  int* world; // by rank in comm; behind this record
};

constexpr unsigned buckets = 256;
constexpr std::size_t limit_ranks = 16u
                                    << 20; // 64 MiB of tables; beyond, ranks are asked one by one
Ranks* table[buckets];
std::size_t held_ranks;
unsigned char lock;
unsigned generation; // writers hold the lock; readers compare, and a stale read only costs a lookup
int keyval = MPI_KEYVAL_INVALID;

struct Last {
  MPI_Comm comm;
  const Ranks* ranks;
  unsigned generation;
};
__thread Last last __attribute__((tls_model("initial-exec")));

unsigned bucket_of(MPI_Comm comm) {
  auto bits = (std::uint64_t)(std::uintptr_t)comm;
  return (unsigned)((bits * 0x9e3779b97f4a7c15u) >> 56);
}

int freed(MPI_Comm comm, int, void*, void*) {
  Guard guard(lock);
  for (Ranks** link = &table[bucket_of(comm)]; *link; link = &(*link)->next)
    if ((*link)->comm == comm) {
      Ranks* gone = *link;
      *link = gone->next;
      held_ranks -= (std::size_t)gone->size;
      __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
      free(gone);
      break;
    }
  return MPI_SUCCESS;
}

MPI_Group group_of(MPI_Comm comm, int* size) {
  MPI_Group group = MPI_GROUP_NULL;
  int inter = 0;
  if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) return MPI_GROUP_NULL;
  int result = inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
  if (result != MPI_SUCCESS || PMPI_Group_size(group, size) != MPI_SUCCESS) return MPI_GROUP_NULL;
  return group;
}

Ranks* make(MPI_Comm comm) {
  int size = 0;
  MPI_Group group = group_of(comm, &size), world = MPI_GROUP_NULL;
  if (group == MPI_GROUP_NULL) return nullptr;
  auto* ranks = (Ranks*)malloc(sizeof(Ranks) + 2 * sizeof(int) * (std::size_t)size);
  if (ranks) {
    ranks->world = (int*)(ranks + 1);
    int* own = ranks->world + size; // scratch: 0, 1, 2, ...
    for (int i = 0; i < size; i++) own[i] = i;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    if (PMPI_Group_translate_ranks(group, size, own, world, ranks->world) != MPI_SUCCESS)
      for (int i = 0; i < size; i++) ranks->world[i] = -1;
    PMPI_Group_free(&world);
    for (int i = 0; i < size; i++)
      if (ranks->world[i] == MPI_UNDEFINED) ranks->world[i] = -1;
    ranks->comm = comm;
    ranks->size = size;
  }
  PMPI_Group_free(&group);
  return ranks;
}

int translate_one(MPI_Comm comm, int rank) {
  int size = 0, found = -1;
  MPI_Group group = group_of(comm, &size), world = MPI_GROUP_NULL;
  if (group == MPI_GROUP_NULL) return -1;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
  PMPI_Group_free(&world);
  PMPI_Group_free(&group);
  return found == MPI_UNDEFINED ? -1 : found;
}

const Ranks* find(MPI_Comm comm) {
  Guard guard(lock);
  for (Ranks* ranks = table[bucket_of(comm)]; ranks; ranks = ranks->next)
    if (ranks->comm == comm) {
      last = {comm, ranks, generation};
      return ranks;
    }
  return nullptr;
}

// Calls MPI under a lock of its own: the delete callback takes the other.
const Ranks* add(MPI_Comm comm) {
  static unsigned char adding;
  Guard one_at_a_time(adding);
  if (const Ranks* other = find(comm)) return other;
  if (held_ranks > limit_ranks) return nullptr;
  Ranks* made = make(comm);
  if (!made) return nullptr;
  if (keyval == MPI_KEYVAL_INVALID &&
      PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, freed, &keyval, nullptr) != MPI_SUCCESS) {
    free(made);
    return nullptr;
  }
  if (PMPI_Comm_set_attr(comm, keyval, made) != MPI_SUCCESS) {
    free(made);
    return nullptr;
  }
  {
    Guard guard(lock);
    Ranks** bucket = &table[bucket_of(comm)];
    made->next = *bucket;
    *bucket = made;
    held_ranks += (std::size_t)made->size;
  }
  return find(comm);
}

} // namespace

int translate(MPI_Comm comm, int rank) {
  const Ranks* ranks = nullptr;
  if (!measuring) return -1;
  if (last.comm == comm && last.ranks &&
      last.generation == __atomic_load_n(&generation, __ATOMIC_ACQUIRE))
    ranks = last.ranks;
  else if (!(ranks = find(comm)) && !(ranks = add(comm)))
    return translate_one(comm, rank);
  return rank < ranks->size ? ranks->world[rank] : -1;
}

void forget_ranks() {
  if (keyval == MPI_KEYVAL_INVALID) return;
  for (unsigned i = 0; i < buckets; i++)
    while (table[i]) {
      MPI_Comm comm = table[i]->comm;
      if (PMPI_Comm_delete_attr(comm, keyval) != MPI_SUCCESS ||
          (table[i] && table[i]->comm == comm))
        break; // MPI kept it: PMPI_Finalize frees it
    }
  PMPI_Comm_free_keyval(&keyval);
}

} // namespace andes::mpi
