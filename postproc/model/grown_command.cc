// Decision 309. What two arguments have in common around a number stays as it is: "nx=200" and "nx=800" are
// "nx=200..800".
#include "postproc/model/grown_command.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

namespace andes::postproc {
namespace {

bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == '.'; }

std::string range_of(const std::string& small, const std::string& large) {
  if (small == large) return small;
  const std::size_t shortest = std::min(small.size(), large.size());
  std::size_t before = 0, behind = 0;
  while (before < shortest && small[before] == large[before]) ++before;
  while (before > 0 && is_of_number(small[before - 1])) --before;
  while (behind < shortest - before && small[small.size() - 1 - behind] == large[large.size() - 1 - behind]) ++behind;
  while (behind > 0 && is_of_number(small[small.size() - behind])) --behind;
  const std::string from = small.substr(before, small.size() - before - behind);
  const std::string to = large.substr(before, large.size() - before - behind);
  const bool are_numbers =
      !from.empty() && !to.empty() && std::ranges::all_of(from, is_of_number) && std::ranges::all_of(to, is_of_number);
  if (!are_numbers) return small + ".." + large;
  return small.substr(0, small.size() - behind) + ".." + large.substr(before);
}

std::vector<std::string> arguments_of(const Profile& run) {
  std::vector<std::string> arguments;
  const auto list = nlohmann::json::parse(fact_text(run, "arguments", "[]"), nullptr, false);
  if (!list.is_array()) return arguments;
  for (const auto& argument : list) arguments.push_back(argument.is_string() ? argument.get<std::string>() : "?");
  return arguments;
}

} // namespace

std::string grown_command_line(const Profile& smallest, const Profile& largest) {
  const std::vector<std::string> small = arguments_of(smallest), large = arguments_of(largest);
  if (small.size() != large.size()) return command_line(largest);
  nlohmann::json arguments = nlohmann::json::array();
  for (std::size_t i = 0; i < small.size(); ++i) arguments.push_back(range_of(small[i], large[i]));
  Profile both;
  both.facts = largest.facts;
  both.facts["arguments"] = arguments.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return command_line(both);
}

} // namespace andes::postproc
