// Differences of two readings. A rank that began anew in between (its times were restarted at the
// return of MPI_Init) or was not there before has no share of the interval.
#include "postproc/analysis/live.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "postproc/analysis/balance.h"

namespace andes::postproc {
namespace {

using Status = LiveRank::Status;

/// The same rank in the earlier reading, if its times go on from there.
const LiveRank* earlier(const LiveJob* before, const LiveRank& rank) {
  if (!before) return nullptr;
  for (const LiveRank& other : before->ranks)
    if (other.process == rank.process && other.host == rank.host)
      return other.rank == rank.rank && other.status != Status::starting && other.wall_ns <= rank.wall_ns ? &other
                                                                                                          : nullptr;
  return nullptr;
}

/// Estimates may decrease a little: a difference is never negative.
double grown(double now, double before) { return std::max(0.0, now - before); }

constexpr double LiveRank::* times_of_rank[] = {&LiveRank::wall_ns, &LiveRank::compute_ns, &LiveRank::communication_ns,
                                                &LiveRank::io_ns, &LiveRank::tool_ns};

/// What came in between. Ranks are read in turn, so that their own intervals are a little shorter or longer than
/// `interval_ns`, that of the job: at the same rates over that one their sums are comparable. Of a rank that has ended
/// nothing came behind its end.
LiveRank growth(const LiveRank& now, const LiveRank& before, double interval_ns) {
  const bool runs = before.at_ns != 0 && now.at_ns > before.at_ns;
  const double factor = runs ? interval_ns / static_cast<double>(now.at_ns - before.at_ns) : 1;
  LiveRank rank;
  for (const auto time : times_of_rank) rank.*time = factor * grown(now.*time, before.*time);
  for (const auto& [path, ns] : now.exclusive_ns) {
    const auto found = before.exclusive_ns.find(path);
    rank.exclusive_ns[path] = factor * grown(ns, found == before.exclusive_ns.end() ? 0 : found->second);
  }
  return rank;
}

std::optional<LiveShare> share_of(const LiveRank& times, double whole_ns) {
  if (whole_ns <= 0) return std::nullopt;
  const double percent = 100 / whole_ns;
  return LiveShare{times.compute_ns * percent, times.communication_ns * percent, times.tool_ns * percent,
                   times.io_ns * percent};
}

/// Ranks together, with what their balance needs.
struct Sum {
  LiveRank times;
  double most_wall_ns = 0, most_compute_ns = 0;
  int ranks = 0;

  void add(const LiveRank& rank) {
    ++ranks;
    for (const auto time : times_of_rank) times.*time += rank.*time;
    for (const auto& [path, ns] : rank.exclusive_ns) times.exclusive_ns[path] += ns;
    most_wall_ns = std::max(most_wall_ns, rank.wall_ns);
    most_compute_ns = std::max(most_compute_ns, rank.compute_ns);
  }
  double whole_ns() const { return ranks * most_wall_ns; } // p x T
  std::optional<double> balance() const {
    return ranks > 1 ? balance_of(times.compute_ns / ranks, most_compute_ns) : std::nullopt;
  }
};

std::vector<LivePathRow> path_rows(const LiveJob& job, const Sum& last, const Sum& whole) {
  std::vector<LivePathRow> rows;
  for (const auto& [number, ns] : whole.times.exclusive_ns) {
    const auto path = job.paths.find(number);
    if (path == job.paths.end() || path->second.names.empty() || ns <= 0) continue;
    LivePathRow row{&path->second, {}, 0};
    if (whole.whole_ns() > 0) row.whole_percent = 100 * ns / whole.whole_ns();
    if (last.whole_ns() > 0) {
      const auto found = last.times.exclusive_ns.find(number);
      row.last_percent = found == last.times.exclusive_ns.end() ? 0 : 100 * found->second / last.whole_ns();
    }
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const LivePathRow& a, const LivePathRow& b) {
    if (a.last_percent != b.last_percent) return a.last_percent > b.last_percent;
    if (a.whole_percent != b.whole_percent) return a.whole_percent > b.whole_percent;
    return a.path->names < b.path->names;
  });
  return rows;
}

// ---- orders ------------------------------------------------------------------------------------

bool ended(const LiveRankRow& row) { return row.rank->status == Status::ended; }

/// Time since its present MPI call began; -1 outside of MPI.
double waiting_ns(const LiveRankRow& row) {
  return row.rank->now && row.rank->now->mpi && !ended(row) ? row.rank->now_ns.value_or(0) : -1;
}

double busy(const LiveRankRow& row) {
  if (ended(row)) return -1;
  const std::optional<LiveShare>& share = row.shares.last ? row.shares.last : row.shares.whole;
  return share ? share->compute : -1;
}

/// Largest first, equal ones by rank as they stand.
std::vector<LiveRankRow> descending(std::vector<LiveRankRow> rows,
                                    const std::function<double(const LiveRankRow&)>& value) {
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const LiveRankRow& a, const LiveRankRow& b) { return value(a) > value(b); });
  return rows;
}

