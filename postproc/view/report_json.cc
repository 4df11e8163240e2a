// The JSON document of `andes report` (docs/json.md).
#include <algorithm>

#include "postproc/view/json.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

Json point_json(const Report& report, const ScalingPoint& p, const PointShares& s) {
  Json point{{"ranks", p.ranks}};
  if (report.grid) {
    point["threads"] = p.threads;
    point["cores"] = p.ranks * p.threads;
  }
  point["repeats"] = p.repeats;
  point["oversubscribed"] = p.oversubscribed;
  point["time_s"] = estimate_json(p.time_s);
  if (report.unfinished.empty()) {
    point["speedup"] = estimate_json(p.speedup);
    point["efficiency"] = estimate_json(p.efficiency);
  }
  set(point, "relative_speedup", p.relative_speedup);
  set(point, "serial_fraction", p.serial_fraction);
  set(point, "serial_share_of_base", p.base_share);
  set(point, "load_balance", s.load_balance);
  set(point, "thread_load_balance", s.thread_load_balance);
  set(point, "communication_balance", s.communication_balance);
  set(point, "bytes_balance", s.bytes_balance);
  point["communication_percent"] = s.communication_percent;
  point["synchronisation_percent"] = s.synchronisation_percent;
  set(point, "idle_percent", s.idle_percent);
  if (s.efficiency) {
    Json& efficiency = point["efficiency_hierarchy"];
    efficiency = {{"parallel", s.efficiency->parallel},
                  {"load_balance", s.efficiency->load_balance},
                  {"communication", s.efficiency->communication}};
    set(efficiency, "serialisation", s.efficiency->serialisation);
    set(efficiency, "transfer", s.efficiency->transfer);
  }
  if (s.hybrid) point["hybrid_efficiency"] = hybrid_json(*s.hybrid);
  set(point, "why_no_hybrid_efficiency", s.why_no_hybrid);
  return point;
}

Json points_json(const Report& report, const std::vector<ScalingPoint>& points,
                 const std::vector<PointShares>& shares) {
  Json json = Json::array();
  for (std::size_t i = 0; i < points.size(); ++i) json.push_back(point_json(report, points[i], shares[i]));
  return json;
}

Json trend_json(const Trend& trend) {
  Json json = Json::object();
  set(json, "slope", trend.slope);
  json["verdict"] = name_of(trend.verdict);
  return json;
}

/// The points along a line of the grid; `fixed` names what they have in common, `over` what they differ in.
Json lines_json(const std::vector<GridLine>& lines, const char* fixed, const char* over) {
  Json json = Json::array();
  for (const GridLine& line : lines) {
    Json points = Json::array();
    for (const ScalingPoint& p : line.scaling.points) {
      Json point{{over, p.size},
                 {"oversubscribed", p.oversubscribed},
                 {"time_s", estimate_json(p.time_s)},
                 {"speedup", estimate_json(p.speedup)},
                 {"efficiency", estimate_json(p.efficiency)}};
      set(point, "serial_fraction", p.serial_fraction);
      points.push_back(std::move(point));
    }
    json.push_back({{fixed, line.fixed}, {"points", std::move(points)}, {"trend", trend_json(line.scaling.trend)}});
  }
  return json;
}

Json grid_json(const Report& report) {
  const Grid& grid = *report.grid;
  Json splits = Json::array();
  for (const CoreSplits& cores : grid.splits) {
    Json one{{"cores", cores.cores}, {"splits", Json::array()}};
    for (const Split& split : cores.splits) {
      Json json{{"ranks", split.ranks}, {"threads", split.threads}, {"time_s", estimate_json(split.time_s)}};
      if (split.verdict != Split::Verdict::best) json["slower_percent"] = estimate_json(split.slower_percent);
      json["verdict"] = name_of(split.verdict);
      one["splits"].push_back(std::move(json));
    }
    splits.push_back(std::move(one));
  }
  return {{"ranks", grid.ranks},
          {"threads", grid.threads},
          {"points", points_json(report, grid.all.points, report.grid_shares)},
          {"best_splits", std::move(splits)},
          {"over_ranks", lines_json(grid.over_ranks, "threads", "ranks")},
          {"over_threads", lines_json(grid.over_threads, "ranks", "threads")}};
}

