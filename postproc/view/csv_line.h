// A line of CSV (RFC 4180, with newlines alone): columns as in the JSON documents, an estimate as four columns;
// what was not measured is an empty field. A text that a spreadsheet would take for a formula stands behind an
// apostrophe (decision 161).
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postproc/analysis/estimate.h"
#include "postproc/analysis/sampling.h"

namespace andes::csv {

/// Ends itself with a newline.
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
  Line& operator<<(const std::optional<double>& value) { return value ? *this << *value : *this << ""; }
  Line& operator<<(const std::optional<Estimate>& e) {
    if (!e) return texts({"", "", "", ""});
    constexpr const char* kinds[] = {"", "range", "interval"};
    return *this << e->median << e->low << e->high << kinds[static_cast<int>(e->kind)];
  }
  /// `estimated`, or nothing where it is not known.
  Line& flag(const std::optional<bool>& value) { return *this << (value ? *value ? "1" : "0" : ""); }
  /// Both ends of an interval.
  Line& ends(double value, const SamplingError& error) {
    if (!has_interval(error)) return texts({"", ""});
    return *this << lower_end(value, error) << upper_end(value, error);
  }
  Line& texts(std::initializer_list<const char*> all) {
    for (const char* text : all) *this << text;
    return *this;
  }
  Line& estimate_titles(const char* name) {
    return *this << name << fmt::format("{}_low", name) << fmt::format("{}_high", name) << fmt::format("{}_kind", name);
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

inline std::string path_field(const std::vector<std::string>& path) { return fmt::format("{}", fmt::join(path, "/")); }

/// Whether a run or a point can say which times are estimated.
inline bool knows_estimates(const Sampling& sampling, const ToolCost& cost) {
  return cost.budget_percent || sampling.any();
}

inline std::optional<bool> reliable_of(const SamplingError& error) {
  return error.estimated ? std::optional(error.reliable) : std::nullopt;
}

} // namespace andes::csv
