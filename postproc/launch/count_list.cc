// Lists of counts: parsing with messages that name the element at fault.
#include "postproc/launch/count_list.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "common/message.h"

namespace andes::postproc {
namespace {

constexpr int largest_count = 100'000'000; // beyond any machine; keeps arithmetic within int
constexpr std::size_t longest_list = 10'000;

struct List {
  const Counted& what;
  const std::string& text;
};

[[noreturn]] void refuse_list(const List& list, const std::string& fact) {
  refuse(fmt::format("{} {}", list.what.option, list.text), fact, "write for example 1,2,4 or 1-4 or 2-16:2");
}

int read_count(const List& list, std::string_view text) {
  int count = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  if (text.empty()) refuse_list(list, "a number is missing");
  if (error == std::errc::result_out_of_range || (error == std::errc() && count > largest_count))
    refuse_list(list, fmt::format("{} is too large", text));
  if (error != std::errc() || stopped != end) refuse_list(list, fmt::format("\"{}\" is not a number", text));
  if (count < 1) refuse_list(list, fmt::format("{} is not a number of {}s", count, list.what.one));
  return count;
}

} // namespace

std::vector<int> read_count_list(const std::string& text, const Counted& what) {
  const List list{what, text};
  std::vector<int> counts;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    std::string_view element = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);

    int step = 1;
    if (const std::size_t colon = element.find(':'); colon != std::string_view::npos) {
      step = read_count(list, element.substr(colon + 1));
      element = element.substr(0, colon);
      if (element.find('-', 1) == std::string_view::npos) refuse_list(list, "a step needs a range before it");
    }
    const std::size_t dash = element.find('-', 1); // a leading minus is part of a (bad) number
    const int first = read_count(list, element.substr(0, dash));
    const int last = dash == std::string_view::npos ? first : read_count(list, element.substr(dash + 1));
    if (last < first) refuse_list(list, fmt::format("{}-{} runs backwards", first, last));
    for (long count = first; count <= last; count += step) {
      if (std::find(counts.begin(), counts.end(), count) != counts.end())
        refuse(fmt::format("{} {}", what.option, text), fmt::format("{} is named twice", count),
               fmt::format("use --repeat for more runs of a {} count", what.one));
      if (counts.size() == longest_list)
        refuse_list(list, fmt::format("more than {} {} counts", longest_list, what.one));
      counts.push_back(static_cast<int>(count));
    }
  }
  return counts;
}

bool mentions(const std::vector<std::string>& words, const std::string& placeholder) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.find(placeholder) != std::string::npos; });
}

std::vector<std::string> substitute(std::vector<std::string> words, const std::string& placeholder,
                                    const std::string& text) {
  for (std::string& word : words)
    for (std::size_t at = 0; (at = word.find(placeholder, at)) != std::string::npos; at += text.size())
      word.replace(at, placeholder.size(), text);
  return words;
}

} // namespace andes::postproc
