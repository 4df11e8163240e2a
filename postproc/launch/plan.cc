// Interleaving: a slow hour of the machine falls on all sizes alike, and on both runs of a pair.
#include "postproc/launch/plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "common/message.h"
#include "postproc/launch/count_list.h"

namespace andes::postproc {
namespace {

constexpr std::size_t most_sizes = 10'000;

/// A list of a sweep under the name that stands in braces.
struct Loop {
  std::string name;
  std::size_t count = 0;
  std::size_t group = 0; // lists of a group advance together
};

/// The lists in the order of their loops, outermost first.
std::vector<Loop> loops_of(const SizeLists& lists) {
  std::vector<Loop> loops;
  for (const AxisList& axis : lists.axes) loops.push_back({axis.name, axis.values.size(), loops.size()});
  if (!lists.ranks.empty()) loops.push_back({"p", lists.ranks.size(), loops.size()});
  if (!lists.threads.empty()) loops.push_back({"t", lists.threads.size(), loops.size()});
  const Loop* first = nullptr;
  for (Loop& list : loops) {
    if (std::find(lists.zipped.begin(), lists.zipped.end(), list.name) == lists.zipped.end()) continue;
    if (first && first->count != list.count)
      refuse(fmt::format("--zip {}", fmt::join(lists.zipped, ",")),
             fmt::format("{} has {} values, and {} has {}", first->name, first->count, list.name, list.count),
             "give lists of the same length");
    if (first) list.group = first->group;
    else first = &list;
  }
  return loops;
}

/// Puts in for each {NAME} what `value_of` knows, in one pass: values may have braces themselves.
std::vector<std::string> put_in(std::vector<std::string> words,
                                const std::function<std::optional<std::string>(const std::string&)>& value_of) {
  for (std::string& word : words)
    for (std::size_t at = 0; (at = word.find('{', at)) != std::string::npos;) {
      const std::size_t end = word.find('}', at);
      if (end == std::string::npos) break;
      const auto value = value_of(word.substr(at + 1, end - at - 1));
      if (value) word.replace(at, end + 1 - at, *value);
      at += value ? value->size() : 1;
    }
  return words;
}

} // namespace

std::vector<Size> sizes_of(const SizeLists& lists) {
  const std::vector<Loop> loops = loops_of(lists);
  const auto is_zipped = [&lists](const std::string& name) {
    return std::find(lists.zipped.begin(), lists.zipped.end(), name) != lists.zipped.end();
  };
  const bool grows = !lists.weak.empty() && !(is_zipped("p") && is_zipped(lists.weak));
  const auto smallest = std::min_element(lists.ranks.begin(), lists.ranks.end());
  std::vector<std::size_t> at(loops.size()); // by group
  std::vector<Size> sizes;
  std::set<Size> seen;
  for (;;) {
    Size size;
    for (std::size_t l = 0; l < loops.size(); ++l) {
      const std::size_t i = at[loops[l].group];
      if (l < lists.axes.size()) size.axes.push_back({loops[l].name, lists.axes[l].values[i]});
      else (loops[l].name == "p" ? size.ranks : size.threads) = (loops[l].name == "p" ? lists.ranks : lists.threads)[i];
    }
    for (std::size_t a = 0; a < size.axes.size(); ++a)
      if (AxisValue& axis = size.axes[a]; axis.name == lists.weak) {
        const auto smallest_at = static_cast<std::size_t>(smallest - lists.ranks.begin());
        size.weak_base = grows ? axis.value : lists.axes[a].values[smallest_at];
        if (grows) axis.value = grown(axis, size.ranks, *smallest);
      }
    if (!seen.insert(size).second)
      refuse("--vary", fmt::format("{} is named twice", describe(size)), "use --repeat for more runs of a size");
    if (sizes.size() == most_sizes)
      refuse("run", fmt::format("more than {} sizes", most_sizes), "give shorter lists, or pair them with --zip");
    sizes.push_back(std::move(size));
    std::size_t l = loops.size();
    while (l > 0) { // the next one: the innermost loop that has not ended
      --l;
      if (loops[l].group != l) continue;
      if (++at[l] < loops[l].count) break;
      at[l] = 0;
      if (l == 0) return sizes;
    }
    if (loops.empty()) return sizes;
  }
}

std::vector<Planned> plan_turn(const std::vector<Size>& sizes, int repeat, bool overhead) {
  std::vector<Planned> turn;
  const bool first = repeat % 2 == 1;
  for (const Size& size : sizes) {
    if (overhead) turn.push_back({size, repeat, !first});
    turn.push_back({size, repeat, overhead ? first : true});
  }
  return turn;
}

std::vector<std::string> words_for(const std::vector<std::string>& command, const Size& size) {
  return put_in(command, [&size](const std::string& name) -> std::optional<std::string> {
    if (name == "p" && size.ranks) return std::to_string(size.ranks);
    if (name == "t" && size.threads) return std::to_string(size.threads);
    for (const AxisValue& axis : size.axes)
      if (axis.name == name) return axis.value;
    return {};
  });
}

std::vector<std::string> placeholders_in(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  put_in(words, [&names](const std::string& name) -> std::optional<std::string> {
    constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    const bool is_name =
        !name.empty() && name.find_first_not_of(letters) == std::string::npos && (name[0] < '0' || name[0] > '9');
    if (is_name && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return {};
  });
  return names;
}

std::string describe(const Size& size) {
  std::vector<std::string> parts;
  for (const AxisValue& axis : size.axes) parts.push_back(fmt::format("{} = {}", axis.name, axis.value));
  if (size.ranks) parts.push_back(fmt::format("p = {}", size.ranks));
  if (size.threads) parts.push_back(fmt::format("t = {}", size.threads));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string in_words(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

} // namespace andes::postproc
