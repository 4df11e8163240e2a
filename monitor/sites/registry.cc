#include "monitor/sites/registry.h"

#include <string.h>

#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t first_table = 512, last_table = 2 * ANDES_REGIONS; // slots
constexpr std::uint32_t chunk_bytes = 1u << 20;

std::uint32_t hash_text(std::uint32_t hash, const char* text) {
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 16777619u;
  return hash * 16777619u;
}

bool equal(const Region& a, const Region& b) {
  return a.line == b.line && a.kind == b.kind && a.offset == b.offset && a.is_call == b.is_call &&
         strcmp(a.name, b.name) == 0 && strcmp(a.file, b.file) == 0 && strcmp(a.module, b.module) == 0;
}

// The slot that holds an equal region, or the empty slot for it.
std::uint32_t find_slot(const Registry& registry, const Region& region) {
  const std::uint32_t place = region.line ^ static_cast<std::uint32_t>(region.offset * 0x9e3779b1u);
  std::uint32_t slot = hash_text(hash_text(2166136261u ^ place, region.name), region.file);
  for (slot &= registry.table_mask; registry.table[slot] != 0; slot = (slot + 1) & registry.table_mask)
    if (equal(registry.regions[registry.table[slot]], region)) break;
  return slot;
}

void grow_table(Registry& registry) {
  memset(registry.table, 0, (registry.table_mask + 1) * sizeof *registry.table);
  registry.table_mask = 2 * registry.table_mask + 1;
  for (std::uint32_t i = 1; i < registry.count; ++i) registry.table[find_slot(registry, registry.regions[i])] = i;
}

} // namespace

void* keep_bytes(Registry& registry, std::size_t bytes) {
  constexpr std::size_t alignment = 8;
  bytes = (bytes + alignment - 1) & ~(alignment - 1);
  Backed& text = registry.text;
  if (bytes > static_cast<std::size_t>(text.limit - registry.text_next)) {
    const std::size_t chunk = bytes > chunk_bytes ? bytes : chunk_bytes;
    char* fresh = reserve_array<char>(chunk);
    if (!fresh) return nullptr;
    text = backed_array(fresh, chunk);
    registry.text_next = fresh;
  }
  char* kept = registry.text_next;
  registry.text_next += bytes;
  ensure_backed(text, registry.text_next);
  return kept;
}

const char* keep_text(Registry& registry, const char* text) {
  const std::size_t bytes = strlen(text) + 1;
  if (bytes > chunk_bytes) return "(name too long)";
  void* kept = keep_bytes(registry, bytes);
  return kept ? static_cast<const char*>(memcpy(kept, text, bytes)) : "(out of memory)";
}

bool registry_start(Registry& registry) {
  registry.regions = reserve_array<Region>(ANDES_REGIONS);
  registry.table = reserve_array<std::uint32_t>(last_table);
  registry.count = 1;
  registry.table_mask = first_table - 1;
  if (!registry.regions || !registry.table) return false;
  registry.backed_regions = backed_array(registry.regions, ANDES_REGIONS);
  registry_number(registry, {"(program)", "", 0, ANDES_KIND_ROOT});
  registry_number(registry, {"(thread)", "", 0, ANDES_KIND_ROOT});
  registry_number(registry, {"(andes)", "", 0, ANDES_KIND_TOOL});
  registry_number(registry, {"(more call paths)", "", 0, ANDES_KIND_OVERFLOW});
  registry_number(registry, {"(more MPI calls)", "", 0, ANDES_KIND_MANAGEMENT});
  return registry.count == first_free_region;
}

std::uint32_t registry_number(Registry& registry, const Region& region) {
  std::uint32_t slot = find_slot(registry, region);
  if (registry.table[slot] != 0) return registry.table[slot];
  if (registry.count == max_regions) return ANDES_KIND_IS_MPI(region.kind) ? region_more_mpi : region_more;
  const std::uint32_t number = registry.count;
  ensure_backed(registry.backed_regions, &registry.regions[number] + 1);
  registry.regions[number] = {keep_text(registry, region.name),
                              keep_text(registry, region.file),
                              region.line,
                              region.kind,
                              region.module,
                              region.offset,
                              region.is_call};
  __atomic_store_n(&registry.count, number + 1, __ATOMIC_RELEASE);
  registry.table[slot] = number;
  if (2 * registry.count > registry.table_mask && registry.table_mask + 1 < last_table) grow_table(registry);
  return number;
}

} // namespace andes::monitor
