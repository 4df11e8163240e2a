// Registry of regions: number, name, place and kind of every site that was entered. Regions with
// equal name, file, line and kind are one, whichever module or translation unit they come from;
// regions known by an address (addresses.h) must have the same address, too.
// Strings are copied: a site's module may be unloaded. Called on slow paths only, under process_lock.
#pragma once
#include <cstdint>

#include "monitor/arena/arena.h"
#include "monitor/interface/probe.h"

namespace andes::monitor {

struct Region {
  const char* name;
  const char* file;
  std::uint32_t line, kind;
  /// Identifies the region instead of name and place, or, for an MPI call, in addition: an address in
  /// the file `module` (of an MPI call its return address). Empty: no address. The text must stay; the
  /// caller that registers the region keeps it.
  const char* module = "";
  std::uint64_t offset = 0;
  bool is_call = false; // the address is the return address of a call; else the begin of a function

  // Changed under the lock of the windows (windows.h).
  bool closed = false;           // its sites are out of use, except in windows
  bool stays_open = false;       // not all of its sites are known
  bool is_local = false;         // an MPI call of which only time and visits are recorded
  std::uint32_t first_site = 0;  // probe_sites.h
  std::uint32_t closings = 0;    // number of times that it was closed
  std::uint64_t closed_ticks = 0;
  double open_cost = 0;          // of a closed one, if it were open: share of the time of the thread where it is most
  double thread_open_cost = 0;   // in one thread, during the computation of `open_cost`
};

/// May be called without the lock: one visit more or less does not matter.
inline bool is_closed(const Region& region) { return __atomic_load_n(&region.closed, __ATOMIC_RELAXED); }

/// Whether a function of the region may be on a stack without a visit: it is closed, or was when it was entered.
inline bool may_be_hidden(const Region& region) {
  return is_closed(region) || __atomic_load_n(&region.closings, __ATOMIC_RELAXED) != 0;
}

/// Regions are numbered from 1; every process begins with these.
enum : std::uint32_t {
  region_program = 1,  // root of the main thread
  region_thread = 2,   // root of other threads
  region_tool = 3,     // the monitor's own time
  region_more = 4,     // call paths beyond the limits
  region_more_mpi = 5, // MPI calls beyond the limits
  first_free_region = 6
};

inline constexpr std::uint32_t max_regions = ANDES_REGIONS - 1;
inline constexpr std::uint32_t region_scratch = ANDES_REGIONS - 1; // never in a tree of the program

struct Registry {
  Region* regions;      // by number; entry 0 unused
  std::uint32_t count;  // all numbers in use are smaller
  std::uint32_t* table; // open addressing, by hash of the content
  std::uint32_t table_mask;
  Backed backed_regions;
  Backed text;          // present chunk for copies of strings
  char* text_next;      // begin of its free part
};

/// Makes room and registers the fixed regions; false when memory is short.
bool registry_start(Registry& registry);

/// Permanent memory in the arena, not cleared; null: there is none.
void* keep_bytes(Registry& registry, std::size_t bytes);

/// A permanent copy of the text; a fixed text that says so if memory is short.
const char* keep_text(Registry& registry, const char* text);

/// Number of the region, new or known; region_more when the registry is full.
std::uint32_t registry_number(Registry& registry, const Region& region);

} // namespace andes::monitor
