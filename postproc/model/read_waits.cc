// A wait's other side may be unknown (NULL): -1 then.
#include "postproc/model/read_waits.h"

#include <algorithm>
#include <climits>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "postproc/model/rank_pairs.h"
#include "postproc/model/values.h"

namespace andes::postproc {
namespace {

/// Numbers of the causes' metrics in the file, by their indices in the profile.
std::map<long long, int> cause_metrics(const Database& db) {
  std::map<long long, int> metrics;
  if (!db.has_table("cause")) return metrics;
  for (Query row(db, "SELECT id, metric FROM cause"); row.next();)
    metrics[row.integer(1)] = static_cast<int>(row.integer(0));
  return metrics;
}

/// Files of older monitors have neither of these tables.
void read_gains(const Database& db, Profile& profile) {
  if (!db.has_table("gain")) return;
  const auto last_cause = static_cast<long long>(profile.causes.size()) - 1;
  const auto last_path = static_cast<long long>(profile.callpaths.size()) - 1;
  for (Query row(db, "SELECT cause, callpath, cure, gain_ns, error_ns FROM gain ORDER BY rowid"); row.next();) {
    CureGain gain;
    gain.cause = row.index(0, 0, last_cause, "cause of gain");
    gain.callpath = row.index(1, 0, last_path, "call path of gain");
    gain.cure = row.name(2);
    gain.gain_ns = row.number(3);
    gain.error_ns = row.number(4);
    profile.gains.push_back(std::move(gain));
  }
}

void read_origins(const Database& db, Profile& profile) {
  if (!db.has_table("origin")) return;
  const auto last_path = static_cast<long long>(profile.callpaths.size()) - 1;
  const std::string columns =
      fmt::format("SELECT rank, callpath, doing_callpath, doing_ns, wait_ns, events, {} FROM origin ORDER BY rowid",
                  db.has_column("origin", "longer_ns") ? "longer_ns" : "NULL");
  for (Query row(db, columns.c_str()); row.next();) {
    WaitOrigin origin;
    origin.rank = row.index(0, 0, INT_MAX, "rank of origin");
    origin.callpath = row.index(1, 0, last_path, "call path of origin");
    if (!row.is_null(2)) origin.doing_callpath = row.index(2, 0, last_path, "call path of origin");
    origin.doing_ns = row.number(3);
    origin.wait_ns = row.number(4);
    origin.events = row.number(5);
    if (!row.is_null(6)) origin.longer_ns = row.number(6);
    profile.origins.push_back(origin);
  }
}

/// Fills in WaitOrigin::own_ns of ranks whose values are kept.
void read_own_times_of_origins(const Database& db, Profile& profile) {
  std::map<std::pair<int, std::size_t>, double> own_ns; // by rank and call path, over the rank's threads
  std::set<std::size_t> callpaths;
  for (const WaitOrigin& origin : profile.origins) {
    if (origin.doing_callpath < 0) continue;
    own_ns[{origin.rank, static_cast<std::size_t>(origin.doing_callpath)}] = 0;
    callpaths.insert(static_cast<std::size_t>(origin.doing_callpath));
  }
  if (callpaths.empty()) return; // values are read for nobody
  std::set<int> partly; // ranks with a thread whose values are not kept
  for (const Location& location : profile.locations)
    if (!location.has_values) partly.insert(location.rank);
  std::map<long long, int> metrics;
  for (const auto& [number, metric] : metric_numbers(db, profile))
    if (metric == run_file::exclusive_ns) metrics.emplace(number, metric);
  each_value(
      db, profile, metrics,
      [&](const Value& value) {
        const auto wanted = own_ns.find({profile.locations[value.location].rank, value.callpath});
        if (wanted != own_ns.end()) wanted->second += value.value;
      },
      [&](std::size_t callpath, int) { return callpaths.count(callpath) > 0; });
  for (WaitOrigin& origin : profile.origins)
    if (origin.doing_callpath >= 0 && !partly.count(origin.rank))
      origin.own_ns = own_ns[{origin.rank, static_cast<std::size_t>(origin.doing_callpath)}];
}

} // namespace

std::map<long long, int> read_causes(const Database& db, Profile& profile) {
  if (!db.has_table("cause")) return {};
  for (Query row(db, "SELECT id, name, title, description, advice FROM cause ORDER BY rowid"); row.next();) {
    const auto next = static_cast<long long>(profile.causes.size());
    row.index(0, next, next, "cause");
    profile.causes.push_back({row.name(1), row.name(2), row.name(3), row.name(4)});
  }
  return cause_metrics(db);
}

void read_waits(const Database& db, Profile& profile) {
  if (profile.causes.empty()) return;
  const auto last_cause = static_cast<long long>(profile.causes.size()) - 1;
  const auto last_path = static_cast<long long>(profile.callpaths.size()) - 1;
  Query row(db, "SELECT cause, callpath, peer_callpath, peer_rank, origin_callpath, origin_rank,"
                " wait_ns, events, variance_ns2 FROM wait");
  while (row.next()) {
    const auto optional = [&row](int column, long long last, const char* what) {
      return row.is_null(column) ? -1 : row.index(column, 0, last, what);
    };
    Wait w;
    w.cause = row.index(0, 0, last_cause, "cause of wait");
    w.callpath = row.index(1, 0, last_path, "call path of wait");
    w.peer_callpath = optional(2, last_path, "call path of wait");
    w.peer_rank = optional(3, INT_MAX, "rank of wait");
    w.origin_callpath = optional(4, last_path, "call path of wait");
    w.origin_rank = optional(5, INT_MAX, "rank of wait");
    w.wait_ns = row.number(6);
    w.events = row.number(7);
    w.variance_ns2 = row.optional_number(8).value_or(0);
    profile.waits.push_back(w);
  }
  read_gains(db, profile);
  read_origins(db, profile);
  read_own_times_of_origins(db, profile);
}

void read_left_overs(const Database& db, Profile& profile) {
  if (!db.has_table("left_over")) return;
  profile.counts_unknown_transfers = true; // monitors have counted these since they write this table
  const char* roots = db.has_column("left_over", "root") ? "root, peer_root" : "NULL, NULL"; // older files lack them
  for (Query row(db,
                 fmt::format("SELECT kind, callpath, rank, peer_callpath, peer_rank, tag, events, {} FROM left_over "
                             "ORDER BY rowid",
                             roots)
                     .c_str());
       row.next();) {
    const auto index = [&row](int column, const char* what) {
      return row.is_null(column) ? std::optional<int>() : row.index(column, 0, INT_MAX, what);
    };
    LeftOver one;
    one.kind = row.name(0);
    one.callpath = index(1, "call path of a left-over");
    one.rank = index(2, "rank of a left-over");
    one.peer_callpath = index(3, "call path of a left-over");
    one.peer_rank = index(4, "rank of a left-over");
    one.tag = index(5, "tag of a left-over");
    one.events = row.number(6);
    if (one.events < 0) db.damaged("events of a left-over");
    one.root = index(7, "root of a left-over");
    one.peer_root = index(8, "root of a left-over");
    profile.left_overs.push_back(std::move(one));
  }
}

RankWaits waits_of_ranks(const Profile& profile) {
  if (profile.causes.empty()) return {};
  const Database db(profile.file);
  RankWaits waits;
  // A metric's values come in any order of locations: summed by rank first.
  std::map<std::pair<int, int>, std::map<int, double>> by_rank;
  each_value(db, profile, cause_metrics(db), [&](const Value& value) {
    by_rank[{value.metric, static_cast<int>(value.callpath)}][profile.locations[value.location].rank] += value.value;
  });
  for (const auto& [key, ranks] : by_rank)
    for (const auto& [rank, wait_ns] : ranks) waits[key].push_back({rank, wait_ns});
  return waits;
}

std::vector<WaitPair> wait_pairs(const Profile& profile) {
  std::vector<WaitPair> pairs;
  each_rank_pair(
      profile, "wait_pair", "rank, peer_rank, wait_ns", "waits",
      [&pairs](int rank, std::optional<int> peer, const Query& row) { pairs.push_back({rank, peer, row.number(2)}); });
  return pairs;
}

std::map<int, RankTransfers> transfers_of_ranks(const Profile& profile) {
  using namespace run_file;
  const Database db(profile.file);
  std::map<long long, int> metrics = metric_numbers(db, profile);
  for (auto& [number, metric] : metrics)
    if (metric != transfer_ns && metric != overlap_low_ns && metric != overlap_high_ns) metric = -1;
  std::map<int, RankTransfers> transfers;
  each_value(db, profile, metrics, [&](const Value& value) {
    RankTransfers& rank = transfers[profile.locations[value.location].rank];
    if (value.metric == transfer_ns) rank.transfer_ns += value.value;
    if (value.metric == overlap_low_ns) rank.low_ns += value.value;
    if (value.metric == overlap_high_ns) rank.high_ns += value.value;
  });
  return transfers;
}

} // namespace andes::postproc
