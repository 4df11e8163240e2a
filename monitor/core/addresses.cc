#include "monitor/core/addresses.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "monitor/core/memory.h"
#include "monitor/core/process.h"

namespace andes {
namespace {

constexpr std::uintptr_t forgotten = 1;
constexpr std::uint32_t first_table = 256; // slots
constexpr std::uint32_t sites_at_once = 256;
constexpr int path_bytes = 1024; // on the stack, which may be that of a signal handler

/// Where an address lies, as the loader says.
struct Place {
  std::uintptr_t address;
  std::uintptr_t low = 0, high = 0; // of the object
  std::uint64_t offset = 0;         // in its file's addresses
  char path[path_bytes] = "";
};

struct Range {
  std::uintptr_t low = ~std::uintptr_t{0}, high = 0;
};

Range range_of(const dl_phdr_info& info) {
  Range range;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info.dlpi_addr + part.p_vaddr;
    if (begin < range.low) range.low = begin;
    if (begin + part.p_memsz > range.high) range.high = begin + part.p_memsz;
  }
  return range;
}

// The path at present: the program may change its directory later. Empty where it is too long.
void absolute_path(const char* name, char (&path)[path_bytes]) {
  std::size_t length = 0;
  if (!*name) {
    const ssize_t bytes = readlink("/proc/self/exe", path, path_bytes);
    if (bytes > 0 && bytes < path_bytes) length = static_cast<std::size_t>(bytes);
    path[length] = 0;
    return;
  }
  if (*name != '/' && strchr(name, '/') && getcwd(path, path_bytes - 1)) {
    length = strlen(path);
    path[length++] = '/';
  }
  const std::size_t bytes = strlen(name) + 1;
  if (length + bytes > path_bytes) length = 0, *path = 0;
  else memcpy(path + length, name, bytes);
}

int find_object(dl_phdr_info* info, std::size_t, void* wanted) {
  auto& place = *static_cast<Place*>(wanted);
  const Range range = range_of(*info);
  if (place.address < range.low || place.address >= range.high) return 0;
  place.low = range.low;
  place.high = range.high;
  place.offset = place.address - info->dlpi_addr;
  absolute_path(info->dlpi_name ? info->dlpi_name : "", place.path);
  return 1;
}

bool holds(const Place& place, const void* object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  return address >= place.low && address < place.high;
}

const char* module_of(Process& process, const Place& place) {
  Addresses& all = process.addresses;
  if (!*place.path) return "";
  CodeModule* slot = nullptr; // one whose module was unloaded, best the same file's
  for (std::uint32_t i = 0; i < all.module_count; ++i) {
    CodeModule& known = all.modules[i];
    const bool same_file = strcmp(known.path, place.path) == 0;
    if (known.low == place.low && same_file) return known.path;
    if (known.high == 0 && (!slot || same_file)) slot = &known;
  }
  const bool kept = slot && strcmp(slot->path, place.path) == 0;
  if (!slot && all.module_count == max_modules) return "";
  const bool added = !slot;
  if (added) slot = &all.modules[all.module_count];
  *slot = {place.low, place.high, kept ? slot->path : keep_text(process.registry, place.path)};
  if (added) __atomic_store_n(&all.module_count, all.module_count + 1, __ATOMIC_RELEASE);
  return slot->path;
}

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

// Twice the slots, without those that are forgotten.
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

AddressSite* add(Addresses& all, std::uintptr_t address, const andes_site* call, std::uint32_t kind,
                 std::uint32_t region) {
  if ((!all.table || 2 * all.used > all.table->mask) && !grow(all)) return nullptr;
  if (all.sites_left == 0) {
    auto* chunk = reserve_array<AddressSite>(sites_at_once);
    if (!chunk) return nullptr;
    all.sites = chunk;
    all.sites_left = sites_at_once;
  }
  AddressSite* site = all.sites++;
  all.sites_left--;
  *site = {{the_process.registry.regions[region].name, "", 0, kind, region, ANDES_PROBE_VERSION},
           call,
           region,
           0,
           false,
           false};
  if (region != region_scratch) meet_site(the_process, &site->site, region, false);
  put(*all.table, address, site);
  all.used++;
  return site;
}

} // namespace

