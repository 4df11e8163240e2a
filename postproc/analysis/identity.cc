// From the roots down: children of matched call paths are matched by their regions. What is left over has lost its
// caller, or got another one: of such call paths of one region those are taken that are nearest to each other in the
// tree.
#include "postproc/analysis/identity.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace andes::postproc {
namespace {

using Paths = std::vector<int>;

constexpr int near = 4; // steps in the tree, if a caller was divided, or two became one

class PathMatcher {
public:
  PathMatcher(const BuildTree& older, const BuildTree& newer)
      : old_{older, {}, {}}, new_{newer, {}, {}}, regions_(match_regions(older, newer)), matches_(newer.paths.size()),
        old_region_(newer.regions.size(), -1) {
    for (std::size_t r = 0; r < regions_.size(); ++r) old_region_[r] = regions_[r].older;
    for (Side* side : {&old_, &new_}) {
      side->partner.assign(side->tree.paths.size(), -1);
      side->children.resize(side->tree.paths.size());
      for (std::size_t p = 0; p < side->tree.paths.size(); ++p)
        if (const int parent = side->tree.paths[p].parent; parent >= 0)
          side->children[static_cast<std::size_t>(parent)].push_back(static_cast<int>(p));
    }
  }

  std::vector<Match> run() {
    Paths old_roots, new_roots;
    for (Side* side : {&old_, &new_})
      for (std::size_t p = 0; p < side->tree.paths.size(); ++p)
        if (side->tree.paths[p].parent < 0) (side == &old_ ? old_roots : new_roots).push_back(static_cast<int>(p));
    match_children(old_roots, new_roots);
    match_below();
    match_left_over();
    return std::move(matches_);
  }

private:
  struct Side {
    const BuildTree& tree;
    std::vector<int> partner; // by path
    std::vector<Paths> children;

    int parent(int p) const { return tree.paths[static_cast<std::size_t>(p)].parent; }
    int region(int p) const { return tree.paths[static_cast<std::size_t>(p)].region; }
    bool is_matched(int p) const { return partner[static_cast<std::size_t>(p)] >= 0; }
  };

  void match(int a, int b, Likeness by, std::string reason) {
    old_.partner[static_cast<std::size_t>(a)] = b;
    new_.partner[static_cast<std::size_t>(b)] = a;
    matches_[static_cast<std::size_t>(b)] = {a, by, std::move(reason)};
    open_.emplace_back(a, b);
  }

  /// What is called by matched call paths. Without recursion: trees may be deep.
  void match_below() {
    while (!open_.empty()) {
      const auto [a, b] = open_.back();
      open_.pop_back();
      match_children(old_.children[static_cast<std::size_t>(a)], new_.children[static_cast<std::size_t>(b)]);
    }
  }

  void match_children(const Paths& olds, const Paths& news) {
    std::multimap<int, int> by_region; // of the older build
    for (const int a : olds)
      if (!old_.is_matched(a)) by_region.emplace(old_.region(a), a);
    for (const int b : news) {
      if (new_.is_matched(b)) continue;
      const auto r = static_cast<std::size_t>(new_.region(b));
      const auto found = by_region.find(old_region_[r]);
      if (found == by_region.end()) continue;
      const int a = found->second;
      by_region.erase(found);
      match_with_caller(a, b, regions_[r]);
    }
  }

  /// A match of regions; a guess of the caller is one of what it calls.
  void match_with_caller(int a, int b, const Match& region) {
    const int caller = new_.parent(b);
    if (!region.is_guess() && caller >= 0 && matches_[static_cast<std::size_t>(caller)].is_guess()) {
      const Match& above = matches_[static_cast<std::size_t>(caller)];
      const bool through = above.by == Likeness::below; // the reason is that of the first guess above
      return match(a, b, Likeness::below,
                   through ? above.reason
                           : fmt::format("its caller {}: {}",
                                         new_.tree.region_of(static_cast<std::size_t>(caller)).name, above.reason));
    }
    match(a, b, region.by, region.reason);
  }

  /// Callers of a left-over path from the nearest that is matched on, as numbers of the newer build, with their
  /// distances.
  template <class AsNew> static std::vector<std::pair<int, int>> matched_callers(const Side& side, int path,
                                                                                 AsNew as_new) {
    std::vector<std::pair<int, int>> callers;
    int distance = 0;
    for (int at = side.parent(path); at >= 0 && distance < near; at = side.parent(at)) {
      ++distance;
      if (side.is_matched(at)) callers.emplace_back(as_new(at), distance);
    }
    return callers;
  }

