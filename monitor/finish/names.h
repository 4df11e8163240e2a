// Names for the regions that are known by their address, the same on all ranks: rank 0 finds them once
// for all. Addresses come to it along a binomial tree, each once however many ranks have it, and names go
// back the same way; so profiles have names before anything is compared or summed, and what has one name is
// one region, from however many addresses. Rejected: naming after the reduction, when the values rank by rank are gone;
// naming on every rank, which reads files of hundreds of megabytes as often as there are ranks.
#pragma once
#include "monitor/core/process.h"
#include "monitor/finish/run.h"
#include "monitor/finish/name_table.h"

namespace andes {

/// Collective, if there is a transport; deadline CLOCK_MONOTONIC. Names that could not be had are missing.
Names names_of_addresses(const Registry& registry, const andes_transport* transport, std::int64_t deadline_ns);

/// The same for processes whose memory is here. `libraries`: where libandes-symbols.so is.
Names names_of_addresses(const std::vector<const Registry*>& registries, const std::string& libraries);

/// Whether it is a function that the user has not written, but the compiler for him: no call path of its own.
bool is_made_by_compiler(const Region& region, const Names& names);

/// A region as it is reported.
RegionRow region_row(const Region& region, const Names& names);

/// The place that an MPI call was made from, as a region of its own; only for regions with a module.
RegionRow call_site_row(const Region& region, const Names& names);

} // namespace andes
