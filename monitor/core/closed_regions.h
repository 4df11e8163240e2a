// Closed regions: those with too many visits even to count them. Their sites are out of use but for windows
// (windows.h). The governor wants regions closed (governor.h); they are opened for good where the budget has room
// again.
//
// Invariants:
//  - once a region is closed, only this code and that of the windows write to its sites, under the lock of the windows;
//  - no site is touched while a module is being unloaded.
#pragma once
#include <cstdint>

#include "monitor/core/governor.h"

struct andes_site;

namespace andes::monitor {

struct Location;
struct Process;

/// Registers a site that was met for the first time; it is out of use if its region is closed and no window is
/// open. `of_module`: the site lies in the data of a module. Under process_lock.
void meet_site(Process& process, andes_site* site, std::uint32_t region, bool of_module);

/// Closes the regions of the list that may be closed. Takes process_lock.
void close_regions(Process& process, const ToClose& to_close, std::uint64_t now_ticks);

/// Opens regions for which the budget has room again, and those that are dearer closed than open. A region that was
/// closed more often stays closed longer. Under the lock of the windows.
void open_what_fits(Process& process, std::uint64_t now_ticks);

/// Updates a location's nodes whose regions were closed or opened since its last call. By the location's own thread.
void follow_closings(Process& process, Location& location);

/// The same for a new node, or one that waited for a window to see it, before it is visited while any region is closed,
/// or its own was.
void follow_visited_path(Process& process, Location& location, std::uint32_t node);

/// The same for a new node of a closed region that was found on the stack, not visited.
void follow_found_path(Process& process, Location& location, std::uint32_t node);

} // namespace andes::monitor
