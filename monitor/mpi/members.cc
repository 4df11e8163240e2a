#include "monitor/mpi/members.h"

#include <cstdlib>
#include <cstring>

#include "monitor/mpi/events.h"
#include "monitor/mpi/sessions.h"

namespace andes::monitor::mpi {
namespace {

constexpr std::size_t limit_ranks = 16u << 20; // 64 MiB of arrays; beyond this, no ids and no ranks
Members* all_members;
std::size_t held_ranks;

std::uint64_t hash_of(const int* world, int size) {
  std::uint64_t hash = static_cast<std::uint64_t>(size);
  for (int i = 0; i < size; i++) hash = event_hash(hash, static_cast<std::uint32_t>(world[i]));
  return hash;
}

Members* new_members(int size) {
  auto* members = static_cast<Members*>(malloc(sizeof(Members) + sizeof(int) * static_cast<std::size_t>(size)));
  if (!members) return nullptr;
  members->size = size;
  members->world = reinterpret_cast<int*>(members + 1);
  return members;
}

// The array that all communicators with these members share; null: memory is short.
const Members* shared(const Members* fresh) {
  for (const Members* members = all_members; members; members = members->next)
    if (members->hash == fresh->hash && members->size == fresh->size &&
        memcmp(members->world, fresh->world, sizeof(int) * static_cast<std::size_t>(fresh->size)) == 0)
      return members;
  if (held_ranks + static_cast<std::size_t>(fresh->size) > limit_ranks) return nullptr;
  const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(fresh->size);
  auto* members = static_cast<Members*>(andes_keep(sizeof(Members) + bytes));
  if (!members) return nullptr;
  members->size = fresh->size;
  members->world = reinterpret_cast<int*>(members + 1);
  members->hash = fresh->hash;
  memcpy(members->world, fresh->world, bytes);
  members->next = all_members;
  all_members = members;
  held_ranks += static_cast<std::size_t>(fresh->size);
  return members;
}

int lowest(const Members& members) {
  int low = INT32_MAX;
  for (int i = 0; i < members.size; i++)
    if (members.world[i] < low) low = members.world[i];
  return low;
}

} // namespace

const Members* members_of(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  Members* members = new_members(size);
  int* own = static_cast<int*>(malloc(sizeof(int) * static_cast<std::size_t>(size ? size : 1)));
  const Members* found = nullptr;
  if (members && own) {
    for (int i = 0; i < size; i++) own[i] = i;
    MPI_Group world = world_group();
    const bool fine =
        world != MPI_GROUP_EMPTY && PMPI_Group_translate_ranks(group, size, own, world, members->world) == MPI_SUCCESS;
    PMPI_Group_free(&world);
    for (int i = 0; i < size && fine; i++)
      if (members->world[i] == MPI_UNDEFINED) members->world[i] = -1;
    if (fine) members->hash = hash_of(members->world, size);
    if (fine) found = shared(members);
  }
  free(members);
  free(own);
  PMPI_Group_free(&group);
  return found;
}

const Members* joined(const Members& one, const Members& other) {
  const bool swap = lowest(other) < lowest(one);
  const Members &first = swap ? other : one, &second = swap ? one : other;
  Members* both = new_members(one.size + other.size);
  if (!both) return nullptr;
  memcpy(both->world, first.world, sizeof(int) * static_cast<std::size_t>(first.size));
  memcpy(both->world + first.size, second.world, sizeof(int) * static_cast<std::size_t>(second.size));
  both->hash = event_hash(hash_of(both->world, both->size), static_cast<std::uint64_t>(first.size));
  const Members* found = shared(both);
  free(both);
  return found;
}

bool is_identity(const Members& members) {
  for (int i = 0; i < members.size; i++)
    if (members.world[i] != i) return false;
  return true;
}

bool has_strangers(const Members& members) { return members.size > 0 && lowest(members) < 0; }

int place_of(const Members& members, int rank) {
  for (int i = 0; i < members.size; i++)
    if (members.world[i] == rank) return i;
  return 0;
}

} // namespace andes::monitor::mpi
