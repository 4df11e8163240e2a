// What the JSON documents share.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "postproc/analysis/comparison.h"
#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/estimate.h"
#include "postproc/analysis/report.h"
#include "postproc/analysis/sampling.h"

namespace andes::postproc {

using Json = nlohmann::ordered_json;

/// {"median"[, "low", "high", "kind": "interval" | "range"]}.
Json estimate_json(const Estimate& estimate);

/// Sets `object[name]` when there is a value: what was not measured is absent.
void set(Json& object, const char* name, const std::optional<double>& value);
void set(Json& object, const char* name, const std::optional<Estimate>& value);
void set(Json& object, const char* name, const std::string& text);

/// A whole number.
Json count_json(double count);

/// The document of a report.
Json report_object(const Report& report);

/// Step 4 without "schema".
Json comparison_object(const Comparison& comparison);

/// `sampling` of a run or a point; absent for monitors without a budget that left nothing of it.
void set_sampling(Json& object, const Sampling& sampling, const ToolCost& cost);

/// Indented, with a final newline; bytes that are no UTF-8 are replaced.
std::string document(const Json& json);

} // namespace andes::postproc
