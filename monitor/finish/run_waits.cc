#include "monitor/finish/run_waits.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "monitor/finish/say.h"

namespace andes::monitor {
namespace {

/// The regions of a call path from the root on, as text, for rules that compare it.
std::string text_of_path(const Profile& profile, std::uint64_t hash) {
  const auto found = profile.path_of_hash.find(hash);
  if (found == profile.path_of_hash.end()) return {};
  std::string text;
  for (std::int32_t path = found->second; path >= 0; path = profile.paths[static_cast<std::size_t>(path)].parent) {
    const auto region = static_cast<std::size_t>(profile.paths[static_cast<std::size_t>(path)].region);
    text = text.empty() ? profile.regions[region].name : profile.regions[region].name + "/" + text;
  }
  return text;
}

void say_of(int rank, const std::string& line) { say("rank " + std::to_string(rank) + ": " + line); }

std::int32_t path_of(const Reduction& reduction, std::uint64_t hash) {
  if (hash == 0) return -1;
  const auto found = reduction.path_of_hash.find(hash);
  if (found == reduction.path_of_hash.end()) return -1;
  const std::int32_t folded = reduction.paths[static_cast<std::size_t>(found->second)].folded;
  return folded >= 0 ? folded : found->second;
}

/// The call path that sums MPI calls whose own call paths were dropped.
std::int32_t path_of_rest(const Reduction& reduction) {
  for (std::size_t i = 0; i < reduction.paths.size(); ++i)
    if (reduction.regions[static_cast<std::size_t>(reduction.paths[i].region)].name == more_mpi)
      return static_cast<std::int32_t>(i);
  return 0;
}

const char* name_of(Cure cure) {
  switch (cure) {
  case Cure::earlier: return run_file::cure_earlier;
  case Cure::share: return run_file::cure_share;
  case Cure::leave_out: return run_file::cure_leave_out;
  }
  return "";
}

void add_gains(Run& run, const Reduction& reduction, const Gains& gains) {
  run.facts["gains"] = gains.missing.empty() ? "replayed" : "none";
  if (!gains.missing.empty()) run.facts["gains_reason"] = gains.missing;
  for (const FindingGain& gain : gains.all)
    for (std::size_t cure = 0; cure < cure_count; ++cure) {
      GainRow row;
      row.cause = static_cast<std::int32_t>(gain.finding.cause);
      row.callpath = path_of(reduction, gain.finding.path);
      row.cure = name_of(static_cast<Cure>(cure));
      row.gain_ns = gain.gain_ns[cure];
      row.error_ns = gain.error_ns[cure];
      if (row.callpath >= 0 && std::isfinite(row.gain_ns) && std::isfinite(row.error_ns)) run.gains.push_back(row);
    }
}

void add_origins(Run& run, const Reduction& reduction, const std::vector<WaitOrigin>& origins) {
  for (const WaitOrigin& origin : origins) {
    OriginRow row;
    row.rank = origin.rank;
    row.callpath = path_of(reduction, origin.path);
    row.doing_callpath = path_of(reduction, origin.doing_path);
    row.doing_ns = origin.doing_ns;
    row.wait_ns = origin.wait_ns;
    row.events = origin.events;
    if (origin.longer_ns >= 0) row.longer_ns = origin.longer_ns;
    if (row.callpath >= 0) run.origins.push_back(row);
  }
}

void add_causes(Run& run, const std::vector<rules::Cause>& causes) {
  run.more_metrics.push_back({"idle_ns", "ns", "inclusive time of waiting in MPI calls"});
  for (const rules::Cause& cause : causes) {
    const auto metric = static_cast<std::int32_t>(run_file::metric_count + run.more_metrics.size());
    run.more_metrics.push_back({"wait:" + cause.identifier, "ns", "waiting in this MPI call, because: " + cause.name});
    run.causes.push_back({cause.identifier, cause.name, cause.description, cause.advice, metric});
  }
}

void add_left_overs(Run& run, const Reduction& reduction) {
  constexpr const char* kinds[left_kinds] = {run_file::left_send,  run_file::left_receive, run_file::left_request,
                                             run_file::left_order, run_file::left_root,    run_file::left_missing};
  std::vector<LeftOver> all = reduction.waits.left_overs;
  std::stable_sort(all.begin(), all.end(), [&](const LeftOver& a, const LeftOver& b) {
    const auto order = [&](const LeftOver& one) {
      return std::tuple(one.kind, path_of(reduction, one.path), path_of(reduction, one.peer_path));
    };
    return order(a) < order(b);
  });
  for (const LeftOver& one : all)
    run.left_overs.push_back({kinds[static_cast<std::uint32_t>(one.kind)], path_of(reduction, one.path), one.rank,
                              path_of(reduction, one.peer_path), one.peer_rank, one.tag, one.events, one.root,
                              one.peer_root});
}

/// "messages and locks"
std::string left_out_text(const EventTables& events) {
  std::vector<std::string> words;
  if (events.left_out & without_messages) words.emplace_back("messages");
  if (events.left_out & without_collectives) words.emplace_back("collectives");
  if (events.left_out & without_access_epochs) words.emplace_back("access epochs");
  if (events.left_out & without_locks) words.emplace_back("locks");
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

} // namespace

OwnWaits measure_waits(const Process& process, Profile& profile, const andes_transport* transport,
                       std::int64_t deadline_ns) {
  if (!transport) {
    OwnWaits none;
    none.missing = "the program does not use MPI";
    return none;
  }
  AllToAll ranks(transport, deadline_ns);
  const RunRules rules = run_rules(process, ranks);
  if (!rules.trouble.empty()) say_of(ranks.rank(), rules.trouble);
  return measure_waits(process, profile, rules, ranks);
}

OwnWaits measure_waits(const Process& process, Profile& profile, const RunRules& rules, AllToAll& ranks) {
  const RankLog log = rank_log(process, profile);
  const Waits waits = find_waits(log, rules.program, ranks, [&](std::int64_t stack) {
    return text_of_path(profile, static_cast<std::uint64_t>(stack));
  });
  for (const std::string& line : waits.rules_stopped) say_of(ranks.rank(), line);
  OwnWaits own;
  own.missing = waits.missing;
  own.levels = waits.levels;
  own.lost_calls = waits.lost_calls;
  own.left_out = left_out_text(process.events);
  if (waits.transfer_source) own.transfer_source = waits.transfer_source;
  own.causes = rules.program.causes;
  own.rule_files = rules.files;
  if (!own.missing.empty()) return own;
  own.gains = waits.gains;
  own.origins = wait_origins(waits, log, profile, ranks);
  put_waits(profile, waits, own.causes.size());
  return own;
}

void add_waits_to_run(Run& run, const Reduction& reduction, const OwnWaits& waits) {
  run.facts["wait_states"] = waits.missing.empty() ? "measured" : "none";
  if (!waits.missing.empty()) {
    run.facts["wait_states_reason"] = waits.missing;
    return;
  }
  const WaitSums& sums = reduction.waits;
  run.facts["messages_matched"] = sums.matched;
  run.facts["messages_unmatched"] = sums.unmatched;
  run.facts["events_unordered"] = sums.unordered;
  if (sums.outside > 0) run.facts["events_outside"] = sums.outside;
  run.facts["events_lost"] = sums.lost;
  if (waits.lost_calls > 0) run.facts["function_calls_lost"] = static_cast<std::int64_t>(waits.lost_calls);
  if (!waits.left_out.empty()) run.facts["events_left_out"] = waits.left_out;
  run.facts["log_level"] = std::int64_t{waits.levels.messages};
  run.facts["log_level_collectives"] = std::int64_t{waits.levels.collectives};
  run.facts["wait_unclassified_ns"] = std::llround(sums.unclassified_ns);
  run.facts["clock_violations"] = sums.violations;
  run.facts["clock_offset_error_ns"] = std::llround(sums.clock_error_ns);
  std::string files;
  for (const std::string& file : waits.rule_files) files += (files.empty() ? "" : " ") + file;
  run.facts["rules"] = files;
  if (!waits.transfer_source.empty()) run.facts["transfer_source"] = waits.transfer_source;

  if (sums.transfers_unknown > 0) run.facts["transfers_unknown"] = std::llround(sums.transfers_unknown);

  add_left_overs(run, reduction);
  add_causes(run, waits.causes);
  const std::int32_t rest = path_of_rest(reduction);
  for (const WaitSum& sum : sums.sums) {
    WaitRow row;
    row.cause = sum.cause;
    row.callpath = path_of(reduction, sum.path);
    if (row.callpath < 0) row.callpath = rest;
    row.peer_callpath = path_of(reduction, sum.peer_path);
    row.peer_rank = sum.peer_rank;
    row.origin_callpath = path_of(reduction, sum.origin_path);
    row.origin_rank = sum.origin_rank;
    row.wait_ns = sum.wait_ns;
    row.events = sum.events;
    row.variance_ns2 = sum.variance_ns2;
    run.waits.push_back(row);
  }
  run.wait_pairs = reduction.wait_pairs;
  add_gains(run, reduction, waits.gains);
  add_origins(run, reduction, waits.origins);
  // Sorted by the numbers of call paths, not by their hashes.
  std::stable_sort(run.waits.begin(), run.waits.end(), [](const WaitRow& a, const WaitRow& b) {
    const auto key = [](const WaitRow& w) {
      return std::tuple(w.cause, w.callpath, w.peer_callpath, w.origin_callpath);
    };
    return key(a) < key(b);
  });
}

} // namespace andes::monitor
