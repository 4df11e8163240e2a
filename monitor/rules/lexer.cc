#include "monitor/rules/lexer.h"

#include <algorithm>
#include <charconv>

namespace andes::monitor::rules {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Letters of any script: bytes of UTF-8 beyond ASCII count as letters.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

struct Lexer {
  const Errors& errors;
  const std::string_view text;
  std::size_t at = 0;
  std::vector<Token> tokens;

  char peek(std::size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
};

void read_number(Lexer& lexer) {
  const std::size_t begin = lexer.at;
  bool real = false;
  while (is_digit(lexer.peek())) ++lexer.at;
  if (lexer.peek() == '.' && is_digit(lexer.peek(1))) {
    real = true;
    ++lexer.at;
    while (is_digit(lexer.peek())) ++lexer.at;
  }
  if (lexer.peek() == 'e' || lexer.peek() == 'E') {
    const std::size_t sign = lexer.peek(1) == '+' || lexer.peek(1) == '-' ? 1 : 0;
    if (is_digit(lexer.peek(1 + sign))) {
      real = true;
      lexer.at += 1 + sign;
      while (is_digit(lexer.peek())) ++lexer.at;
    }
  }
  Token token{real ? TokenKind::real : TokenKind::integer, begin, lexer.text.substr(begin, lexer.at - begin)};
  const char* first = token.text.data();
  const char* last = first + token.text.size();
  const auto result = real ? std::from_chars(first, last, token.real) : std::from_chars(first, last, token.integer);
  if (result.ec != std::errc())
    report(lexer.errors, begin,
           "number " + quoted(token.text) + " is too large; " +
               (real ? "numbers end at 1e308" : "whole numbers end at 9223372036854775807"));
  if (is_letter(lexer.peek())) {
    const std::size_t word = lexer.at;
    while (is_letter(lexer.peek()) || is_digit(lexer.peek())) ++lexer.at;
    report(lexer.errors, word,
           "number " + quoted(token.text) + " runs into " + quoted(lexer.text.substr(word, lexer.at - word)) +
               "; numbers have no units (times are nanoseconds)");
  }
  lexer.tokens.push_back(std::move(token));
}

void read_string(Lexer& lexer) {
  const std::size_t begin = lexer.at++;
  while (lexer.at < lexer.text.size() && lexer.peek() != '"')
    lexer.at += lexer.peek() == '\\' && lexer.at + 1 < lexer.text.size() ? 2 : 1;
  if (lexer.at >= lexer.text.size()) {
    lexer.at = lexer.text.size();
    report(lexer.errors, begin, "string has no end; close it with \"");
  }
  lexer.tokens.push_back({TokenKind::string, begin, lexer.text.substr(begin + 1, lexer.at - begin - 1)});
  if (lexer.at < lexer.text.size()) ++lexer.at;
}

void read_word(Lexer& lexer) {
  const std::size_t begin = lexer.at;
  while (is_letter(lexer.peek()) || is_digit(lexer.peek())) ++lexer.at;
  lexer.tokens.push_back({TokenKind::word, begin, lexer.text.substr(begin, lexer.at - begin)});
}

void read_symbol(Lexer& lexer) {
  static constexpr std::string_view two[] = {"<>", "!=", "<=", ">="};
  for (const std::string_view symbol : two)
    if (lexer.text.substr(lexer.at, 2) == symbol) {
      lexer.tokens.push_back({TokenKind::symbol, lexer.at, symbol});
      lexer.at += 2;
      return;
    }
  if (std::string_view(";.,()=<>+-*/").find(lexer.peek()) != std::string_view::npos)
    lexer.tokens.push_back({TokenKind::symbol, lexer.at, lexer.text.substr(lexer.at, 1)});
  else if (static_cast<unsigned char>(lexer.peek()) < 0x20 || lexer.peek() == 0x7f)
    report(lexer.errors, lexer.at, "unprintable character; take it out");
  else
    report(lexer.errors, lexer.at,
           "character " + quoted(std::string(1, lexer.peek())) + " has no meaning in rules; take it out");
  ++lexer.at;
}

} // namespace

std::string value_of(std::string_view literal) {
  std::string value;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == '\n' || literal[i] == '\r') {
      while (!value.empty() && is_blank(value.back())) value.pop_back();
      while (i + 1 < literal.size() && is_blank(literal[i + 1])) ++i;
      if (!value.empty() && i + 1 < literal.size()) value += ' ';
    } else {
      if (literal[i] == '\\' && i + 1 < literal.size() && (literal[i + 1] == '"' || literal[i + 1] == '\\')) ++i;
      value += literal[i];
    }
  }
  return value;
}

std::vector<Token> tokens_of(const Errors& errors) {
  Lexer lexer{errors, errors.source->text, 0, {}};
  if (lexer.text.starts_with("\xef\xbb\xbf")) lexer.at = 3; // mark of UTF-8 at the beginning of a file
  lexer.tokens.reserve(lexer.text.size() / 6); // a typical number for rules without comments
  while (lexer.at < lexer.text.size()) {
    const char c = lexer.peek();
    if (is_blank(c)) ++lexer.at;
    else if (c == '#') lexer.at = std::min(lexer.text.find('\n', lexer.at), lexer.text.size());
    else if (c == '@' && is_letter(lexer.peek(1))) ++lexer.at;
    else if (is_digit(c)) read_number(lexer);
    else if (c == '"') read_string(lexer);
    else if (is_letter(c)) read_word(lexer);
    else read_symbol(lexer);
  }
  lexer.tokens.push_back({TokenKind::end, lexer.text.size(), ""});
  return std::move(lexer.tokens);
}

} // namespace andes::monitor::rules
