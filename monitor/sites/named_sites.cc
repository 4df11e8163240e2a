#include "monitor/sites/named_sites.h"

#include <string.h>

#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t slot_count = 2 * max_names;
constexpr std::uint32_t spare_names = 8; // for the names that stand for all names beyond the limit
constexpr std::size_t longest_name = 1000;

Name cut(Name name) {
  if (name.length > longest_name) name.length = longest_name;
  if (const void* end = memchr(name.text, 0, name.length))
    name.length = static_cast<std::size_t>(static_cast<const char*>(end) - name.text);
  return name;
}

bool is_of(const NamedSite& named, const Name& name, std::uint32_t kind) {
  return named.site.kind == kind && strncmp(named.site.name, name.text, name.length) == 0 &&
         named.site.name[name.length] == 0;
}

// The slot that holds the name, or the empty slot for it.
NamedSite** find_slot(const NamedSites& sites, const Name& name, std::uint32_t kind) {
  std::uint32_t hash = 2166136261u ^ kind;
  for (std::size_t i = 0; i < name.length; ++i) hash = (hash ^ static_cast<unsigned char>(name.text[i])) * 16777619u;
  for (std::uint32_t slot = hash ^ hash >> 15;; ++slot) {
    NamedSite** at = &sites.slots[slot & (slot_count - 1)];
    const NamedSite* named = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (!named || is_of(*named, name, kind)) return at;
  }
}

} // namespace

Name name_of(const char* text) { return {text, strlen(text)}; }

NamedSite* find_name(const NamedSites& sites, const Name& name, std::uint32_t kind) {
  if (!__atomic_load_n(&sites.slots, __ATOMIC_ACQUIRE)) return nullptr;
  return __atomic_load_n(find_slot(sites, cut(name), kind), __ATOMIC_ACQUIRE);
}

NamedSite* learn_name(NamedSites& sites, Registry& registry, Name name, std::uint32_t kind) {
  if (!sites.slots) __atomic_store_n(&sites.slots, reserve_array<NamedSite*>(slot_count), __ATOMIC_RELEASE);
  if (!sites.slots) return nullptr;
  name = cut(name);
  NamedSite** slot = find_slot(sites, name, kind);
  if (*slot) return *slot;
  if (sites.count >= max_names) {
    slot = find_slot(sites, name = name_of("(more names)"), kind);
    if (*slot || sites.count == max_names + spare_names) return *slot;
  }
  auto* named = static_cast<NamedSite*>(keep_bytes(registry, sizeof(NamedSite)));
  auto* text = static_cast<char*>(keep_bytes(registry, name.length + 1));
  if (!named || !text) return nullptr;
  memcpy(text, name.text, name.length);
  text[name.length] = 0;
  named->region = registry_number(registry, {text, "", 0, kind});
  named->site = {text, "", 0, kind, named->region, ANDES_PROBE_VERSION};
  __atomic_store_n(slot, named, __ATOMIC_RELEASE);
  ++sites.count;
  return named;
}

} // namespace andes::monitor