Json routines_json(const Report& report) {
  Json routines = Json::array();
  for (const Routine& r : report.routines) {
    Json routine{{"path", r.path}};
    set_place(routine, r.kind, r.file, r.line);
    routine["ranks"] = r.ranks;
    if (report.grid) routine["threads"] = report.routine_threads;
    routine["percent_of_total"] = r.percent_of_total;
    routine["own_percent"] = r.own_percent;
    set(routine, "load_balance", r.load_balance);
    set(routine, "communication_balance", r.communication_balance);
    routine["communication_percent"] = r.communication_percent;
    set(routine, "idle_percent", r.idle_percent);
    set(routine, "overlap_percent", r.overlap_percent);
    if (!r.causes.empty()) {
      routine["causes"] = Json::array();
      for (const RoutineCause& c : r.causes) routine["causes"].push_back({{"cause", c.cause}, {"percent", c.percent}});
    }
    routine["non_communication_percent"] = r.non_communication_percent;
    routine["synchronisation_percent"] = r.synchronisation_percent;
    const SamplingError &inclusive = r.inclusive_error_percent, &own = r.own_error_percent;
    if (report.cost.budget_percent || inclusive.estimated) routine["estimated"] = inclusive.estimated;
    set_ends(routine, "percent_of_total", r.percent_of_total, inclusive);
    set_ends(routine, "own_percent", r.own_percent, own);
    if (inclusive.estimated) {
      routine["visits"] = count_json(r.visits);
      routine["sampled_visits"] = count_json(r.sampled_visits);
      routine["timed_visits"] = count_json(r.timed_visits);
    }
    set_visits_ends(routine, r.visits, r.visits_error);
    if (own.estimated) routine["reliable"] = own.reliable;
    if (r.muted) routine["muted"] = true;
    routines.push_back(std::move(routine));
  }
  return routines;
}

Json work_json(const Work& work) {
  Json json{{"useful_s", work.useful_s},
            {"instructions", work.instructions},
            {"cycles", work.cycles},
            {"instructions_per_cycle", work.per_cycle()},
            {"frequency_hz", work.frequency_hz()}};
  set(json, "memory_stall_cycles", work.memory_stalls);
  set(json, "cache_misses", work.cache_misses);
  return json;
}

Json scaling_json(const WorkScaling& scaling) {
  return {{"computation", scaling.computation},
          {"instructions", scaling.instructions},
          {"instructions_per_cycle", scaling.per_cycle},
          {"frequency", scaling.frequency}};
}

Json processor_json(const Report& report) {
  const Processor& processor = report.processor;
  if (!processor.why_not.empty()) return {{"counted", false}, {"why_not", processor.why_not}};
  Json points = Json::array(), paths = Json::array();
  for (const ProcessorPoint& p : processor.points) {
    Json point{{"ranks", p.ranks}};
    if (report.grid) point["threads"] = p.threads;
    point.update(work_json(p.work));
    point["scaling"] = scaling_json(p.scaling);
    points.push_back(std::move(point));
  }
  for (const ProcessorPath& p : processor.paths) {
    Json path{{"path", p.path}};
    set_place(path, p.kind, p.file, p.line);
    path["percent"] = p.percent;
    path.update(work_json(p.work));
    if (p.scaling) path["scaling"] = scaling_json(*p.scaling);
    set(path, "bound", name_of(p.bound));
    paths.push_back(std::move(path));
  }
  return {{"counted", true}, {"points", std::move(points)}, {"callpaths", std::move(paths)}, {"rule", processor.rule}};
}

Json team_losses_json(const Report& report) {
  Json losses = Json::array();
  for (const TeamLoss& loss : report.team_losses->losses) {
    Json json{{"factor", key_of(loss.factor)}, {"percent", loss.percent}};
    if (loss.place) {
      json["path"] = loss.place->path;
      set(json, "file", loss.place->file);
      if (loss.place->line > 0) json["line"] = loss.place->line;
    }
    losses.push_back(std::move(json));
  }
  return {
      {"ranks", report.team_losses->ranks}, {"threads", report.team_losses->threads}, {"losses", std::move(losses)}};
}

