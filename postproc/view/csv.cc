// CSV (RFC 4180, with newlines alone): tables for spreadsheets and scripts; columns as in the JSON
// documents, an estimate as four columns; what was not measured is an empty field. A text that a
// spreadsheet would take for a formula stands behind an apostrophe (decision 161).
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/analysis/paths.h"
#include "postproc/analysis/phases.h"
#include "postproc/view/number.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

class Line {
public:
  explicit Line(std::string& text) : text_(text) {}
  ~Line() { text_ += '\n'; }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  Line& operator<<(const std::string& value) {
    const bool formula = !value.empty() && std::string_view("=+-@").find(value[0]) != std::string_view::npos;
    return cell(formula ? "'" + value : value);
  }
  Line& operator<<(const char* value) { return *this << std::string(value); }
  Line& operator<<(double value) { return cell(fmt::format("{}", value)); }
  Line& operator<<(const std::optional<double>& value) {
    return value ? *this << *value : *this << "";
  }
  Line& operator<<(const std::optional<Estimate>& e) {
    if (!e)
      return *this << ""
                   << ""
                   << ""
                   << "";
    constexpr const char* kinds[] = {"", "range", "interval"};
    return *this << e->median << e->low << e->high << kinds[static_cast<int>(e->kind)];
  }
  /// `estimated`, or nothing where it is not known.
  Line& flag(const std::optional<bool>& value) {
    return *this << (value ? *value ? "1" : "0" : "");
  }
  /// Both ends of an interval.
  Line& ends(double value, const SamplingError& error) {
    if (!has_interval(error))
      return *this << ""
                   << "";
    return *this << lower_end(value, error) << upper_end(value, error);
  }
  Line& estimate_titles(const char* name) {
    return *this << name << fmt::format("{}_low", name) << fmt::format("{}_high", name)
                 << fmt::format("{}_kind", name);
  }

private:
  Line& cell(const std::string& value) {
    if (!first_) text_ += ',';
    first_ = false;
    if (value.find_first_of(",\"\n\r") == std::string::npos) {
      text_ += value;
      return *this;
    }
    text_ += '"';
    for (const char c : value) text_ += c == '"' ? std::string("\"\"") : std::string(1, c);
    text_ += '"';
    return *this;
  }

  std::string& text_;
  bool first_ = true;
};

std::string path_field(const std::vector<std::string>& path) {
  return fmt::format("{}", fmt::join(path, "/"));
}

/// Whether a run or a point can say which times are estimated.
bool knows_estimates(const Sampling& sampling, const ToolCost& cost) {
  return cost.budget_percent || sampling.any();
}

std::optional<bool> reliable_of(const SamplingError& error) {
  return error.estimated ? std::optional(error.reliable) : std::nullopt;
}

void hybrid_fields(Line& line, const std::optional<Hybrid>& hybrid) {
  const auto field = [&](auto part) { line << (hybrid ? std::optional<double>(part(*hybrid)) : std::nullopt); };
  field([](const Hybrid& h) { return h.parallel; });
  for (auto member : {&MpiPart::parallel, &MpiPart::load_balance, &MpiPart::communication})
    field([member](const Hybrid& h) { return h.mpi.*member; });
  for (auto member : {&MpiPart::serialisation, &MpiPart::transfer})
    line << (hybrid ? hybrid->mpi.*member : std::nullopt);
  for (auto member : {&TeamPart::parallel, &TeamPart::serial_regions, &TeamPart::load_balance, &TeamPart::barriers,
                      &TeamPart::scheduling, &TeamPart::mpi_in_regions})
    field([member](const Hybrid& h) { return h.team.*member; });
  field([](const Hybrid& h) { return h.serial_s; });
}

} // namespace

