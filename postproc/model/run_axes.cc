#include "postproc/model/run_axes.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace andes::postproc {
namespace {

RunAxis axis_in(const std::string& text) {
  const std::size_t equals = text.find('=');
  return {text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1), false, {}};
}

} // namespace

std::vector<RunAxis> axes_of(const Profile& profile) {
  std::vector<RunAxis> axes;
  const auto list = nlohmann::json::parse(fact_text(profile, "axes"), nullptr, false);
  if (!list.is_array()) return axes;
  const RunAxis weak = axis_in(fact_text(profile, "weak"));
  for (const auto& text : list) {
    if (!text.is_string()) return {};
    axes.push_back(axis_in(text.get<std::string>()));
    RunAxis& axis = axes.back();
    axis.grows = !weak.name.empty() && axis.name == weak.name;
    if (axis.grows) axis.base = weak.value;
  }
  return axes;
}

std::optional<double> number_of(const std::string& value) {
  double number = 0;
  const char* end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, number);
  if (value.empty() || error != std::errc() || stopped != end || !std::isfinite(number)) return {};
  return number;
}

bool value_less(const std::string& a, const std::string& b) {
  const auto left = number_of(a), right = number_of(b);
  if (left && right && *left != *right) return *left < *right;
  if (left.has_value() != right.has_value()) return left.has_value();
  return a < b;
}

} // namespace andes::postproc
