// The JSON document of `andes show` (docs/json.md).
#include <algorithm>
#include <cmath>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/threads.h"
#include "postproc/view/json.h"
#include "postproc/view/phases_view.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

Json run_json(const Profile& profile) {
  Json run{{"file", profile.file},
           {"program", fact_text(profile, "program")},
           {"command", command_line(profile)},
           {"ranks", profile.ranks},
           {"wall_s", profile.wall_s}};
  for (const FactName name : std::initializer_list<FactName>{
           "executable", "executable_hash", "started", "directory", "measured_from", "mpi_library", "mpi_version",
           "clock", "label", "wait_states", "wait_states_reason", "transfer_source"})
    set(run, name.text, fact_text(profile, name));
  for (const FactName name : std::initializer_list<FactName>{"threads",
                                                             "threads_started",
                                                             "busy_threads",
                                                             "repeat",
                                                             "usable_cores",
                                                             "exit_status",
                                                             "signal",
                                                             "log_level",
                                                             "messages_matched",
                                                             "messages_unmatched",
                                                             "events_unordered",
                                                             "events_lost",
                                                             "wait_unclassified_ns",
                                                             "clock_violations",
                                                             "clock_offset_error_ns",
                                                             "ranks_started",
                                                             "job_ranks",
                                                             "recovered",
                                                             "snapshot",
                                                             "spawned",
                                                             "lost_call_paths",
                                                             "lost_records",
                                                             "lost_threads",
                                                             "dropped_paths",
                                                             "dropped_ranks",
                                                             "clock_error_ppm",
                                                             "overhead_percent",
                                                             "budget_percent",
                                                             "probe_ns",
                                                             "sampled_probe_ns",
                                                             "tool_error_ns",
                                                             "tree_bytes"}) {
    const auto value = fact_number(profile, name);
    if (value && *value == std::floor(*value) && std::fabs(*value) < 1e15)
      run[name.text] = static_cast<std::int64_t>(*value);
    else set(run, name.text, value);
  }
  set(run, "columns", fact_text(profile, "columns"));
  if (!profile.events.empty()) run["counters"] = profile.events;
  for (const MissingEvent& missing : profile.missing_events) {
    Json event{{"event", missing.event}, {"reason", missing.reason}};
    if (missing.ranks) event["ranks"] = *missing.ranks;
    run["counters_missing"].push_back(std::move(event));
  }
  run["complete"] = incompleteness_of(profile).empty();
  run["failed"] = !failure_of(profile).empty();
  run["oversubscribed"] = is_oversubscribed(profile);
  run["hosts"] = Json::array();
  for (const ProfileHost& host : profile.hosts) run["hosts"].push_back(host.name);
  return run;
}

/// How the ranks ended, of a run that is not complete.
Json endings_json(const Profile& profile) {
  Json endings = Json::array();
  for (const RankEnding& ending : profile.endings) {
    Json json{{"rank", ending.rank}, {"how", ending.how}};
    if (ending.how == run_file::end_signal || ending.how == run_file::end_abort) json["detail"] = ending.detail;
    if (ending.time_ns) {
      json["time_s"] = *ending.time_ns * 1e-9;
      json["last_event"] = ending.last_event;
    }
    if (ending.callpath) json["path"] = path_of(profile, *ending.callpath);
    endings.push_back(std::move(json));
  }
  return endings;
}

Json location_json(const Location& l, const char* name, int number) {
  const auto seconds = [](const std::optional<double>& ns) { return ns ? std::optional(*ns * 1e-9) : std::nullopt; };
  Json json{{name, number},
            {"wall_s", l.wall_ns * 1e-9},
            {"compute_s", l.compute_ns * 1e-9},
            {"communication_s", l.communication_ns * 1e-9}};
  set(json, "idle_s", seconds(l.idle_ns));
  json["tool_s"] = l.tool_ns * 1e-9;
  json["synchronisation_s"] = l.synchronisation_ns * 1e-9;
  set(json, "wait_at_end_s", seconds(l.wait_at_end_ns));
  set(json, "init_s", seconds(l.init_ns));
  set(json, "off_s", seconds(l.off_ns));
  json["has_values"] = l.has_values;
  return json;
}

/// What a location has counted; nothing of one whose values are not in the file.
void set_counts(Json& json, const Profile& profile, const Tree& tree, std::size_t location) {
  const std::size_t events = profile.events.size();
  if (tree.event_totals.empty() || !profile.locations[location].has_values) return;
  const auto total = [&](std::size_t event) { return tree.event_totals[location * events + event].value_or(0); };
  for (std::size_t event = 0; event < events; ++event)
    json["counters"][profile.events[event]] = count_json(total(event));
  if (const auto per = cycle_events(profile.events))
    set(json, "instructions_per_cycle", per_cycle(total(per->instructions), total(per->cycles)));
}

