#include "postproc/analysis/region_evidence.h"

#include <algorithm>

#include "postproc/analysis/region_names.h"

namespace andes::postproc {
namespace {

/// The first function above a path that is no lambda.
int function_above(const BuildTree& tree, int path) {
  for (path = tree.paths[static_cast<std::size_t>(path)].parent; path >= 0;
       path = tree.paths[static_cast<std::size_t>(path)].parent) {
    const Region& region = tree.region_of(static_cast<std::size_t>(path));
    if (is_function(region)) return tree.paths[static_cast<std::size_t>(path)].region;
  }
  return -1;
}

void find_owners(RegionEvidence& side) {
  const std::vector<Region>& regions = side.tree.regions;
  std::map<std::pair<std::string, std::string>, int> by_name; // and file
  for (std::size_t r = 0; r < regions.size(); ++r)
    if (is_function(regions[r])) by_name.emplace(std::pair(regions[r].name, regions[r].file), static_cast<int>(r));
  side.owner.assign(regions.size(), -1);
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const auto found = by_name.find({owner_in_name(regions[r]), regions[r].file});
    if (found != by_name.end()) side.owner[r] = found->second;
  }
  for (std::size_t path = 0; path < side.tree.paths.size(); ++path) {
    const auto r = static_cast<std::size_t>(side.tree.paths[path].region);
    if (side.owner[r] >= 0 || !side.owned[r] || !owner_in_name(regions[r]).empty()) continue;
    const int function = function_above(side.tree, static_cast<int>(path));
    if (function >= 0 && regions[static_cast<std::size_t>(function)].file == regions[r].file) side.owner[r] = function;
  }
  side.last_line.assign(regions.size(), 0);
  for (std::size_t r = 0; r < regions.size(); ++r)
    if (side.owned[r] && side.owner[r] >= 0) {
      int& last = side.last_line[static_cast<std::size_t>(side.owner[r])];
      last = std::max(last, regions[r].line);
    }
}

/// The nearest path above (or itself) of a region that is not owned; -1: none.
int not_owned_from(const RegionEvidence& side, int path) {
  while (path >= 0 && side.owned[static_cast<std::size_t>(side.tree.paths[static_cast<std::size_t>(path)].region)])
    path = side.tree.paths[static_cast<std::size_t>(path)].parent;
  return path;
}

/// Of each region, on the first path that has it.
void find_depths(RegionEvidence& side) {
  const BuildTree& tree = side.tree;
  side.depth.assign(tree.regions.size(), -1);
  side.first = side.depth;
  for (std::size_t number = 0; number < tree.paths.size(); ++number) {
    const CallPath& path = tree.paths[number];
    const auto r = static_cast<std::size_t>(path.region);
    if (side.first[r] >= 0) continue;
    side.first[r] = static_cast<int>(number);
    const auto above =
        path.parent < 0 ? r : static_cast<std::size_t>(tree.paths[static_cast<std::size_t>(path.parent)].region);
    const bool inside = above != r && side.owned[r] && side.owned[above] && side.owner[above] == side.owner[r];
    side.depth[r] = inside ? side.depth[above] + 1 : 0;
  }
}

void find_calls(RegionEvidence& side) {
  const BuildTree& tree = side.tree;
  side.callers.resize(tree.regions.size());
  side.callees.resize(tree.regions.size());
  side.rates.resize(tree.regions.size());
  side.calls.resize(tree.regions.size());
  std::vector<double> visits(tree.regions.size());
  for (std::size_t path = 0; path < tree.paths.size(); ++path)
    visits[static_cast<std::size_t>(tree.paths[path].region)] += tree.visits[path];
  for (std::size_t path = 0; path < tree.paths.size(); ++path) {
    const int region = tree.paths[path].region;
    const int direct = tree.paths[path].parent;
    if (direct >= 0) {
      const int caller = tree.paths[static_cast<std::size_t>(direct)].region;
      if (const double of_caller = visits[static_cast<std::size_t>(caller)]; of_caller > 0) {
        side.rates[static_cast<std::size_t>(region)][caller] += tree.visits[path] / of_caller;
        side.calls[static_cast<std::size_t>(caller)][region] += tree.visits[path] / of_caller;
      }
    }
    const int above = not_owned_from(side, direct);
    if (above >= 0)
      side.callers[static_cast<std::size_t>(region)].insert(tree.paths[static_cast<std::size_t>(above)].region);
    if (side.owned[static_cast<std::size_t>(region)]) continue;
    for (int at = direct; at >= 0; at = tree.paths[static_cast<std::size_t>(at)].parent) {
      side.callees[static_cast<std::size_t>(tree.paths[static_cast<std::size_t>(at)].region)].insert(region);
      if (at == above) break;
    }
  }
}

} // namespace