namespace {

// `call` tells apart what the address is met as.
AddressSite* learn_code(std::uintptr_t address, const andes_site* call, std::uint32_t kind, bool is_call = false) {
  Place place{.address = address};
  dl_iterate_phdr(find_object, &place);
  Locked locked;
  if (!start_measuring()) return nullptr;
  if (AddressSite* known = find_address(the_process.addresses, address, call)) return known;
  Region region = {"(code without a file)", "", 0, kind};
  region.module = module_of(the_process, place);
  region.offset = *region.module ? place.offset : 0;
  region.is_call = is_call;
  return add(the_process.addresses, address, call, kind, registry_number(the_process.registry, region));
}

} // namespace

AddressSite* learn_function(std::uintptr_t address) { return learn_code(address, nullptr, ANDES_KIND_FUNCTION); }

namespace {

AddressSite* find_construct(ConstructCode code, const andes_site& construct) {
  AddressSite* known = find_address(the_process.addresses, code.address, &construct);
  return known ? known : learn_code(code.address, &construct, construct.kind, code.is_call);
}

} // namespace

AddressSite* find_parallel(ConstructCode code) {
  static const andes_site parallel = ANDES_SITE("parallel", "", 0, ANDES_KIND_PARALLEL);
  return find_construct(code, parallel);
}

AddressSite* find_task(ConstructCode code) {
  static const andes_site task = ANDES_SITE("task", "", 0, ANDES_KIND_TASK);
  return find_construct(code, task);
}

AddressSite* learn_scratch(std::uintptr_t address) {
  Locked locked;
  return add(the_process.addresses, address, nullptr, ANDES_KIND_FUNCTION, region_scratch);
}

AddressSite* learn_call(std::uintptr_t address, const andes_site* call) {
  Place place{.address = address};
  dl_iterate_phdr(find_object, &place);
  // The MPI library's layer for Fortran calls on the program's behalf, as do our own wrappers, in whose library
  // `call` lies: these places tell nothing of the program.
  const bool of_layer = holds(place, dlsym(RTLD_DEFAULT, "pmpi_init_"));
  Locked locked;
  if (!start_measuring()) return nullptr;
  if (AddressSite* known = find_address(the_process.addresses, address, call)) return known;
  Region region = {call->name, "", 0, call->kind};
  if (!of_layer && !holds(place, call)) region.module = module_of(the_process, place);
  region.offset = *region.module ? place.offset : 0;
  region.is_call = true;
  AddressSite* site =
      add(the_process.addresses, address, call, call->kind, registry_number(the_process.registry, region));
  if (site) site->of_layer = of_layer;
  return site;
}

namespace {

struct Loaded {
  const Addresses& all;
  std::uint32_t count; // of the modules that were known when the loader was asked
  bool there[max_modules];
};

int note_loaded(dl_phdr_info* info, std::size_t, void* noted) {
  auto& loaded = *static_cast<Loaded*>(noted);
  const Range range = range_of(*info);
  for (std::uint32_t i = 0; i < loaded.count; ++i)
    if (loaded.all.modules[i].low == range.low && loaded.all.modules[i].high == range.high)
      loaded.there[i] = true;
  return 0;
}

} // namespace

void forget_unloaded() {
  Addresses& all = the_process.addresses;
  Loaded loaded{all, __atomic_load_n(&all.module_count, __ATOMIC_ACQUIRE), {}};
  if (loaded.count == 0) return;
  dl_iterate_phdr(note_loaded, &loaded);
  Locked locked;
  for (std::uint32_t i = 0; i < loaded.count; ++i) {
    CodeModule& gone = all.modules[i];
    if (loaded.there[i] || gone.high == 0) continue;
    for (std::uint32_t slot = 0; all.table && slot <= all.table->mask; ++slot) {
      std::uintptr_t& address = all.table->slot(slot).address;
      if (address >= gone.low && address < gone.high)
        __atomic_store_n(&address, forgotten, __ATOMIC_RELEASE);
    }
    gone.low = gone.high = 0;
  }
}

} // namespace andes