/// Every thread of a rank, its main one included, in the keys that add up.
Json thread_json(const Location& l) {
  Json json{{"thread", l.thread},
            {"wall_s", l.wall_ns * 1e-9},
            {"compute_s", l.compute_ns * 1e-9},
            {"communication_s", l.communication_ns * 1e-9}};
  if (l.idle_ns) json["idle_s"] = *l.idle_ns * 1e-9;
  json["tool_s"] = l.tool_ns * 1e-9;
  if (l.team_idle_ns) json["team_idle_s"] = *l.team_idle_ns * 1e-9;
  if (l.parallel_ns) json["parallel_s"] = *l.parallel_ns * 1e-9;
  return json;
}

Json ranks_json(const Profile& profile, const Tree& tree, const std::vector<int>& chosen) {
  Json ranks = Json::array();
  const Threads threads = threads_of(profile, chosen);
  for (std::size_t i = 0; i < profile.locations.size(); ++i) {
    const Location& l = profile.locations[i];
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), l.rank) == chosen.end()) continue;
    if (l.thread != 0) {
      Json& team = ranks.back()["team"];
      team.push_back(location_json(l, "thread", l.thread));
      set_counts(team.back(), profile, tree, i);
      ranks.back()["threads"].push_back(thread_json(l));
      continue;
    }
    const RankThreads& own = threads.ranks[ranks.size()];
    ranks.push_back(location_json(l, "rank", l.rank));
    set_counts(ranks.back(), profile, tree, i);
    ranks.back()["threads"] = Json::array({thread_json(l)});
    set(ranks.back(), "thread_load_balance", own.load_balance);
    set(ranks.back(), "serial_s", own.serial_s);
    set(ranks.back(), "serial_percent", own.serial_percent);
    if (const auto overlap = tree.overlaps.find(l.rank); overlap != tree.overlaps.end())
      set(ranks.back(), "overlap_percent", std::optional(overlap->second));
  }
  return ranks;
}

} // namespace

std::string show_json(const Profile& profile, const Tree& tree, const std::vector<int>& chosen) {
  Json json{{"schema", 1}, {"run", run_json(profile)}, {"ranks", ranks_json(profile, tree, chosen)}};
  json["run"]["thread_time_s"] = tree.time_s;
  const Threads threads = threads_of(profile, chosen);
  set(json["run"], "thread_load_balance", threads.load_balance);
  set(json["run"], "serial_s", threads.serial_s);
  set(json["run"], "serial_percent", threads.serial_percent);
  if (!profile.endings.empty()) json["endings"] = endings_json(profile);
  const HybridResult hybrid = hybrid_of(profile);
  if (hybrid.hybrid) {
    json["hybrid_efficiency"] = hybrid_json(*hybrid.hybrid);
    json["hybrid_efficiency"]["definition"] = hybrid_definition;
  }
  set(json, "why_no_hybrid_efficiency", hybrid.why_not);
  const ToolCost cost = tool_cost(profile, summary_of(profile).tool_percent);
  json["callpaths"] = Json::array();
  for (const TreeRow& r : tree.rows) {
    Json row{{"id", r.id}, {"parent", nullptr}, {"path", path_of(profile, r.id)}};
    if (r.parent) row["parent"] = *r.parent;
    set_place(row, r.kind, r.file, r.line);
    row["visits"] = count_json(r.visits);
    row["inclusive_s"] = r.inclusive_s;
    row["exclusive_s"] = r.exclusive_s;
    row["mean_s"] = r.mean_s;
    row["max_s"] = r.max_s;
    row["communication_s"] = r.communication_s;
    set(row, "idle_s", r.idle_s);
    set(row, "load_balance", r.load_balance);
    row["bytes_sent"] = count_json(r.bytes_sent);
    row["bytes_received"] = count_json(r.bytes_received);
    row["messages_sent"] = count_json(r.messages_sent);
    row["messages_received"] = count_json(r.messages_received);
    for (std::size_t event = 0; event < r.events.size(); ++event)
      row["counters"][profile.events[event]] = {{"inclusive", count_json(r.events[event].inclusive)},
                                                {"exclusive", count_json(r.events[event].exclusive)},
                                                {"mean", r.events[event].mean},
                                                {"max", count_json(r.events[event].max)}};
    set(row, "instructions_per_cycle", r.instructions_per_cycle);
    set(row, "own_instructions_per_cycle", r.own_instructions_per_cycle);
    if (r.transfer_s > 0) row["transfer_s"] = r.transfer_s;
    set(row, "overlap_percent", r.own_overlap_percent);
    if (cost.budget_percent || r.inclusive_error_s.estimated) row["estimated"] = r.inclusive_error_s.estimated;
    set_ends(row, "inclusive_s", r.inclusive_s, r.inclusive_error_s);
    set_ends(row, "exclusive_s", r.exclusive_s, r.exclusive_error_s);
    if (r.inclusive_error_s.estimated) {
      row["sampled_visits"] = count_json(r.sampled_visits);
      row["timed_visits"] = count_json(r.timed_visits);
    }
    set_visits_ends(row, r.visits, r.visits_error);
    if (r.exclusive_error_s.estimated) row["reliable"] = r.exclusive_error_s.reliable;
    if (r.muted) row["muted"] = true;
    json["callpaths"].push_back(std::move(row));
  }
  if (chosen.empty()) set_phases(json, profile);
  set_sampling(json, tree.sampling, cost);
  return document(json);
}

} // namespace andes
