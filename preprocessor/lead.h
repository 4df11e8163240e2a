// The directives with which a source begins: #include, #define, #undef and the comments between them. Sources with the
// same ones, read in the same way, are in the same state behind them, so that they need to be read only once
// (reading_server.h).
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace andes::preprocessor {

/// The leading directives of a source, up to the last inclusion among them.
struct Lead {
  std::string text; // the lines alone, each as it stands there, with its newline
  std::vector<std::pair<std::size_t, std::size_t>> lines; // of each: where it begins in `text`, and in the source
  std::size_t end = 0; // offset in the source of the line behind them; 0: there are none
};

/// Stops before whatever may continue on the next line, and before any other directive.
Lead lead_of(std::string_view source);

/// What the leading directives include by quotes, as it is spelled. Nothing if that cannot be told: a macro stands
/// for a name, or files are named further down.
std::optional<std::vector<std::string_view>> quoted_inclusions(std::string_view source, const Lead& lead);

/// Where in the source that byte of Lead::text stands.
std::size_t in_source(const Lead& lead, std::size_t offset);

} // namespace andes::preprocessor
