// Amounts in options: numbers before a unit.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace andes::postproc {

/// A positive number before a unit, "3%"; nothing: the text is something else.
std::optional<double> number_before(std::string_view text, std::string_view unit);

/// Seconds: "90s", "10m", "1.5h"; nothing: the text is something else.
std::optional<double> seconds_in(std::string_view text);

/// The time that an option gives. Throws Refusal where the text is something else.
double read_seconds(const std::string& option, const std::string& text);

} // namespace andes::postproc
