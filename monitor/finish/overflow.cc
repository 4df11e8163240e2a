// The bound on the call paths of a reduction. The number of ranks that have a call path decides whether
// it stays: call paths of nearly all ranks are never dropped in favour of those of single ranks, whatever
// the order of merging. As in the summaries of Misra and Gries (Finding repeated elements, 1982; merged:
// Agarwal et al., Mergeable summaries, 2012) a path that stays may have lost ranks in a group that
// dropped it before; `dropped_ranks` bounds how many.
//
// Invariants: a parent stays if one of its children does, as at least as many ranks have it and it is
// less deep; roots, the tool's path and the two sums always stay; the sums of the exclusive values and of the
// visits, bytes and messages do not change, and neither do the inclusive values of call paths that stay; call
// paths in single steps of phases are dropped before all others, and their values are not summed.
#include <algorithm>
#include <array>
#include <numeric>

#include "common/index.h"
#include "monitor/finish/fold_phases.h"
#include "monitor/finish/message_sizes.h"
#include "monitor/finish/reduction.h"

namespace andes::monitor {
namespace {

/// Whether a fixed metric covers this part of the tree.
bool covers(std::int32_t metric, run_file::Covers what) {
  return metric < run_file::metric_count && run_file::metrics[metric].covers == what;
}

/// The summing call paths below one root; -1: not made yet.
struct Sums {
  std::int32_t paths = -1, mpi = -1;
};

class Limiting {
public:
  Limiting(Reduction& reduction, std::size_t most) : reduction_(reduction), most_(most) {}

  void run() {
    find_roots();
    choose();
    move_values();
    move_rows();
    compact();
  }

private:
  const RegionRow& region_of(std::int32_t path) const {
    return reduction_.regions[at(reduction_.paths[at(path)].region)];
  }

  void find_roots() {
    const auto count = static_cast<std::int32_t>(reduction_.paths.size());
    sums_.resize(at(count));
    for (std::int32_t path = 0; path < count; ++path) {
      const std::int32_t parent = reduction_.paths[at(path)].parent;
      root_.push_back(parent < 0 ? path : root_[at(parent)]);
    }
    for (std::int32_t path = 0; path < count; ++path) {
      if (reduction_.paths[at(path)].parent >= 0) continue;
      sums_[at(path)] = {sum_below(path, {more_paths, "overflow", "", 0}),
                         sum_below(path, {more_mpi, "management", "", 0})};
    }
    stays_.resize(reduction_.paths.size());
  }

  std::int32_t sum_below(std::int32_t root, const RegionRow& region) {
    const std::int32_t path = path_index(reduction_, root, region_index(reduction_, region, hash_of(region)));
    if (at(path) >= root_.size()) root_.push_back(root);
    return path;
  }

  bool always_stays(std::int32_t path) const {
    const ReducedPath& p = reduction_.paths[at(path)];
    if (p.parent < 0) return true;
    const Sums& sums = sums_[at(root_[at(path)])];
    return path == sums.paths || path == sums.mpi || region_of(path).kind == "tool";
  }

  void choose() {
    std::vector<std::int32_t> order;
    std::size_t kept = 0;
    for (std::int32_t path = 0; at(path) < reduction_.paths.size(); ++path) {
      if (always_stays(path)) stays_[at(path)] = 1, ++kept;
      else order.push_back(path);
    }
    const std::size_t room = std::min(order.size(), most_ > kept ? most_ - kept : 0);
    const auto first_out = order.begin() + static_cast<std::ptrdiff_t>(room);
    std::nth_element(order.begin(), first_out, order.end(), [&](std::int32_t a, std::int32_t b) {
      const ReducedPath &x = reduction_.paths[at(a)], &y = reduction_.paths[at(b)];
      if ((x.folded < 0) != (y.folded < 0)) return x.folded < 0;
      if (x.ranks != y.ranks) return x.ranks > y.ranks;
      return x.depth != y.depth ? x.depth < y.depth : x.hash < y.hash;
    });
    for (auto path = order.begin(); path != first_out; ++path) stays_[at(*path)] = 1;
    std::int64_t largest = 0;
    for (auto path = first_out; path != order.end(); ++path) {
      if (reduction_.paths[at(*path)].folded >= 0) continue; // its values are part of its folded call path, too
      largest = std::max(largest, reduction_.paths[at(*path)].ranks);
      ++reduction_.dropped_paths;
      reduction_.limits_met |= met_node_limit;
    }
    reduction_.dropped_ranks += largest;
  }

  /// A statistic to which a dropped path's metric is added or, by sign, from which it is subtracted.
  struct Target {
    std::int32_t statistic = -1; // -1 ends the list
    double sign = 1;
  };
  using Targets = std::array<Target, 4>;

  Targets targets_of(std::int32_t path, std::int32_t metric) {
    using namespace run_file;
    const bool mpi = is_mpi(region_of(path));
    const std::int32_t in_mpi = time_in_call(region_of(path));
    const Sums& sums = sums_[at(root_[at(path)])];
    const std::int32_t sum = mpi ? sums.mpi : sums.paths;
    Targets targets;
    std::size_t count = 0;
    const auto add = [&](std::int32_t to, double sign = 1) {
      targets[count++] = {statistic_index(reduction_, sum, to), sign};
    };
    if (metric == exclusive_ns) {
      add(exclusive_ns);
      add(inclusive_ns);
      add(mpi ? in_mpi : is_idle(region_of(path)) ? team_idle_ns : computation_ns);
      if (region_of(path).kind == "synchronisation") add(synchronisation_ns);
    } else if (metric >= first_cause_metric && metric < first_size_metric) {
      add(metric);
      add(idle_metric);
      add(in_mpi, -1); // the exclusive time was added to it
    } else if (covers(metric, run_file::Covers::own) || is_size(metric)) {
      add(metric);
    } else if ((covers(metric, run_file::Covers::subtree_error) || is_event(metric)) &&
               stays_[at(reduction_.paths[at(path)].parent)]) {
      // For the inclusive value of a whole dropped subtree, which contains the values below.
      add(metric);
    }
    return targets;
  }

