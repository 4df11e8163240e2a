// Texts of axes become parts of names; two that would look alike are told apart by their place in the list.
#include "postproc/launch/file_names.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "monitor/interface/part_of_name.h"

namespace andes::postproc {
namespace {

constexpr std::size_t longest_value = 40; // in a name

std::size_t digits_of(int number) { return std::to_string(number).size(); }

std::string value_in_name(const std::string& value) {
  std::string text = part_of_name(value.substr(0, longest_value));
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

/// The values of an axis as parts of names, which are all different.
std::map<AxisValue, std::string> parts_of(const std::string& name, const std::vector<std::string>& values) {
  const bool whole = std::all_of(values.begin(), values.end(), [](const std::string& value) {
    return value.find_first_not_of("0123456789") == std::string::npos && value.size() <= longest_value;
  });
  std::size_t longest = 0;
  std::set<std::string> different;
  for (const std::string& value : values) {
    longest = std::max(longest, value.size());
    different.insert(value_in_name(value));
  }
  const bool unique = different.size() == values.size();
  std::map<AxisValue, std::string> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string text = value_in_name(values[i]);
    if (whole) text = std::string(longest - text.size(), '0') + text;
    if (!unique) text = fmt::format("{:0{}}-{}", i + 1, std::to_string(values.size()).size(), text);
    std::string doubled;
    for (const char c : name + "=" + text) doubled.append(c == '%' ? 2 : 1, c);
    parts[{name, values[i]}] = doubled;
  }
  return parts;
}

} // namespace

FileNames::FileNames(const std::vector<Size>& sizes, const Repeats& repeats) {
  if (repeats.automatic) repeat_digits_ = digits_of(repeats.count);
  if (sizes.front().axes.empty()) return;
  repeat_digits_ = digits_of(repeats.count);
  for (const Size& size : sizes) {
    ranks_digits_ = std::max(ranks_digits_, digits_of(size.ranks));
    threads_digits_ = std::max(threads_digits_, digits_of(size.threads));
  }
  for (std::size_t a = 0; a < sizes.front().axes.size(); ++a) {
    std::vector<std::string> values;
    for (const Size& size : sizes)
      if (std::find(values.begin(), values.end(), size.axes[a].value) == values.end())
        values.push_back(size.axes[a].value);
    parts_.merge(parts_of(sizes.front().axes[a].name, values));
  }
}

std::string FileNames::pattern(const Size& size, int repeat) const {
  std::string name;
  for (const AxisValue& axis : size.axes) name += parts_.at(axis) + '.';
  name += size.ranks ? fmt::format("p{:0{}}", size.ranks, ranks_digits_) : "p%p";
  if (size.threads) name += fmt::format("t{:0{}}", size.threads, threads_digits_);
  return name + fmt::format(".{:0{}}.andes", repeat, repeat_digits_);
}

} // namespace andes::postproc