bool has_own_name(const Region& region) {
  return !is_probed_kind(region.kind) || region.kind == "block" || region.kind == "phase";
}

RegionEvidence evidence_of(const BuildTree& tree) {
  RegionEvidence side{tree, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  for (const Region& region : tree.regions) {
    side.stable.push_back(without_lines(region));
    const bool nameless = is_probed_kind(region.kind) && !is_function(region) && !has_own_name(region);
    side.owned.push_back(nameless || !owner_in_name(region).empty());
  }
  side.partner.assign(tree.regions.size(), -1);
  find_owners(side);
  find_depths(side);
  find_calls(side);
  return side;
}

void find_places(RegionEvidence& side) {
  std::map<std::string, Regions> by_file;
  for (std::size_t r = 0; r < side.tree.regions.size(); ++r) {
    const Region& region = side.tree.regions[r];
    if (is_function(region) && !side.owned[r] && region.line > 0) by_file[region.file].push_back(static_cast<int>(r));
  }
  side.before.assign(side.tree.regions.size(), -1);
  side.after = side.before;
  side.among.assign(side.tree.regions.size(), {0, 0});
  for (auto& [file, functions] : by_file) {
    std::stable_sort(functions.begin(), functions.end(), [&](int a, int b) {
      return side.tree.regions[static_cast<std::size_t>(a)].line < side.tree.regions[static_cast<std::size_t>(b)].line;
    });
    Regions open; // since the last matched one
    int last = -1;
    const auto close = [&](int next) {
      for (std::size_t i = 0; i < open.size(); ++i) {
        const auto r = static_cast<std::size_t>(open[i]);
        side.before[r] = last;
        side.after[r] = next;
        side.among[r] = {static_cast<int>(i), static_cast<int>(open.size())};
      }
      open.clear();
      last = next;
    };
    for (const int function : functions) {
      if (side.partner[static_cast<std::size_t>(function)] >= 0) close(function);
      else open.push_back(function);
    }
    close(-1);
  }
}

std::string name_in_owner(const RegionEvidence& side, int region) {
  const std::string& owner = side.stable[static_cast<std::size_t>(side.owner[static_cast<std::size_t>(region)])];
  const std::string& name = side.stable[static_cast<std::size_t>(region)];
  return name.starts_with(owner) ? name.substr(owner.size()) : name;
}

OwnedRegions owned_in_order(const RegionEvidence& side) {
  const auto is_matched = [&](int r) { return side.partner[static_cast<std::size_t>(r)] >= 0; };
  OwnedRegions groups;
  for (std::size_t r = 0; r < side.partner.size(); ++r) {
    if (side.partner[r] >= 0 || !side.owned[r] || side.owner[r] < 0) continue;
    int function = side.owner[r];
    if (!is_matched(function)) {
      Regions callers;
      for (const int caller : side.callers[static_cast<std::size_t>(function)])
        if (is_matched(caller) && side.tree.regions[static_cast<std::size_t>(caller)].file == side.tree.regions[r].file)
          callers.push_back(caller);
      if (callers.size() != 1) continue;
      function = callers.front();
    }
    groups[{function, side.tree.regions[r].kind + '\n' + name_in_owner(side, static_cast<int>(r))}].push_back(
        static_cast<int>(r));
  }
  for (auto& [key, group] : groups)
    std::sort(group.begin(), group.end(), [&](int a, int b) {
      return side.first[static_cast<std::size_t>(a)] < side.first[static_cast<std::size_t>(b)];
    });
  return groups;
}

} // namespace andes::postproc
