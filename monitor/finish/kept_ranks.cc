// Kept ranks: the ranks whose values per call path are kept if there is no room for all. They are the first rank; the
// ranks with the largest and with the smallest compute time, communication time, synchronisation time and bytes; the
// first and the last rank to arrive at the end; and, from 64 ranks on, one rank of each eighth of the ranks, so that
// there are ordinary ranks to compare with. At most eighteen. A group finds them among those of its parts, since the
// largest of all is the largest of its part; among equals the lowest rank is kept.
#include <algorithm>
#include <array>
#include <set>

#include "monitor/finish/message_sizes.h"
#include "monitor/finish/reduction.h"

namespace andes::monitor {
namespace {

std::set<std::int32_t> kept_ranks(const Reduction& reduction, const Bounds& bounds) {
  constexpr std::int64_t samples = 8, sampled_from = 64;
  constexpr std::array criteria = {
      +[](const LocationRow& l) { return l.compute_ns; },
      +[](const LocationRow& l) { return l.communication_ns; },
      +[](const LocationRow& l) { return l.synchronisation_ns; },
      +[](const LocationRow& l) { return l.bytes_sent + l.bytes_received; },
      +[](const LocationRow& l) { return l.end_ns; },
  };
  const std::int64_t step = (bounds.job_ranks + samples - 1) / samples;
  std::set<std::int32_t> ranks;
  if (reduction.rows.empty()) return ranks;
  std::array<const LocationRow*, criteria.size()> least{}, most{};
  for (const ValueRow& row : reduction.rows) {
    const LocationRow& l = reduction.locations[static_cast<std::size_t>(row.location)];
    if (l.rank == reduction.first_rank) ranks.insert(l.rank);
    if (bounds.job_ranks >= sampled_from && l.rank % step == 0) ranks.insert(l.rank);
    if (l.thread != 0) continue;
    for (std::size_t i = 0; i < criteria.size(); ++i) {
      const auto value = criteria[i](l);
      if (!least[i] || value < criteria[i](*least[i]) || (value == criteria[i](*least[i]) && l.rank < least[i]->rank))
        least[i] = &l;
      if (!most[i] || value > criteria[i](*most[i]) || (value == criteria[i](*most[i]) && l.rank < most[i]->rank))
        most[i] = &l;
    }
  }
  for (const auto& found : {least, most})
    for (const LocationRow* l : found)
      if (l) ranks.insert(l->rank);
  return ranks;
}

void keep_rows(Reduction& reduction, const std::set<std::int32_t>& ranks) {
  std::vector<ValueRow> rows;
  std::size_t from = 0, to = 0;
  for (const ValueRow& row : reduction.rows) {
    const auto end = static_cast<std::size_t>(row.end);
    if (ranks.count(reduction.locations[static_cast<std::size_t>(row.location)].rank)) {
      for (std::size_t i = from; i < end; ++i, ++to) {
        reduction.row_statistics[to] = reduction.row_statistics[i];
        reduction.row_values[to] = reduction.row_values[i];
      }
      rows.push_back({row.location, static_cast<std::int64_t>(to)});
    }
    from = end;
  }
  reduction.row_statistics.resize(to);
  reduction.row_values.resize(to);
  reduction.rows = std::move(rows);
}

} // namespace

std::size_t bytes_in_column(std::int32_t metric) {
  if (is_event(metric)) return sizeof(double);
  if (is_size(metric)) return 0;
  if (metric >= run_file::metric_count) return sizeof(float); // idle time and waits by cause are times
  const char* unit = run_file::metrics[metric].unit;
  return unit[0] == 'n' && unit[1] == 's' ? sizeof(float) : sizeof(double);
}

void limit_values(Reduction& reduction, const Bounds& bounds) {
  if (reduction.all_values) {
    double of_location = 0;
    for (const ReducedPath& path : reduction.paths)
      for (std::int32_t at = path.folded >= 0 ? -1 : path.first; at >= 0;) {
        const ReducedValue& value = reduction.statistics[static_cast<std::size_t>(at)];
        of_location += static_cast<double>(bytes_in_column(value.metric));
        at = value.next;
      }
    // The ranks outside the group have at least one location each.
    const double locations =
        static_cast<double>(reduction.locations.size()) + static_cast<double>(bounds.job_ranks - reduction.ranks);
    if (of_location * locations <= bounds.column_bytes) return;
    reduction.all_values = false;
  }
  keep_rows(reduction, kept_ranks(reduction, bounds));
}

} // namespace andes::monitor
