// Terminal: what the place that text goes to can show, and how to cut and colour text for it.
#pragma once
#include <string>
#include <string_view>

#include "common/printable.h"

namespace andes::postproc {

struct Terminal {
  int width = 100;
  bool colour = false, utf8 = false;
};

enum class Style { plain, bold, dim, red, yellow, green, cyan };

/// Of standard output: as wide as the terminal (or COLUMNS), 100 in a pipe; colour only on a
/// terminal and without NO_COLOR (https://no-color.org); box lines where the locale is UTF-8.
Terminal standard_output();

/// `text` in a style, or as it is where there is no colour.
std::string styled(const Terminal& terminal, Style style, std::string_view text);

/// Number of characters (code points) of UTF-8 text.
int width_of(std::string_view text);

/// Cuts text longer than `width` in the middle, on character boundaries.
std::string cut_middle(std::string_view text, int width, bool utf8);

/// The end of text longer than `width`, behind two dots.
std::string cut_front(std::string_view text, int width, bool utf8);

/// Sentences are not read well in longer lines.
inline constexpr int readable_width = 110;

/// Breaks a sentence into lines of at most `width`, each behind `first` or `rest` as margin.
std::string wrapped(std::string_view text, int width, std::string_view first, std::string_view rest);

/// Of a bar of `width` cells for `most`: how many are full for `value`.
int cells_of(double value, double most, int width);

/// A bar of full cells, and behind them dots up to `up_to` cells.
std::string bar_text(const Terminal& terminal, int full, int up_to = 0);

/// Writes text to standard output, through a pager (pager.h) where it is longer than the terminal. Throws Refusal when
/// that fails (a full disk, say).
void print(const std::string& text);

} // namespace andes::postproc
