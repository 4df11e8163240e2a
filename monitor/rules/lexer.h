// Splits rule text into tokens. The @ before a parameter's name is optional, so it is not a token.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/rules/diagnostic.h"

namespace andes::monitor::rules {

enum class TokenKind : std::uint8_t { word, integer, real, string, symbol, end };

struct Token {
  TokenKind kind;
  std::size_t offset; // byte of the source
  std::string_view text; // of the source; of a string without its quotes
  std::int64_t integer = 0;
  double real = 0;
};

/// Tokens of a source, the last one of kind `end`. Errors are reported and skipped. The source must stay.
std::vector<Token> tokens_of(const Errors& errors);

/// Value of a string: \" and \\ are " and \, a line break with the blanks around it is one blank.
std::string value_of(std::string_view literal);

} // namespace andes::monitor::rules
