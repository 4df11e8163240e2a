// Registry of regions: number, name, place and kind of every site that was entered. Regions with
// equal name, file, line and kind are one, whichever module or translation unit they come from; those
// known by an address (addresses.h) must agree in that, too.
// Strings are copied: a site's module may be unloaded. Called on slow paths only, under its lock.
#pragma once
#include <cstdint>

#include "monitor/arena/arena.h"
#include "monitor/interface/probe.h"

namespace andes {

struct Region {
  const char* name;
  const char* file;
  std::uint32_t line, kind;
  /// What the region is known by instead of name and place, or, of an MPI call, where it returns to: an
  /// address in the file `module`. Empty: neither. The text stays; who registers the region keeps it.
  const char* module = "";
  std::uint64_t offset = 0;
  bool is_call = false; // the address is where a call returns to; else where a function begins

  // Changed under the lock of the windows (windows.h).
  bool closed = false;           // its sites are out of use but for short windows
  bool stays_open = false;       // not all of its sites are known
  bool is_local = false;         // a call of MPI that is accounted for by time and visits alone
  std::uint32_t first_site = 0;  // probe_sites.h
  std::uint32_t closings = 0;    // how often it was closed
  std::uint64_t closed_ticks = 0;
  double visits_per_ns = 0;      // of the thread that makes most of them, as the latest windows say
  double thread_visits_per_ns = 0; // of one thread, while that is found out
};

/// Asked without the lock, too: a visit more or less is no matter.
inline bool is_closed(const Region& region) { return __atomic_load_n(&region.closed, __ATOMIC_RELAXED); }

/// Regions are numbered from 1; these come first, whatever the program does.
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
  std::uint32_t count;  // numbers in use are below this
  std::uint32_t* table; // open addressing, by hash of the content
  std::uint32_t table_mask;
  Backed backed_regions;
  Backed text;          // chunk that strings are copied to
  char* text_next;      // free from here on
};

/// Makes room and registers the fixed regions; false when memory is short.
bool registry_start(Registry& registry);

/// Memory that stays, in the arena; null where there is none. Not cleared.
void* keep_bytes(Registry& registry, std::size_t bytes);

/// A copy of the text that stays; a text of its own says so where memory is short.
const char* keep_text(Registry& registry, const char* text);

/// Number of the region, new or known; region_more when the registry is full.
std::uint32_t registry_number(Registry& registry, const Region& region);

} // namespace andes
