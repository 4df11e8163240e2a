// Addresses of code as sites: functions that tell of themselves by the compiler's hooks (hooks.cc), and
// calls of MPI functions told apart by where they return to (setting call_sites). Each is met as a bare
// address; here it gets what a probe has from the start, a site with a region, and keeps it. What a
// region knows of the address is its module and the place in it, for addresses differ from rank to rank;
// names, files and lines are found at the end (monitor/finish/symbols.h). Without call_sites a wrapper has not an
// instruction more: with it, the wrapper's own site never gets a region, so each call takes the slow path and comes
// here.
//
// Invariants:
//  - find_address() takes no lock and never waits: slots are written once, their address last, and a
//    table that has grown leaves the old one where it was for those who still read it;
//  - a site is never freed nor moved; where a module is unloaded, its addresses are forgotten, so that
//    another module at the same place does not get its names.
#pragma once
#include <cstdint>

#include "monitor/sites/registry.h"

namespace andes {

struct AddressSite {
  andes_site site;           // its region is known
  const andes_site* call;    // the MPI function that is called there; null: a function, by its hooks
  std::uint32_t region;      // as in `site`, also while that is closed
  std::uint32_t frame_bytes; // hooks: where its frame stood last time (hooks.cc)
  bool of_layer;  // called by the MPI library's layer for Fortran
  bool has_probe; // a task that a probe of its own opens
};

struct AddressSlot {
  std::uintptr_t address; // 0: free; 1: forgotten
  AddressSite* site;
};

/// Open addressing; the slots follow it.
struct alignas(AddressSlot) AddressTable {
  std::uint32_t mask;
  AddressSlot& slot(std::uint32_t i) const {
    return reinterpret_cast<AddressSlot*>(const_cast<AddressTable*>(this) + 1)[i & mask];
  }
};

/// An object with code that has been met.
struct CodeModule {
  std::uintptr_t low, high; // both 0: it was unloaded
  const char* path;
};

inline constexpr std::uint32_t max_modules = 1024;

struct Addresses {
  AddressTable* table; // null: no address yet
  std::uint32_t used;  // slots of it that are not free
  AddressSite* sites;  // of the chunk in use: the next one
  std::uint32_t sites_left;
  CodeModule modules[max_modules];
  std::uint32_t module_count;
};

inline std::uint32_t first_slot(std::uintptr_t address) {
  return static_cast<std::uint32_t>((address * 0x9e3779b97f4a7c15ull) >> 32);
}

/// What is known of `address`, as a function (`call` null) or as what `call` returns to; null: nothing.
inline AddressSite* find_address(const Addresses& addresses, std::uintptr_t address,
                                 const andes_site* call) {
  const AddressTable* table = __atomic_load_n(&addresses.table, __ATOMIC_ACQUIRE);
  if (!table) return nullptr;
  for (std::uint32_t i = first_slot(address);; ++i) {
    const AddressSlot& slot = table->slot(i);
    const std::uintptr_t there = __atomic_load_n(&slot.address, __ATOMIC_ACQUIRE);
    if (there == address && slot.site->call == call) return slot.site;
    if (there == 0) return nullptr;
  }
}

/// Makes it known, as a site of `region`. Null: no memory. Under the process's lock.
AddressSite* add_address(Addresses& addresses, const Registry& registry, std::uintptr_t address,
                         const andes_site* call, std::uint32_t kind, std::uint32_t region);

/// The module at [low, high), whose file is `path`: its path, which stays; empty where there is no room for it. Under the
/// process's lock.
const char* add_module(Addresses& addresses, Registry& registry, std::uintptr_t low, std::uintptr_t high,
                       const char* path);

/// Forgets a module that is not loaded any more, and its addresses. Under the process's lock.
void forget_module(Addresses& addresses, CodeModule& gone);

} // namespace andes