  /// Steps in the tree from one to the other; of what is far, the largest number.
  int distance(int a, int b) const {
    const auto olds = matched_callers(old_, a, [&](int at) { return old_.partner[static_cast<std::size_t>(at)]; });
    const auto news = matched_callers(new_, b, [](int at) { return at; });
    for (const auto& [caller, up] : olds)
      for (const auto& [other, down] : news)
        if (caller == other) return up + down;
    return std::numeric_limits<int>::max();
  }

  bool has_new_caller(int b) const { return new_.parent(b) >= 0 && !new_.is_matched(new_.parent(b)); }
  bool has_lost_caller(int a) const { return old_.parent(a) >= 0 && !old_.is_matched(old_.parent(a)); }

  /// Whether the one may be the other, which has another caller now.
  bool may_be(int a, int b, bool only_ones) const {
    if ((has_new_caller(b) || has_lost_caller(a)) && distance(a, b) <= near) return true;
    return only_ones && is_probed_kind(new_.tree.region_of(static_cast<std::size_t>(b)).kind);
  }

  void match_left_over() {
    std::vector<Paths> old_of(new_.tree.regions.size()),
        new_of(new_.tree.regions.size()); // by region of the newer build
    std::vector<std::size_t> all(new_.tree.regions.size()); // call paths of the region
    std::vector<int> new_region(old_.tree.regions.size(), -1);
    for (std::size_t r = 0; r < old_region_.size(); ++r)
      if (old_region_[r] >= 0) new_region[static_cast<std::size_t>(old_region_[r])] = static_cast<int>(r);
    for (std::size_t a = 0; a < old_.tree.paths.size(); ++a)
      if (const int r = new_region[static_cast<std::size_t>(old_.region(static_cast<int>(a)))];
          r >= 0 && !old_.is_matched(static_cast<int>(a)))
        old_of[static_cast<std::size_t>(r)].push_back(static_cast<int>(a));
    for (std::size_t b = 0; b < new_.tree.paths.size(); ++b) {
      const auto r = static_cast<std::size_t>(new_.region(static_cast<int>(b)));
      ++all[r];
      if (!new_.is_matched(static_cast<int>(b))) new_of[r].push_back(static_cast<int>(b));
    }
    for (std::size_t path = 0; path < new_.tree.paths.size(); ++path) { // callers before what they call
      const int b = static_cast<int>(path);
      if (new_.is_matched(b)) continue;
      const auto r = static_cast<std::size_t>(new_.region(b));
      const int a = nearest(old_of[r], b);
      if (a < 0 || nearest_new(new_of[r], a) != b) continue;
      const bool only_ones = all[r] == 1 && old_of[r].size() == 1;
      if (may_be(a, b, only_ones)) match_left_over(a, b, regions_[r]);
    }
  }

  void match_left_over(int a, int b, const Match& region) {
    const auto name = [](const Side& side, int path) {
      return path < 0 ? std::string("nothing") : side.tree.region_of(static_cast<std::size_t>(path)).name;
    };
    const std::string now = name(new_, new_.parent(b)), before = name(old_, old_.parent(a));
    std::string reason = has_new_caller(b)    ? fmt::format("now in {}, which is new, before in {}", now, before)
                         : has_lost_caller(a) ? fmt::format("now in {}, before in {}, which is gone", now, before)
                                              : fmt::format("now called by {}, before by {}", now, before);
    if (!region.reason.empty()) reason += "; " + region.reason;
    match(a, b, has_new_caller(b) || has_lost_caller(a) ? Likeness::split : Likeness::moved, std::move(reason));
    match_below();
  }

  int nearest(const Paths& olds, int b) const {
    return nearest_of(olds, old_, [&](int a) { return distance(a, b); });
  }
  int nearest_new(const Paths& news, int a) const {
    return nearest_of(news, new_, [&](int b) { return distance(a, b); });
  }

  /// -1: none, or several as near as each other.
  template <class Distance> static int nearest_of(const Paths& paths, const Side& side, Distance distance_to) {
    constexpr std::size_t most = 1000; // of one region: beyond, their places tell nothing
    if (paths.size() > most) return -1;
    int best = -1, least = std::numeric_limits<int>::max();
    bool alone = false;
    for (const int path : paths) {
      if (side.is_matched(path)) continue;
      const int steps = distance_to(path);
      if (steps > least) continue;
      alone = steps < least || best < 0;
      if (steps < least || best < 0) best = path, least = steps;
    }
    return alone ? best : -1;
  }

