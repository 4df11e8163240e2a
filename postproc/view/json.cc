// What the JSON documents share, and the document of a comparison.
#include "postproc/view/json.h"

#include <algorithm>

#include "monitor/interface/selection_line.h"
#include "postproc/view/columns/comparison.h"
#include "postproc/view/views.h"

namespace andes::postproc {

Json estimate_json(const Estimate& estimate) {
  Json json{{"median", estimate.median}};
  if (estimate.kind == Estimate::Kind::point) return json;
  if (estimate.low) json["low"] = *estimate.low;
  if (estimate.high) json["high"] = *estimate.high;
  json["kind"] = estimate.kind == Estimate::Kind::interval ? "interval" : "range";
  return json;
}

void set(Json& object, const char* name, const std::optional<double>& value) {
  if (value) object[name] = *value;
}

void set(Json& object, const char* name, const std::optional<Estimate>& value) {
  if (value) object[name] = estimate_json(*value);
}

void set(Json& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

Json count_json(double count) { return static_cast<std::int64_t>(std::clamp(count, -9e18, 9e18)); }

void set_sampling(Json& object, const Sampling& sampling, const ToolCost& cost) {
  if (!cost.budget_percent && !sampling.any()) return;
  Json json{{"callpaths", sampling.callpaths},
            {"sampled", sampling.sampled},
            {"by_probes", sampling.by_probes},
            {"unreliable", sampling.unreliable},
            {"unreliable_percent", sampling.unreliable_percent}};
  json["muted"] = Json::array();
  for (const std::string& name : sampling.muted) {
    Json function{{"name", name}};
    if (is_selectable(name)) function["selection"] = selection_line(name);
    json["muted"].push_back(std::move(function));
  }
  if (sampling.overflow_visits > 0) {
    json["overflow_visits"] = count_json(sampling.overflow_visits);
    json["overflow_percent"] = sampling.overflow_percent;
    if (!sampling.limits.empty()) json["overflow_limits"] = sampling.limits;
  }
  set(json, "budget_percent", cost.budget_percent);
  json["tool_percent"] = cost.tool_percent;
  set(json, "tool_error_percent", cost.error_percent);
  set(json, "tool_thread_percent", cost.thread_percent);
  set(json, "tree_bytes", cost.tree_bytes);
  object["sampling"] = std::move(json);
}

std::string document(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n'; }

Json comparison_object(const Comparison& comparison) {
  const auto build = [](const ComparedBuild& b) {
    Json json = Json::object();
    set(json, "build", b.hash);
    set(json, "started", b.started);
    json["files"] = b.files;
    set(json, "unfinished", b.unfinished);
    return json;
  };
  Json json{{"before", build(comparison.before)}, {"after", build(comparison.after)}};
  if (!comparison.notes.empty()) json["notes"] = comparison.notes;
  json["points"] = json_rows(columns::compared_points(comparison), comparison.points);
  json["callpaths"] = json_rows(columns::compared_paths(comparison), comparison.paths);
  if (comparison.within_errors > 0) json["callpaths_within_errors"] = comparison.within_errors;
  if (!comparison.waits_measured) return json;
  json["causes"] = json_rows(columns::compared_causes(comparison), comparison.causes);
  const TimeSaved& saved = *comparison.saved;
  json["saved_s"] = {{"ranks", comparison.ranks},
                     {"total", saved.total_s},
                     {"idle", saved.idle_s},
                     {"compute", saved.compute_s},
                     {"communication", saved.communication_s},
                     {"io", saved.io_s}};
  return json;
}

std::string comparison_json(const Comparison& comparison) {
  Json json{{"schema", 1}};
  json.update(comparison_object(comparison));
  return document(json);
}

} // namespace andes::postproc
