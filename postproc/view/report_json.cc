// The JSON document of `andes report` (docs/json.md).
#include "postproc/view/json.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

Json points_json(const Report& report) {
  Json points = Json::array();
  for (std::size_t i = 0; i < report.scaling.points.size(); ++i) {
    const ScalingPoint& p = report.scaling.points[i];
    const PointShares& s = report.shares[i];
    Json point{{"ranks", p.ranks},
               {"repeats", p.repeats},
               {"oversubscribed", p.oversubscribed},
               {"time_s", estimate_json(p.time_s)}};
    if (report.unfinished.empty()) {
      point["speedup"] = estimate_json(p.speedup);
      point["efficiency"] = estimate_json(p.efficiency);
    }
    set(point, "relative_speedup", p.relative_speedup);
    set(point, "serial_fraction", p.serial_fraction);
    set(point, "serial_share_of_base", p.base_share);
    set(point, "load_balance", s.load_balance);
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
    points.push_back(std::move(point));
  }
  return points;
}

Json routines_json(const Report& report) {
  Json routines = Json::array();
  for (const Routine& r : report.routines) {
    Json routine{{"path", r.path}};
    set_place(routine, r.kind, r.file, r.line);
    routine["ranks"] = r.ranks;
    routine["percent_of_total"] = r.percent_of_total;
    routine["own_percent"] = r.own_percent;
    set(routine, "load_balance", r.load_balance);
    set(routine, "communication_balance", r.communication_balance);
    routine["communication_percent"] = r.communication_percent;
    set(routine, "idle_percent", r.idle_percent);
    set(routine, "overlap_percent", r.overlap_percent);
    if (!r.causes.empty()) {
      routine["causes"] = Json::array();
      for (const RoutineCause& c : r.causes)
        routine["causes"].push_back({{"cause", c.cause}, {"percent", c.percent}});
    }
    routine["non_communication_percent"] = r.non_communication_percent;
    routine["synchronisation_percent"] = r.synchronisation_percent;
    const SamplingError &inclusive = r.inclusive_error_percent, &own = r.own_error_percent;
    if (report.cost.budget_percent || inclusive.estimated)
      routine["estimated"] = inclusive.estimated;
    set_ends(routine, "percent_of_total", r.percent_of_total, inclusive);
    set_ends(routine, "own_percent", r.own_percent, own);
    if (inclusive.estimated) {
      routine["visits"] = count_json(r.visits);
      routine["sampled_visits"] = count_json(r.sampled_visits);
      routine["timed_visits"] = count_json(r.timed_visits);
    }
    if (own.estimated) routine["reliable"] = own.reliable;
    if (r.muted) routine["muted"] = true;
    routines.push_back(std::move(routine));
  }
  return routines;
}

Json rank_table_json(const Report& report) {
  Json rows = Json::array();
  for (const RankRow& r : report.rank_rows) {
    Json row{{"rank", r.rank},
             {"wall_s", r.wall_s},
             {"compute_s", r.compute_s},
             {"communication_s", r.communication_s}};
    set(row, "idle_s", r.idle_s);
    set(row, "idle_percent", r.idle_percent);
    row["tool_s"] = r.tool_s;
    row["synchronisation_s"] = r.synchronisation_s;
    set(row, "wait_at_end_s", r.wait_at_end_s);
    rows.push_back(std::move(row));
  }
  return {{"ranks", report.routine_ranks}, {"rows", std::move(rows)}};
}

Json scaling_limits(const Scaling& scaling) {
  Json projection = Json::array();
  for (const Projection& p : scaling.projection)
    projection.push_back(
        {{"ranks", p.ranks}, {"speedup", estimate_json(p.speedup)}, {"model", p.model}});
  Json trend = Json::object();
  set(trend, "slope", scaling.trend.slope);
  trend["verdict"] = name_of(scaling.trend.verdict);
  Json json{{"trend", std::move(trend)}, {"projection", std::move(projection)}};
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
    Json use{{"file", run.file}, {"ranks", run.ranks}, {"used", run.why_not.empty()}};
    set(use, "why_not", run.why_not);
    json["runs"].push_back(std::move(use));
  }
  for (const Overhead& o : report.overhead)
    json["overhead"].push_back({{"ranks", o.ranks}, {"percent", estimate_json(o.percent)}});
  set(json, "unfinished", report.unfinished);
  if (report.unfinished.empty())
    json["base"] = {{"ranks", report.scaling.base_ranks},
                    {"time_s", report.scaling.base_time_s.median}};
  if (report.sequential)
    json["sequential"] = {{"file", report.sequential->file},
                          {"command", report.sequential->command},
                          {"repeats", report.sequential->repeats},
                          {"time_s", estimate_json(report.sequential->time_s)}};
  json["points"] = points_json(report);
  json.update(scaling_limits(report.scaling));
  json["warnings"] = Json::array();
  for (const Warning& w : report.warnings)
    json["warnings"].push_back({{"id", w.id}, {"text", w.text}, {"ranks", w.ranks}});
  json["routines"] = routines_json(report);
  set_sampling(json, report.sampling, report.cost);
  json["waits"] = {{"ranks", report.routine_ranks}, {"measured", report.why_no_waits.empty()}};
  set(json["waits"], "why_not_measured", report.why_no_waits);
  json["waits"]["findings"] = Json::array();
  for (const Finding& f : report.findings) json["waits"]["findings"].push_back(finding_json(f));
  json["efficiency_definition"] = efficiency_definition;
  json["rank_table"] = rank_table_json(report);
  if (report.comparison) json["comparison"] = comparison_object(*report.comparison);
  return document(json);
}

} // namespace andes
