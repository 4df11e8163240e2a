#include "monitor/finish/profile.h"

#include <string_view>

#include "common/fnv.h"
#include "monitor/finish/fold_phases.h"
#include "monitor/interface/kinds.h"

namespace andes::monitor {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_text(std::uint64_t hash, std::string_view text) { return mix(fnv_hash(text, hash), text.size()); }

static_assert(part_of_kind(step_kind) == PartOfKind::program);

} // namespace

const char* kind_name(std::uint32_t kind) {
  switch (kind) {
#define ANDES_KIND_WORD(KIND, word, part)                                                                              \
  case ANDES_KIND_##KIND:                                                                                              \
    static_assert((PartOfKind::part == PartOfKind::mpi || PartOfKind::part == PartOfKind::local) ==                    \
                  ANDES_KIND_IS_MPI(ANDES_KIND_##KIND));                                                               \
    static_assert((PartOfKind::part == PartOfKind::idle) == ANDES_KIND_IS_IDLE(ANDES_KIND_##KIND));                    \
    return word;
#include "monitor/interface/kinds.def"
#undef ANDES_KIND_WORD
  default: return "management";
  }
}

bool is_mpi(const RegionRow& region) {
  const PartOfKind part = part_of_kind(region.kind);
  return part == PartOfKind::mpi || part == PartOfKind::local;
}

bool is_idle(const RegionRow& region) { return part_of_kind(region.kind) == PartOfKind::idle; }

bool computes(const RegionRow& region) {
  if (is_mpi(region)) return region.kind == kind_name(ANDES_KIND_LOCAL);
  return !is_idle(region) && region.kind != kind_name(ANDES_KIND_TOOL);
}

run_file::MetricId time_in_call(const RegionRow& region) {
  if (computes(region)) return run_file::computation_ns;
  return region.kind == kind_name(ANDES_KIND_IO) ? run_file::io_ns : run_file::communication_ns;
}

std::uint64_t hash_of(const RegionRow& region) {
  std::uint64_t hash = hash_text(fnv_start, region.name);
  hash = hash_text(hash_text(hash, region.kind), region.file);
  return mix(hash, static_cast<std::uint64_t>(region.line));
}

std::uint64_t hash_of_path(std::uint64_t parent, std::uint64_t region) { return mix(parent + 1, region); }

std::int32_t region_index(Profile& profile, const RegionRow& region) {
  const std::uint64_t hash = hash_of(region);
  auto [found, fresh] = profile.region_of_hash.try_emplace(hash, static_cast<std::int32_t>(profile.regions.size()));
  if (fresh) {
    profile.regions.push_back(region);
    profile.region_hashes.push_back(hash);
  }
  return found->second;
}

std::int32_t path_index(Profile& profile, std::int32_t parent, std::int32_t region) {
  const std::uint64_t above = parent < 0 ? 0 : profile.paths[static_cast<std::size_t>(parent)].hash;
  const std::uint64_t hash = hash_of_path(above, profile.region_hashes[static_cast<std::size_t>(region)]);
  auto [found, fresh] = profile.path_of_hash.try_emplace(hash, static_cast<std::int32_t>(profile.paths.size()));
  if (fresh) profile.paths.push_back({parent, region, hash});
  return found->second;
}

} // namespace andes::monitor
