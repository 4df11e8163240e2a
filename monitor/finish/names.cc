#include "monitor/finish/names.h"

#include <algorithm>
#include <optional>

#include "monitor/finish/say.h"
#include "monitor/finish/sized_messages.h"
#include "monitor/finish/symbol_library.h"

namespace andes::monitor {
namespace {

/// Limit for the names of all ranks' functions, against damaged sizes.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

CodeAddress address_of(const Region& region) { return {region.module, region.offset, region.is_call}; }

/// Finds names in debug information; nothing is opened where there are no addresses.
void find_names(Names& names, const std::string& libraries) {
  if (names.empty() || libraries.empty()) return;
  std::string trouble;
  if (const auto found = ask_symbols(libraries, "andes_find_names", packed(names), trouble)) unpack(*found, names);
  else say(trouble + "; addresses have no names; install libdw (Debian: libdw1)");
}

void add_addresses(const Registry& registry, Names& names) {
  for (std::uint32_t i = first_free_region; i < registry.count; ++i)
    if (*registry.regions[i].module) names[address_of(registry.regions[i])] = {};
}

/// Up the tree to rank 0, and down again; false: a message failed.
bool ask_rank_0(Names& names, const andes_transport& transport, std::int64_t deadline_ns) {
  const auto send = [&](int to, const Parcel& parcel) {
    return send_sized(transport, to, parcel.data(), parcel.size(), deadline_ns);
  };
  const auto receive = [&](int from) { return receive_sized(transport, from, most_bytes, deadline_ns); };
  std::vector<int> children;
  int step = 1;
  for (; step < transport.size && !(transport.rank & step); step *= 2) {
    const int child = transport.rank + step;
    if (child >= transport.size) continue;
    const std::optional<Parcel> theirs = receive(child);
    if (!theirs) return false;
    unpack(*theirs, names);
    children.push_back(child);
  }
  if (transport.rank == 0) {
    find_names(names, own_directory());
  } else {
    if (!send(transport.rank - step, packed(names))) return false;
    const std::optional<Parcel> all = receive(transport.rank - step);
    if (!all) return false;
    unpack(*all, names);
  }
  const Parcel all = packed(names);
  return std::all_of(children.rbegin(), children.rend(), [&](int child) { return send(child, all); });
}

/// `solve` of `solve::solve._omp_fn.0`: compilers generate such functions for the body of a parallel region or
/// task of solve.
std::string without_outlining(const std::string& name) {
  if (name.starts_with(".omp_")) return "task"; // Clang's names for the code of a task, whatever function it is in
  // libomp itself as the caller: for a taskloop, and if the last call in a region is the fork of the next one.
  if (name.starts_with("__kmpc_taskloop")) return "taskloop";
  if (name.starts_with("__kmp_invoke_microtask")) return "parallel";
  std::string whole = name.substr(0, std::min(name.find("._omp_fn"), name.find(".omp_outlined")));
  const std::size_t last = whole.rfind("::");
  if (last == std::string::npos || whole.size() == name.size()) return whole;
  const std::string scope = whole.substr(0, last); // for nested functions: the function it was generated from
  const std::string own = whole.substr(last);
  return ("::" + scope).ends_with(own) || own == "::MAIN__" ? scope : whole; // a Fortran main program
}

SourcePlace place_of(const Region& region, const Names& names) {
  const CodeAddress address = address_of(region);
  const auto found = names.find(address);
  return found != names.end() && !found->second.name.empty() ? found->second : bare_place(address);
}

} // namespace

Names names_of_addresses(const Registry& registry, const andes_transport* transport, std::int64_t deadline_ns) {
  Names names;
  add_addresses(registry, names);
  if (!transport || transport->size == 1) {
    find_names(names, own_directory());
    return names;
  }
  std::uint64_t any = names.empty() ? 0 : 1; // over all ranks: a rank without addresses passes on those of others
  if (transport->largest(&any, 1, deadline_ns) != 0 || any == 0) return names;
  ask_rank_0(names, *transport, deadline_ns);
  return names;
}

Names names_of_addresses(const std::vector<const Registry*>& registries, const std::string& libraries) {
  Names names;
  for (const Registry* registry : registries) add_addresses(*registry, names);
  find_names(names, libraries);
  return names;
}

bool is_made_by_compiler(const Region& region, const Names& names) {
  return region.kind == ANDES_KIND_FUNCTION && *region.module && !place_of(region, names).is_written;
}

RegionRow region_row(const Region& region, const Names& names) {
  RegionRow row{region.name, kind_name(region.kind), region.file, static_cast<std::int32_t>(region.line)};
  if (!*region.module || ANDES_KIND_IS_MPI(region.kind)) return row;
  const SourcePlace place = place_of(region, names);
  row.name = region.kind == ANDES_KIND_PARALLEL ? "parallel of " + without_outlining(place.name)
             : region.kind == ANDES_KIND_TASK   ? "task of " + without_outlining(place.name)
                                                : place.name;
  row.file = place.file;
  row.line = place.line;
  return row;
}

RegionRow call_site_row(const Region& region, const Names& names) {
  const SourcePlace place = place_of(region, names);
  RegionRow row{place.name, call_site_kind, place.file, place.line};
  if (place.line > 0) {
    row.name.append(1, ' ').append(place.file, place.file.rfind('/') + 1);
    row.name.append(1, ':').append(std::to_string(place.line));
  }
  return row;
}

} // namespace andes::monitor
