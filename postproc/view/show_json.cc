// The JSON document of `andes show` (docs/json.md). Columns of its tables: columns/.
#include <cmath>

#include "postproc/analysis/balance.h"
#include "postproc/view/columns/callpaths.h"
#include "postproc/view/columns/flat.h"
#include "postproc/view/columns/hybrid.h"
#include "postproc/view/columns/left_out.h"
#include "postproc/view/columns/left_overs.h"
#include "postproc/view/columns/locations.h"
#include "postproc/view/columns/values.h"
#include "postproc/view/json.h"
#include "postproc/view/phases_view.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

// Facts that the document has as they are.
constexpr FactName of_texts[] = {"executable",         "executable_hash", "started", "directory",   "measured_from",
                                 "mpi_library",        "mpi_version",     "clock",   "label",       "wait_states",
                                 "wait_states_reason", "transfer_source", "commit",  "commit_time", "branch",
                                 "compiler",           "compiler_flags",  "kernel"};
constexpr FactName of_numbers[] = {"threads",
                                   "eager_limit_within_node",
                                   "eager_limit_between_nodes",
                                   "threads_started",
                                   "busy_threads",
                                   "repeat",
                                   "dirty",
                                   "usable_cores",
                                   "exit_status",
                                   "signal",
                                   "log_level",
                                   "log_level_collectives",
                                   "messages_matched",
                                   "messages_unmatched",
                                   "transfers_unknown",
                                   "events_unordered",
                                   "events_outside",
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
                                   "tree_bytes"};

Json run_json(const Profile& profile) {
  Json run{{"file", profile.file},
           {"program", fact_text(profile, "program")},
           {"command", command_line(profile)},
           {"ranks", profile.ranks},
           {"wall_s", profile.wall_s}};
  for (const FactName name : of_texts) set(run, name.text, fact_text(profile, name));
  for (const FactName name : of_numbers) {
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

/// Ranks with their threads: the others of a rank in its `team` too, with all columns.
Json ranks_json(const Profile& profile, const Tree& tree, const Threads& threads, const std::vector<int>& chosen) {
  const auto columns = columns::locations(profile, tree), of_threads = columns::threads();
  Json ranks = Json::array();
  for (const columns::ShownLocation& row : columns::shown_locations(profile, threads, chosen)) {
    Json location;
    add_columns(location, columns, row);
    if (row.rank_threads) {
      ranks.push_back(std::move(location));
      continue;
    }
    ranks.back()["team"].push_back(std::move(location));
    add_columns(ranks.back()["threads"].emplace_back(), of_threads, row);
  }
  return ranks;
}

/// The communication matrix, a list for each column, for it may have a quarter of a million entries.
Json matrix_json(const std::vector<SentMessages>& sent) {
  Json source = Json::array(), destination = source, messages = source, bytes = source;
  for (const SentMessages& entry : sent) {
    source.push_back(entry.source);
    destination.push_back(entry.destination ? Json(*entry.destination) : Json());
    messages.push_back(count_json(entry.messages));
    bytes.push_back(count_json(entry.bytes));
  }
  return {{"source", std::move(source)},
          {"destination", std::move(destination)},
          {"messages", std::move(messages)},
          {"bytes", std::move(bytes)}};
}

/// For how long which rank waited for which, likewise.
Json wait_matrix_json(const std::vector<WaitPair>& pairs) {
  Json rank = Json::array(), peer_rank = rank, wait_s = rank;
  for (const WaitPair& pair : pairs) {
    rank.push_back(pair.rank);
    peer_rank.push_back(pair.peer_rank ? Json(*pair.peer_rank) : Json());
    wait_s.push_back(pair.wait_ns / 1e9); // of whole nanoseconds: few digits
  }
  return {{"rank", std::move(rank)}, {"peer_rank", std::move(peer_rank)}, {"wait_s", std::move(wait_s)}};
}

/// The flat profile; of chosen functions with their callers and callees.
void set_flat(Json& json, const Profile& profile, const Tree& tree, const FlatProfile& flat) {
  const columns::FlatKinds kinds = columns::flat_kinds(profile, tree);
  if (flat.calls.empty()) {
    json["functions"] = json_rows(columns::functions(kinds), flat.functions);
    json["files"] = json_rows(columns::files(kinds), flat.files);
    json["groups"] = json_rows(columns::groups(kinds), flat.groups);
    return;
  }
  json["functions"] = Json::array();
  for (const FunctionCalls& calls : flat.calls) {
    Json& function = json["functions"].emplace_back();
    add_columns(function, columns::functions(kinds), calls.function);
    function["callers"] = json_rows(columns::calls_between(kinds), calls.callers);
    function["callees"] = json_rows(columns::calls_between(kinds), calls.callees);
  }
}

} // namespace

std::string show_json(const Profile& profile, const Tree& tree, const std::vector<int>& chosen,
                      const FlatProfile* flat) {
  const Threads threads = threads_of(profile, chosen);
  Json json{{"schema", 1}, {"run", run_json(profile)}, {"ranks", ranks_json(profile, tree, threads, chosen)}};
  json["run"]["thread_time_s"] = tree.time_s;
  set(json["run"], "thread_load_balance", threads.load_balance);
  set(json["run"], "serial_s", threads.serial_s);
  set(json["run"], "serial_percent", threads.serial_percent);
  if (!profile.endings.empty()) json["endings"] = json_rows(columns::endings(profile), profile.endings);
  const HybridResult hybrid = hybrid_of(profile);
  if (hybrid.hybrid) {
    add_columns(json["hybrid_efficiency"], columns::hybrid(), *hybrid.hybrid);
    json["hybrid_efficiency"]["definition"] = hybrid_definition();
  }
  set(json, "why_no_hybrid_efficiency", hybrid.why_not);
  json["callpaths"] = json_rows(columns::callpaths(profile, tree), tree.rows);
  if (flat) set_flat(json, profile, tree, *flat);
  if (const std::vector<LeftOutTime> functions = left_out_times(profile, own_percents(tree)); !functions.empty())
    json["left_out"] = json_rows(columns::left_out(), functions);
  if (const auto left_overs = named_left_overs(profile); !left_overs.empty())
    json["left_overs"] = json_rows(columns::left_overs(), left_overs);
  if (!tree.sent.empty()) json["matrix"] = matrix_json(tree.sent);
  if (!tree.wait_pairs.empty()) json["wait_matrix"] = wait_matrix_json(tree.wait_pairs);
  if (chosen.empty()) set_phases(json, profile);
  set_sampling(json, tree.sampling, tool_cost(profile));
  return document(json);
}

} // namespace andes::postproc
