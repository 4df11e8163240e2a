// Whatever the file says, indices and numbers are checked before they are handed on.
#include "postproc/model/values.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <fmt/format.h>
#include <vector>
#include <zlib.h>

namespace andes::postproc {
namespace {

/// Unpacks a column of as many numbers as `into` has.
template <class Number>
void unpack(const Database& db, const Query& row, int at, std::vector<double>& into) {
  const auto [bytes, size] = row.blob(at);
  std::vector<Number> numbers(into.size());
  const auto expected = static_cast<uLongf>(numbers.size() * sizeof(Number));
  uLongf room = expected;
  if (uncompress(reinterpret_cast<Bytef*>(numbers.data()), &room, bytes, static_cast<uLong>(size)) != Z_OK ||
      room != expected)
    db.damaged("a column of values cannot be unpacked");
  std::copy(numbers.begin(), numbers.end(), into.begin());
}

void unpack_column(const Database& db, const Query& row, int type_at, std::vector<double>& into) {
  const std::string type = row.text(type_at);
  if (type == "f") unpack<float>(db, row, type_at + 1, into);
  else if (type == "d") unpack<double>(db, row, type_at + 1, into);
  else db.damaged("a column of values is of no known type");
  for (const double value : into)
    if (!std::isfinite(value)) db.damaged("a column of values holds a value that is not a number");
}

std::vector<std::size_t> locations_with_values(const Profile& profile) {
  std::vector<std::size_t> locations;
  for (std::size_t i = 0; i < profile.locations.size(); ++i)
    if (profile.locations[i].has_values) locations.push_back(i);
  return locations;
}

} // namespace

void each_statistic(const Database& db, const std::map<long long, int>& metrics, const char* query, std::size_t places,
                    const char* what, const UseStatistic& use) {
  for (Query row(db, query); row.next();) {
    const int place = row.index(0, 0, static_cast<long long>(places) - 1, what);
    const long long number = row.integer(1);
    const auto metric = metrics.find(number);
    if (metric == metrics.end()) db.damaged(fmt::format("metric {} is not described", number));
    Statistic s;
    double* const values[] = {&s.sum, &s.min, &s.max, &s.mean, &s.sd};
    for (int i = 0; i < 5; ++i) *values[i] = row.number(2 + i);
    s.min_rank = row.index(7, 0, INT_MAX, "rank of minimum");
    s.max_rank = row.index(8, 0, INT_MAX, "rank of maximum");
    use(static_cast<std::size_t>(place), number, metric->second, s);
  }
}

std::map<long long, int> metric_numbers(const Database& db, const Profile& profile) {
  std::map<long long, int> numbers;
  for (Query row(db, "SELECT id, name FROM metric"); row.next();) {
    const std::string name = row.name(1);
    int known = name == "idle_ns" ? int{path_idle_ns} : -1;
    for (int m = 0; m < run_file::metric_count; ++m)
      if (name == run_file::metrics[m].name) known = m;
    for (std::size_t event = 0; event < profile.events.size(); ++event)
      if (known < 0 && name == profile.events[event]) known = event_metric(event);
    numbers[row.integer(0)] = known;
  }
  return numbers;
}

void each_value(const Database& db, const Profile& profile, const std::map<long long, int>& metrics,
                const std::function<void(const Value&)>& use, const Wanted& wanted) {
  const auto last_path = static_cast<long long>(profile.callpaths.size()) - 1;
  const auto last_location = static_cast<long long>(profile.locations.size()) - 1;
  const auto number_of = [&](const Query& row) {
    const auto metric = metrics.find(row.integer(1));
    return metric == metrics.end() ? -1 : metric->second;
  };
  for (Query row(db, "SELECT callpath, metric, location, value FROM value"); row.next();) {
    const int path = row.index(0, 0, last_path, "call path of value");
    const int location = row.index(2, 0, last_location, "location of value");
    const int metric = number_of(row);
    if (metric < 0 || (wanted && !wanted(static_cast<std::size_t>(path), metric))) continue;
    use({static_cast<std::size_t>(path), static_cast<std::size_t>(location), metric, row.number(3)});
  }
  const std::vector<std::size_t> locations = locations_with_values(profile);
  std::vector<double> column(locations.size());
  for (Query row(db, "SELECT callpath, metric, type, numbers FROM value_column"); row.next();) {
    const int path = row.index(0, 0, last_path, "call path of value");
    const int metric = number_of(row);
    if (metric < 0 || (wanted && !wanted(static_cast<std::size_t>(path), metric))) continue;
    unpack_column(db, row, 2, column);
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column[i] != 0) use({static_cast<std::size_t>(path), locations[i], metric, column[i]});
  }
}

void read_io(const Database& db, const Profile& tree, Profile& profile) {
  const auto is_io = [&](const CallPath& path) {
    return tree.regions[static_cast<std::size_t>(path.region)].kind == "io";
  };
  // Without calls of MPI-IO all ranks have none, whether they have values or not.
  const bool any = std::any_of(tree.callpaths.begin(), tree.callpaths.end(), is_io);
  for (Location& l : profile.locations)
    if (!any || l.has_values) l.io_in_communication_ns = 0;
  if (!any) return;
  const auto add = [&](const Value& value) {
    std::optional<double>& io_ns = profile.locations[value.location].io_in_communication_ns;
    io_ns = io_ns.value_or(0) + (value.metric == path_idle_ns ? -value.value : value.value);
  };
  each_value(db, tree, metric_numbers(db, tree), add, [&](std::size_t path, int metric) {
    return (metric == run_file::inclusive_ns || metric == path_idle_ns) && is_io(tree.callpaths[path]);
  });
}

void read_teams(const Database& db, const Profile& tree, Profile& profile) {
  const std::vector<int> regions = outermost_regions(tree);
  const Wanted wanted = [&](std::size_t path, int metric) {
    if (metric == run_file::exclusive_ns) return tree.region_of(path).kind == "lock";
    return regions[path] == static_cast<int>(path) &&
           (metric == run_file::communication_ns || metric == path_idle_ns || metric == run_file::io_ns);
  };
  const std::map<long long, int> metrics = metric_numbers(db, profile);
  bool any = false; // without any of these all locations have none, whether they have values or not
  for (Query row(db, "SELECT callpath, metric FROM statistic WHERE sum != 0"); !any && row.next();) {
    const auto path =
        static_cast<std::size_t>(row.index(0, 0, static_cast<long long>(regions.size()) - 1, "call path of value"));
    const auto metric = metrics.find(row.integer(1));
    any = metric != metrics.end() && metric->second >= 0 && wanted(path, metric->second);
  }
  for (Location& l : profile.locations)
    if (!any || l.has_values) l.lock_ns = l.lock_outside_ns = l.region_communication_ns = l.region_wait_ns = 0;
  if (!any) return;
  const auto add = [&](const Value& value) {
    Location& l = profile.locations[value.location];
    std::optional<double>& sum = value.metric == run_file::communication_ns ? l.region_communication_ns
                                 : value.metric == path_idle_ns || value.metric == run_file::io_ns ? l.region_wait_ns
                                 : regions[value.callpath] < 0                                     ? l.lock_outside_ns
                                                                                                   : l.lock_ns;
    sum = sum.value_or(0) + value.value;
  };
  each_value(db, tree, metrics, add, wanted);
}

} // namespace andes::postproc
