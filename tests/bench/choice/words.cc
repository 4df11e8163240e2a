// Counts words and finds similar ones: containers and algorithms of the standard library, lambdas, views of strings.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

class Words { // a range over the words of a text
public:
  explicit Words(std::string_view text) : text_(text) {}
  class Iterator {
  public:
    Iterator(std::string_view rest) : rest_(rest) { advance(); }
    std::string_view operator*() const { return word_; }
    Iterator& operator++() {
      advance();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return word_.data() != other.word_.data(); }

  private:
    void advance() {
      const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
      const auto begin = std::find_if(rest_.begin(), rest_.end(), is_letter);
      const auto end = std::find_if_not(begin, rest_.end(), is_letter);
      word_ = begin == rest_.end() ? std::string_view() : std::string_view(begin, std::size_t(end - begin));
      rest_ = std::string_view(end, std::size_t(rest_.end() - end));
    }
    std::string_view rest_, word_;
  };
  Iterator begin() const { return Iterator(text_); }
  Iterator end() const { return Iterator(std::string_view()); }

private:
  std::string_view text_;
};

std::string make_text(int words) {
  static const char* const syllables[] = {"ka", "lo", "mi", "ren", "tus", "ver", "dan", "os", "pri", "ul"};
  std::string text;
  unsigned seed = 1;
  const auto random = [&seed](unsigned below) { return ((seed = seed * 1664525u + 1013904223u) >> 8) % below; };
  for (int i = 0; i < words; ++i) {
    for (unsigned n = 1 + random(3); n > 0; --n) text += syllables[random(10)];
    text += random(12) == 0 ? ". " : " ";
  }
  return text;
}

std::string lower(std::string_view word) {
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return small;
}

template <typename Map> void count_words(const Words& words, Map& counts) {
  for (const std::string_view word : words) ++counts[lower(word)];
}

std::size_t distance_of(std::string_view a, std::string_view b) { // by Levenshtein
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = corner + (a[i] == b[j] ? 0 : 1);
      corner = std::exchange(row[j + 1], std::min({change, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

template <typename Key, typename Value> std::vector<std::pair<Key, Value>> by_count(const std::map<Key, Value>& counts) {
  std::vector<std::pair<Key, Value>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return sorted;
}

std::size_t similar_pairs(const std::vector<std::pair<std::string, int>>& words, std::size_t most) {
  std::size_t pairs = 0;
  for (auto a = words.begin(); a != words.end(); ++a)
    pairs += std::size_t(std::count_if(std::next(a), words.end(), [&](const auto& b) {
      return distance_of(a->first, b.first) <= most;
    }));
  return pairs;
}

} // namespace

int main(int count, char** arguments) {
  const std::string text = make_text(count > 1 ? std::atoi(arguments[1]) : 20000);
  const std::size_t compared = std::size_t(count > 2 ? std::atoi(arguments[2]) : 100);
  std::map<std::string, int> ordered;
  std::unordered_map<std::string, int> hashed;
  count_words(Words(text), ordered);
  count_words(Words(text), hashed);
  auto sorted = by_count(ordered);
  if (sorted.size() > compared) sorted.resize(compared);
  std::printf("%zu %zu %s %d %zu\n", ordered.size(), hashed.size(), sorted[0].first.c_str(), sorted[0].second,
              similar_pairs(sorted, 2));
}
