// Reading --repeat, and the rule of auto.
#include "postproc/launch/repeats.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "common/message.h"
#include "postproc/analysis/estimate.h"

namespace andes::postproc {
namespace {

constexpr std::string_view automatic_word = "auto";

[[noreturn]] void refuse_repeats(const std::string& text, const std::string& fact) {
  refuse(fmt::format("--repeat {}", text), fact, "write for example 6, or auto, or auto:2%,10m");
}

/// A positive number before a unit; nothing: the text is something else.
std::optional<double> number_before(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return {};
  text.remove_suffix(unit.size());
  double number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || stopped != text.data() + text.size() || !(number > 0) || number > 1e9)
    return {};
  return number;
}

} // namespace

Repeats read_repeats(const std::string& text) {
  Repeats repeats;
  std::string_view rest = text;
  if (!rest.starts_with(automatic_word)) {
    repeats.count = read_repeat_count(text);
    return repeats;
  }
  repeats.automatic = true;
  repeats.count = most_repeats;
  rest.remove_prefix(automatic_word.size());
  if (rest.empty()) return repeats;
  if (rest[0] != ':') refuse_repeats(text, "not a number of runs");
  rest.remove_prefix(1);
  bool has_width = false, has_time = false;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    if (const auto width = number_before(part, "%"); width && !has_width) {
      repeats.width_percent = *width;
      has_width = true;
      continue;
    }
    std::optional<double> seconds;
    for (const auto& [unit, length_s] : {std::pair("s", 1.), std::pair("m", 60.), std::pair("h", 3600.)})
      if (const auto number = number_before(part, unit)) seconds = *number * length_s;
    if (!seconds || has_time)
      refuse_repeats(text,
                     fmt::format("\"{}\" is neither the width of the interval in % nor a time in s, m or h", part));
    repeats.time_s = *seconds;
    has_time = true;
  }
  return repeats;
}

int read_repeat_count(const std::string& text) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos ||
      std::stoi(text) < 1)
    refuse(fmt::format("--repeat {}", text), "not a number of runs", "give a whole number like 6");
  return std::stoi(text);
}

std::optional<double> interval_width_percent(std::vector<double> times_s) {
  const auto interval = median_interval(times_s.size());
  if (!interval) return {};
  std::sort(times_s.begin(), times_s.end());
  return 100 * (times_s[interval->second] - times_s[interval->first]) / median_of(times_s);
}

bool wants_repeat(const Repeats& repeats, const std::vector<double>& times_s, int failures) {
  if (!repeats.automatic) return true;
  if (failures >= most_failures) return false;
  const auto width = interval_width_percent(times_s);
  return !width || *width > repeats.width_percent;
}

} // namespace andes::postproc
