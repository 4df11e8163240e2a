#include "monitor/finish/reduction.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

#include "monitor/finish/fold_phases.h"
#include "monitor/finish/host.h"
#include "monitor/finish/message_sizes.h"

namespace andes::monitor {
namespace {

/// Adds a number of ranks. What a damaged message says of them stays a number, the largest at most.
template <class Count> void add(Count& sum, Count more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = std::numeric_limits<Count>::max();
}

/// Keeps the `most` largest entries of this rank's row of a matrix, by `other` rank, and sums the rest in one without.
template <class Row, class Size, class Add>
void limit_row(std::vector<Row>& row, std::size_t most, std::int32_t Row::* other, Size size, Add add) {
  if (row.size() <= most) return;
  std::sort(row.begin(), row.end(), [&](const Row& a, const Row& b) {
    return std::tuple(a.*other < 0, -size(a), a.*other) < std::tuple(b.*other < 0, -size(b), b.*other);
  });
  Row& rest = row[most];
  for (std::size_t i = most + 1; i < row.size(); ++i) add(rest, row[i]);
  rest.*other = -1;
  row.resize(most + 1);
  std::sort(row.begin(), row.end(), [&](const Row& a, const Row& b) { return a.*other < b.*other; });
}

void limit_messages(std::vector<MessageRow>& row, const Bounds& bounds) {
  limit_row(
      row, rows_per_rank(bounds), &MessageRow::destination, [](const MessageRow& entry) { return entry.bytes; },
      [](MessageRow& rest, const MessageRow& entry) {
        rest.messages += entry.messages;
        rest.bytes += entry.bytes;
      });
}

void limit_wait_pairs(std::vector<WaitPairRow>& row, const Bounds& bounds) {
  limit_row(
      row, wait_pairs_per_rank(bounds), &WaitPairRow::peer_rank, [](const WaitPairRow& entry) { return entry.wait_ns; },
      [](WaitPairRow& rest, const WaitPairRow& entry) { rest.wait_ns += entry.wait_ns; });
}

std::size_t share_of_rank(std::int64_t of_job, const Bounds& bounds) {
  constexpr std::int64_t at_least = 8;
  return static_cast<std::size_t>(std::max(at_least, of_job / std::max<std::int64_t>(1, bounds.job_ranks)));
}

struct Numbers {
  std::vector<std::int32_t> paths, statistics; // indices in `into` of the elements of `from`
};

/// By location.
const std::vector<double>& column_of(const ProfilePath& path, std::int32_t metric) {
  static const std::vector<double> none;
  if (is_size(metric)) return none;
  return is_event(metric) ? path.events[static_cast<std::size_t>(metric - first_event_metric)]
                          : path.values[static_cast<std::size_t>(metric)];
}

// Unifies the call paths and adds up their statistics.
Numbers merge_paths(Reduction& into, const Reduction& from) {
  const auto index = [](std::int32_t number) { return static_cast<std::size_t>(number); };
  const auto ranks = static_cast<double>(into.ranks), others = static_cast<double>(from.ranks);
  const Statistic nothing_before = statistic_of_rank(into.first_rank, 0);
  const Statistic nothing_added = statistic_of_rank(from.first_rank, 0);
  const std::size_t before = into.statistics.size();
  std::vector<char> met(before);
  Numbers numbers;
  numbers.paths.resize(from.paths.size());
  numbers.statistics.resize(from.statistics.size());
  std::vector<std::int32_t> region_of(from.regions.size());
  for (std::size_t i = 0; i < from.regions.size(); ++i)
    region_of[i] = region_index(into, from.regions[i], from.region_hashes[i]);
  const std::vector<std::int32_t> events = merge_events(into.events, from.events);
  for (std::size_t i = 0; i < from.paths.size(); ++i) {
    const ReducedPath& theirs = from.paths[i];
    const std::int32_t parent = theirs.parent < 0 ? -1 : numbers.paths[index(theirs.parent)];
    const std::int32_t path = path_index(into, parent, region_of[index(theirs.region)]);
    numbers.paths[i] = path;
    add(into.paths[index(path)].ranks, theirs.ranks);
    for (std::int32_t at = theirs.first; at >= 0; at = from.statistics[index(at)].next) {
      const ReducedValue& value = from.statistics[index(at)];
      const std::int32_t metric =
          is_event(value.metric) ? first_event_metric + events[index(value.metric - first_event_metric)] : value.metric;
      const std::int32_t own = statistic_index(into, path, metric);
      numbers.statistics[index(at)] = own;
      Statistic& statistic = into.statistics[index(own)].statistic;
      if (index(own) >= before) statistic = nothing_before;
      else met[index(own)] = 1;
      merge(statistic, ranks, value.statistic, others);
    }
  }
  for (std::size_t i = 0; i < from.paths.size(); ++i)
    if (from.paths[i].folded >= 0)
      into.paths[index(numbers.paths[i])].folded = numbers.paths[index(from.paths[i].folded)];
  for (std::size_t i = 0; i < before; ++i)
    if (!met[i]) merge(into.statistics[i].statistic, ranks, nothing_added, others);
  return numbers;
}

void merge_rows(Reduction& into, const Reduction& from, std::size_t first_location,
                const std::vector<std::int32_t>& statistics) {
  const auto first_value = static_cast<std::int64_t>(into.row_values.size());
  for (const ValueRow& row : from.rows)
    into.rows.push_back({row.location + static_cast<std::int64_t>(first_location), row.end + first_value});
  for (const std::int32_t statistic : from.row_statistics)
    into.row_statistics.push_back(statistics[static_cast<std::size_t>(statistic)]);
  into.row_values.insert(into.row_values.end(), from.row_values.begin(), from.row_values.end());
}

// Adds the values of `from`, whose locations begin at `first_location`.
void merge_attached(AttachedValues& into, const AttachedValues& from, std::size_t first_location) {
  std::vector<std::int32_t> name_of;
  for (const std::string& name : from.names) {
    const auto known = std::find(into.names.begin(), into.names.end(), name);
    name_of.push_back(static_cast<std::int32_t>(known - into.names.begin()));
    if (known == into.names.end()) into.names.push_back(name);
  }
  for (AttachedRow row : from.rows) {
    row.name = name_of[static_cast<std::size_t>(row.name)];
    row.location += static_cast<std::int32_t>(first_location);
    into.rows.push_back(row);
  }
  into.lost += from.lost;
}

// Values beyond a rank's share are dropped and counted as lost.
void limit_attached(AttachedValues& attached, std::size_t most) {
  for (std::size_t i = most; i < attached.rows.size(); ++i)
    attached.lost += attached.rows[i].count + attached.rows[i].not_finite;
  if (attached.rows.size() > most) attached.rows.resize(most);
}

} // namespace

std::size_t rows_per_rank(const Bounds& bounds) { return share_of_rank(1 << 18, bounds); }

std::size_t wait_pairs_per_rank(const Bounds& bounds) { return share_of_rank(1 << 14, bounds); }

std::int32_t region_index(Reduction& reduction, const RegionRow& region, std::uint64_t hash) {
  auto [found, fresh] = reduction.region_of_hash.try_emplace(hash, static_cast<std::int32_t>(reduction.regions.size()));
  if (fresh) {
    reduction.regions.push_back(region);
    reduction.region_hashes.push_back(hash);
  }
  return found->second;
}

std::int32_t path_index(Reduction& reduction, std::int32_t parent, std::int32_t region) {
  std::uint64_t above = 0;
  std::int32_t depth = 0;
  if (parent >= 0) {
    above = reduction.paths[static_cast<std::size_t>(parent)].hash;
    depth = reduction.paths[static_cast<std::size_t>(parent)].depth + 1;
  }
  const std::uint64_t hash = hash_of_path(above, reduction.region_hashes[static_cast<std::size_t>(region)]);
  auto [found, fresh] = reduction.path_of_hash.try_emplace(hash, static_cast<std::int32_t>(reduction.paths.size()));
  if (fresh) reduction.paths.push_back({parent, region, depth, -1, 0, hash, -1, 0});
  return found->second;
}

std::int32_t find_statistic(const Reduction& reduction, std::int32_t path, std::int32_t metric) {
  std::int32_t at = reduction.paths[static_cast<std::size_t>(path)].first;
  while (at >= 0 && reduction.statistics[static_cast<std::size_t>(at)].metric != metric)
    at = reduction.statistics[static_cast<std::size_t>(at)].next;
  return at;
}

std::int32_t statistic_index(Reduction& reduction, std::int32_t path, std::int32_t metric) {
  std::int32_t* link = &reduction.paths[static_cast<std::size_t>(path)].first;
  while (*link >= 0) {
    ReducedValue& value = reduction.statistics[static_cast<std::size_t>(*link)];
    if (value.metric == metric) return *link;
    link = &value.next;
  }
  const auto fresh = static_cast<std::int32_t>(reduction.statistics.size());
  *link = fresh;
  reduction.statistics.push_back({metric, -1, statistic_of_rank(reduction.first_rank, 0)});
  return fresh;
}

void index_hashes(Reduction& reduction) {
  reduction.region_of_hash.clear();
  reduction.path_of_hash.clear();
  reduction.host_of_name.clear();
  for (std::size_t i = 0; i < reduction.regions.size(); ++i)
    reduction.region_of_hash.emplace(reduction.region_hashes[i], static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < reduction.paths.size(); ++i)
    reduction.path_of_hash.emplace(reduction.paths[i].hash, static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < reduction.hosts.size(); ++i)
    reduction.host_of_name.emplace(reduction.hosts[i].facts.name, static_cast<std::int32_t>(i));
}

Reduction reduce(Profile profile, const Bounds& bounds) {
  fold_phases(profile);
  Reduction reduction;
  const std::size_t locations = profile.locations.size();
  reduction.ranks = locations == 0 ? 0 : 1;
  reduction.first_rank = locations == 0 ? 0 : profile.locations[0].rank;
  reduction.regions = std::move(profile.regions);
  reduction.region_hashes = std::move(profile.region_hashes);
  reduction.hosts = std::move(profile.hosts);
  for (std::size_t i = 0; i < reduction.hosts.size(); ++i)
    reduction.host_of_name.emplace(reduction.hosts[i].facts.name, static_cast<std::int32_t>(i));
  reduction.region_of_hash = std::move(profile.region_of_hash);
  reduction.path_of_hash = std::move(profile.path_of_hash); // call paths keep their numbers
  reduction.locations = std::move(profile.locations);
  reduction.messages = std::move(profile.messages);
  limit_messages(reduction.messages, bounds);
  reduction.snapshots = std::move(profile.snapshots);
  if (reduction.snapshots.size() > rows_per_rank(bounds)) reduction.snapshots.resize(rows_per_rank(bounds));
  reduction.clock_error_ppm = profile.clock_error_ppm;
  reduction.tool_error_ns = profile.tool_error_ns;
  reduction.window_thread_ns = profile.window_thread_ns;
  reduction.function_samples = profile.function_samples;
  reduction.sampled_shares = std::move(profile.sampled_shares);
  reduction.limits_met = profile.limits_met;
  reduction.metrics = profile.metrics;
  reduction.waits = std::move(profile.waits);
  reduction.wait_pairs = std::move(profile.wait_pairs);
  limit_wait_pairs(reduction.wait_pairs, bounds);
  reduction.events = std::move(profile.events);
  reduction.attached = std::move(profile.attached);
  limit_attached(reduction.attached, rows_per_rank(bounds));

  std::size_t statistics = 0; // touching new memory costs more than counting
  for (const ProfilePath& path : profile.paths) {
    statistics += path.sizes.size();
    for (const Values* values : {&path.values, &path.events})
      statistics += values->size() - static_cast<std::size_t>(std::count_if(
                                         values->begin(), values->end(), [](auto& column) { return column.empty(); }));
  }
  reduction.statistics.reserve(statistics);
  reduction.paths.reserve(profile.paths.size());
  for (const ProfilePath& path : profile.paths) {
    ReducedPath reduced{path.parent, path.region, 0, -1, 1, path.hash, path.folded, 0};
    if (path.parent >= 0) reduced.depth = reduction.paths[static_cast<std::size_t>(path.parent)].depth + 1;
    std::int32_t* link = &reduced.first;
    const auto put = [&](std::int32_t metric, double value) {
      *link = static_cast<std::int32_t>(reduction.statistics.size());
      reduction.statistics.push_back({metric, -1, statistic_of_rank(reduction.first_rank, value)});
      link = &reduction.statistics.back().next;
    };
    for (const Values* values : {&path.values, &path.events})
      for (std::size_t i = 0; i < values->size(); ++i) {
        const std::vector<double>& column = (*values)[i];
        if (column.empty()) continue;
        double sum = 0;
        for (const double value : column) sum += value;
        put(static_cast<std::int32_t>(i) + (values == &path.events ? first_event_metric : 0), sum);
      }
    for (std::size_t i = 0; path.folded < 0 && i < path.sizes.size(); ++i)
      if (path.sizes[i] != 0) put(first_size_metric + static_cast<std::int32_t>(i), path.sizes[i]);
    reduction.paths.push_back(reduced);
  }
  for (std::size_t location = 0; location < locations; ++location) {
    for (std::size_t i = 0; i < reduction.paths.size(); ++i)
      for (std::int32_t at = reduction.paths[i].folded >= 0 ? -1 : reduction.paths[i].first; at >= 0;
           at = reduction.statistics[static_cast<std::size_t>(at)].next) {
        const std::vector<double>& column =
            column_of(profile.paths[i], reduction.statistics[static_cast<std::size_t>(at)].metric);
        if (location >= column.size() || column[location] == 0) continue;
        reduction.row_statistics.push_back(at);
        reduction.row_values.push_back(column[location]);
      }
    reduction.rows.push_back(
        {static_cast<std::int64_t>(location), static_cast<std::int64_t>(reduction.row_values.size())});
  }
  limit_paths(reduction, bounds);
  limit_values(reduction, bounds);
  return reduction;
}

void merge(Reduction& into, const Reduction& from, const Bounds& bounds) {
  std::vector<std::int32_t> host_of(from.hosts.size());
  for (std::size_t i = 0; i < from.hosts.size(); ++i)
    host_of[i] = merge_host(into.hosts, into.host_of_name, from.hosts[i]);
  const std::size_t first_location = into.locations.size();
  into.locations.insert(into.locations.end(), from.locations.begin(), from.locations.end());
  for (std::size_t i = first_location; i < into.locations.size(); ++i)
    into.locations[i].host = host_of[static_cast<std::size_t>(into.locations[i].host)];
  into.messages.insert(into.messages.end(), from.messages.begin(), from.messages.end());
  into.wait_pairs.insert(into.wait_pairs.end(), from.wait_pairs.begin(), from.wait_pairs.end());
  into.snapshots.insert(into.snapshots.end(), from.snapshots.begin(), from.snapshots.end());
  into.clock_error_ppm = std::max(into.clock_error_ppm, from.clock_error_ppm);
  into.tool_error_ns += from.tool_error_ns;
  into.window_thread_ns += from.window_thread_ns;
  into.function_samples += from.function_samples;
  into.limits_met |= from.limits_met;
  into.metrics = std::max(into.metrics, from.metrics);
  merge(into.waits, from.waits);
  merge_attached(into.attached, from.attached, first_location);
  for (const auto& [of, periods] : from.sampled_shares) into.sampled_shares[of] += periods;

  const Numbers numbers = merge_paths(into, from);
  merge_rows(into, from, first_location, numbers.statistics);
  into.all_values = into.all_values && from.all_values;
  into.first_rank = into.ranks == 0   ? from.first_rank
                    : from.ranks == 0 ? into.first_rank
                                      : std::min(into.first_rank, from.first_rank);
  add(into.ranks, from.ranks);
  into.dropped_paths += from.dropped_paths;
  add(into.dropped_ranks, from.dropped_ranks);
  limit_paths(into, bounds);
  limit_values(into, bounds);
}

} // namespace andes::monitor