std::vector<LiveRankRow> extremes_first(const std::vector<LiveRankRow>& rows) {
  std::vector<LiveRankRow> result;
  std::set<const LiveRank*> taken;
  const auto take = [&](const LiveRankRow& row) {
    if (taken.insert(row.rank).second) result.push_back(row);
  };
  for (const LiveRankRow& row : rows)
    if (ended(row)) take(row);
  const std::array<std::vector<LiveRankRow>, 3> orders = {
      ordered(rows, LiveOrder::longest, 0), ordered(rows, LiveOrder::busiest, 0), ordered(rows, LiveOrder::idlest, 0)};
  for (std::size_t place = 0; place < rows.size(); ++place)
    for (const auto& order : orders) take(order[place]);
  return result;
}

} // namespace

LiveView live_view(const LiveJob* before, const LiveJob& now) {
  LiveView view;
  view.job = &now;
  if (before) view.interval_s = static_cast<double>(now.at_ns - before->at_ns) * 1e-9;
  Sum last, whole;
  for (const LiveRank& rank : now.ranks) {
    LiveRankRow row;
    row.rank = &rank;
    ++(rank.status == Status::ended ? view.ended : view.running);
    if (rank.status != Status::starting) {
      row.shares.whole = share_of(rank, rank.wall_ns);
      whole.add(rank);
    }
    if (const LiveRank* other = earlier(before, rank)) {
      const LiveRank times = growth(rank, *other, 1e9 * view.interval_s);
      row.shares.last = share_of(times, times.wall_ns);
      if (times.wall_ns > 0) last.add(times);
    }
    view.ranks.push_back(row);
  }
  view.shares.last = share_of(last.times, last.whole_ns());
  view.shares.whole = share_of(whole.times, whole.whole_ns());
  view.last_balance = last.balance();
  view.whole_balance = whole.balance();
  view.paths = path_rows(now, last, whole);
  return view;
}

const char* name_of(LiveOrder order) {
  constexpr const char* names[live_orders] = {"extremes", "rank", "longest in MPI", "most computing",
                                              "least computing"};
  return names[static_cast<int>(order)];
}

std::vector<LiveRankRow> ordered(const std::vector<LiveRankRow>& rows, LiveOrder order, std::size_t room) {
  switch (order) {
  case LiveOrder::rank: return rows;
  case LiveOrder::longest: return descending(rows, waiting_ns);
  case LiveOrder::busiest: return descending(rows, busy);
  case LiveOrder::idlest:
    return descending(rows, [](const LiveRankRow& row) {
      return busy(row) < 0 ? -1000 : -busy(row); // ranks that have ended or not begun come last
    });
  case LiveOrder::extremes: break;
  }
  return rows.size() <= room ? rows : extremes_first(rows);
}

} // namespace andes::postproc
