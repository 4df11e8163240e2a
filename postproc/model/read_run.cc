// read_run: from tables to a Profile, with every index, order and number checked on the way.
#include "postproc/model/read_run.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <tuple>

#include "postproc/model/database.h"
#include "postproc/model/read_events.h"
#include "postproc/model/read_left_out.h"
#include "postproc/model/read_message_sizes.h"
#include "postproc/model/read_steps.h"
#include "postproc/model/read_waits.h"
#include "postproc/model/values.h"

namespace andes::postproc {
namespace {

void read_facts(const Database& db, Profile& profile) {
  for (Query row(db, "SELECT name, value FROM fact"); row.next();) {
    if (row.is_null(1)) continue;
    if (row.is_text(1)) profile.facts.named(row.text(0)) = row.text(1);
    else if (row.is_integer(1)) profile.facts.named(row.text(0)) = static_cast<std::int64_t>(row.integer(1));
    else profile.facts.named(row.text(0)) = row.number(1);
  }
  // Written by andes run for a program that died before the monitor could write: facts, but no locations.
  if (fact_number(profile, "ranks") == 0.0) {
    const std::string failure = failure_of(profile);
    refuse(db.file(), "nothing was measured" + (failure.empty() ? "" : ", " + failure),
           "repair the program and run it again");
  }
  const auto wall = fact_number(profile, "wall_ns");
  if (!wall || *wall <= 0) db.damaged("the time of the run (wall_ns) is missing");
  profile.wall_s = *wall * 1e-9;
}

void read_hosts(const Database& db, Profile& profile) {
  for (Query row(db, "SELECT id, name, usable_cores, cpu FROM host ORDER BY rowid"); row.next();) {
    const auto next = static_cast<long long>(profile.hosts.size());
    row.index(0, next, next, "host");
    ProfileHost host;
    host.name = row.name(1);
    if (!row.is_null(2)) host.usable_cores = row.integer(2);
    host.cpu = row.name(3);
    profile.hosts.push_back(std::move(host));
  }
}

void read_locations(const Database& db, Profile& profile) {
  const bool teams = db.has_column("location", "team_idle_ns"), io = db.has_column("location", "io_ns"),
             core_wait = db.has_column("location", "core_wait_ns");
  const std::string columns =
      fmt::format("SELECT id, rank, thread, host, wall_ns, compute_ns, communication_ns, tool_ns,"
                  " synchronisation_ns, off_ns, init_ns, wait_at_end_ns, idle_ns, bytes_sent,"
                  " bytes_received, messages_sent, messages_received, has_values{}{}{} FROM location"
                  " ORDER BY rowid",
                  teams ? ", team_idle_ns, apart_ns, parallel_ns" : ", NULL, NULL, NULL",
                  io ? ", io_ns, bytes_read, bytes_written" : ", NULL, NULL, NULL", core_wait ? ", core_wait_ns" : "");
  Query row(db, columns.c_str());
  while (row.next()) {
    const auto next = static_cast<long long>(profile.locations.size());
    row.index(0, next, next, "location");
    Location l;
    l.rank = row.index(1, 0, INT_MAX - 1, "rank");
    l.thread = row.index(2, 0, INT_MAX, "thread");
    if (!row.is_null(3)) l.host = row.index(3, 0, static_cast<long long>(profile.hosts.size()) - 1, "host of location");
    double* const times[] = {&l.wall_ns, &l.compute_ns, &l.communication_ns, &l.tool_ns, &l.synchronisation_ns};
    for (int i = 0; i < 5; ++i) *times[i] = row.number(4 + i);
    std::optional<double>* const rest[] = {&l.off_ns,     &l.init_ns,        &l.wait_at_end_ns, &l.idle_ns,
                                           &l.bytes_sent, &l.bytes_received, &l.messages_sent,  &l.messages_received};
    for (int i = 0; i < 8; ++i) *rest[i] = row.optional_number(9 + i);
    l.has_values = row.index(17, 0, 1, "has_values") != 0;
    std::optional<double>* const of_teams[] = {&l.team_idle_ns, &l.apart_ns, &l.parallel_ns};
    for (int i = 0; teams && i < 3; ++i) *of_teams[i] = row.optional_number(18 + i);
    std::optional<double>* const of_files[] = {&l.io_ns, &l.bytes_read, &l.bytes_written};
    for (int i = 0; io && i < 3; ++i) *of_files[i] = row.optional_number(21 + i);
    if (core_wait) l.core_wait_ns = row.optional_number(24);
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

/// Older files lack this table.
void read_endings(const Database& db, Profile& profile) {
  if (!db.has_table("ending")) return;
  const bool has_text = db.has_column("ending", "text"); // older files lack it
  for (Query row(db, has_text
                         ? "SELECT rank, how, detail, time_ns, last_event, callpath, text FROM ending ORDER BY rowid"
                         : "SELECT rank, how, detail, time_ns, last_event, callpath FROM ending ORDER BY rowid");
       row.next();) {
    RankEnding ending;
    ending.rank = row.index(0, 0, INT_MAX - 1, "rank of ending");
    ending.how = row.name(1);
    if (!row.is_null(2)) ending.detail = row.index(2, INT_MIN, INT_MAX, "detail of ending");
    ending.time_ns = row.optional_number(3);
    ending.last_event = row.index(4, 0, 1, "last_event") != 0;
    if (!row.is_null(5)) ending.callpath = row.index(5, 0, INT_MAX, "call path of ending");
    if (has_text && !row.is_null(6)) ending.text = row.name(6);
    profile.endings.push_back(std::move(ending));
  }
}

void read_tree(const Database& db, Profile& profile) {
  for (Query row(db, "SELECT id, name, kind, file, line FROM region ORDER BY rowid"); row.next();) {
    const auto next = static_cast<long long>(profile.regions.size());
    row.index(0, next, next, "region");
    Region region{row.name(1), row.name(2), row.name(3), 0};
    if (!row.is_null(4)) region.line = row.index(4, 0, INT_MAX, "line");
    profile.regions.push_back(std::move(region));
  }
  for (Query row(db, "SELECT id, parent, region FROM callpath ORDER BY rowid"); row.next();) {
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
  for (const LeftOver& one : profile.left_overs)
    for (const std::optional<int>& path : {one.callpath, one.peer_callpath})
      if (path && static_cast<std::size_t>(*path) >= profile.callpaths.size()) db.damaged("call path of a left-over");
  for (const RankEnding& ending : profile.endings)
    if (ending.callpath && static_cast<std::size_t>(*ending.callpath) >= profile.callpaths.size())
      db.damaged("call path of ending");
}

void read_statistics(const Database& db, Profile& profile) {
  const auto metrics = metric_numbers(db, profile);
  const std::map<long long, int> causes = read_causes(db, profile);
  const std::size_t count = profile.callpaths.size() * profile.metrics();
  db.require_room(count * sizeof(Statistic));
  profile.statistics.resize(count);
  each_statistic(db, metrics, "SELECT callpath, metric, sum, min, max, mean, sd, min_rank, max_rank FROM statistic",
                 profile.callpaths.size(), "call path of value",
                 [&](std::size_t path, long long number, int metric, const Statistic& statistic) {
                   if (metric >= 0)
                     profile.statistics[path * profile.metrics() + static_cast<std::size_t>(metric)] = statistic;
                   else if (const auto cause = causes.find(number); cause != causes.end())
                     profile.cause_statistics.push_back({cause->second, static_cast<int>(path), statistic});
                 });
  std::sort(profile.cause_statistics.begin(), profile.cause_statistics.end(),
            [](const CauseStatistic& a, const CauseStatistic& b) {
              return std::tie(a.cause, a.callpath) < std::tie(b.cause, b.callpath);
            });
}

/// Throws when a rank's values are not in the file; says whose are.
void require_values(const Profile& profile, const std::vector<int>& chosen) {
  std::set<int> with, without;
  for (const Location& l : profile.locations) (l.has_values ? with : without).insert(l.rank);
  for (const int rank : chosen)
    if (without.count(rank))
      refuse(profile.file,
             fmt::format("the call paths of rank {} alone are not kept, those of rank{} {} "
                         "are (setting columns_mb)",
                         rank, with.size() == 1 ? "" : "s", fmt::join(with, ", ")),
             "choose among these, or run it again with a larger columns_mb");
}

bool has_parallel_regions(const Profile& profile) {
  return std::any_of(profile.locations.begin(), profile.locations.end(),
                     [](const Location& l) { return l.parallel_ns.value_or(0) > 0; });
}

/// Whether input and output stands within communication, as in files of before.
bool has_io_in_communication(const Database& db, const Profile& profile) {
  if (is_io_known(profile)) return false;
  Query row(db, "SELECT 1 FROM region WHERE kind = 'io' LIMIT 1");
  return row.next();
}

} // namespace

Profile read_run(const std::string& file, Detail detail) {
  const Database db(file);
  Profile profile;
  profile.file = file;
  read_facts(db, profile);
  read_events(db, profile);
  read_hosts(db, profile);
  read_locations(db, profile);
  read_endings(db, profile);
  read_left_overs(db, profile);
  if (detail == Detail::tree) {
    read_tree(db, profile);
    read_left_out(db, profile);
    read_message_sizes(db, profile);
    read_statistics(db, profile);
    read_waits(db, profile);
    read_steps(db, profile);
  }
  const bool teams = has_parallel_regions(profile);
  Profile own; // tree, which totals do not keep
  const bool old_io = has_io_in_communication(db, profile);
  if (detail == Detail::totals && (teams || old_io)) {
    own.locations = profile.locations;
    read_tree(db, own);
  }
  const Profile& tree = detail == Detail::totals ? own : profile;
  if (!is_io_known(profile)) read_io(db, tree, profile);
  if (teams) read_teams(db, tree, profile);
  return profile;
}

std::vector<Statistic> statistics_of_ranks(const Profile& profile, const std::vector<int>& ranks) {
  const Database db(profile.file);
  const std::vector<int> chosen = [&] {
    const std::set<int> unique(ranks.begin(), ranks.end());
    return std::vector<int>(unique.begin(), unique.end());
  }();
  std::vector<int> chosen_of_location; // -1: not wanted
  std::set<int> found;
  for (const Location& l : profile.locations) {
    const auto at = std::lower_bound(chosen.begin(), chosen.end(), l.rank);
    const bool wanted = at != chosen.end() && *at == l.rank;
    chosen_of_location.push_back(wanted ? static_cast<int>(at - chosen.begin()) : -1);
    if (wanted) found.insert(l.rank);
  }
  for (const int rank : chosen)
    if (!found.count(rank))
      refuse(profile.file, fmt::format("it has no rank {}", rank),
             fmt::format("its ranks are 0 to {}", profile.locations.back().rank));
  require_values(profile, chosen);
  const std::size_t slots = profile.callpaths.size() * profile.metrics();
  std::vector<double> gathered(slots * chosen.size()); // slot * chosen ranks + chosen
  each_value(db, profile, metric_numbers(db, profile), [&](const Value& value) {
    const int at = chosen_of_location[value.location];
    if (at < 0) return;
    const std::size_t slot = value.callpath * profile.metrics() + static_cast<std::size_t>(value.metric);
    gathered[slot * chosen.size() + static_cast<std::size_t>(at)] += value.value;
  });

  std::vector<Statistic> statistics(slots);
  const auto count = static_cast<double>(chosen.size());
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const double* values = &gathered[slot * chosen.size()];
    Statistic& s = statistics[slot];
    s.min = s.max = values[0];
    s.min_rank = s.max_rank = chosen[0];
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      s.sum += values[i];
      if (values[i] < s.min) s.min = values[i], s.min_rank = chosen[i];
      if (values[i] > s.max) s.max = values[i], s.max_rank = chosen[i];
    }
    s.mean = s.sum / count;
    for (std::size_t i = 0; i < chosen.size(); ++i) s.sd += (values[i] - s.mean) * (values[i] - s.mean) / count;
    s.sd = std::sqrt(s.sd);
  }
  return statistics;
}

} // namespace andes::postproc
