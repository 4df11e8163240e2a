// What standard output can show, asked once.
#include "postproc/view/terminal.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/refusal.h"
#include "postproc/view/pager.h"

namespace andes::postproc {
namespace {

constexpr int least_width = 60;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Bytes of the first `count` characters.
std::size_t bytes_of(std::string_view text, int count) {
  std::size_t at = 0;
  while (at < text.size() && count-- > 0) {
    ++at;
    while (at < text.size() && continues(text[at])) ++at;
  }
  return at;
}

} // namespace

Terminal standard_output() {
  Terminal terminal;
  const bool tty = ::isatty(STDOUT_FILENO) == 1;
  winsize size{};
  if (tty && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.width = size.ws_col;
  else if (const char* columns = std::getenv("COLUMNS"); columns && std::atoi(columns) > 0)
    terminal.width = std::atoi(columns);
  terminal.width = std::max(terminal.width, least_width);
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  terminal.colour = tty && (!no_colour || *no_colour == '\0') && kind && std::strcmp(kind, "dumb") != 0;
  if (std::setlocale(LC_CTYPE, "")) terminal.utf8 = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
  return terminal;
}

std::string styled(const Terminal& terminal, Style style, std::string_view text) {
  constexpr const char* codes[] = {"", "1", "2", "31", "33", "32", "36"};
  if (!terminal.colour || style == Style::plain || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", codes[static_cast<int>(style)], text);
}

int width_of(std::string_view text) {
  return static_cast<int>(text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues)));
}

std::string cut_middle(std::string_view text, int width, bool utf8) {
  const int length = width_of(text);
  if (length <= width) return std::string(text);
  const std::string_view dots = utf8 ? "\u2026" : "..";
  const int kept = std::max(0, width - width_of(dots));
  const std::string_view head = text.substr(0, bytes_of(text, kept - kept / 2));
  const std::string_view tail = text.substr(bytes_of(text, length - kept / 2));
  return fmt::format("{}{}{}", head, dots, tail);
}

std::string cut_front(std::string_view text, int width, bool utf8) {
  const int length = width_of(text);
  if (length <= width) return std::string(text);
  const std::string_view dots = utf8 ? "\u2026" : "..";
  const int kept = std::max(0, width - width_of(dots));
  return fmt::format("{}{}", dots, text.substr(bytes_of(text, length - kept)));
}

std::string wrapped(std::string_view text, int width, std::string_view first, std::string_view rest) {
  std::string lines, line(first);
  bool empty = true;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    if (!empty && width_of(line) + 1 + width_of(word) > width) {
      lines += line + '\n';
      line = rest;
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return lines + line + '\n';
}

int cells_of(double value, double most, int width) {
  return most > 0 ? std::clamp(static_cast<int>(std::lround(width * value / most)), 0, width) : 0;
}

std::string bar_text(const Terminal& terminal, int full, int up_to) {
  std::string text;
  for (int i = 0; i < std::max(full, up_to); ++i)
    text += i < full ? (terminal.utf8 ? "\u2588" : "#") : (terminal.utf8 ? "\u00b7" : ".");
  return text;
}

void print(const std::string& text) {
  if (page(text)) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    refuse("standard output", std::strerror(errno), "make room or write elsewhere");
}

} // namespace andes::postproc