  void move_values() {
    targets_.resize(reduction_.statistics.size());
    gone_.resize(reduction_.statistics.size());
    for (std::int32_t path = 0; at(path) < stays_.size(); ++path) {
      if (stays_[at(path)] || reduction_.paths[at(path)].folded >= 0) continue;
      const Sums& sums = sums_[at(root_[at(path)])];
      ReducedPath& sum = reduction_.paths[at(is_mpi(region_of(path)) ? sums.mpi : sums.paths)];
      sum.ranks = std::max(sum.ranks, reduction_.paths[at(path)].ranks);
      for (std::int32_t i = reduction_.paths[at(path)].first; i >= 0; i = reduction_.statistics[at(i)].next) {
        const Targets targets = targets_of(path, reduction_.statistics[at(i)].metric);
        const Statistic part = reduction_.statistics[at(i)].statistic;
        for (const Target& target : targets) {
          if (target.statistic < 0) continue;
          Statistic& whole = reduction_.statistics[at(target.statistic)].statistic;
          if (target.sign > 0) add_part(whole, part);
          else take_part(whole, part);
        }
        targets_[at(i)] = targets;
        gone_[at(i)] = 1;
      }
    }
  }

  void move_rows() {
    std::vector<std::int32_t> statistics;
    std::vector<double> values;
    std::size_t from = 0;
    for (ValueRow& row : reduction_.rows) {
      for (; from < static_cast<std::size_t>(row.end); ++from) {
        const std::int32_t of = reduction_.row_statistics[from];
        const double value = reduction_.row_values[from];
        if (!is_gone(of)) {
          statistics.push_back(of);
          values.push_back(value);
          continue;
        }
        for (const Target& target : targets_[at(of)]) {
          if (target.statistic < 0) continue;
          statistics.push_back(target.statistic);
          values.push_back(target.sign * value);
        }
      }
      row.end = static_cast<std::int64_t>(values.size());
    }
    reduction_.row_statistics = std::move(statistics);
    reduction_.row_values = std::move(values);
  }

  bool is_gone(std::int32_t statistic) const { return at(statistic) < gone_.size() && gone_[at(statistic)]; }

  void compact() {
    std::vector<ReducedPath> paths;
    std::vector<ReducedValue> statistics;
    std::vector<std::int32_t> path_of(reduction_.paths.size(), -1), statistic_of(reduction_.statistics.size(), -1),
        region_of(reduction_.regions.size(), -1);
    std::vector<RegionRow> regions;
    std::vector<std::uint64_t> region_hashes;
    for (std::size_t i = 0; i < reduction_.paths.size(); ++i) {
      ReducedPath path = reduction_.paths[i];
      // Summing paths exist only if something was added to them, or the rank had such a path itself.
      if (!stays_[i] || (path.first < 0 && path.ranks == 0)) continue;
      std::int32_t& region = region_of[at(path.region)];
      if (region < 0) {
        region = static_cast<std::int32_t>(regions.size());
        regions.push_back(std::move(reduction_.regions[at(path.region)]));
        region_hashes.push_back(reduction_.region_hashes[at(path.region)]);
      }
      path.region = region;
      if (path.parent >= 0) path.parent = path_of[at(path.parent)];
      std::int32_t value = path.first;
      path.first = value < 0 ? -1 : static_cast<std::int32_t>(statistics.size());
      for (; value >= 0; value = reduction_.statistics[at(value)].next) {
        statistic_of[at(value)] = static_cast<std::int32_t>(statistics.size());
        statistics.push_back(reduction_.statistics[at(value)]);
        statistics.back().next = static_cast<std::int32_t>(statistics.size());
      }
      if (path.first >= 0) statistics.back().next = -1;
      path_of[i] = static_cast<std::int32_t>(paths.size());
      paths.push_back(path);
    }
    for (ReducedPath& path : paths)
      if (path.folded >= 0) path.folded = path_of[at(path.folded)]; // it stays if this path stays
    for (std::int32_t& statistic : reduction_.row_statistics) statistic = statistic_of[at(statistic)];
    reduction_.paths = std::move(paths);
    reduction_.statistics = std::move(statistics);
    reduction_.regions = std::move(regions);
    reduction_.region_hashes = std::move(region_hashes);
    index_hashes(reduction_);
  }

  Reduction& reduction_;
  std::size_t most_;
  std::vector<std::int32_t> root_; // root of each path
  std::vector<Sums> sums_;         // by root
  std::vector<char> stays_, gone_; // by path; by statistic
  std::vector<Targets> targets_;   // of dropped statistics
};

} // namespace

void limit_paths(Reduction& reduction, const Bounds& bounds) {
  if (reduction.paths.size() > bounds.paths) Limiting(reduction, bounds.paths).run();
}

} // namespace andes::monitor
