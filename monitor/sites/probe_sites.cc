#include "monitor/sites/probe_sites.h"

#include "monitor/system/memory.h"

namespace andes::monitor {

void probe_sites_start(ProbeSites& list) {
  list.entries = reserve_array<SiteEntry>(max_sites);
  list.count = 1;
  list.free = 0;
}

void add_site(ProbeSites& list, Region& region, andes_site* site, bool of_module) {
  bool known = false;
  for_each_site(list, region, [&](const andes_site& other) { known |= &other == site; });
  if (known || !list.entries) return;
  std::uint32_t entry = list.free;
  if (entry != 0) list.free = list.entries[entry].next;
  else if (list.count < max_sites) entry = list.count++;
  else {
    region.stays_open = true;
    return;
  }
  list.entries[entry] = {site, region.first_site, of_module};
  region.first_site = entry;
}

} // namespace andes::monitor
