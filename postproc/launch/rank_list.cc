// Rank lists: parsing with messages that name the element at fault.
#include "postproc/launch/rank_list.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "postproc/launch/message.h"

namespace andes {
namespace {

constexpr int largest_count = 100'000'000; // beyond any machine; keeps arithmetic within int
constexpr std::size_t longest_list = 10'000;

[[noreturn]] void refuse_list(const std::string& text, const std::string& fact) {
  refuse("--ranks {}: {}; write for example 1,2,4 or 1-4 or 2-16:2", text, fact);
}

int read_count(const std::string& list, std::string_view text) {
  int count = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  if (text.empty()) refuse_list(list, "a number is missing");
  if (error == std::errc::result_out_of_range || (error == std::errc() && count > largest_count))
    refuse_list(list, fmt::format("{} is too large", text));
  if (error != std::errc() || stopped != end)
    refuse_list(list, fmt::format("\"{}\" is not a number", text));
  if (count < 1) refuse_list(list, fmt::format("{} is not a number of ranks", count));
  return count;
}

} // namespace

std::vector<int> read_rank_list(const std::string& text) {
  std::vector<int> counts;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    std::string_view element = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);

    int step = 1;
    if (const std::size_t colon = element.find(':'); colon != std::string_view::npos) {
      step = read_count(text, element.substr(colon + 1));
      element = element.substr(0, colon);
      if (element.find('-', 1) == std::string_view::npos)
        refuse_list(text, "a step needs a range before it");
    }
    const std::size_t dash = element.find('-', 1); // a leading minus is part of a (bad) number
    const int first = read_count(text, element.substr(0, dash));
    const int last =
        dash == std::string_view::npos ? first : read_count(text, element.substr(dash + 1));
    if (last < first) refuse_list(text, fmt::format("{}-{} runs backwards", first, last));
    for (long count = first; count <= last; count += step) {
      if (std::find(counts.begin(), counts.end(), count) != counts.end())
        refuse("--ranks {}: {} is named twice; use --repeat for more runs of a rank count", text,
               count);
      if (counts.size() == longest_list)
        refuse_list(text, fmt::format("more than {} rank counts", longest_list));
      counts.push_back(static_cast<int>(count));
    }
  }
  return counts;
}

bool mentions_p(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.find("{p}") != std::string::npos; });
}

std::vector<std::string> substitute_p(const std::vector<std::string>& words, const std::string& p) {
  std::vector<std::string> result = words;
  for (std::string& word : result)
    for (std::size_t at = 0; (at = word.find("{p}", at)) != std::string::npos; at += p.size())
      word.replace(at, 3, p);
  return result;
}

} // namespace andes
