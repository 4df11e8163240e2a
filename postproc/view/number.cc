// fmt decides digits; this only chooses how many, and the unit's prefix.
#include "postproc/view/number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace andes::postproc {
namespace {

constexpr double rounding_s = 1e-12; // what the rounding of sums leaves
constexpr double least_without_unit_s = 0.01; // in a column of seconds

double largest_of(const std::vector<double>& times_s) {
  double largest = 0;
  for (const double time_s : times_s) largest = std::max(largest, std::fabs(time_s));
  return largest;
}

struct CommonUnit {
  const char* name = "s";
  double scale = 1;
};

/// The unit of times of which this is the largest.
CommonUnit common_unit_of(double largest_s) {
  CommonUnit unit;
  if (largest_s < rounding_s || largest_s >= least_without_unit_s) return unit;
  for (const char* name : {"ms", "us", "ns"}) {
    if (largest_s * unit.scale >= 0.9995) break;
    unit = {name, unit.scale * 1000};
  }
  return unit;
}

} // namespace

std::string significant(double value, int digits) {
  const double size = std::fabs(value);
  if (size == 0) return "0";
  if (size < 1e-4 || size >= 1e7) return fmt::format("{:.{}g}", value, digits);
  const int whole =
      size >= 1 ? static_cast<int>(std::floor(std::log10(size))) + 1 : static_cast<int>(std::floor(std::log10(size)));
  const int decimals = whole > 0 ? std::max(0, digits - whole) : digits - 1 - whole;
  return fmt::format("{:.{}f}", value, std::min(decimals, 7));
}

std::string signed_seconds(double difference_s) { return (difference_s > 0 ? "+" : "") + seconds_text(difference_s); }

std::string time_text(double time_s) {
  constexpr const char* units[] = {"s", "ms", "us", "ns"};
  std::size_t unit = 0;
  for (; unit + 1 < std::size(units) && std::fabs(time_s) < 0.9995; ++unit) time_s *= 1000;
  if (std::fabs(time_s) < 1e-3) return "0 s"; // what the rounding of sums leaves
  return fmt::format("{} {}", significant(time_s, 3), units[unit]);
}

AlikeTimes alike_times(const std::vector<double>& times_s) {
  constexpr int digits = 3;
  const double largest = largest_of(times_s);
  const CommonUnit unit = common_unit_of(largest);
  const int decimals = largest < rounding_s ? 0 : decimals_of(largest * unit.scale, digits);
  AlikeTimes alike;
  alike.unit = unit.name;
  for (const double time_s : times_s) {
    std::string text = fixed(time_s * unit.scale, decimals);
    alike.texts.push_back(text.find_first_not_of("0.") == text.npos ? "0" : std::move(text));
  }
  return alike;
}

AlikeTimes compared_times(double before_s, double after_s) {
  constexpr int digits = 4;
  const CommonUnit unit = common_unit_of(largest_of({before_s, after_s}));
  AlikeTimes alike;
  alike.unit = unit.name;
  for (const double time_s : {before_s, after_s})
    alike.texts.push_back(std::fabs(time_s) < rounding_s ? "0" : significant(time_s * unit.scale, digits));
  return alike;
}

std::string before_and_after(double before_s, double after_s, std::string_view arrow) {
  const AlikeTimes times = compared_times(before_s, after_s);
  return fmt::format("{} {} {} {}", times.texts[0], arrow, times.texts[1], times.unit);
}

std::string in_seconds(double time_s) {
  const AlikeTimes time = alike_times({time_s});
  return time.texts.front() + ' ' + time.unit;
}

std::string seconds_text(double time_s) {
  const double size = std::fabs(time_s);
  if (size < rounding_s) return "0";
  return size < least_without_unit_s ? time_text(time_s) : significant(time_s);
}

int decimals_of(double largest, int digits) {
  constexpr int most = 9;
  if (largest == 0) return 0;
  return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(std::fabs(largest)))), 0, most);
}

