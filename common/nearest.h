// The word that a user probably meant: for "did you mean" in messages.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace andes {

/// Edit distance: insertions, deletions, replacements and swaps of neighbours, no letter changed twice (optimal string
/// alignment).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    std::swap(last, row);
  }
  return last[b.size()];
}

/// The candidate with the smallest edit distance to `word`, if at most a third of the letters are wrong, or one; else
/// empty. So is what is too long for a name that somebody mistyped.
inline std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 80;
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  if (word.size() > longest) return best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    if (const std::size_t d = edit_distance(word, candidate); d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

} // namespace andes
