#include "monitor/rules/diagnostic.h"

#include <algorithm>

namespace andes::monitor::rules {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

/// Edit distance: number of insertions, deletions, replacements and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

} // namespace

std::uint32_t line_of(const Source& source, std::size_t offset) {
  const auto end = source.text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, source.text.size()));
  return 1 + static_cast<std::uint32_t>(std::count(source.text.begin(), end, '\n'));
}

void report(const Errors& errors, std::size_t offset, std::string message) {
  if (errors.all->size() >= Errors::limit) return;
  const std::string& text = errors.source->text;
  offset = std::min(offset, text.size());
  const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  std::size_t end = text.find('\n', offset);
  if (end == std::string::npos) end = text.size();
  std::string line = text.substr(begin, end - begin);
  const std::size_t column = 1 + characters(std::string_view(line).substr(0, offset - begin));
  if (!line.empty() && line.back() == '\r') line.pop_back();
  errors.all->push_back({errors.source->name, line_of(*errors.source, offset), static_cast<std::uint32_t>(column),
                         std::move(message), std::move(line)});
}

std::string text_of(const Diagnostic& diagnostic) {
  std::string blanks;
  std::uint32_t column = 1;
  for (const char c : diagnostic.source_line) {
    if (is_continuation(c)) continue;
    if (column++ >= diagnostic.column) break;
    blanks += c == '\t' ? '\t' : ' ';
  }
  return diagnostic.file + ":" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ": " +
         diagnostic.message + "\n" + diagnostic.source_line + "\n" + blanks + "^\n";
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 80;
  std::string best;
  std::size_t least = word.size() / 3 + 2; // at most one letter less than this may be wrong
  if (word.size() > longest) return best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t d = distance(word, candidate);
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

std::string hint(std::string_view word, const std::vector<std::string>& candidates, const std::string& otherwise) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? otherwise : "; did you mean '" + near + "'?";
}

std::string quoted(std::string_view text) {
  constexpr std::size_t shown = 60;
  std::string quoted = "'";
  if (text.size() <= shown) return quoted.append(text).append("'");
  std::size_t end = shown;
  while (end > 0 && is_continuation(text[end])) --end;
  return quoted.append(text.substr(0, end)).append("...'");
}

} // namespace andes::monitor::rules
