// read_run: from tables to a Profile, with every index, order and number checked on the way.
#include "postproc/model/read_run.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <zlib.h>

#include "postproc/model/database.h"

namespace andes {
namespace {

void read_facts(const Database& db, Profile& profile) {
  for (Query row(db, "SELECT name, value FROM fact"); row.next();) {
    if (row.is_null(1)) continue;
    if (row.is_text(1))
      profile.facts[row.text(0)] = row.text(1);
    else if (row.is_integer(1))
      profile.facts[row.text(0)] = static_cast<std::int64_t>(row.integer(1));
    else
      profile.facts[row.text(0)] = row.number(1);
  }
  // Left by andes run for a program that died before the monitor could write: facts, no locations.
  if (fact_number(profile, "ranks") == 0.0) {
    const std::string failure = failure_of(profile);
    throw BadInput(db.file(), "nothing was measured" + (failure.empty() ? "" : ", " + failure),
                   "repair the program and run it again");
  }
  const auto wall = fact_number(profile, "wall_ns");
  if (!wall || *wall <= 0) db.damaged("the time of the run (wall_ns) is missing");
  profile.wall_s = *wall * 1e-9;
}

void read_hosts(const Database& db, Profile& profile) {
  for (Query row(db, "SELECT id, name, usable_cores, cpu FROM host ORDER BY id"); row.next();) {
    const auto next = static_cast<long long>(profile.hosts.size());
    row.index(0, next, next, "host");
    ProfileHost host;
    host.name = row.text(1);
    if (!row.is_null(2)) host.usable_cores = row.integer(2);
    host.cpu = row.text(3);
    profile.hosts.push_back(std::move(host));
  }
}

void read_locations(const Database& db, Profile& profile) {
  Query row(db, "SELECT id, rank, thread, host, wall_ns, compute_ns, communication_ns, tool_ns,"
                " synchronisation_ns, off_ns, init_ns, wait_at_end_ns, idle_ns, bytes_sent,"
                " bytes_received, messages_sent, messages_received, has_values FROM location"
                " ORDER BY id");
  while (row.next()) {
    const auto next = static_cast<long long>(profile.locations.size());
    row.index(0, next, next, "location");
    Location l;
    l.rank = row.index(1, 0, INT_MAX - 1, "rank");
    l.thread = row.index(2, 0, INT_MAX, "thread");
    if (!row.is_null(3))
      l.host =
          row.index(3, 0, static_cast<long long>(profile.hosts.size()) - 1, "host of location");
    double* const times[] = {&l.wall_ns, &l.compute_ns, &l.communication_ns, &l.tool_ns,
                             &l.synchronisation_ns};
    for (int i = 0; i < 5; ++i) *times[i] = row.number(4 + i);
    std::optional<double>* const rest[] = {&l.off_ns,        &l.init_ns,          &l.wait_at_end_ns,
                                           &l.idle_ns,       &l.bytes_sent,       &l.bytes_received,
                                           &l.messages_sent, &l.messages_received};
    for (int i = 0; i < 8; ++i) *rest[i] = row.optional_number(9 + i);
    l.has_values = row.index(17, 0, 1, "has_values") != 0;
    const bool main_thread = profile.locations.empty() || profile.locations.back().rank != l.rank;
    if (!profile.locations.empty()) {
      const Location& before = profile.locations.back();
      if (l.rank < before.rank || (l.rank == before.rank && l.thread <= before.thread))
        db.damaged("the locations are out of order");
    }
    if (main_thread) {
      if (l.thread != 0) db.damaged(fmt::format("rank {} has no main thread", l.rank));
      ++profile.ranks;
    }
    profile.locations.push_back(l);
  }
  if (profile.locations.empty()) db.damaged("it has no locations");
  const auto ranks = fact_number(profile, "ranks");
  if (ranks && *ranks != profile.ranks)
    db.damaged(fmt::format("{} ranks are there, {} expected", profile.ranks, *ranks));
}

void read_tree(const Database& db, Profile& profile) {
  for (Query row(db, "SELECT id, name, kind, file, line FROM region ORDER BY id"); row.next();) {
    const auto next = static_cast<long long>(profile.regions.size());
    row.index(0, next, next, "region");
    Region region{row.text(1), row.text(2), row.text(3), 0};
    if (!row.is_null(4)) region.line = row.index(4, 0, INT_MAX, "line");
    profile.regions.push_back(std::move(region));
  }
  for (Query row(db, "SELECT id, parent, region FROM callpath ORDER BY id"); row.next();) {
    const auto next = static_cast<long long>(profile.callpaths.size());
    row.index(0, next, next, "call path");
    CallPath path;
    // Parents before children: this is also what rules out cycles.
    if (!row.is_null(1)) path.parent = row.index(1, 0, next - 1, "parent");
    const auto last_region = static_cast<long long>(profile.regions.size()) - 1;
    path.region = row.index(2, 0, last_region, "region of call path");
    profile.callpaths.push_back(path);
  }
  if (profile.callpaths.empty()) db.damaged("it has no call paths");
}

/// Numbers of the metrics in this file, by their names; -1 for those this andes does not know.
std::map<long long, int> metric_numbers(const Database& db) {
  std::map<long long, int> numbers;
  for (Query row(db, "SELECT id, name FROM metric"); row.next();) {
    const std::string name = row.text(1);
    int known = -1;
    for (int m = 0; m < run_file::metric_count; ++m)
      if (name == run_file::metrics[m].name) known = m;
    numbers[row.integer(0)] = known;
  }
  return numbers;
}

/// Where the values of (call path, metric) of this row go; negative: a metric to pass over.
long long slot_of(const Query& row, const Profile& profile, const std::map<long long, int>& metrics,
                  const Database& db) {
  const int path =
      row.index(0, 0, static_cast<long long>(profile.callpaths.size()) - 1, "call path of value");
  const auto metric = metrics.find(row.integer(1));
  if (metric == metrics.end())
    db.damaged(fmt::format("metric {} is not described", row.integer(1)));
  if (metric->second < 0) return -1;
  return static_cast<long long>(path) * run_file::metric_count + metric->second;
}

void read_statistics(const Database& db, Profile& profile) {
  const auto metrics = metric_numbers(db);
  profile.statistics.resize(profile.callpaths.size() * run_file::metric_count);
  Query row(db,
            "SELECT callpath, metric, sum, min, max, mean, sd, min_rank, max_rank FROM statistic");
  while (row.next()) {
    const long long slot = slot_of(row, profile, metrics, db);
    if (slot < 0) continue;
    Statistic& s = profile.statistics[static_cast<std::size_t>(slot)];
    double* const values[] = {&s.sum, &s.min, &s.max, &s.mean, &s.sd};
    for (int i = 0; i < 5; ++i) *values[i] = row.number(2 + i);
    s.min_rank = row.index(7, 0, INT_MAX, "rank of minimum");
    s.max_rank = row.index(8, 0, INT_MAX, "rank of maximum");
  }
}

/// Collects values per (slot, chosen rank).
struct Gathering {
  std::vector<int> chosen_of_location; // -1: not wanted
  std::vector<double> values;          // slot * chosen ranks + chosen
  std::size_t chosen = 0;
  void add(long long slot, std::size_t location, double value) {
    const int index = chosen_of_location[location];
    if (index >= 0)
      values[static_cast<std::size_t>(slot) * chosen + static_cast<std::size_t>(index)] += value;
  }
};

void read_value_table(const Database& db, const Profile& profile,
                      const std::map<long long, int>& metrics, Gathering& into) {
  const auto last = static_cast<long long>(profile.locations.size()) - 1;
  for (Query row(db, "SELECT callpath, metric, location, value FROM value"); row.next();) {
    const long long slot = slot_of(row, profile, metrics, db);
    const int location = row.index(2, 0, last, "location of value");
    if (slot >= 0) into.add(slot, static_cast<std::size_t>(location), row.number(3));
  }
}

/// Unpacks a column of as many numbers as `into` has.
template <class Number>
void unpack(const Database& db, const Query& row, int at, std::vector<double>& into) {
  const auto [bytes, size] = row.blob(at);
  std::vector<Number> numbers(into.size());
  const auto expected = static_cast<uLongf>(numbers.size() * sizeof(Number));
  uLongf room = expected;
  if (uncompress(reinterpret_cast<Bytef*>(numbers.data()), &room, bytes,
                 static_cast<uLong>(size)) != Z_OK ||
      room != expected)
    db.damaged("a column of values cannot be unpacked");
  std::copy(numbers.begin(), numbers.end(), into.begin());
}

void read_value_columns(const Database& db, const Profile& profile,
                        const std::map<long long, int>& metrics, Gathering& into) {
  std::vector<std::size_t> locations; // those that have values
  for (std::size_t i = 0; i < profile.locations.size(); ++i)
    if (profile.locations[i].has_values) locations.push_back(i);
  std::vector<double> column(locations.size());
  for (Query row(db, "SELECT callpath, metric, type, numbers FROM value_column"); row.next();) {
    const long long slot = slot_of(row, profile, metrics, db);
    if (slot < 0) continue;
    const std::string type = row.text(2);
    if (type == "f")
      unpack<float>(db, row, 3, column);
    else if (type == "d")
      unpack<double>(db, row, 3, column);
    else
      db.damaged("a column of values is of no known type");
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!std::isfinite(column[i])) db.damaged("a column of values holds what is no number");
      into.add(slot, locations[i], column[i]);
    }
  }
}