std::string report_csv(const Report& report) {
  std::string text;
  const auto& points = report.grid ? report.grid->all.points : report.scaling.points;
  const auto& shares = report.grid ? report.grid_shares : report.shares;
  const bool hybrid = std::any_of(shares.begin(), shares.end(),
                                  [](const PointShares& s) { return s.hybrid.has_value(); });
  {
    Line titles(text);
    titles << "ranks";
    if (report.grid) titles << "threads";
    titles << "repeats"
           << "oversubscribed";
    for (const char* name : {"time_s", "speedup", "efficiency", "serial_fraction"})
      titles.estimate_titles(name);
    titles << "load_balance"
           << "communication_balance"
           << "bytes_balance"
           << "communication_percent"
           << "synchronisation_percent"
           << "idle_percent"
           << "parallel_efficiency"
           << "load_balance_efficiency"
           << "communication_efficiency"
           << "serialisation"
           << "transfer";
    if (hybrid)
      for (const char* name : {"hybrid_parallel", "mpi_parallel", "mpi_load_balance", "mpi_communication",
                               "mpi_serialisation", "mpi_transfer", "team_parallel", "serial_regions",
                               "team_load_balance", "barriers", "scheduling", "mpi_in_regions", "serial_s"})
        titles << name;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScalingPoint& p = points[i];
    const PointShares& s = shares[i];
    Line line(text);
    line << std::to_string(p.ranks);
    if (report.grid) line << std::to_string(p.threads);
    line << std::to_string(p.repeats) << (p.oversubscribed ? "1" : "0");
    const auto of_whole_runs = [&](const Estimate& e) {
      return report.unfinished.empty() ? std::optional(e) : std::nullopt;
    };
    line << std::optional(p.time_s) << of_whole_runs(p.speedup) << of_whole_runs(p.efficiency)
         << p.serial_fraction << s.load_balance << s.communication_balance << s.bytes_balance
         << s.communication_percent << s.synchronisation_percent << s.idle_percent;
    const auto factor = [&s](double Efficiency::*member) {
      return s.efficiency ? std::optional(s.efficiency.value().*member) : std::nullopt;
    };
    line << factor(&Efficiency::parallel) << factor(&Efficiency::load_balance)
         << factor(&Efficiency::communication)
         << (s.efficiency ? s.efficiency->serialisation : std::nullopt)
         << (s.efficiency ? s.efficiency->transfer : std::nullopt);
    if (hybrid) hybrid_fields(line, s.hybrid);
  }
  text += '\n';
  const bool estimates = knows_estimates(report.sampling, report.cost);
  {
    Line titles(text);
    titles << "path"
           << "kind"
           << "file"
           << "line"
           << "ranks"
           << "percent_of_total"
           << "own_percent"
           << "load_balance"
           << "communication_balance"
           << "communication_percent"
           << "idle_percent"
           << "non_communication_percent"
           << "synchronisation_percent";
    if (estimates)
      for (const char* name : {"estimated", "percent_of_total_low", "percent_of_total_high",
                               "own_percent_low", "own_percent_high", "reliable", "muted"})
        titles << name;
  }
  for (const Routine& r : report.routines) {
    Line line(text);
    line << path_field(r.path) << r.kind << r.file << (r.line > 0 ? std::to_string(r.line) : "")
         << std::to_string(r.ranks) << r.percent_of_total << r.own_percent << r.load_balance
         << r.communication_balance << r.communication_percent << r.idle_percent
         << r.non_communication_percent << r.synchronisation_percent;
    if (estimates)
      line.flag(r.inclusive_error_percent.estimated)
          .ends(r.percent_of_total, r.inclusive_error_percent)
          .ends(r.own_percent, r.own_error_percent)
          .flag(reliable_of(r.own_error_percent))
          .flag(r.muted);
  }
  return text;
}

std::string threads_csv(const Profile& profile, const std::vector<int>& ranks) {
  std::string text;
  {
    Line titles(text);
    for (const char* name : {"rank", "thread", "wall_s", "compute_s", "communication_s", "idle_s", "tool_s",
                             "synchronisation_s", "team_idle_s", "parallel_s"})
      titles << name;
  }
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
  {
    Line titles(text);
    for (const char* name : {"value", "callpath", "path", "count", "not_finite", "mean", "min", "max", "last"})
      titles << name;
  }
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
  {
    Line titles(text);
    for (const char* name : {"rank", "how", "detail", "time_s", "last_event", "path"}) titles << name;
  }
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
    titles << "id"
           << "parent"
           << "path"
           << "kind"
           << "file"
           << "line"
           << "visits"
           << "inclusive_s"
           << "exclusive_s"
           << "mean_s"
           << "max_s"
           << "load_balance"
           << "communication_s"
           << "idle_s"
           << "bytes_sent"
           << "bytes_received"
           << "messages_sent"
           << "messages_received";
    if (has_overlap(tree))
      for (const char* name : {"transfer_s", "overlap_percent_low", "overlap_percent_high"})
        titles << name;
    for (const std::string& event : profile.events) titles << event << event + "_exclusive";
    if (cycle_events(profile.events)) titles << "instructions_per_cycle" << "own_instructions_per_cycle";
    if (estimates)
      for (const char* name :
           {"estimated", "inclusive_s_low", "inclusive_s_high", "exclusive_s_low",
            "exclusive_s_high", "sampled_visits", "timed_visits", "reliable", "muted"})
        titles << name;
  }
  for (const TreeRow& r : tree.rows) {
    Line line(text);
    line << std::to_string(r.id) << (r.parent ? std::to_string(*r.parent) : "")
         << path_field(path_of(profile, r.id)) << r.kind << r.file
         << (r.line > 0 ? std::to_string(r.line) : "") << r.visits << r.inclusive_s << r.exclusive_s
         << r.mean_s << r.max_s << r.load_balance << r.communication_s << r.idle_s << r.bytes_sent
         << r.bytes_received << r.messages_sent << r.messages_received;
    if (const auto& overlap = r.own_overlap_percent)
      line << r.transfer_s << overlap->low << overlap->high;
    else if (has_overlap(tree))
      line << ""
           << ""
           << "";
    for (const EventCount& count : r.events) line << count.inclusive << count.exclusive;
    if (cycle_events(profile.events)) line << r.instructions_per_cycle << r.own_instructions_per_cycle;
    if (!estimates) continue;
    const bool estimated = r.inclusive_error_s.estimated;
    line.flag(estimated)
        .ends(r.inclusive_s, r.inclusive_error_s)
        .ends(r.exclusive_s, r.exclusive_error_s);
    line << (estimated ? std::optional(r.sampled_visits) : std::nullopt)
         << (estimated ? std::optional(r.timed_visits) : std::nullopt);
    line.flag(reliable_of(r.exclusive_error_s)).flag(r.muted);
  }
  add_values(text, profile);
  add_endings(text, profile);
  return text;
}

} // namespace andes
