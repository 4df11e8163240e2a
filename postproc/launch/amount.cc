#include "postproc/launch/amount.h"

#include <charconv>
#include <utility>

#include "common/message.h"

namespace andes::postproc {

std::optional<double> number_before(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return {};
  text.remove_suffix(unit.size());
  double number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || stopped != text.data() + text.size() || !(number > 0) || number > 1e9)
    return {};
  return number;
}

std::optional<double> seconds_in(std::string_view text) {
  for (const auto& [unit, length_s] : {std::pair("s", 1.), std::pair("m", 60.), std::pair("h", 3600.)})
    if (const auto number = number_before(text, unit)) return *number * length_s;
  return {};
}

double read_seconds(const std::string& option, const std::string& text) {
  const auto seconds = seconds_in(text);
  if (!seconds) refuse(option + " " + text, "not a time in s, m or h", "write for example 10m");
  return *seconds;
}

} // namespace andes::postproc
