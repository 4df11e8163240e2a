#include "postproc/view/export/markdown.h"

#include <algorithm>

namespace andes::postproc {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + '\n';
}

} // namespace

std::string markdown_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '@' || c == '#') (result += c) += "<!-- -->"; // what follows is no name and no number for a forge
    else if (c == '<') result += "&lt;";
    else if (c == '&') result += "&amp;";
    else if (std::string_view("\\`*_[]~|$!").find(c) != std::string_view::npos) (result += '\\') += c;
    else result += c;
  }
  return result;
}

std::string markdown_table(const Table& table) {
  std::vector<std::size_t> shown;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return !row[column].text.empty(); }))
      shown.push_back(column);
  std::vector<std::string> titles, rules;
  for (const std::size_t column : shown) {
    titles.push_back(markdown_text(table.columns[column].title));
    rules.emplace_back(table.columns[column].align == TableColumn::Align::right ? "--:" : "---");
  }
  std::string text = line_of(titles) + line_of(rules);
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::size_t column : shown) cells.push_back(markdown_text(row[column].stem + row[column].text));
    text += line_of(cells);
  }
  return text;
}

std::string markdown_block(const std::string& lines) {
  std::string fence = "```";
  while (lines.find(fence) != lines.npos) fence += '`';
  return fence + "text\n" + lines + fence + '\n';
}

} // namespace andes::postproc
