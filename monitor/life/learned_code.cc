#include "monitor/life/learned_code.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "monitor/core/closed_regions.h"
#include "monitor/core/process.h"
#include "monitor/life/measuring.h"

namespace andes::monitor {
namespace {

constexpr int path_bytes = 1024; // on the stack, which may be that of a signal handler

/// The loader's information about an address.
struct Place {
  std::uintptr_t address;
  std::uintptr_t low = 0, high = 0; // bounds of the loaded object
  std::uint64_t offset = 0;         // of the address within the object's file
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

// Makes the path absolute now, since the program may change its directory later. Empty if it is too long.
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

const char* module_of(const Place& place) {
  return *place.path ? add_module(the_process.addresses, the_process.registry, place.low, place.high, place.path) : "";
}

AddressSite* add(std::uintptr_t address, const andes_site* call, std::uint32_t kind, std::uint32_t region) {
  AddressSite* site = add_address(the_process.addresses, the_process.registry, address, call, kind, region);
  if (site && region != region_scratch) meet_site(the_process, &site->site, region, false);
  return site;
}

// `call` distinguishes the uses of an address: null for a function; else the MPI function that is called
// there, or the OpenMP construct.
AddressSite* learn_code(std::uintptr_t address, const andes_site* call, std::uint32_t kind, bool is_call = false) {
  Place place{.address = address};
  dl_iterate_phdr(find_object, &place);
  SignalSafeProcessLock locked;
  if (!start_measuring()) return nullptr;
  if (AddressSite* known = find_address(the_process.addresses, address, call)) return known;
  Region region = {"(code without a file)", "", 0, kind};
  region.module = module_of(place);
  region.offset = *region.module ? place.offset : 0;
  region.is_call = is_call;
  return add(address, call, kind, registry_number(the_process.registry, region));
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
  SignalSafeProcessLock locked;
  return add(address, nullptr, ANDES_KIND_FUNCTION, region_scratch);
}

AddressSite* learn_call(std::uintptr_t address, const andes_site* call) {
  Place place{.address = address};
  dl_iterate_phdr(find_object, &place);
  // The MPI library's Fortran layer calls MPI for the program, and so do our own wrappers, in whose library
  // `call` lies: such places say nothing about the program.
  const bool of_layer = holds(place, dlsym(RTLD_DEFAULT, "pmpi_init_"));
  SignalSafeProcessLock locked;
  if (!start_measuring()) return nullptr;
  if (AddressSite* known = find_address(the_process.addresses, address, call)) return known;
  Region region = {call->name, "", 0, call->kind};
  if (!of_layer && !holds(place, call)) region.module = module_of(place);
  region.offset = *region.module ? place.offset : 0;
  region.is_call = true;
  AddressSite* site = add(address, call, call->kind, registry_number(the_process.registry, region));
  if (site) site->of_layer = of_layer;
  return site;
}

namespace {

struct Loaded {
  const Addresses& all;
  std::uint32_t count; // number of modules known when the loader was asked
  bool there[max_modules];
};

int note_loaded(dl_phdr_info* info, std::size_t, void* noted) {
  auto& loaded = *static_cast<Loaded*>(noted);
  const Range range = range_of(*info);
  for (std::uint32_t i = 0; i < loaded.count; ++i)
    if (loaded.all.modules[i].low == range.low && loaded.all.modules[i].high == range.high) loaded.there[i] = true;
  return 0;
}

} // namespace

void forget_unloaded() {
  Addresses& all = the_process.addresses;
  Loaded loaded{all, __atomic_load_n(&all.module_count, __ATOMIC_ACQUIRE), {}};
  if (loaded.count == 0) return;
  dl_iterate_phdr(note_loaded, &loaded);
  SignalSafeProcessLock locked;
  for (std::uint32_t i = 0; i < loaded.count; ++i) {
    CodeModule& gone = all.modules[i];
    if (loaded.there[i] || gone.high == 0) continue;
    forget_module(all, gone);
  }
}

} // namespace andes::monitor
