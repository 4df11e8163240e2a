// Widths first, then lines. When lines are too long, first the column that may gives way, then the
// gap between columns; trailing blanks are never written. Call paths that differ never look alike: where
// they would once they are cut, the whole path follows on lines of its own.
#include "postproc/view/table.h"
#include "postproc/view/name.h"

#include <algorithm>
#include <map>
#include <set>

namespace andes::postproc {
namespace {

constexpr int wide_gap = 2, narrow_gap = 1;
constexpr int readable_more = 8; // than the least width

struct Layout {
  std::vector<int> widths; // 0: left out
  int gap = wide_gap;
};

int cell_width(const Cell& cell) { return width_of(cell.stem) + width_of(cell.text); }

std::string cut(const Terminal& terminal, const Cell& cell, int width) {
  return cell.stem + cut_path(cell.text, std::max(0, width - width_of(cell.stem)), terminal.utf8);
}

/// The widest column that can still give way; null where there is none.
int* widest_to_cut(Layout& layout, const Table& table) {
  int* widest = nullptr;
  for (std::size_t c = 0; c < layout.widths.size(); ++c)
    if (int& width = layout.widths[c];
        table.columns[c].gives_way && width > table.columns[c].least && (!widest || width > *widest))
      widest = &width;
  return widest;
}

Layout layout_of(const Terminal& terminal, const Table& table, int margin) {
  Layout layout;
  int shown = 0, total = margin, yields = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    int width = 0;
    for (const auto& row : table.rows) width = std::max(width, cell_width(row[c]));
    if (width > 0) {
      width = std::max(width, width_of(table.columns[c].title));
      ++shown;
      if (table.columns[c].gives_way) yields += std::max(0, width - table.columns[c].least);
    }
    layout.widths.push_back(width);
    total += width;
  }
  const int gaps = std::max(0, shown - 1);
  int excess = total + wide_gap * gaps - terminal.width;
  if (excess > yields) {
    layout.gap = narrow_gap;
    excess -= gaps * (wide_gap - narrow_gap);
  }
  for (excess = std::min(excess, yields); excess > 0; --excess) --*widest_to_cut(layout, table);
  return layout;
}

std::string line_of(const Terminal& terminal, const Table& table, const Layout& layout, int margin,
                    const std::vector<Cell>& cells) {
  std::string line;
  int pending = margin; // blanks that stand before the next text, if there is one
  bool first = true;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const int width = layout.widths[c];
    if (width == 0) continue;
    const std::string text = cut(terminal, cells[c], width);
    const int missing = width - width_of(text);
    const bool right = table.columns[c].align == TableColumn::Align::right;
    pending += (first ? 0 : layout.gap) + (right ? missing : 0);
    first = false;
    if (!text.empty()) {
      line.append(static_cast<std::size_t>(pending), ' ');
      line += styled(terminal, cells[c].style, text);
      pending = 0;
    }
    if (!right) pending += missing;
  }
  return line + '\n';
}

/// The texts of the column that gives way that are call paths and differ, but not once they are cut.
std::set<std::string> alike_once_cut(const Terminal& terminal, const Table& table, const Layout& layout) {
  std::set<std::string> alike;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].gives_way) continue;
    std::map<std::string, std::set<std::string>> whole; // by what is left of them
    for (const auto& row : table.rows) whole[cut(terminal, row[c], layout.widths[c])].insert(row[c].text);
    for (auto& [cut, texts] : whole)
      if (texts.size() > 1) alike.merge(texts);
  }
  std::erase_if(alike, [](const std::string& text) { return text.find('>') == text.npos; });
  return alike;
}

} // namespace

bool fits(const Terminal& terminal, const Table& table, int margin) {
  const Layout layout = layout_of(terminal, table, margin);
  int total = margin - layout.gap;
  for (std::size_t c = 0; c < layout.widths.size(); ++c) {
    if (layout.widths[c] == 0) continue;
    int width = layout.widths[c];
    if (table.columns[c].gives_way)
      for (const auto& row : table.rows)
        width = std::max(width, std::min(table.columns[c].least + readable_more, cell_width(row[c])));
    total += width + layout.gap;
  }
  return total <= terminal.width;
}

std::string table_text(const Terminal& terminal, const Table& table, int margin) {
  const Layout layout = layout_of(terminal, table, margin);
  std::vector<Cell> titles;
  for (const TableColumn& column : table.columns) titles.emplace_back(column.title, Style::dim);
  std::string text = line_of(terminal, table, layout, margin, titles);
  const std::set<std::string> alike = alike_once_cut(terminal, table, layout);
  const std::string below(static_cast<std::size_t>(margin) + 4, ' ');
  for (const auto& row : table.rows) {
    text += line_of(terminal, table, layout, margin, row);
    for (const Cell& cell : row)
      if (alike.contains(cell.text)) text += wrapped(cell.text, terminal.width, below, below + "  ");
  }
  return text;
}

} // namespace andes::postproc
