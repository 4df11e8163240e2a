// The CSV tables of `andes report`, an empty line between them: points and routines; where ranks have several threads
// the ranks; where instructions and cycles were counted their points and call paths.
#include <algorithm>

#include "postproc/view/csv_line.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

using csv::Line, csv::knows_estimates, csv::path_field, csv::reliable_of;

std::string line_field(int line) { return line > 0 ? std::to_string(line) : ""; }

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

/// Which columns only some reports have.
struct PointColumns {
  bool grid = false, threads = false, hybrid = false;
};

void point_titles(std::string& text, const PointColumns& columns) {
  Line line(text);
  line << "ranks";
  if (columns.grid) line << "threads";
  line.texts({"repeats", "oversubscribed"});
  for (const char* name : {"time_s", "speedup", "efficiency", "serial_fraction"}) line.estimate_titles(name);
  line << "load_balance";
  if (columns.threads) line << "thread_load_balance";
  line.texts({"communication_balance", "bytes_balance", "communication_percent", "synchronisation_percent",
              "idle_percent", "parallel_efficiency", "load_balance_efficiency", "communication_efficiency",
              "serialisation", "transfer"});
  if (columns.hybrid)
    line.texts({"hybrid_parallel", "mpi_parallel", "mpi_load_balance", "mpi_communication", "mpi_serialisation",
                "mpi_transfer", "team_parallel", "serial_regions", "team_load_balance", "barriers", "scheduling",
                "mpi_in_regions", "serial_s"});
}

void add_point(std::string& text, const PointColumns& columns, bool whole_runs, const ScalingPoint& p,
               const PointShares& s) {
  Line line(text);
  line << std::to_string(p.ranks);
  if (columns.grid) line << std::to_string(p.threads);
  line << std::to_string(p.repeats) << (p.oversubscribed ? "1" : "0");
  const auto of_whole_runs = [&](const Estimate& e) { return whole_runs ? std::optional(e) : std::nullopt; };
  line << std::optional(p.time_s) << of_whole_runs(p.speedup) << of_whole_runs(p.efficiency) << p.serial_fraction
       << s.load_balance;
  if (columns.threads) line << s.thread_load_balance;
  line << s.communication_balance << s.bytes_balance << s.communication_percent << s.synchronisation_percent
       << s.idle_percent;
  const auto factor = [&s](double Efficiency::* member) {
    return s.efficiency ? std::optional(s.efficiency.value().*member) : std::nullopt;
  };
  line << factor(&Efficiency::parallel) << factor(&Efficiency::load_balance) << factor(&Efficiency::communication)
       << (s.efficiency ? s.efficiency->serialisation : std::nullopt)
       << (s.efficiency ? s.efficiency->transfer : std::nullopt);
  if (columns.hybrid) hybrid_fields(line, s.hybrid);
}

void add_points(std::string& text, const Report& report) {
  const auto& points = report.grid ? report.grid->all.points : report.scaling.points;
  const auto& shares = report.grid ? report.grid_shares : report.shares;
  const auto any = [&shares](auto test) { return std::any_of(shares.begin(), shares.end(), test); };
  const PointColumns columns{report.grid.has_value(),
                             any([](const PointShares& s) { return s.thread_load_balance.has_value(); }),
                             any([](const PointShares& s) { return s.hybrid.has_value(); })};
  point_titles(text, columns);
  for (std::size_t i = 0; i < points.size(); ++i)
    add_point(text, columns, report.unfinished.empty(), points[i], shares[i]);
}

void add_routines(std::string& text, const Report& report) {
  const bool estimates = knows_estimates(report.sampling, report.cost);
  {
    Line line(text);
    line.texts({"path", "kind", "file", "line", "ranks", "percent_of_total", "own_percent", "load_balance",
                "communication_balance", "communication_percent", "idle_percent", "non_communication_percent",
                "synchronisation_percent"});
    if (estimates)
      line.texts({"estimated", "percent_of_total_low", "percent_of_total_high", "own_percent_low", "own_percent_high",
                  "reliable", "muted"});
  }
  for (const Routine& r : report.routines) {
    Line line(text);
    line << path_field(r.path) << r.kind << r.file << line_field(r.line) << std::to_string(r.ranks)
         << r.percent_of_total << r.own_percent << r.load_balance << r.communication_balance << r.communication_percent
         << r.idle_percent << r.non_communication_percent << r.synchronisation_percent;
    if (estimates)
      line.flag(r.inclusive_error_percent.estimated)
          .ends(r.percent_of_total, r.inclusive_error_percent)
          .ends(r.own_percent, r.own_error_percent)
          .flag(reliable_of(r.own_error_percent))
          .flag(r.muted);
  }
}

void add_ranks(std::string& text, const std::vector<RankRow>& rows) {
  Line(text).texts({"rank", "wall_s", "compute_s", "communication_s", "idle_s", "idle_percent", "tool_s",
                    "synchronisation_s", "wait_at_end_s", "threads", "thread_load_balance", "serial_percent"});
  for (const RankRow& r : rows)
    Line(text) << std::to_string(r.rank) << r.wall_s << r.compute_s << r.communication_s << r.idle_s << r.idle_percent
               << r.tool_s << r.synchronisation_s << r.wait_at_end_s << std::to_string(r.threads)
               << r.thread_load_balance << r.serial_percent;
}

/// Columns of Work and WorkScaling.
void work_titles(Line& line) {
  line.texts({"useful_s", "instructions", "cycles", "instructions_per_cycle", "frequency_hz", "memory_stall_cycles",
              "cache_misses", "scaling_computation", "scaling_instructions", "scaling_instructions_per_cycle",
              "scaling_frequency"});
}

void work_fields(Line& line, const Work& work, const std::optional<WorkScaling>& scaling) {
  line << work.useful_s << work.instructions << work.cycles << work.per_cycle() << work.frequency_hz()
       << work.memory_stalls << work.cache_misses;
  for (auto member :
       {&WorkScaling::computation, &WorkScaling::instructions, &WorkScaling::per_cycle, &WorkScaling::frequency})
    line << (scaling ? std::optional(scaling.value().*member) : std::nullopt);
}

void add_processor(std::string& text, const Report& report) {
  {
    Line line(text);
    line << "ranks";
    if (report.grid) line << "threads";
    work_titles(line);
  }
  for (const ProcessorPoint& p : report.processor.points) {
    Line line(text);
    line << std::to_string(p.ranks);
    if (report.grid) line << std::to_string(p.threads);
    work_fields(line, p.work, p.scaling);
  }
  text += '\n';
  {
    Line line(text);
    line.texts({"path", "kind", "file", "line", "percent"});
    work_titles(line);
    line << "bound";
  }
  for (const ProcessorPath& p : report.processor.paths) {
    Line line(text);
    line << path_field(p.path) << p.kind << p.file << line_field(p.line) << p.percent;
    work_fields(line, p.work, p.scaling);
    line << name_of(p.bound);
  }
}

} // namespace

std::string report_csv(const Report& report) {
  std::string text;
  add_points(text, report);
  text += '\n';
  add_routines(text, report);
  if (has_threads(report)) {
    text += '\n';
    add_ranks(text, report.rank_rows);
  }
  if (report.processor.why_not.empty()) {
    text += '\n';
    add_processor(text, report);
  }
  return text;
}

} // namespace andes