  Side old_, new_;
  std::vector<Match> regions_, matches_;
  std::vector<int> old_region_; // by region of the newer build
  std::vector<std::pair<int, int>> open_; // matched; what they call is not yet
};

/// Gives the paths of a build their places among those that are known, `as_known` by path of the build.
void add_build(const BuildTree& build, BuildTree& known, SharedPaths& shared, std::vector<int>& as_known) {
  const std::vector<Match> matches = match_paths(build, known);
  as_known.assign(build.paths.size(), -1);
  std::vector<bool> other_names(matches.size()); // on the path, or in another order
  for (std::size_t k = 0; k < matches.size(); ++k) {
    const int older = matches[k].older;
    if (older < 0) continue;
    as_known[static_cast<std::size_t>(older)] = static_cast<int>(k);
    SharedPath& path = shared.paths[k];
    ++path.builds;
    const int caller = build.paths[static_cast<std::size_t>(older)].parent;
    other_names[k] = build.region_of(static_cast<std::size_t>(older)).name != path.name ||
                     (caller < 0 ? -1 : as_known[static_cast<std::size_t>(caller)]) != path.parent ||
                     (path.parent >= 0 && other_names[static_cast<std::size_t>(path.parent)]);
    if (matches[k].is_guess() && !path.guess.is_guess()) path.guess = matches[k];
    if (other_names[k] && path.was.empty()) path.was = path_of(build, older);
  }
  std::map<int, int> regions; // of the build, as they are known: where one of its call paths is
  for (std::size_t p = 0; p < build.paths.size(); ++p)
    if (as_known[p] >= 0)
      regions.emplace(build.paths[p].region, known.paths[static_cast<std::size_t>(as_known[p])].region);
  for (std::size_t p = 0; p < build.paths.size(); ++p) {
    if (as_known[p] >= 0) continue;
    const CallPath& path = build.paths[p];
    const Region& region = build.region_of(p);
    const auto [at, added] = regions.emplace(path.region, static_cast<int>(known.regions.size()));
    if (added) known.regions.push_back(region);
    const int parent = path.parent < 0 ? -1 : as_known[static_cast<std::size_t>(path.parent)];
    as_known[p] = static_cast<int>(known.paths.size());
    known.paths.push_back({parent, at->second});
    known.visits.push_back(build.visits[p]);
    shared.paths.push_back({parent, region.name, region.kind, region.file, region.line, 1, {}, {}});
  }
}

} // namespace

std::vector<Match> match_paths(const BuildTree& older, const BuildTree& newer) {
  return PathMatcher(older, newer).run();
}

std::vector<int> builds_of(const std::vector<const Profile*>& runs) {
  std::map<std::string, int> numbers;
  std::vector<int> builds;
  for (const Profile* run : runs)
    builds.push_back(
        numbers.try_emplace(fact_text(*run, "executable_hash"), static_cast<int>(numbers.size())).first->second);
  return builds;
}

SharedPaths shared_paths(std::vector<BuildTree> builds) {
  SharedPaths shared;
  shared.of.resize(builds.size());
  BuildTree known;
  for (std::size_t i = builds.size(); i-- > 0;) { // the newest first
    BuildTree& tree = builds[i];
    if (!known.paths.empty()) {
      add_build(tree, known, shared, shared.of[i]);
      continue;
    }
    for (std::size_t p = 0; p < tree.paths.size(); ++p) {
      const Region& region = tree.region_of(p);
      shared.paths.push_back({tree.paths[p].parent, region.name, region.kind, region.file, region.line, 1, {}, {}});
      shared.of[i].push_back(static_cast<int>(p));
    }
    known = std::move(tree);
  }
  return shared;
}

SharedPaths shared_paths(const std::vector<const Profile*>& runs, const std::vector<int>& builds) {
  std::map<int, std::size_t> place; // of each build, the oldest first
  for (const int build : builds) place.emplace(build, 0);
  std::size_t count = 0;
  for (auto& [build, at] : place) at = count++;
  std::vector<BuildTree> trees(count);
  std::vector<std::vector<int>> of_run;
  for (std::size_t r = 0; r < runs.size(); ++r) of_run.push_back(add_run(trees[place[builds[r]]], *runs[r]));
  SharedPaths shared = shared_paths(std::move(trees));
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (int& path : of_run[r]) path = shared.of[place[builds[r]]][static_cast<std::size_t>(path)];
  shared.of = std::move(of_run);
  return shared;
}

const SharedPath* placed(const SharedPaths& shared, int path) {
  while (path >= 0) {
    const SharedPath& at = shared.paths[static_cast<std::size_t>(path)];
    if (at.line > 0) return &at;
    path = at.parent;
  }
  return nullptr;
}

std::vector<std::string> path_of(const SharedPaths& shared, int path) {
  std::vector<std::string> names;
  for (int at = path; at >= 0; at = shared.paths[static_cast<std::size_t>(at)].parent) {
    if (shared.paths[static_cast<std::size_t>(at)].parent < 0 && !names.empty()) break;
    names.push_back(shared.paths[static_cast<std::size_t>(at)].name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

} // namespace andes::postproc
