// A line of CSV (RFC 4180, with newlines alone). A text that a spreadsheet would take for a formula stands behind an
// apostrophe (decision 33). What kind of value has which fields: column.cc.
#pragma once
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace andes::postproc::csv {

/// Ends itself with a newline.
class Line {
public:
  explicit Line(std::string& text) : text_(text) {}
  ~Line() { text_ += '\n'; }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  Line& text(const std::string& value) {
    const bool formula = !value.empty() && std::string_view("=+-@").find(value[0]) != std::string_view::npos;
    return field(formula ? "'" + value : value);
  }
  Line& number(double value) { return field(fmt::format("{}", value)); }
  Line& number(std::int64_t value) { return field(fmt::format("{}", value)); }

private:
  Line& field(const std::string& value) {
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

} // namespace andes::postproc::csv
