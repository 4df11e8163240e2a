#include "monitor/finish/own_waits.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <unordered_map>

#include "common/index.h"

namespace andes::monitor {
namespace {

std::string content_of(const std::string& path, std::string& trouble) {
  std::ifstream file(path, std::ios::binary);
  std::error_code none;
  if (!file || std::filesystem::is_directory(path, none)) { // reading a directory throws
    trouble = path + ": cannot be read";
    return {};
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The words of setting `events` that decide about types of events.
std::vector<std::string> words_of_events(const EventTables& events) {
  std::vector<std::string> words;
  const auto add = [&](bool said, const char* word) {
    if (said) words.emplace_back(word);
  };
  add(events.logged_calls & one_sided_calls, "function_call_one_sided_operation");
  add(events.logged_calls & window_calls, "function_call_window_synchronisation");
  add(events.logged_calls & communicator_calls, "function_call_communicator_management");
  add(events.logged_calls & function_calls, "function_call");
  add(events.left_out & without_messages, "-point_to_point_operation_group");
  add(events.left_out & without_collectives, "-collective_operation_group");
  add(events.left_out & without_access_epochs, "-access_epoch_group");
  add(events.left_out & without_locks, "-lock_operation_group");
  return words;
}

/// Why the rules cannot be used; "": they can.
std::string trouble_of(const std::vector<rules::Source>& sources, const EventTables& events) {
  const rules::Compiled compiled = rules::compile(sources);
  if (!compiled.errors.empty()) return rules::text_of(compiled.errors.front());
  const auto missing = rules::unlogged_type(compiled.program, words_of_events(events));
  if (!missing) return "";
  return sources.back().name + ": its rules read " + missing->type + ", which are not in the log (setting events)";
}

/// The file in the form that is sent.
Parcel named(const std::string& path, const std::string& text) {
  Parcel parcel = path;
  parcel.push_back('\n');
  return parcel.append(text);
}

double& value_at(Profile& profile, std::int32_t path, std::int32_t metric, std::int32_t location) {
  std::vector<double>& column = column_of(profile.paths[at(path)].values, at(metric));
  if (column.size() <= at(location)) column.resize(at(location) + 1);
  return column[at(location)];
}

/// Waits of one call path and location, with one cause and between the same two other call paths.
struct Group {
  std::int32_t path, thread;
  double kept = 1; // one in so many such waits was logged
  WaitSum sum; // sum over the logged waits, not yet scaled
  double squares_ns2 = 0;
  std::map<std::int32_t, double> peers, origins; // share by rank
};

/// Groups in the order of their first waits. Calls of functions are all logged.
std::vector<Group> groups_of(const Profile& profile, const std::vector<Wait>& waits) {
  std::vector<Group> groups;
  std::unordered_map<std::uint64_t, std::size_t> number_of; // by a hash of the group's key
  for (const Wait& wait : waits) {
    std::uint64_t key = event_hash(wait.path, wait.peer_path);
    key = event_hash(key, wait.origin_path);
    const bool chained = wait.origin_path != wait.peer_path || wait.origin_rank != wait.peer_rank;
    key = event_hash(key, std::uint64_t{chained} << 32 | wait.level);
    key = event_hash(key, std::uint64_t{wait.cause} << 32 | static_cast<std::uint32_t>(wait.thread));
    auto [found, fresh] = number_of.try_emplace(key, groups.size());
    if (fresh) {
      const auto path = profile.path_of_hash.find(wait.path);
      // A rule named a call path or thread that this rank does not have.
      if (path == profile.path_of_hash.end() || wait.thread < 0 || at(wait.thread) >= profile.locations.size()) {
        number_of.erase(found);
        continue;
      }
      const RegionRow& region = profile.regions[at(profile.paths[at(path->second)].region)];
      if (is_idle(region)) { // its whole time is waiting already
        number_of.erase(found);
        continue;
      }
      Group group{path->second, wait.thread, computes(region) ? 1 : kept_one_in(wait.level), {}, 0, {}, {}};
      group.sum.path = wait.path;
      group.sum.peer_path = wait.peer_path;
      group.sum.origin_path = wait.origin_path;
      group.sum.cause = static_cast<std::int32_t>(wait.cause);
      group.sum.chained = chained;
      groups.push_back(std::move(group));
    }
    Group& group = groups[found->second];
    group.sum.wait_ns += wait.wait_ns;
    group.sum.events += 1;
    group.squares_ns2 += wait.wait_ns * wait.wait_ns;
    group.peers[wait.peer_rank] += wait.wait_ns;
    group.origins[wait.origin_rank] += wait.wait_ns;
  }
  return groups;
}

using Place = std::pair<std::int32_t, std::int32_t>; // call path, location

std::map<Place, double> sums_of(const std::vector<Group>& groups) {
  std::map<Place, double> sums;
  for (const Group& group : groups) sums[{group.path, group.thread}] += group.kept * group.sum.wait_ns;
  return sums;
}

/// A polling loop's own time, between its polls, was measured as time of the functions that call them, and of a loop
/// over several functions each has a part; local calls of MPI, which look at the time, have another one. All of it is
/// waiting for what the last poll has found (docs/metrics.md, "Polling loops"). It becomes time of that call path, as
/// far as waits there need it.
class Loops {
public:
  Loops(Profile& profile, const std::map<Place, double>& waits_ns) : profile_(profile), waits_ns_(waits_ns) {
    for (std::size_t i = 0; i < profile.paths.size(); ++i) {
      const auto path = static_cast<std::int32_t>(i);
      if (profile.paths[i].is_polled || region(path).kind == kind_name(ANDES_KIND_LOCAL)) parts_.push_back(path);
    }
  }

  /// Nearest callers first, and at each the other polls and the local calls below it before its own time.
  void count() {
    for (const auto& [place, wait_ns] : waits_ns_) {
      const auto [path, thread] = place;
      if (!profile_.paths[at(path)].is_polled) continue;
      double missing_ns = wait_ns - exclusive(path, thread);
      for (std::int32_t caller = parent(path); caller >= 0 && missing_ns > 0; caller = parent(caller)) {
        for (const std::int32_t other : parts_)
          if (other != path && is_below(other, caller))
            missing_ns -= move(other, path, caller, thread, std::min(missing_ns, spare(other, thread)));
        if (computes(region(caller)))
          missing_ns -= move(caller, path, caller, thread, std::min(missing_ns, exclusive(caller, thread)));
      }
    }
  }

private:
  std::int32_t parent(std::int32_t path) const { return profile_.paths[at(path)].parent; }
  const RegionRow& region(std::int32_t path) const { return profile_.regions[at(profile_.paths[at(path)].region)]; }
  bool is_below(std::int32_t path, std::int32_t ancestor) const {
    while (path > ancestor) path = parent(path); // parents have lower numbers
    return path == ancestor;
  }
  double exclusive(std::int32_t path, std::int32_t thread) {
    return value_at(profile_, path, run_file::exclusive_ns, thread);
  }
  /// The time of a call path that no wait of its own needs.
  double spare(std::int32_t path, std::int32_t thread) {
    const auto own = waits_ns_.find({path, thread});
    return std::max(0.0, exclusive(path, thread) - (own != waits_ns_.end() ? own->second : 0));
  }
  /// From `from` to below `to`, or to the root.
  void add(std::int32_t from, std::int32_t to, run_file::MetricId metric, std::int32_t thread, double ns) {
    for (std::int32_t path = from; path != to && path >= 0; path = parent(path)) {
      double& value = value_at(profile_, path, metric, thread);
      value = std::max(0.0, value + ns);
    }
  }
  /// Moves time between two call paths below `common`, or from that one itself; returns how much.
  double move(std::int32_t from, std::int32_t to, std::int32_t common, std::int32_t thread, double ns) {
    if (!(ns > 0)) return 0;
    constexpr std::int32_t root = -1;
    LocationRow& row = profile_.locations[at(thread)];
    value_at(profile_, from, run_file::exclusive_ns, thread) -= ns;
    value_at(profile_, to, run_file::exclusive_ns, thread) += ns;
    add(from, common, run_file::inclusive_ns, thread, -ns);
    add(to, common, run_file::inclusive_ns, thread, ns);
    add(to, root, run_file::communication_ns, thread, ns);
    if (!computes(region(from))) {
      add(from, root, run_file::communication_ns, thread, -ns);
    } else {
      add(from, root, run_file::computation_ns, thread, -ns);
      const auto whole_ns = std::min<std::int64_t>(std::llround(ns), row.compute_ns);
      row.compute_ns -= whole_ns;
      row.communication_ns += whole_ns;
    }
    const auto synchronises = [this](std::int32_t path) { return region(path).kind == "synchronisation" ? 1 : 0; };
    if (const double more_ns = ns * (synchronises(to) - synchronises(from)); more_ns != 0) {
      add(synchronises(from) ? from : to, root, run_file::synchronisation_ns, thread, more_ns);
      row.synchronisation_ns = std::max<std::int64_t>(0, row.synchronisation_ns + std::llround(more_ns));
    }
    return ns;
  }

  Profile& profile_;
  const std::map<Place, double>& waits_ns_;
  std::vector<std::int32_t> parts_; // of loops: polls and local calls
};

/// The share of a call path's waits that fits into its time, by call path and location: an estimate
/// from a sample may exceed it.
std::map<Place, double> shares(const Profile& profile, std::map<Place, double> sums) {
  for (auto& [place, sum] : sums) {
    const std::vector<double>& exclusive = profile.paths[at(place.first)].values[run_file::exclusive_ns];
    const double room = at(place.second) < exclusive.size() ? exclusive[at(place.second)] : 0;
    sum = sum > room ? std::max(0.0, room) / sum : 1;
  }
  return sums;
}

/// Takes the rank with the largest share, among equals the lowest; shares are not scaled yet.
void take_larger(std::int32_t& rank, double& share_ns, const std::map<std::int32_t, double>& ranks, double scale) {
  for (const auto& [other, other_ns] : ranks)
    if (scale * other_ns > share_ns) rank = other, share_ns = scale * other_ns;
}

} // namespace

RunRules run_rules(const Process& process, AllToAll& ranks) {
  RunRules rules;
  std::vector<rules::Source> sources = rules::shipped_rules();
  std::string text, trouble;
  const std::string path = process.settings.rules;
  if (ranks.rank() == 0 && !path.empty()) {
    text = content_of(path, trouble);
    sources.push_back({path, text});
    if (trouble.empty()) trouble = trouble_of(sources, process.events);
    sources.pop_back();
    if (!trouble.empty()) {
      text.clear();
      rules.trouble = trouble.substr(0, trouble.find('\n'));
      rules.trouble.append("; the rules that come with andes are used alone");
    }
  }
  std::vector<std::uint64_t> bytes = {text.size()};
  ranks.largest(bytes);
  if (bytes[0] > 0) {
    std::vector<Parcel> parcels(static_cast<std::size_t>(ranks.size()));
    if (ranks.rank() == 0) std::fill(parcels.begin(), parcels.end(), named(path, text));
    const Parcel came = ranks.exchange(parcels)[0];
    const std::size_t end = came.find('\n');
    if (end != Parcel::npos) sources.push_back({came.substr(0, end), came.substr(end + 1)});
  }
  for (const rules::Source& source : sources) rules.files.push_back(source.name);
  rules.program = rules::compile(sources).program;
  return rules;
}

RankLog rank_log(const Process& process, const Profile& profile) {
  RankLog log;
  if (process.events.log_bytes != 0) log.tables = &process.events;
  for (const ProfilePath& path : profile.paths) log.sites.push_back({path.hash, profile.regions[at(path.region)].name});
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    if (process.locations[i])
      log.locations.push_back(
          {&process.locations[i]->log, profile.path_of_node[log.locations.size()], &process.locations[i]->calls});
  if (process.settings.transfer_bytes_per_s > 0)
    log.transfers = transfer_times(process.settings.transfer_latency_ns, process.settings.transfer_bytes_per_s);
  for (const std::uint64_t limit : {process.mpi.eager.within_node, process.mpi.eager.between_nodes})
    log.eager_bytes = std::max(log.eager_bytes, limit); // of a message the way is not asked
  const GlobalClock& clock = process.global_clock;
  log.time.known = clock.synchronised || process.mpi.size == 1;
  log.time.ns_per_tick = tick_scale(process.clock).ns_per_tick;
  if (clock.synchronised && clock.end.ticks != clock.init.ticks) {
    log.time.ns_per_tick =
        (clock.end.global_ns - clock.init.global_ns) / static_cast<double>(clock.end.ticks - clock.init.ticks);
    log.time.zero_ns = global_ns(clock, process.clock.start.ticks);
    log.time.error_ns = std::max(clock.init.error_ns, clock.end.error_ns);
    log.time.node = static_cast<std::uint32_t>(clock.node);
  }
  if (process.location_count > 0 && process.locations[0]) {
    const Location& main = *process.locations[0];
    log.begin_ns = log.time.at(main.first_ticks - process.clock.start.ticks);
    log.end_ns = log.time.at(main.last_ticks - process.clock.start.ticks);
  }
  return log;
}

void put_waits(Profile& profile, const Waits& waits, std::size_t causes) {
  profile.metrics = first_cause_metric + static_cast<std::int32_t>(causes);
  std::vector<Group> groups = groups_of(profile, waits.all);
  const std::map<Place, double> waits_ns = sums_of(groups);
  Loops(profile, waits_ns).count();
  const std::map<Place, double> share_of = shares(profile, waits_ns);
  for (const SiteOverlap& one : waits.overlaps) { // here a site is an index of paths, a thread an index of locations
    value_at(profile, one.site, run_file::transfer_ns, one.thread) += one.overlap.transfer_ns;
    value_at(profile, one.site, run_file::overlap_low_ns, one.thread) += one.overlap.low_ns;
    value_at(profile, one.site, run_file::overlap_high_ns, one.thread) += one.overlap.high_ns;
  }
  struct IdleNs {
    double communication = 0, io = 0, computation = 0;
  };
  std::vector<IdleNs> idle_ns(profile.locations.size());
  std::vector<WaitSum> sums;
  std::map<std::int32_t, double> peers; // waits by the rank that was waited for
  for (Group& group : groups) {
    const double scale = group.kept * share_of.at({group.path, group.thread});
    WaitSum& sum = group.sum;
    sum.wait_ns *= scale;
    sum.events *= group.kept;
    // Each operation is logged independently with probability 1 / kept.
    sum.variance_ns2 = group.squares_ns2 * scale * scale * (1 - 1 / group.kept);
    take_larger(sum.peer_rank, sum.peer_ns, group.peers, scale);
    take_larger(sum.origin_rank, sum.origin_ns, group.origins, scale);
    for (const auto& [peer, wait_ns] : group.peers) peers[peer] += scale * wait_ns;
    sums.push_back(sum);
    const run_file::MetricId of_call = time_in_call(profile.regions[at(profile.paths[at(group.path)].region)]);
    value_at(profile, group.path, first_cause_metric + sum.cause, group.thread) += sum.wait_ns;
    for (std::int32_t above = group.path; above >= 0; above = profile.paths[at(above)].parent) {
      value_at(profile, above, idle_metric, group.thread) += sum.wait_ns;
      double& in_call_ns = value_at(profile, above, of_call, group.thread);
      in_call_ns = std::max(0.0, in_call_ns - sum.wait_ns);
    }
    IdleNs& idle = idle_ns[at(group.thread)];
    (of_call == run_file::io_ns            ? idle.io
     : of_call == run_file::computation_ns ? idle.computation
                                           : idle.communication) += sum.wait_ns;
  }
  for (std::size_t i = 0; i < profile.locations.size(); ++i) {
    LocationRow& row = profile.locations[i];
    const auto take = [](std::int64_t& from_ns, double ns) {
      const auto taken_ns = std::min<std::int64_t>(std::llround(ns), from_ns);
      from_ns -= taken_ns;
      return taken_ns;
    };
    row.idle_ns = take(row.communication_ns, idle_ns[i].communication) + take(row.io_ns, idle_ns[i].io) +
                  take(row.compute_ns, idle_ns[i].computation) + row.team_idle_ns.value_or(0);
  }
  profile.waits.matched = static_cast<std::int64_t>(waits.matched);
  profile.waits.unmatched = static_cast<std::int64_t>(waits.unmatched);
  profile.waits.unordered = static_cast<std::int64_t>(waits.unordered);
  profile.waits.outside = static_cast<std::int64_t>(waits.outside);
  profile.waits.lost = static_cast<std::int64_t>(waits.lost);
  profile.waits.violations = static_cast<std::int64_t>(waits.violations);
  profile.waits.unclassified_ns = waits.unclassified_ns;
  profile.waits.clock_error_ns = waits.clock_error_ns;
  profile.waits.transfers_unknown = waits.transfers_unknown;
  profile.waits.left_overs = waits.left_overs;
  add_wait_sums(profile.waits, sums);
  for (const auto& [peer, wait_ns] : peers)
    if (const auto whole_ns = std::llround(wait_ns); whole_ns > 0 && !profile.locations.empty())
      profile.wait_pairs.push_back({profile.locations[0].rank, peer, whole_ns});
}

} // namespace andes::monitor