std::string signed_text(double difference, int decimals) {
  const std::string text = fixed(difference, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos) return {};
  return difference > 0 ? "+" + text : text;
}

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  // A rounded -0.00 is a zero.
  if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string fixed(const std::optional<double>& value, int decimals) { return value ? fixed(*value, decimals) : "-"; }

std::string percent_text(const std::optional<double>& percent) { return percent ? fixed(*percent, 1) : std::string(); }

std::string seconds_above_zero(double time_s) {
  const std::string text = time_s > 0 ? seconds_text(time_s) : std::string();
  return text == "0" ? std::string() : text;
}

std::string counted(std::size_t count, std::string_view noun) {
  const char* ending = count == 1 ? "" : noun.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", count, noun, ending);
}

std::string count_text(double count) {
  if (count < 1e7) return fmt::format("{:.0f}", count);
  if (count < 1e9) return fmt::format("{:.3g}M", count * 1e-6);
  if (count < 1e12) return fmt::format("{:.3g}G", count * 1e-9);
  return fmt::format("{:.3g}", count);
}

std::string about_count_text(double count) {
  if (count >= 1e7 || count < 1) return count_text(count);
  const double step = std::pow(10, std::max(0.0, std::floor(std::log10(count)) - 2));
  const double rounded = std::round(count / step) * step;
  return rounded < 1e6 ? count_text(rounded) : fmt::format("{:.3g}M", rounded * 1e-6);
}

std::string place_text(int ranks, int threads, bool grid) {
  std::string text = fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s");
  if (grid) text += fmt::format(" x {} thread{}", threads, threads == 1 ? "" : "s");
  return text;
}

std::string bytes_text(double bytes) {
  if (bytes < 1000) return fmt::format("{:.0f} B", bytes);
  constexpr const char* prefixes[] = {"kB", "MB", "GB", "TB", "PB"};
  int prefix = -1;
  while (bytes >= 999.5 && prefix < 4) bytes /= 1000, ++prefix;
  return fmt::format("{} {}", significant(bytes, 3), prefixes[prefix]);
}

namespace {

template <class Text> std::string spread(const Estimate& estimate, Text text) {
  if (estimate.kind == Estimate::Kind::point) return {};
  const auto bound = [&text](const std::optional<double>& value) { return value ? text(*value) : std::string("-"); };
  if (estimate.kind == Estimate::Kind::range) return fmt::format("{}..{}", bound(estimate.low), bound(estimate.high));
  return fmt::format("[{}, {}]", bound(estimate.low), bound(estimate.high));
}

} // namespace

std::string bounds_text(double low, double high) {
  const std::string from = fixed(low, 0), to = fixed(high, 0);
  return from == to ? to : from + ".." + to;
}

std::string spread_text(const Estimate& estimate, int digits) {
  return spread(estimate, [digits](double value) { return significant(value, digits); });
}

std::string seconds_spread(const Estimate& time_s) {
  // Without a unit behind the one end that of the other seems to hold for both.
  const double largest_s = std::max(std::fabs(time_s.low.value_or(0)), std::fabs(time_s.high.value_or(0)));
  if (largest_s < least_without_unit_s) return spread(time_s, seconds_text);
  return spread(time_s, [=](double value_s) -> std::string {
    if (std::fabs(value_s) >= least_without_unit_s) return significant(value_s);
    return std::fabs(value_s) < rounding_s ? "0" : fixed(value_s, decimals_of(largest_s, 3));
  });
}

std::string estimate_text(const Estimate& estimate, int digits) {
  const std::string behind = spread_text(estimate, digits);
  return significant(estimate.median, digits) + (behind.empty() ? "" : ' ' + behind);
}

std::string fixed_spread(const Estimate& estimate, int decimals) {
  return spread(estimate, [decimals](double value) { return fixed(value, decimals); });
}

std::string fixed_text(const Estimate& estimate, int decimals) {
  const std::string behind = fixed_spread(estimate, decimals);
  return fixed(estimate.median, decimals) + (behind.empty() ? "" : ' ' + behind);
}

} // namespace andes::postproc
