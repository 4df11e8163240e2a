// Addresses of code as sites: functions that are reported by the compiler's hooks (hooks.cc), and calls of MPI
// functions, distinguished by their return addresses (setting call_sites). Each is met as a bare address; here it
// gets a site with a region, as a probe has from the start, and keeps it. The region records the module and the
// offset in it, since addresses differ from rank to rank; names, files and lines are found at the end
// (monitor/finish/symbols.h). Without call_sites wrappers pay nothing for this: only with call_sites a wrapper's
// own site never gets a region, so that each call takes the slow path and comes here.
//
// Invariants:
//  - find_address() takes no lock and never waits: slots are written once, their address last, and
//    when a table grows, the old one stays for threads that still read it;
//  - a site is never freed or moved; when a module is unloaded, its addresses are forgotten, so that
//    another module at the same place does not get its names.
#pragma once
#include <cstdint>

#include "monitor/sites/registry.h"

namespace andes::monitor {

struct AddressSite {
  andes_site site;           // its region is always known
  const andes_site* call;    // the MPI function that is called there; null: a function with hooks
  std::uintptr_t address;    // of the function, or of the call
  std::uint32_t region;      // as in `site`, but also valid while the region is closed
  std::uint32_t frame_bytes; // hooks: distance of its frame at the last visit (hooks.cc)
  bool of_layer;  // called by the MPI library's Fortran layer
  bool has_probe; // a task with a probe of its own
  std::uint16_t above_return; // hooks: bytes of its frame above where it stores its return address
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

/// A loaded object with code that has been met.
struct CodeModule {
  std::uintptr_t low, high; // both 0: it was unloaded
  const char* path;
};

inline constexpr std::uint32_t max_modules = 1024;

struct Addresses {
  AddressTable* table; // null: no address yet
  std::uint32_t used;  // slots of the table that are not free
  AddressSite* sites;  // next free site of the present chunk
  std::uint32_t sites_left;
  CodeModule modules[max_modules];
  std::uint32_t module_count;
};

inline std::uint32_t first_slot(std::uintptr_t address) {
  return static_cast<std::uint32_t>((address * 0x9e3779b97f4a7c15ull) >> 32);
}

/// The site of `address`, as a function (`call` null) or as the return address of `call`; null: there is none.
inline AddressSite* find_address(const Addresses& addresses, std::uintptr_t address, const andes_site* call) {
  const AddressTable* table = __atomic_load_n(&addresses.table, __ATOMIC_ACQUIRE);
  if (!table) return nullptr;
  for (std::uint32_t i = first_slot(address);; ++i) {
    const AddressSlot& slot = table->slot(i);
    const std::uintptr_t there = __atomic_load_n(&slot.address, __ATOMIC_ACQUIRE);
    if (there == address && slot.site->call == call) return slot.site;
    if (there == 0) return nullptr;
  }
}

/// Adds the address as a site of `region`. Null: no memory. Under process_lock.
AddressSite* add_address(Addresses& addresses, const Registry& registry, std::uintptr_t address, const andes_site* call,
                         std::uint32_t kind, std::uint32_t region);

/// Adds the module at [low, high), whose file is `path`. Returns a permanent copy of the path; empty if there is no
/// room. Under process_lock.
const char* add_module(Addresses& addresses, Registry& registry, std::uintptr_t low, std::uintptr_t high,
                       const char* path);

/// Forgets a module that is not loaded any more, and its addresses. Under process_lock.
void forget_module(Addresses& addresses, CodeModule& gone);

} // namespace andes::monitor
