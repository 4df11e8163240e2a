// Reading --repeat, and the rule of auto.
#include "postproc/launch/repeats.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "common/message.h"
#include "postproc/analysis/estimate.h"
#include "postproc/launch/amount.h"

namespace andes::postproc {
namespace {

constexpr std::string_view automatic_word = "auto";

[[noreturn]] void refuse_repeats(const std::string& text, const std::string& fact) {
  refuse(fmt::format("--repeat {}", text), fact, "write for example 6, or auto, or auto:2%,10m");
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
    const auto seconds = seconds_in(part);
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
