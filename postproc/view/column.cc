// Values written down: the one place that knows how a kind of value looks in CSV and in JSON.
#include "postproc/view/column.h"

#include <algorithm>
#include <cmath>

#include "postproc/analysis/warnings.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

/// Calls one of several functions, by the type of its argument.
template <class... Functions> struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions> Overloaded(Functions...) -> Overloaded<Functions...>;

void add_number(csv::Line& line, const std::optional<double>& number) {
  if (number) line.number(*number);
  else line.text("");
}

/// A column's name: its title without the unit.
std::string name_of(const std::string& title) {
  const std::size_t blank = title.rfind(' ');
  const bool has_unit = blank != title.npos && (title.substr(blank) == " s" || title.substr(blank) == " %");
  return has_unit ? title.substr(0, blank) : title;
}

} // namespace

Cell efficiency_cell(const std::optional<double>& factor) {
  if (!factor) return {};
  return {fixed(100 * *factor, 1), *factor < acceptable_efficiency ? Style::yellow : Style::plain};
}

Value known(const std::string& text) { return text.empty() ? Value() : Value(text); }

Value known_line(int line) { return line > 0 ? Value(line) : Value(); }

Value ends_of(double value, const SamplingError& error) {
  return has_interval(error) ? Value(Ends{lower_end(value, error), upper_end(value, error)}) : Value();
}

Value reliable(const SamplingError& error) { return error.estimated ? Value(error.reliable) : Value(); }

Value end_of_visits(double end, bool estimated) {
  return estimated ? Value(Whole{std::max(0.0, std::round(end))}) : Value();
}

bool knows_estimates(const Sampling& sampling, const ToolCost& cost) { return cost.budget_percent || sampling.any(); }

void add_titles(csv::Line& line, const std::string& key, Fields fields) {
  if (fields != Fields::ends) line.text(key);
  if (fields != Fields::one) line.text(key + "_low").text(key + "_high");
  if (fields == Fields::estimate) line.text(key + "_kind");
}

void add_fields(csv::Line& line, const Value& value, Fields fields) {
  constexpr const char* kinds[] = {"", "range", "interval"};
  std::visit(
      Overloaded{[&](std::monostate) {
                   for (int i = fields == Fields::estimate ? 4 : fields == Fields::ends ? 2 : 1; i > 0; --i)
                     line.text("");
                 },
                 [&](bool flag) { line.text(flag ? "1" : "0"); }, [&](std::int64_t number) { line.number(number); },
                 [&](double number) { line.number(number); }, [&](Whole number) { line.number(number.count); },
                 [&](const std::string& text) { line.text(text); },
                 [&](const Value::Names& path) { line.text(fmt::format("{}", fmt::join(path, "/"))); },
                 [&](const Estimate& e) {
                   line.number(e.median);
                   add_number(line, e.low);
                   add_number(line, e.high);
                   line.text(kinds[static_cast<int>(e.kind)]);
                 },
                 [&](const OverlapPercent& bounds) { line.number(bounds.low).number(bounds.high); },
                 [&](Ends ends) { line.number(ends.low).number(ends.high); }, [&](const Json&) { line.text(""); }},
      value.content);
}

void add_json(Json& object, const std::string& key, const std::vector<std::string>& path, const Value& value) {
  if (std::holds_alternative<std::monostate>(value.content)) return;
  Json* at = &object;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) at = &(*at)[path[i]];
  const std::string& name = path.empty() ? key : path.back();
  std::visit(
      Overloaded{[](std::monostate) {}, [&](const auto& plain) { (*at)[name] = plain; },
                 [&](Whole number) { (*at)[name] = count_json(number.count); },
                 [&](const Estimate& estimate) { (*at)[name] = estimate_json(estimate); },
                 [&](const OverlapPercent& bounds) { (*at)[name] = {{"low", bounds.low}, {"high", bounds.high}}; },
                 [&](Ends ends) {
                   (*at)[name + "_low"] = ends.low;
                   (*at)[name + "_high"] = ends.high;
                 }},
      value.content);
}

std::string legend_text(const std::vector<std::pair<std::string, LegendPart>>& parts) {
  std::vector<std::pair<std::string, std::string>> groups; // names, and what these columns hold
  for (const auto& [title, part] : parts) {
    if (part.holds.empty()) continue;
    const std::string name = name_of(title) + (part.note.empty() ? "" : " (" + part.note + ')');
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.second == part.holds; });
    if (same == groups.end()) groups.emplace_back(name, part.holds);
    else same->first += ", " + name;
  }
  std::string text;
  for (const auto& [names, holds] : groups)
    text.append(text.empty() ? "" : "; ").append(names).append(": ").append(holds);
  return text;
}

} // namespace andes::postproc::columns
