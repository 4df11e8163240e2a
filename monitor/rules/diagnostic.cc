#include "monitor/rules/diagnostic.h"

#include <algorithm>

#include "common/nearest.h"

namespace andes::monitor::rules {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
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
