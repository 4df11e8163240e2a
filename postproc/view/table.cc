// Widths first, then lines; trailing blanks are never written.
#include "postproc/view/table.h"

#include <algorithm>
#include <numeric>

namespace andes {
namespace {

constexpr int gap = 2;
constexpr int least_giving_way = 24;

std::vector<int> widths_of(const Terminal& terminal, const Table& table, int margin) {
  std::vector<int> widths;
  int giving_way = -1;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    int width = 0;
    for (const auto& row : table.rows) width = std::max(width, width_of(row[c].text));
    if (width > 0) width = std::max(width, width_of(table.columns[c].title));
    widths.push_back(width);
    if (table.columns[c].gives_way) giving_way = static_cast<int>(c);
  }
  if (giving_way < 0) return widths;
  int total = margin - gap;
  for (const int width : widths) total += width > 0 ? width + gap : 0;
  int& flexible = widths[static_cast<std::size_t>(giving_way)];
  if (total > terminal.width)
    flexible = std::max(std::min(flexible, least_giving_way), flexible - (total - terminal.width));
  return widths;
}

} // namespace

std::string table_text(const Terminal& terminal, const Table& table, int margin) {
  const std::vector<int> widths = widths_of(terminal, table, margin);
  std::string text;
  const auto add_line = [&](const std::vector<Cell>& cells) {
    std::string line(static_cast<std::size_t>(margin), ' ');
    std::size_t bare = 0; // length up to the last visible character
    int pending = 0;
    bool first = true;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (widths[c] == 0) continue;
      const std::string cut = cut_middle(cells[c].text, widths[c], terminal.utf8);
      const int blanks = widths[c] - width_of(cut);
      const bool right = table.columns[c].align == TableColumn::Align::right;
      pending += (first ? 0 : gap) + (right ? blanks : 0);
      first = false;
      if (!cut.empty()) {
        line.append(static_cast<std::size_t>(pending), ' ');
        line += styled(terminal, cells[c].style, cut);
        pending = 0;
        bare = line.size();
      }
      if (!right || cut.empty()) pending += right ? 0 : blanks;
    }
    text += line.substr(0, bare) + '\n';
  };
  std::vector<Cell> titles;
  for (const TableColumn& column : table.columns) titles.emplace_back(column.title, Style::dim);
  add_line(titles);
  for (const auto& row : table.rows) add_line(row);
  return text;
}

} // namespace andes
