#include "monitor/finish/profile.h"

#include <algorithm>
#include <string_view>

#include "monitor/finish/host.h"

namespace andes {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_text(std::uint64_t hash, std::string_view text) {
  for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  return mix(hash, text.size());
}

std::uint64_t hash_of(const RegionRow& region) {
  std::uint64_t hash = hash_text(14695981039346656037ull, region.name);
  hash = hash_text(hash_text(hash, region.kind), region.file);
  return mix(hash, static_cast<std::uint64_t>(region.line));
}

} // namespace

std::int32_t region_index(Profile& profile, const RegionRow& region) {
  auto [found, fresh] = profile.region_of_hash.try_emplace(
      hash_of(region), static_cast<std::int32_t>(profile.regions.size()));
  if (fresh) profile.regions.push_back(region);
  return found->second;
}

std::int32_t path_index(Profile& profile, std::int32_t parent, std::int32_t region) {
  const std::uint64_t above =
      parent < 0 ? 0 : profile.paths[static_cast<std::size_t>(parent)].hash;
  const std::uint64_t hash =
      mix(above + 1, hash_of(profile.regions[static_cast<std::size_t>(region)]));
  auto [found, fresh] =
      profile.path_of_hash.try_emplace(hash, static_cast<std::int32_t>(profile.paths.size()));
  if (fresh) profile.paths.push_back({parent, region, hash, {}});
  return found->second;
}

void merge(Profile& into, const Profile& from) {
  std::vector<std::int32_t> host_of(from.hosts.size());
  for (std::size_t i = 0; i < from.hosts.size(); ++i)
    host_of[i] = merge_host(into.hosts, from.hosts[i]);
  const std::size_t first_location = into.locations.size();
  for (LocationRow row : from.locations) {
    row.host = host_of[static_cast<std::size_t>(row.host)];
    into.locations.push_back(row);
  }
  std::vector<std::int32_t> path_of(from.paths.size());
  for (std::size_t i = 0; i < from.paths.size(); ++i) {
    const ProfilePath& path = from.paths[i];
    const std::int32_t parent =
        path.parent < 0 ? -1 : path_of[static_cast<std::size_t>(path.parent)];
    path_of[i] = path_index(into, parent,
                            region_index(into, from.regions[static_cast<std::size_t>(path.region)]));
    Values& values = into.paths[static_cast<std::size_t>(path_of[i])].values;
    for (std::size_t metric = 0; metric < values.size(); ++metric) {
      const std::vector<double>& column = path.values[metric];
      if (column.empty()) continue;
      values[metric].resize(first_location);
      values[metric].insert(values[metric].end(), column.begin(), column.end());
    }
  }
  into.messages.insert(into.messages.end(), from.messages.begin(), from.messages.end());
  into.snapshots.insert(into.snapshots.end(), from.snapshots.begin(), from.snapshots.end());
  into.clock_error_ppm = std::max(into.clock_error_ppm, from.clock_error_ppm);
}

} // namespace andes
