// Errors in rule files: collected with their place, printed with a caret. For an unknown name the
// nearest known one is suggested.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/rules/rules.h"

namespace andes::monitor::rules {

/// Collects the errors of one source. Errors beyond `limit` are dropped: one broken string causes many.
struct Errors {
  const Source* source;
  std::vector<Diagnostic>* all;
  static constexpr std::size_t limit = 20;
};

/// Adds an error at a byte of the source.
void report(const Errors& errors, std::size_t offset, std::string message);

/// Line of a byte of the source, from 1.
std::uint32_t line_of(const Source& source, std::size_t offset);

/// "; did you mean 'late_send'?" or, if none is near, `otherwise`.
std::string hint(std::string_view word, const std::vector<std::string>& candidates, const std::string& otherwise = "");

/// 'text', shortened where it is long.
std::string quoted(std::string_view text);

} // namespace andes::monitor::rules
