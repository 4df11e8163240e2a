// Splits rule text into tokens. The @ before a parameter's name is optional, so it is not a token.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/rules/diagnostic.h"

namespace andes::monitor::rules {

enum class TokenKind : std::uint8_t { word, integer, real, string, symbol, end };

struct Token {
  TokenKind kind;
  std::size_t offset; // byte of the source
  std::string text;   // of a string: its value, a line break and the blanks around it being one
  std::int64_t integer = 0;
  double real = 0;
};

/// Tokens of a source, the last one of kind `end`. Errors are reported and skipped.
std::vector<Token> tokens_of(const Errors& errors);

} // namespace andes::monitor::rules
