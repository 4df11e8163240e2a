// The JSON document of `andes report` (docs/json.md). Columns of its tables: columns/.
#include <algorithm>

#include "postproc/view/advice.h"
#include "postproc/view/advice_first.h"
#include "postproc/view/columns/findings.h"
#include "postproc/view/columns/flat.h"
#include "postproc/view/columns/grid.h"
#include "postproc/view/columns/ledger.h"
#include "postproc/view/columns/left_out.h"
#include "postproc/view/columns/models.h"
#include "postproc/view/columns/points.h"
#include "postproc/view/columns/processor.h"
#include "postproc/view/columns/projection.h"
#include "postproc/view/columns/ranks.h"
#include "postproc/view/columns/routines.h"
#include "postproc/view/columns/serial_routines.h"
#include "postproc/view/columns/small_messages.h"
#include "postproc/view/columns/what_if.h"
#include "postproc/view/first_screen.h"
#include "postproc/view/json.h"
#include "postproc/view/noise_view.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

Json points_json(const Report& report, const std::vector<ScalingPoint>& points,
                 const std::vector<PointShares>& shares) {
  return json_rows(columns::sizes(report), columns::size_rows(points, shares));
}

Json grid_json(const Report& report) {
  const Grid& grid = *report.grid;
  Json splits = Json::array();
  for (const CoreSplits& cores : grid.splits)
    splits.push_back({{"cores", cores.cores}, {"splits", json_rows(columns::splits(), cores.splits)}});
  return {{"ranks", grid.ranks},
          {"threads", grid.threads},
          {"points", points_json(report, grid.all.points, report.grid_shares)},
          {"best_splits", std::move(splits)},
          {"over_ranks", json_rows(columns::lines(), grid.over_ranks)},
          {"over_threads", json_rows(columns::lines(), grid.over_threads)}};
}

Json processor_json(const Report& report) {
  const Processor& processor = report.processor;
  if (!processor.why_not.empty()) return {{"counted", false}, {"why_not", processor.why_not}};
  return {{"counted", true},
          {"points", json_rows(columns::processor_points(report.grid.has_value()), processor.points)},
          {"callpaths", json_rows(columns::processor_paths(), processor.paths)},
          {"rule", processor.rule}};
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

/// A size of the ledger, and what it is of.
Json ledger_size(const Report& report, const Ledger& ledger) {
  Json json{{"ranks", ledger.ranks}};
  if (report.grid) json["threads"] = ledger.threads;
  json["cores"] = ledger.cores;
  if (ledger.oversubscribed) json["oversubscribed"] = true;
  return json;
}

void add_ledger(const Report& report, Json& json) {
  const auto no_bars = [](double) { return std::string(); };
  json["ledger"] = json["ledger_origins"] = json["ledger_paths"] = Json::array();
  for (const Ledger& ledger : report.ledgers) {
    Json terms = ledger_size(report, ledger), origins = terms, paths = terms;
    if (ledger.other_threads_s > 0) terms["other_threads_s"] = ledger.other_threads_s;
    terms["time_s"] = ledger.time_s;
    terms["lost_s"] = ledger.lost_s;
    terms["percent"] = ledger.percent;
    terms["lost_repeats"] = ledger.lost_repeats;
    if (ledger.core_wait_error_s) terms["core_wait_error_s"] = *ledger.core_wait_error_s;
    terms["terms"] = json_rows(columns::ledger_terms(), ledger.terms);
    origins["idle_s"] = ledger.idle_s;
    origins["origins"] = json_rows(columns::ledger_origins(0, no_bars), ledger.origins);
    paths["paths"] = json_rows(columns::ledger_paths(0), ledger.paths);
    json["ledger"].push_back(std::move(terms));
    json["ledger_origins"].push_back(std::move(origins));
    json["ledger_paths"].push_back(std::move(paths));
  }
}

Json serial_routines_json(const SerialRoutines& serial) {
  if (!serial.why_not.empty()) return {{"why_not", serial.why_not}};
  return {{"ranks", serial.size},
          {"base_ranks", serial.base_size},
          {"serial_fraction", serial.fraction},
          {"rest", serial.rest},
          {"waits_measured", serial.waits_measured},
          {"routines", json_rows(columns::serial_routines(), serial.routines)}};
}

Json what_if_json(const WhatIf& what_if) {
  Json json{{"ranks", what_if.ranks},
            {"time_s", what_if.time_s},
            {"candidates", json_rows(columns::what_if(what_if), what_if.candidates)}};
  if (what_if.asked)
    json["asked"] = json_rows(columns::what_if(what_if), std::vector<Prediction>{*what_if.asked}).front();
  return json;
}

/// The sentences of the first screen.
Json answers_json(const Report& report) {
  if (!report.unfinished.empty()) return Json::object();
  return {{"speed", speed_answer(report)},
          {"limit", limit_answer(report)},
          {"lost", loss_answer(report)},
          {"first", advice_first(report)}};
}

Json scaling_limits(const Scaling& scaling) {
  Json json;
  add_columns(json["trend"], columns::trend(), scaling.trend);
  json["projection"] = json_rows(columns::projections(scaling), scaling.projection);
  set(json, "limit_speedup", scaling.limit_speedup);
  set(json, "limit_speedup_over_base", scaling.limit_over_base);
  return json;
}

Json models_json(const Models& models) {
  Json json{{"sizes", models.times.size()}, {"told", models.told}, {"weak", models.weak}};
  if (models.weak) json["scaled"] = json_rows(columns::scaled_points(models), models.scaled);
  if (models.time) add_columns(json["time"], columns::term_model(), *models.time);
  if (models.usl) {
    json["usl"] = {{"contention", models.usl->contention}, {"coherency", models.usl->coherency}};
    set(json["usl"], "fastest_at", models.usl->most());
  }
  json["callpaths"] = json_rows(columns::path_models(0, 0), models.paths);
  json["forecast"] = json_rows(columns::forecasts(models), models.forecasts);
  if (models.next)
    json["next"] = {
        {models.axis == Axis::cores ? "cores" : "ranks", models.next->size},
        {"models", Json::array({{{"model", models.next->faster.model}, {"time_s", models.next->faster.time}},
                                {{"model", models.next->slower.model}, {"time_s", models.next->slower.time}}})}};
  json["isoefficiency"] = json_rows(columns::isoefficiency(models), models.isoefficiency);
  return json;
}

} // namespace