/// Throws when a rank's values are not in the file; says whose are.
void require_values(const Profile& profile, const std::vector<int>& chosen) {
  std::set<int> with, without;
  for (const Location& l : profile.locations) (l.has_values ? with : without).insert(l.rank);
  for (const int rank : chosen)
    if (without.count(rank))
      throw BadInput(profile.file,
                     fmt::format("the call paths of rank {} alone are not kept, those of rank{} {} "
                                 "are (setting columns_mb)",
                                 rank, with.size() == 1 ? "" : "s", fmt::join(with, ", ")),
                     "choose among these, or run it again with a larger columns_mb");
}

} // namespace

Profile read_run(const std::string& file, Detail detail) {
  const Database db(file);
  Profile profile;
  profile.file = file;
  read_facts(db, profile);
  read_hosts(db, profile);
  read_locations(db, profile);
  if (detail == Detail::tree) {
    read_tree(db, profile);
    read_statistics(db, profile);
  }
  return profile;
}

std::vector<Statistic> statistics_of_ranks(const Profile& profile, const std::vector<int>& ranks) {
  const Database db(profile.file);
  const std::vector<int> chosen = [&] {
    const std::set<int> unique(ranks.begin(), ranks.end());
    return std::vector<int>(unique.begin(), unique.end());
  }();
  Gathering gathering;
  gathering.chosen = chosen.size();
  std::set<int> found;
  for (const Location& l : profile.locations) {
    const auto at = std::lower_bound(chosen.begin(), chosen.end(), l.rank);
    const bool wanted = at != chosen.end() && *at == l.rank;
    gathering.chosen_of_location.push_back(wanted ? static_cast<int>(at - chosen.begin()) : -1);
    if (wanted) found.insert(l.rank);
  }
  for (const int rank : chosen)
    if (!found.count(rank))
      throw BadInput(profile.file, fmt::format("it has no rank {}", rank),
                     fmt::format("its ranks are 0 to {}", profile.locations.back().rank));
  require_values(profile, chosen);
  const std::size_t slots = profile.callpaths.size() * run_file::metric_count;
  gathering.values.assign(slots * chosen.size(), 0.0);
  const auto metrics = metric_numbers(db);
  read_value_table(db, profile, metrics, gathering);
  read_value_columns(db, profile, metrics, gathering);

  std::vector<Statistic> statistics(slots);
  const auto count = static_cast<double>(chosen.size());
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const double* values = &gathering.values[slot * chosen.size()];
    Statistic& s = statistics[slot];
    s.min = s.max = values[0];
    s.min_rank = s.max_rank = chosen[0];
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      s.sum += values[i];
      if (values[i] < s.min) s.min = values[i], s.min_rank = chosen[i];
      if (values[i] > s.max) s.max = values[i], s.max_rank = chosen[i];
    }
    s.mean = s.sum / count;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      s.sd += (values[i] - s.mean) * (values[i] - s.mean) / count;
    s.sd = std::sqrt(s.sd);
  }
  return statistics;
}

} // namespace andes