Json rank_table_json(const Report& report) {
  Json rows = Json::array();
  for (const RankRow& r : report.rank_rows) {
    Json row{
        {"rank", r.rank}, {"wall_s", r.wall_s}, {"compute_s", r.compute_s}, {"communication_s", r.communication_s}};
    set(row, "idle_s", r.idle_s);
    set(row, "idle_percent", r.idle_percent);
    row["tool_s"] = r.tool_s;
    row["synchronisation_s"] = r.synchronisation_s;
    set(row, "wait_at_end_s", r.wait_at_end_s);
    if (r.threads > 1) row["threads"] = r.threads;
    set(row, "thread_load_balance", r.thread_load_balance);
    set(row, "serial_percent", r.serial_percent);
    rows.push_back(std::move(row));
  }
  return {{"ranks", report.routine_ranks}, {"rows", std::move(rows)}};
}

Json scaling_limits(const Scaling& scaling) {
  Json projection = Json::array();
  for (const Projection& p : scaling.projection)
    projection.push_back({{scaling.axis == Axis::cores ? "cores" : "ranks", p.size},
                          {"speedup", estimate_json(p.speedup)},
                          {"model", p.model}});
  Json json{{"trend", trend_json(scaling.trend)}, {"projection", std::move(projection)}};
  set(json, "limit_speedup", scaling.limit_speedup);
  set(json, "limit_speedup_over_base", scaling.limit_over_base);
  return json;
}

} // namespace

std::string report_json(const Report& report) {
  Json json{{"schema", 1}, {"command", report.command}};
  set(json, "build", report.build);
  set(json, "started", report.started);
  json["runs"] = Json::array();
  for (const RunUse& run : report.runs) {
    Json use{{"file", run.file}, {"ranks", run.ranks}};
    if (report.grid) use["threads"] = run.threads;
    use["used"] = run.why_not.empty();
    set(use, "why_not", run.why_not);
    json["runs"].push_back(std::move(use));
  }
  for (const Overhead& o : report.overhead) {
    Json overhead{{"ranks", o.ranks}};
    if (report.grid) overhead["threads"] = o.threads;
    overhead["percent"] = estimate_json(o.percent);
    json["overhead"].push_back(std::move(overhead));
  }
  set(json, "unfinished", report.unfinished);
  if (report.unfinished.empty())
    json["base"] = {{"ranks", report.scaling.base_ranks}, {"time_s", report.scaling.base_time_s.median}};
  if (report.unfinished.empty() && report.grid) json["base"]["threads"] = report.scaling.base_threads;
  if (report.sequential)
    json["sequential"] = {{"file", report.sequential->file},
                          {"command", report.sequential->command},
                          {"repeats", report.sequential->repeats},
                          {"time_s", estimate_json(report.sequential->time_s)}};
  json["points"] = points_json(report, report.scaling.points, report.shares);
  if (report.grid) json["grid"] = grid_json(report);
  json.update(scaling_limits(report.scaling));
  json["warnings"] = Json::array();
  for (const Warning& w : report.warnings)
    json["warnings"].push_back({{"id", w.id}, {"text", w.text}, {report.grid ? "cores" : "ranks", w.ranks}});
  json["routines"] = routines_json(report);
  set_sampling(json, report.sampling, report.cost);
  json["waits"] = {{"ranks", report.routine_ranks}, {"measured", report.why_no_waits.empty()}};
  set(json["waits"], "why_not_measured", report.why_no_waits);
  json["waits"]["findings"] = Json::array();
  for (const Finding& f : report.findings) json["waits"]["findings"].push_back(finding_json(f));
  json["processor"] = processor_json(report);
  json["efficiency_definition"] = efficiency_definition;
  const bool hybrid = std::any_of(report.shares.begin(), report.shares.end(),
                                  [](const PointShares& shares) { return shares.hybrid.has_value(); });
  if (hybrid) json["hybrid_efficiency_definition"] = hybrid_definition;
  if (report.team_losses) json["team_losses"] = team_losses_json(report);
  json["rank_table"] = rank_table_json(report);
  if (report.comparison) json["comparison"] = comparison_object(*report.comparison);
  return document(json);
}

} // namespace andes
