// What the JSON documents share.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "postproc/analysis/comparison.h"
#include "postproc/analysis/estimate.h"

namespace andes {

using Json = nlohmann::ordered_json;

/// {"median"[, "low", "high", "kind": "interval" | "range"]}.
Json estimate_json(const Estimate& estimate);

/// Sets `object[name]` when there is a value: what was not measured is absent.
void set(Json& object, const char* name, const std::optional<double>& value);
void set(Json& object, const char* name, const std::optional<Estimate>& value);
void set(Json& object, const char* name, const std::string& text);

/// Kind, file and line of a region.
void set_place(Json& object, const std::string& kind, const std::string& file, int line);

/// Step 4 without "schema".
Json comparison_object(const Comparison& comparison);

/// Indented, with a final newline; bytes that are no UTF-8 are replaced.
std::string document(const Json& json);

} // namespace andes