Json report_object(const Report& report) {
  Json json{{"schema", 1}, {"command", report.command}};
  set(json, "build", report.build);
  set(json, "commit", report.stamp.commit);
  set(json, "commit_time", report.stamp.commit_time);
  set(json, "branch", report.stamp.branch);
  if (report.stamp.dirty) json["dirty"] = true;
  set(json, "compiler", report.stamp.compiler);
  set(json, "compiler_flags", report.stamp.flags);
  for (const RunAxis& axis : report.axes) {
    json["axes"][axis.name] = axis.value;
    if (axis.grows) json["weak_axis"] = axis.name;
  }
  if (report.scaling.weak) json["weak"] = true;
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
  json["answers"] = answers_json(report);
  json["noise"] = noise_json(report.noise);
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
  if (!report.models.told.empty()) json["models"] = models_json(report.models);
  json["warnings"] = Json::array();
  for (const Warning& w : report.warnings)
    json["warnings"].push_back({{"id", w.id}, {"text", w.text}, {report.grid ? "cores" : "ranks", w.ranks}});
  add_ledger(report, json);
  json["routines"] = json_rows(columns::routines(report), report.routines);
  json["functions"] = json_rows(columns::functions(columns::flat_kinds(report)), report.flat.rows);
  json["serial_routines"] = serial_routines_json(report.serial_routines);
  json["what_if"] = what_if_json(report.what_if);
  if (!report.left_out.empty()) json["left_out"] = json_rows(columns::left_out(), report.left_out);
  if (!report.small_messages.empty())
    json["small_messages"] = json_rows(columns::small_messages(), report.small_messages);
  set_sampling(json, report.sampling, report.cost);
  json["waits"] = {{"ranks", report.routine_ranks}, {"measured", report.why_no_waits.empty()}};
  set(json["waits"], "why_not_measured", report.why_no_waits);
  json["waits"]["findings"] = json_rows(columns::findings(), report.findings);
  json["processor"] = processor_json(report);
  json["efficiency_definition"] = efficiency_definition;
  const bool hybrid = std::any_of(report.shares.begin(), report.shares.end(),
                                  [](const PointShares& shares) { return shares.hybrid.has_value(); });
  if (hybrid) json["hybrid_efficiency_definition"] = hybrid_definition();
  if (report.team_losses) json["team_losses"] = team_losses_json(report);
  json["rank_table"] = {{"ranks", report.routine_ranks}, {"rows", json_rows(columns::ranks(), report.rank_rows)}};
  if (report.comparison) json["comparison"] = comparison_object(*report.comparison);
  return json;
}

std::string report_json(const Report& report) { return document(report_object(report)); }

} // namespace andes::postproc
