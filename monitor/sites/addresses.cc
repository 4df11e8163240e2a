#include "monitor/sites/addresses.h"

#include <string.h>

#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uintptr_t forgotten = 1;
constexpr std::uint32_t first_table = 256; // slots
constexpr std::uint32_t sites_at_once = 256;

AddressTable* new_table(std::uint32_t slots) {
  auto* table = static_cast<AddressTable*>(reserve(sizeof(AddressTable) + slots * sizeof(AddressSlot)));
  if (table) table->mask = slots - 1;
  return table;
}

void put(AddressTable& table, std::uintptr_t address, AddressSite* site) {
  std::uint32_t i = first_slot(address);
  while (table.slot(i).address != 0) ++i;
  table.slot(i).site = site;
  __atomic_store_n(&table.slot(i).address, address, __ATOMIC_RELEASE);
}

// Doubles the slots and leaves out forgotten addresses.
bool grow(Addresses& all) {
  const AddressTable* old = all.table;
  AddressTable* table = new_table(old ? 2 * (old->mask + 1) : first_table);
  if (!table) return false;
  all.used = 0;
  for (std::uint32_t i = 0; old && i <= old->mask; ++i) {
    if (old->slot(i).address <= forgotten) continue;
    put(*table, old->slot(i).address, old->slot(i).site);
    all.used++;
  }
  __atomic_store_n(&all.table, table, __ATOMIC_RELEASE);
  return true;
}

} // namespace

AddressSite* add_address(Addresses& all, const Registry& registry, std::uintptr_t address, const andes_site* call,
                         std::uint32_t kind, std::uint32_t region) {
  if ((!all.table || 2 * all.used > all.table->mask) && !grow(all)) return nullptr;
  if (all.sites_left == 0) {
    auto* chunk = reserve_array<AddressSite>(sites_at_once);
    if (!chunk) return nullptr;
    all.sites = chunk;
    all.sites_left = sites_at_once;
  }
  AddressSite* site = all.sites++;
  all.sites_left--;
  *site = {{registry.regions[region].name, "", 0, kind, region, ANDES_PROBE_VERSION},
           call,
           address,
           region,
           0,
           false,
           false,
           0};
  put(*all.table, address, site);
  all.used++;
  return site;
}

const char* add_module(Addresses& all, Registry& registry, std::uintptr_t low, std::uintptr_t high, const char* path) {
  CodeModule* slot = nullptr; // slot of an unloaded module, if possible of the same file
  for (std::uint32_t i = 0; i < all.module_count; ++i) {
    CodeModule& known = all.modules[i];
    const bool same_file = strcmp(known.path, path) == 0;
    if (known.low == low && same_file) return known.path;
    if (known.high == 0 && (!slot || same_file)) slot = &known;
  }
  const bool kept = slot && strcmp(slot->path, path) == 0;
  if (!slot && all.module_count == max_modules) return "";
  const bool added = !slot;
  if (added) slot = &all.modules[all.module_count];
  *slot = {low, high, kept ? slot->path : keep_text(registry, path)};
  if (added) __atomic_store_n(&all.module_count, all.module_count + 1, __ATOMIC_RELEASE);
  return slot->path;
}

void forget_module(Addresses& all, CodeModule& gone) {
  for (std::uint32_t slot = 0; all.table && slot <= all.table->mask; ++slot) {
    std::uintptr_t& address = all.table->slot(slot).address;
    if (address >= gone.low && address < gone.high) __atomic_store_n(&address, forgotten, __ATOMIC_RELEASE);
  }
  gone.low = gone.high = 0;
}

} // namespace andes::monitor
