// Probe sites: the sites of each region, so that all of them can be closed and opened together (windows.h). A
// function that is inlined into several files has a site in each.
//
// Invariants:
//  - changed under the lock of the windows only;
//  - sites of modules that are being unloaded are removed before any thread writes to them again (windows.h).
#pragma once
#include <cstdint>

#include "monitor/sites/registry.h"

namespace andes::monitor {

struct SiteEntry {
  andes_site* site;
  std::uint32_t next; // next site of the same region; 0: the last
  bool of_module;     // lies in a module's data, which may be unloaded; else in the monitor's memory
};

struct ProbeSites {
  SiteEntry* entries; // entry 0 is never used; null: no memory, so no region is ever closed
  std::uint32_t count, free; // entries ever used; first entry that was given back, 0: none
};

inline constexpr std::uint32_t max_sites = 1 << 18;

/// Reserves room; unused entries cost nothing.
void probe_sites_start(ProbeSites& list);

/// Adds a site of the region. If there is no room for a site, its region is never closed.
void add_site(ProbeSites& list, Region& region, andes_site* site, bool of_module);

/// Removes the sites for which `is_gone` returns true.
template <class IsGone> void remove_sites(ProbeSites& list, Region& region, IsGone is_gone) {
  for (std::uint32_t* link = &region.first_site; *link != 0;) {
    SiteEntry& entry = list.entries[*link];
    if (!entry.of_module || !is_gone(entry.site)) {
      link = &entry.next;
      continue;
    }
    const std::uint32_t removed = *link;
    *link = entry.next;
    entry = {nullptr, list.free, false};
    list.free = removed;
  }
}

template <class Each> void for_each_site(const ProbeSites& list, const Region& region, Each each) {
  for (std::uint32_t i = region.first_site; i != 0; i = list.entries[i].next) each(*list.entries[i].site);
}

} // namespace andes::monitor
