// The CSV tables of `andes show`: call paths, values and the ends of ranks, or threads.
#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/paths.h"
#include "postproc/analysis/phases.h"
#include "postproc/view/csv_line.h"
#include "postproc/view/views.h"

namespace andes {
using csv::Line, csv::knows_estimates, csv::path_field, csv::reliable_of;

std::string threads_csv(const Profile& profile, const std::vector<int>& ranks) {
  std::string text;
  Line(text).texts({"rank", "thread", "wall_s", "compute_s", "communication_s", "idle_s", "tool_s", "synchronisation_s",
                    "team_idle_s", "parallel_s"});
  const auto seconds = [](const std::optional<double>& ns) { return ns ? std::optional(*ns * 1e-9) : std::nullopt; };
  for (const Location& l : profile.locations) {
    if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), l.rank) == ranks.end()) continue;
    Line(text) << std::to_string(l.rank) << std::to_string(l.thread) << l.wall_ns * 1e-9 << l.compute_ns * 1e-9
               << l.communication_ns * 1e-9 << seconds(l.idle_ns) << l.tool_ns * 1e-9 << l.synchronisation_ns * 1e-9
               << seconds(l.team_idle_ns) << seconds(l.parallel_ns);
  }
  return text;
}

namespace {

/// A table of its own, behind an empty line.
void add_values(std::string& text, const Profile& profile) {
  const std::vector<PathValue> values = values_of(profile);
  if (values.empty()) return;
  text += '\n';
  Line(text).texts({"value", "callpath", "path", "count", "not_finite", "mean", "min", "max", "last"});
  for (const PathValue& v : values) {
    const int callpath = callpath_of(profile, v);
    Line(text) << v.name << std::to_string(callpath) << path_field(path_of(profile, callpath)) << v.count
               << v.not_finite << v.mean << v.min << v.max << v.last;
  }
}

/// The same, of a run that is not complete: how its ranks ended.
void add_endings(std::string& text, const Profile& profile) {
  if (profile.endings.empty()) return;
  text += '\n';
  Line(text).texts({"rank", "how", "detail", "time_s", "last_event", "path"});
  for (const RankEnding& ending : profile.endings) {
    const bool detailed = ending.how == run_file::end_signal || ending.how == run_file::end_abort;
    Line line(text);
    line << std::to_string(ending.rank) << ending.how << (detailed ? std::to_string(ending.detail) : "")
         << (ending.time_ns ? std::optional(*ending.time_ns * 1e-9) : std::nullopt);
    line.flag(ending.time_ns ? std::optional(ending.last_event) : std::nullopt);
    line << (ending.callpath ? path_field(path_of(profile, *ending.callpath)) : "");
  }
}

} // namespace

std::string show_csv(const Profile& profile, const Tree& tree) {
  std::string text;
  const bool estimates = knows_estimates(tree.sampling, tool_cost(profile, 0));
  {
    Line titles(text);
    titles.texts({"id", "parent", "path", "kind", "file", "line", "visits", "inclusive_s", "exclusive_s", "mean_s",
                  "max_s", "load_balance", "communication_s", "idle_s", "bytes_sent", "bytes_received", "messages_sent",
                  "messages_received"});
    if (has_overlap(tree)) titles.texts({"transfer_s", "overlap_percent_low", "overlap_percent_high"});
    for (const std::string& event : profile.events) titles << event << event + "_exclusive";
    if (cycle_events(profile.events)) titles << "instructions_per_cycle" << "own_instructions_per_cycle";
    if (estimates)
      titles.texts({"estimated", "inclusive_s_low", "inclusive_s_high", "exclusive_s_low", "exclusive_s_high",
                    "sampled_visits", "timed_visits", "reliable", "muted"});
  }
  for (const TreeRow& r : tree.rows) {
    Line line(text);
    line << std::to_string(r.id) << (r.parent ? std::to_string(*r.parent) : "") << path_field(path_of(profile, r.id))
         << r.kind << r.file << (r.line > 0 ? std::to_string(r.line) : "") << r.visits << r.inclusive_s << r.exclusive_s
         << r.mean_s << r.max_s << r.load_balance << r.communication_s << r.idle_s << r.bytes_sent << r.bytes_received
         << r.messages_sent << r.messages_received;
    if (const auto& overlap = r.own_overlap_percent) line << r.transfer_s << overlap->low << overlap->high;
    else if (has_overlap(tree)) line.texts({"", "", ""});
    for (const EventCount& count : r.events) line << count.inclusive << count.exclusive;
    if (cycle_events(profile.events)) line << r.instructions_per_cycle << r.own_instructions_per_cycle;
    if (!estimates) continue;
    const bool estimated = r.inclusive_error_s.estimated;
    line.flag(estimated).ends(r.inclusive_s, r.inclusive_error_s).ends(r.exclusive_s, r.exclusive_error_s);
    line << (estimated ? std::optional(r.sampled_visits) : std::nullopt)
         << (estimated ? std::optional(r.timed_visits) : std::nullopt);
    line.flag(reliable_of(r.exclusive_error_s)).flag(r.muted);
  }
  add_values(text, profile);
  add_endings(text, profile);
  return text;
}

} // namespace andes
