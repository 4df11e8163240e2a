#include "monitor/finish/fold_phases.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "common/index.h"
#include "monitor/finish/message_sizes.h"

namespace andes::monitor {
namespace {

bool is_step(const Profile& profile, const ProfilePath& path) {
  return profile.regions[at(path.region)].kind == step_kind;
}

// Whether the metric is a flag (1: yes) rather than a sum.
bool is_flag(std::int32_t metric) { return metric == run_file::unreliable || metric == run_file::muted; }

void add(std::vector<double>& into, const std::vector<double>& from, bool flag) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t location = 0; location < from.size(); ++location)
    into[location] = flag ? std::max(into[location], from[location]) : into[location] + from[location];
}

// Of the step itself only its exclusive part is missing in the phase.
void add_values(Values& into, const Values& from, bool step) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t metric = 0; metric < from.size(); ++metric)
    if (!step || metric == run_file::exclusive_ns)
      add(into[metric], from[metric], is_flag(static_cast<std::int32_t>(metric)));
}

void add_events(Values& into, const Values& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t event = 0; event < from.size(); ++event) add(into[event], from[event], false);
}

} // namespace

void fold_phases(Profile& profile) {
  const auto count = static_cast<std::int32_t>(profile.paths.size());
  std::vector<std::int32_t> folded(at(count));
  std::unordered_map<std::uint64_t, std::uint64_t> folded_hash; // folded hash by the hash of a call path in a step
  for (std::int32_t path = 0; path < count; ++path) {
    const ProfilePath& met = profile.paths[at(path)];
    folded[at(path)] = path;
    const std::int32_t above = met.parent < 0 ? -1 : folded[at(met.parent)];
    const bool step = met.parent >= 0 && is_step(profile, met);
    if (!step && above == met.parent) continue;
    const std::int32_t into = step ? above : path_index(profile, above, met.region); // may move the paths
    ProfilePath& own = profile.paths[at(path)];
    ProfilePath& sum = profile.paths[at(into)];
    folded[at(path)] = own.folded = into;
    folded_hash[own.hash] = sum.hash;
    add_values(sum.values, own.values, step);
    if (step) continue;
    add_events(sum.events, own.events);
    if (!own.sizes.empty()) add_sizes(sum.sizes, own.sizes.data());
  }
  if (folded_hash.empty()) return;
  // Peers may have call paths that this rank lacks: they are resolved when all ranks are merged.
  const auto fold = [&](std::uint64_t& hash) {
    if (const auto found = folded_hash.find(hash); found != folded_hash.end()) hash = found->second;
  };
  std::vector<WaitSum> sums = std::move(profile.waits.sums);
  profile.waits.sums.clear();
  for (WaitSum& sum : sums) {
    fold(sum.path);
    fold(sum.peer_path);
    fold(sum.origin_path);
  }
  add_wait_sums(profile.waits, sums);
}

void put_steps_last(Reduction& reduction) {
  const auto is_part_of_step = [](const ReducedPath& path) { return path.folded >= 0; };
  if (std::none_of(reduction.paths.begin(), reduction.paths.end(), is_part_of_step)) return;
  std::vector<std::int32_t> order(reduction.paths.size()), number(reduction.paths.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(),
                        [&](std::int32_t path) { return !is_part_of_step(reduction.paths[at(path)]); });
  std::vector<ReducedPath> paths;
  for (const std::int32_t path : order) {
    number[at(path)] = static_cast<std::int32_t>(paths.size());
    paths.push_back(reduction.paths[at(path)]);
  }
  for (ReducedPath& path : paths) {
    if (path.parent >= 0) path.parent = number[at(path.parent)];
    if (path.folded >= 0) path.folded = number[at(path.folded)];
  }
  reduction.paths = std::move(paths);
  index_hashes(reduction);
}

} // namespace andes::monitor
