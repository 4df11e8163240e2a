// Reading axes, with messages that name what is at fault.
#include "postproc/launch/axes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "common/message.h"

namespace andes::postproc {
namespace {

constexpr const char* example = "write for example --vary N=1000,2000,4000";

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

/// Nothing unless all of the text is the number.
template <class Number> std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stopped != end) return {};
  return number;
}

} // namespace

AxisList read_axis(const std::string& text) {
  const std::string option = "--vary " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse(option, "the values are missing", example);
  AxisList axis{text.substr(0, equals), split(std::string_view(text).substr(equals + 1))};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool is_name =
      !axis.name.empty() && is_letter(axis.name[0]) &&
      std::all_of(axis.name.begin(), axis.name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  if (!is_name) refuse(option, fmt::format("\"{}\" is not a name of letters, digits and _", axis.name), example);
  if (axis.name == "p" || axis.name == "t")
    refuse(option, fmt::format("{{{}}} stands for the number of {}", axis.name, axis.name == "p" ? "ranks" : "threads"),
           fmt::format("use {}, or another name", axis.name == "p" ? "--ranks" : "--threads"));
  if (std::find(axis.values.begin(), axis.values.end(), "") != axis.values.end())
    refuse(option, "a value is missing", example);
  return axis;
}

std::vector<std::string> read_names(const std::string& text) {
  std::vector<std::string> names = split(text);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty() || std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
                                names.begin() + static_cast<std::ptrdiff_t>(i))
      refuse("--zip " + text, names[i].empty() ? "a name is missing" : names[i] + " is named twice",
             "name the lists to pair: --zip p,N");
  if (names.size() < 2) refuse("--zip " + text, "one list cannot be paired", "name the lists to pair: --zip p,N");
  return names;
}

std::string grown(const AxisValue& value, int ranks, int base_ranks) {
  if (ranks == base_ranks) return value.value;
  const std::string object = fmt::format("--weak {}", value.name);
  if (const auto whole = number_in<std::int64_t>(value.value)) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(*whole, std::int64_t{ranks}, &product))
      refuse(object, fmt::format("{} x {} is too large", value.value, ranks), "give smaller values");
    if (product % base_ranks != 0)
      refuse(
          object, fmt::format("{} x {} / {} is not a whole number", value.value, ranks, base_ranks),
          fmt::format("give a multiple of {}, or pair the values with the ranks: --zip p,{}", base_ranks, value.name));
    return std::to_string(product / base_ranks);
  }
  const auto real = number_in<double>(value.value);
  if (!real || !std::isfinite(*real))
    refuse(object, fmt::format("\"{}\" is not a number that could grow with the ranks", value.value),
           fmt::format("give numbers, or pair the values with the ranks: --zip p,{}", value.name));
  return fmt::format("{:.12g}", *real * ranks / base_ranks);
}

std::string text_of(const AxisValue& value) { return value.name + "=" + value.value; }

} // namespace andes::postproc
