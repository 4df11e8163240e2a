// Table: aligned columns of text for a terminal. One column may give way so that lines fit.
#pragma once
#include <string>
#include <vector>

#include "postproc/view/terminal.h"

namespace andes::postproc {

struct Cell {
  Cell(std::string text_ = {}, Style style_ = Style::plain) : text(std::move(text_)), style(style_) {}
  Cell(const char* text_) : text(text_) {}
  std::string text;
  Style style = Style::plain;
  std::string stem = {}; // before the text, and whole where that is cut: the branches of a tree
};

struct TableColumn {
  std::string title;
  enum class Align { left, right } align = Align::right;
  bool gives_way = false; // its text is cut when lines are too long, the widest column first
  int least = 24;         // but to no less than this
};

struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::vector<Cell>> rows; // as many cells as columns
};

/// The table with its titles, each line behind `margin` spaces; columns without any text are left
/// out. Below a call path that looks like another one when it is cut stands the whole.
std::string table_text(const Terminal& terminal, const Table& table, int margin = 2);

/// Whether the lines fit the terminal while the text of the column that gives way stays readable.
bool fits(const Terminal& terminal, const Table& table, int margin = 2);

} // namespace andes::postproc
